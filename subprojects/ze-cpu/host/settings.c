// SPDX-License-Identifier: MIT
//
// Reading the environment.
#include "settings.h"

#include "topology.h"

#include <engine.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Every word of ZE_CPU_CHECK.
#define ZC_ALL_CHECKS "memory,divergence,uninitialized,races"
// Those of ZE_CPU_CHECK=1: the others cost several times as much.
#define ZC_USUAL_CHECKS "memory,divergence"

// Of a device, in bytes.
#define MIN_MEMORY (UINT64_C(1) << 20)
#define MAX_MEMORY (UINT64_C(1) << 50)

// A day.
#define MAX_RESET_MS 86400000u

struct zc_settings zc_settings;

static ze_result_t refuse(const char *name, const char *value, const char *expected)
{
    fprintf(stderr, "ze-cpu: %s=%s is not %s\n", name, value, expected);
    return ZE_RESULT_ERROR_UNINITIALIZED;
}

// The variable's value; NULL where it is not set or empty.
static const char *get_variable(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

static ze_result_t read_switch(const char *name, bool *on)
{
    const char *value = get_variable(name);
    if (!value)
        return ZE_RESULT_SUCCESS;
    if (strcmp(value, "0") != 0 && strcmp(value, "1") != 0)
        return refuse(name, value, "0 or 1");
    *on = *value == '1';
    return ZE_RESULT_SUCCESS;
}

// Up to `end`. False: there is something else, or the number is too large.
static bool take_number(const char *text, char end, uint64_t *number)
{
    char *stop = NULL;
    errno = 0;
    *number = strtoull(text, &stop, 10);
    return *stop == end && !errno && *text >= '0' && *text <= '9';
}

// *is_set stays as it is where the variable is not set.
static ze_result_t read_number(const char *name, bool *is_set, uint64_t *number)
{
    const char *value = get_variable(name);
    if (!value)
        return ZE_RESULT_SUCCESS;
    if (!take_number(value, '\0', number))
        return refuse(name, value, "a number");
    *is_set = true;
    return ZE_RESULT_SUCCESS;
}

// "5", or "1:5" for another device than the first.
// A number of bytes, or of 1024, 1024 times 1024 ... of them.
static bool parse_size(const char *text, uint64_t *size)
{
    static const char units[] = "KMGT";
    char *end = NULL;
    errno = 0;
    *size = strtoull(text, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;
    const unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    const bool ends = unit ? end[1] == '\0' : *end == '\0';
    if (errno || *text < '0' || *text > '9' || !ends || *size > MAX_MEMORY >> shift)
        return false;
    *size <<= shift;
    return *size >= MIN_MEMORY;
}

static ze_result_t read_memory(void)
{
    const char *value = get_variable("ZE_CPU_MEMORY");
    if (!value || parse_size(value, &zc_settings.memory))
        return ZE_RESULT_SUCCESS;
    return refuse(
        "ZE_CPU_MEMORY", value, "a number of bytes from 1M to 1024T, as 500000000 or 512M");
}

static ze_result_t read_loss(void)
{
    const char *value = get_variable("ZE_CPU_LOSE_DEVICE");
    if (!value)
        return ZE_RESULT_SUCCESS;
    const char *colon = strchr(value, ':');
    const bool names_device = !colon || take_number(value, ':', &zc_settings.lost_device);
    if (!names_device || !take_number(colon ? colon + 1 : value, '\0', &zc_settings.lost_after))
        return refuse("ZE_CPU_LOSE_DEVICE", value,
            "a number of commands, or a device, a colon and that number");
    zc_settings.loses_device = true;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t read_copy_engine(void)
{
    bool on = false;
    const ze_result_t result = read_switch("ZE_CPU_COPY_ENGINE", &on);
    if (get_variable("ZE_CPU_COPY_ENGINE"))
        zc_settings.copy_engine = on ? ZC_COPY_ENGINE_ON : ZC_COPY_ENGINE_OFF;
    return result;
}

static ze_result_t read_sub_devices(void)
{
    bool is_set = false;
    uint64_t count = 0;
    const ze_result_t result = read_number("ZE_CPU_SUB_DEVICES", &is_set, &count);
    if (result == ZE_RESULT_SUCCESS && count > ZC_MAX_SUB_DEVICES)
        return refuse("ZE_CPU_SUB_DEVICES", getenv("ZE_CPU_SUB_DEVICES"), "a number up to 64");
    zc_settings.sub_devices = (uint32_t)count;
    return result;
}

static ze_result_t read_asserts(void)
{
    static const char *const names[] = {
        [ZC_ASSERTS_NONE] = "none", [ZC_ASSERTS_ABORT] = "abort", [ZC_ASSERTS_CODE] = "code"};
    const char *value = get_variable("ZE_CPU_ASSERT");
    if (!value)
        return ZE_RESULT_SUCCESS;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(value, names[i])) {
            zc_settings.asserts = (enum zc_asserts)i;
            return ZE_RESULT_SUCCESS;
        }
    return refuse("ZE_CPU_ASSERT", value, "one of: none abort code");
}

// A reset leaves kernels by a signal.
static ze_result_t read_faults(void)
{
    ze_result_t result;
    zc_settings.signals = true;
    if ((result = read_switch("ZE_CPU_SIGNALS", &zc_settings.signals)) ||
        (result = read_switch("ZE_CPU_SINGLE_ENGINE", &zc_settings.single_engine)) ||
        (result = read_number("ZE_CPU_RESET_MS", &zc_settings.resets, &zc_settings.reset_ms)))
        return result;
    if (zc_settings.resets && !zc_settings.signals)
        return refuse("ZE_CPU_SIGNALS", "0", "possible with ZE_CPU_RESET_MS");
    if (zc_settings.resets && (!zc_settings.reset_ms || zc_settings.reset_ms > MAX_RESET_MS))
        return refuse("ZE_CPU_RESET_MS", getenv("ZE_CPU_RESET_MS"), "a number from 1 to 86400000");
    return ZE_RESULT_SUCCESS;
}

static const struct check {
    const char *word;
    uint32_t bit;
} checks[] = {{"memory", ZC_CHECK_MEMORY}, {"divergence", ZC_CHECK_DIVERGENCE},
    {"uninitialized", ZC_CHECK_UNINITIALIZED}, {"races", ZC_CHECK_RACES}};
#define CHECK_COUNT (sizeof checks / sizeof *checks)

// False: nothing has this name.
static bool add_check(const char *word, size_t length)
{
    for (size_t i = 0; i < CHECK_COUNT; i++)
        if (strlen(checks[i].word) == length && !strncmp(checks[i].word, word, length)) {
            zc_settings.checks |= checks[i].bit;
            return true;
        }
    return false;
}

// Findings leave kernels the way faults do.
static ze_result_t read_checks(void)
{
    const char *value = get_variable("ZE_CPU_CHECK");
    if (!value || !strcmp(value, "0"))
        return ZE_RESULT_SUCCESS;
    if (!zc_settings.signals)
        return refuse("ZE_CPU_SIGNALS", "0", "possible with ZE_CPU_CHECK");
    if (!strcmp(value, "1"))
        value = ZC_USUAL_CHECKS;
    for (const char *word = value; *word; word += *word == ',') {
        const size_t length = strcspn(word, ",");
        if (!add_check(word, length))
            return refuse("ZE_CPU_CHECK", value, "0, 1 or a list of: " ZC_ALL_CHECKS);
        word += length;
    }
    return ZE_RESULT_SUCCESS;
}

// What finds stray accesses also finds those to memory that is not resident.
static ze_result_t read_strict(void)
{
    const ze_result_t result = read_switch("ZE_CPU_STRICT", &zc_settings.strict);
    if (!zc_settings.strict)
        return result;
    if (!zc_settings.signals)
        return refuse("ZE_CPU_SIGNALS", "0", "possible with ZE_CPU_STRICT");
    zc_settings.checks |= ZC_CHECK_MEMORY;
    return ZE_RESULT_SUCCESS;
}

// These variables are not ours alone: a value we do not know is somebody else's affair.
static void read_sysman(void)
{
    const char *value = get_variable("ZES_ENABLE_SYSMAN");
    zc_settings.sysman = value && !strcmp(value, "1");
}

static void read_hierarchy(void)
{
    const char *value = get_variable("ZE_FLAT_DEVICE_HIERARCHY");
    if (value && !strcmp(value, "FLAT"))
        zc_settings.hierarchy = ZC_FLAT;
    if (value && !strcmp(value, "COMBINED"))
        zc_settings.hierarchy = ZC_COMBINED;
}

ze_result_t zc_settings_read(void)
{
    ze_result_t result;
    if ((result = read_switch("ZE_CPU_NEWER", &zc_settings.newer)) ||
        (result =
                read_number("ZE_CPU_OUT_OF_ORDER", &zc_settings.out_of_order, &zc_settings.seed)) ||
        (result = read_loss()) || (result = read_copy_engine()) || (result = read_sub_devices()) ||
        (result = read_asserts()) || (result = read_faults()) || (result = read_checks()) ||
        (result = read_strict()) || (result = read_memory()) ||
        (result = read_switch("ZE_CPU_GUARD", &zc_settings.guard)))
        return result;
    read_sysman();
    read_hierarchy();
    return ZE_RESULT_SUCCESS;
}
