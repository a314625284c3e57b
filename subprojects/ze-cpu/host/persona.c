// SPDX-License-Identifier: MIT
//
// The table of personas. Limits of the Intel ones are what Intel's driver 22.43 reports for these
// devices.
#include "persona.h"

#include <stdio.h>
#include <string.h>

#define KIB 1024u
#define COPY ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY

#define RW_ATOMIC ZC_ACCESS_RW_ATOMIC
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
        .groups = {ZC_COMPUTE_GROUP(8)},
        .group_count = 1,
    },
    {
        .name = "skl",
        .vendor_id = ZC_VENDOR_INTEL,
        .device_id = 0x1912,
        .ip_version = 0x02400009,
        .image_size = 16384,
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
        .groups = {ZC_COMPUTE_GROUP(1)},
        .group_count = 1,
    },
    {
        .name = "tgllp",
        .vendor_id = ZC_VENDOR_INTEL,
        .device_id = 0x9a49,
        .ip_version = 0x03000000,
        .image_size = 16384,
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
        .groups = {ZC_COMPUTE_GROUP(1)},
        .group_count = 1,
    },
    {
        .name = "dg2",
        .vendor_id = ZC_VENDOR_INTEL,
        .device_id = 0x56a0,
        .ip_version = 0x030dc008,
        .image_size = 16384,
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
        .groups = {ZC_COMPUTE_GROUP(1), {COPY, 1, 16}},
        .group_count = 2,
    },
    {
        .name = "pvc",
        .vendor_id = ZC_VENDOR_INTEL,
        .device_id = 0x0bd5,
        .ip_version = 0x030f0007,
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
        .groups = {ZC_COMPUTE_GROUP(4), {COPY, 1, 1}, {COPY, 8, 1}},
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
