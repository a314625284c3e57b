// SPDX-License-Identifier: MIT
//
// A device for tests of checks that has little, and what they ask of it.

#ifndef MEZ_TESTS_CHECK_DEVICE_H
#define MEZ_TESTS_CHECK_DEVICE_H

#include "check/check.h"
#include "unit.h"

// fp16 and gpu; sub-groups of 16 and 32; 512 work-items, of these 64 in z; 64 KiB of local memory, 2,048 bytes of arguments; the
// architecture of ip version 12.0.0.
static inline mez_target small_target(void)
{
    mez_target target = {
        .name = "intel_gpu_tgllp",
        .ip_versions = {0x03000000},
        .ip_version_count = 1,
        .aspects_known = true,
        .sub_group_sizes = {16, 32},
        .sub_group_size_count = 2,
        .max_group_size = 512,
        .max_group_sizes = {512, 512, 64},
        .max_local_memory = 65536,
        .max_argument_size = 2048,
    };
    mez_aspects_add(&target.aspects, MEZ_ASPECT_gpu);
    mez_aspects_add(&target.aspects, MEZ_ASPECT_fp16);
    return target;
}

#define REQUIRES_ASPECT(which)                                         \
    {                                                                  \
        .kind = MEZ_REQUIRES_ASPECT, .aspect.name = MEZ_ASPECT_##which \
    }
#define REQUIRES_NUMBER(value)                                                     \
    {                                                                              \
        .kind = MEZ_REQUIRES_ASPECT, .aspect = {.name = MEZ_ASPECT_NONE, (value) } \
    }
#define REQUIRES_SUB_GROUPS(size)                                     \
    {                                                                 \
        .kind = MEZ_REQUIRES_SUB_GROUP_SIZE, .sub_group_size = (size) \
    }
#define REQUIRES_GROUPS(x, y, z)                                         \
    {                                                                    \
        .kind = MEZ_REQUIRES_GROUP_SIZE, .group.sizes = {(x), (y), (z) } \
    }
#define REQUIRES_BYTES(which, size)                   \
    {                                                 \
        .kind = MEZ_REQUIRES_##which, .bytes = (size) \
    }
#define REQUIRES_WORDS(which, text)                                         \
    {                                                                       \
        .kind = MEZ_REQUIRES_##which, .matrix = {(text), sizeof(text) - 1 } \
    }

#endif
