// SPDX-License-Identifier: MIT
//
// Reading ZE_CPU_FEATURES.
#include "custom.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLE "ZE_CPU_FEATURES"
#define LARGEST_SUB_GROUP 64

// Words that stand alone.
static const struct {
    const char *name;
    size_t offset; // of a bool
} features[] = {
    {"fp16", offsetof(struct zc_persona, fp16)},
    {"fp64", offsetof(struct zc_persona, fp64)},
    {"atomic64", offsetof(struct zc_persona, int64_atomics)},
    {"discrete", offsetof(struct zc_persona, discrete)},
};

// Words with a number.
static const struct {
    const char *name;
    size_t offset; // of a uint32_t
    uint32_t least, most;
} numbers[] = {
    {"group-size", offsetof(struct zc_persona, max_group_size), 1, 1u << 16},
    {"local-memory", offsetof(struct zc_persona, shared_local_memory), 0, 1u << 30},
    {"images", offsetof(struct zc_persona, image_size), 0, 1u << 20},
    {"device-id", offsetof(struct zc_persona, device_id), 0, UINT16_MAX},
    {"ip-version", offsetof(struct zc_persona, ip_version), 0, UINT32_MAX},
};

static const struct zc_persona nothing_special = {
    .name = ZC_CUSTOM_PERSONA,
    .cooperative_groups = ZC_COOPERATIVE_GROUPS,
    .vendor_id = ZC_VENDOR_INTEL,
    .sub_group_sizes = 8 | 16 | 32,
    .spirv_version = ZE_MAKE_VERSION(1, 2),
    .max_group_size = 512,
    .shared_local_memory = 64u << 10,
    .simd_width = 8,
    .threads_per_eu = 8,
    .access = {ZC_ACCESS_RW_ATOMIC, ZC_ACCESS_RW_ATOMIC, ZC_ACCESS_RW_ATOMIC, 0, 0},
    .groups = {ZC_COMPUTE_GROUP(1)},
    .group_count = 1,
};

// Decimal, or hexadecimal after 0x.
static bool read_number(const char *text, const char *end, uint32_t *number)
{
    char *stop = NULL;
    errno = 0;
    const unsigned long long value = strtoull(text, &stop, 0);
    *number = (uint32_t)value;
    return stop == end && !errno && value <= UINT32_MAX && *text >= '0' && *text <= '9';
}

static bool set_feature(struct zc_persona *persona, const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
        if (strlen(features[i].name) != length || memcmp(features[i].name, word, length) != 0)
            continue;
        *(bool *)((char *)persona + features[i].offset) = true;
        return true;
    }
    return false;
}

static bool set_number(
    struct zc_persona *persona, const char *name, size_t length, const char *value, const char *end)
{
    uint32_t number;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strlen(numbers[i].name) != length || memcmp(numbers[i].name, name, length) != 0)
            continue;
        if (!read_number(value, end, &number) || number < numbers[i].least ||
            number > numbers[i].most)
            return false;
        *(uint32_t *)((char *)persona + numbers[i].offset) = number;
        return true;
    }
    return false;
}

// "8+16+32"
static bool set_sub_groups(struct zc_persona *persona, const char *value, const char *end)
{
    uint32_t sizes = 0, size;
    for (const char *at = value, *stop; at <= end; at = stop + 1) {
        stop = memchr(at, '+', (size_t)(end - at));
        stop = stop ? stop : end;
        if (!read_number(at, stop, &size) || size < 1 || size > LARGEST_SUB_GROUP ||
            (size & (size - 1)))
            return false;
        sizes |= size;
    }
    persona->sub_group_sizes = sizes;
    return true;
}

static bool set_word(struct zc_persona *persona, const char *word, size_t length)
{
    static const char sub_groups[] = "sub-groups=";
    const size_t prefix = sizeof sub_groups - 1;
    const char *equals = memchr(word, '=', length);
    if (!equals)
        return set_feature(persona, word, length);
    if (length > prefix && !memcmp(word, sub_groups, prefix))
        return set_sub_groups(persona, word + prefix, word + length);
    return set_number(persona, word, (size_t)(equals - word), equals + 1, word + length);
}

static ze_result_t refuse_word(const char *word, size_t length)
{
    fprintf(stderr,
        "ze-cpu: " VARIABLE ": '%.*s' is not accepted; use some of: fp16 fp64 atomic64 "
        "discrete sub-groups=SIZE+SIZE...",
        (int)length, word);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        fprintf(stderr, " %s=NUMBER", numbers[i].name);
    fputs(", separated by commas\n", stderr);
    return ZE_RESULT_ERROR_UNINITIALIZED;
}

ze_result_t zc_custom_persona_read(struct zc_persona *persona)
{
    *persona = nothing_special;
    const char *at = getenv(VARIABLE);
    while (at && *at) {
        const size_t length = strcspn(at, ",");
        if (length && !set_word(persona, at, length))
            return refuse_word(at, length);
        at += length + (at[length] == ',');
    }
    return ZE_RESULT_SUCCESS;
}

ze_result_t zc_custom_persona_refuse(void)
{
    const char *text = getenv(VARIABLE);
    if (!text || !*text)
        return ZE_RESULT_SUCCESS;
    fprintf(stderr, "ze-cpu: " VARIABLE " has an effect only with ZE_CPU_PERSONA=" ZC_CUSTOM_PERSONA
                    ", or with it in ZE_CPU_DEVICES\n");
    return ZE_RESULT_ERROR_UNINITIALIZED;
}
