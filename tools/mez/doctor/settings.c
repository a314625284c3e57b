// SPDX-License-Identifier: MIT
//
// Mezzanine's own variables: read by those who read them in programs.

#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/log.h"
#include "base/text.h"
#include "device/assert_policy.h"
#include "doctor.h"
#include "lists/batched.h"
#include "queue/queue.h"
#include "queue/stall.h"
#include "ze/caps.h"
#include "ze/loader.h"

#define CHECK "settings"
#define PREFIX "MEZ_"
#define MOST_MISSPELT_PREFIX 1 // letters; MESA_LOG is two from one of ours, and another project's

// --- Values

static mez_error read_asserts(void)
{
    mez_assert_params params;
    return mez_assert_params_read(&params);
}

static mez_error read_batch(void)
{
    mez_batch_size size;
    return mez_batch_size_init(&size);
}

static mez_error read_drivers(void)
{
    mez_driver_set wanted;
    return mez_ze_read_drivers(&wanted);
}

static mez_error read_queue(void)
{
    mez_queue_kind kind;
    return mez_queue_read_setting(&kind);
}

static mez_error read_stall(void)
{
    uint64_t stall;
    return mez_stall_read_setting(&stall);
}

// Other checks report the other variables: cache, device configuration, drivers, device, traces.
static mez_error (*const readers[])(void) = {
    read_asserts,
    mez_caps_check_link_setting,
    read_batch,
    read_drivers,
    read_queue,
    read_stall,
};

typedef void (*found_function)(
    struct findings *findings, const char *check, const char *format, ...);

static bool is_read(struct findings *findings, mez_error error, found_function found)
{
    char line[1024];
    if (!mez_failed(error))
        return true;
    error_line(error, "known", line, sizeof line);
    found(findings, CHECK, "%s", line);
    found_advice(findings, "set a valid value, or unset the variable");
    return false;
}

// A program only loses messages. Leaves the levels of this process as they are by default.
static bool log_is_read(struct findings *findings)
{
    const char *levels = mez_setting(MEZ_VARIABLE_LOG);
    if (!levels)
        return true;
    const mez_error error = mez_log_set_levels(levels);
    mez_log_set_levels("warn");
    return is_read(findings, mez_error_headline(error, "MEZ_LOG=%s", levels), found_warn);
}

// --- Names

static bool begins_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

// Nothing but our tests reads them.
static bool is_of_tests(const char *name)
{
    static const char *const groups[] = {"TEST_", "STRESS_", "SOAK_", "ORACLE"}; // behind PREFIX
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (begins_with(name, PREFIX) && begins_with(name + strlen(PREFIX), groups[i]))
            return true;
    return false;
}

// In capitals, for mez_device is misspelt too. False: too long to be meant for one of ours.
static bool copy_name(const char *variable, char *name, size_t size)
{
    const size_t length = strcspn(variable, "=");
    if (length >= size)
        return false;
    for (size_t i = 0; i < length; i++)
        name[i] = (char)toupper((unsigned char)variable[i]);
    name[length] = '\0';
    return true;
}

static mez_spelling nearest_of(const char *name)
{
    mez_spelling spelling = mez_spelling_of(name, strlen(name));
    for (mez_variable variable = 0; variable < MEZ_VARIABLE_COUNT; variable++)
        mez_spelling_offer(&spelling, mez_variable_get_info(variable)->name);
    return spelling;
}

static bool is_known(const char *variable, const mez_spelling *spelling)
{
    return spelling->nearest && spelling->distance == 0 &&
           strncmp(variable, spelling->nearest, spelling->length) == 0;
}

// True: it is one of ours, or none of our business.
static bool look_at_name(struct findings *findings, const char *variable)
{
    char name[64];
    if (!copy_name(variable, name, sizeof name) || name[0] != PREFIX[0] || is_of_tests(variable))
        return true;
    const mez_spelling spelling = nearest_of(name);
    const bool ours = begins_with(variable, PREFIX);
    if (is_known(variable, &spelling) || (!ours && spelling.distance > MOST_MISSPELT_PREFIX))
        return true;
    found_warn(
        findings, CHECK, "%.*s is set, but nothing reads it", (int)spelling.length, variable);
    if (spelling.nearest)
        found_advice(findings, "did you mean %s?", spelling.nearest);
    else
        found_advice(findings, "the variables that exist are listed below");
    return false;
}

void check_settings(struct doctor *doctor)
{
    bool good = log_is_read(&doctor->findings);
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        good &= is_read(&doctor->findings, readers[i](), found_fail);
    for (char **variable = environ; *variable; variable++)
        good &= look_at_name(&doctor->findings, *variable);
    if (good)
        found_pass(&doctor->findings, CHECK, "all variables of Mezzanine are valid");
}

// --- All of them

void settings_print(FILE *stream)
{
    fputs("settings:\n", stream);
    for (mez_variable variable = 0; variable < MEZ_VARIABLE_COUNT; variable++) {
        const mez_variable_info *info = mez_variable_get_info(variable);
        const char *value = mez_setting(variable);
        fprintf(stream, "  %-18s %s%s\n", info->name,
            value ? value : "not set: ", value ? "" : info->otherwise);
    }
}

void settings_print_json(mez_json *json)
{
    mez_json_open(json, "settings", '[');
    for (mez_variable variable = 0; variable < MEZ_VARIABLE_COUNT; variable++) {
        const mez_variable_info *info = mez_variable_get_info(variable);
        const char *value = mez_setting(variable);
        mez_json_open(json, NULL, '{');
        mez_json_string(json, "name", info->name);
        if (value)
            mez_json_string(json, "value", value);
        mez_json_string(json, "default", info->otherwise);
        mez_json_close(json, '}');
    }
    mez_json_close(json, ']');
}
