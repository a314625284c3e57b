// SPDX-License-Identifier: MIT
//
// Personas: which device ze-cpu pretends to be. A persona changes what is reported and what is
// refused, never how a kernel runs, so that a program can be tested against a device's limits
// without owning one.
#ifndef ZE_CPU_PERSONA_H
#define ZE_CPU_PERSONA_H

#include <level_zero/ze_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ZC_MAX_QUEUE_GROUPS 3

struct zc_queue_group {
    ze_command_queue_group_property_flags_t flags;
    uint32_t queue_count;
    size_t max_fill_pattern;
};

struct zc_memory_access {
    ze_memory_access_cap_flags_t host, device, shared, cross_shared, system;
};

struct zc_persona {
    const char *name;
    uint32_t vendor_id, device_id;
    bool fp16, fp64, int64_atomics;
    bool discrete;            // a GPU with memory of its own, to which shared memory moves
    uint32_t sub_group_sizes; // bit mask: the sum of the sizes
    uint32_t spirv_version;
    uint32_t max_group_size;
    uint32_t shared_local_memory;
    uint32_t image_size;                 // the longest side of an image; 0: images are not reported
    uint32_t ip_version;                 // 0: none is reported
    uint32_t cooperative_groups;         // so many may be launched on few cores, too
    uint32_t simd_width, threads_per_eu; // as clocks and layouts are reported; no meaning here
    struct zc_memory_access access;
    struct zc_queue_group groups[ZC_MAX_QUEUE_GROUPS];
    uint32_t group_count;
};

#define ZC_VENDOR_INTEL 0x8086
#define ZC_ACCESS_RW_ATOMIC (ZE_MEMORY_ACCESS_CAP_FLAG_RW | ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC)

// Groups that spin for each other on too few cores are slow. Programs for large GPUs count on hundreds of them all the same, and have
// nobody but the host's persona to run them.
#define ZC_COOPERATIVE_GROUPS 16
#define ZC_COOPERATIVE_GROUPS_OF_HOST 256

// Patterns of any length would work; this is a length that programs may count on.
#define ZC_MAX_FILL_PATTERN 256

// A group of so many queues for everything.
#define ZC_COMPUTE_GROUP(queues)                                       \
    {                                                                  \
        ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE |                 \
            ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS | \
            ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY,                 \
            queues, ZC_MAX_FILL_PATTERN                                \
    }

// A group of one queue for copies only.
extern const struct zc_queue_group zc_copy_engine;

#define ZC_DEFAULT_PERSONA "host"

// The persona whose name these characters are; NULL when there is none.
const struct zc_persona *zc_persona_find(const char *name, size_t length);
// Writes the accepted names, separated by spaces. Returns `text`.
const char *zc_persona_names(char *text, size_t size);

#endif
