// SPDX-License-Identifier: MIT
//
// The table of personas. Limits of the Intel ones are what Intel's driver 22.43 reports for these
// devices.
#include "persona.h"

#include <stdio.h>
#include <string.h>

#define VENDOR_INTEL 0x8086
#define KIB 1024u

#define COMPUTE                                     \
    (ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE | \
        ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS)
#define COPY ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY

// Patterns of any length would work; this is a length that programs may count on.
#define MAX_FILL_PATTERN 256

#define RW_ATOMIC (ZE_MEMORY_ACCESS_CAP_FLAG_RW | ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC)
#define EVERYTHING \
    (RW_ATOMIC | ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT | ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC)

const struct zc_queue_group zc_copy_engine = {COPY, 1, 16};

static const struct zc_persona personas[] = {
    {
        .name = "host",
        .fp16 = true,
        .fp64 = true,
        .int64_atomics = true,
        .sub_group_sizes = 8 | 16 | 32,
        .spirv_version = ZE_MAKE_VERSION(1, 4),
        .max_group_size = 1024,
        .shared_local_memory = 64 * KIB,
        .simd_width = 8,
        .threads_per_eu = 1,
        .access = {EVERYTHING, EVERYTHING, EVERYTHING, EVERYTHING, EVERYTHING},
        .groups = {{COMPUTE | COPY, 8, MAX_FILL_PATTERN}},
        .group_count = 1,
    },
    {
        .name = "skl",
        .vendor_id = VENDOR_INTEL,
        .device_id = 0x1912,
        .fp16 = true,
        .fp64 = true,
        .int64_atomics = true,
        .sub_group_sizes = 8 | 16 | 32,
        .spirv_version = ZE_MAKE_VERSION(1, 2),
        .max_group_size = 256,
        .shared_local_memory = 64 * KIB,
        .simd_width = 8,
        .threads_per_eu = 7,
        .access = {RW_ATOMIC, RW_ATOMIC, RW_ATOMIC, 0, 0},
        .groups = {{COMPUTE | COPY, 1, MAX_FILL_PATTERN}},
        .group_count = 1,
    },
    {
        .name = "tgllp",
        .vendor_id = VENDOR_INTEL,
        .device_id = 0x9a49,
        .fp16 = true,
        .fp64 = false,
        .int64_atomics = true,
        .sub_group_sizes = 8 | 16 | 32,
        .spirv_version = ZE_MAKE_VERSION(1, 2),
        .max_group_size = 512,
        .shared_local_memory = 64 * KIB,
        .simd_width = 8,
        .threads_per_eu = 7,
        .access = {RW_ATOMIC, RW_ATOMIC, RW_ATOMIC, 0, 0},
        .groups = {{COMPUTE | COPY, 1, MAX_FILL_PATTERN}},
        .group_count = 1,
    },
    {
        .name = "dg2",
        .vendor_id = VENDOR_INTEL,
        .device_id = 0x56a0,
        .fp16 = true,
        .fp64 = false,
        .int64_atomics = true,
        .sub_group_sizes = 8 | 16 | 32,
        .spirv_version = ZE_MAKE_VERSION(1, 2),
        .max_group_size = 1024,
        .shared_local_memory = 64 * KIB,
        .simd_width = 8,
        .threads_per_eu = 8,
        .access = {RW_ATOMIC, RW_ATOMIC, RW_ATOMIC, 0, 0},
        .groups = {{COMPUTE | COPY, 1, MAX_FILL_PATTERN}, {COPY, 1, 16}},
        .group_count = 2,
    },
    {
        .name = "pvc",
        .vendor_id = VENDOR_INTEL,
        .device_id = 0x0bd5,
        .fp16 = true,
        .fp64 = true,
        .int64_atomics = true,
        .sub_group_sizes = 16 | 32,
        .spirv_version = ZE_MAKE_VERSION(1, 2),
        .max_group_size = 1024,
        .shared_local_memory = 128 * KIB,
        .simd_width = 16,
        .threads_per_eu = 8,
        .access = {RW_ATOMIC, RW_ATOMIC, RW_ATOMIC, 0, 0},
        .groups = {{COMPUTE | COPY, 4, MAX_FILL_PATTERN}, {COPY, 1, 1}, {COPY, 8, 1}},
        .group_count = 3,
    },
};

#define PERSONA_COUNT (sizeof personas / sizeof *personas)

const struct zc_persona *zc_persona_find(const char *name)
{
    if (!name || !*name)
        return &personas[0];
    for (size_t i = 0; i < PERSONA_COUNT; i++)
        if (!strcmp(personas[i].name, name))
            return &personas[i];
    return NULL;
}

const char *zc_persona_names(char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < PERSONA_COUNT && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? " " : "", personas[i].name);
    return text;
}
