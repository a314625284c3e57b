// SPDX-License-Identifier: MIT
//
// The personas of personas.def.
#include "persona.h"

#include <stdio.h>
#include <string.h>

#define KIB 1024u
#define COMPUTE(queues) ZC_COMPUTE_GROUP(queues)
#define COPY(queues, pattern)                                          \
    {                                                                  \
        ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY, (queues), (pattern) \
    }

#define RW_ATOMIC ZC_ACCESS_RW_ATOMIC
#define EVERYTHING \
    (RW_ATOMIC | ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT | ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC)

const struct zc_queue_group zc_copy_engine = COPY(1, 16);

#define QUEUE_GROUPS(...) \
    (sizeof((struct zc_queue_group[]){__VA_ARGS__}) / sizeof(struct zc_queue_group))
#define ACCESS(id, cpu, gpu) ((id) ? (gpu) : (cpu))

static const struct zc_persona personas[] = {
#define PERSONA(called, id, ip, spirv_minor, has_fp64, is_discrete, sub_groups, group, local_kib, \
    image, simd, threads, ...)                                                                    \
    {                                                                                             \
        .name = #called,                                                                          \
        .vendor_id = (id) ? ZC_VENDOR_INTEL : 0,                                                  \
        .device_id = (id),                                                                        \
        .ip_version = (ip),                                                                       \
        .image_size = (image),                                                                    \
        .fp16 = true,                                                                             \
        .fp64 = (has_fp64),                                                                       \
        .discrete = (is_discrete),                                                                \
        .int64_atomics = true,                                                                    \
        .sub_group_sizes = (sub_groups),                                                          \
        .spirv_version = ZE_MAKE_VERSION(1, spirv_minor),                                         \
        .max_group_size = (group),                                                                \
        .shared_local_memory = (local_kib)*KIB,                                                   \
        .cooperative_groups = (id) ? ZC_COOPERATIVE_GROUPS : ZC_COOPERATIVE_GROUPS_OF_HOST,       \
        .simd_width = (simd),                                                                     \
        .threads_per_eu = (threads),                                                              \
        .access = {ACCESS(id, EVERYTHING, RW_ATOMIC), ACCESS(id, EVERYTHING, RW_ATOMIC),          \
            ACCESS(id, EVERYTHING, RW_ATOMIC), ACCESS(id, EVERYTHING, 0),                         \
            ACCESS(id, EVERYTHING, 0)},                                                           \
        .groups = {__VA_ARGS__},                                                                  \
        .group_count = QUEUE_GROUPS(__VA_ARGS__),                                                 \
    },
#include "personas.def"
#undef PERSONA
};

#define PERSONA_COUNT (sizeof personas / sizeof *personas)

const struct zc_persona *zc_persona_find(const char *name, size_t length)
{
    for (size_t i = 0; i < PERSONA_COUNT; i++)
        if (strlen(personas[i].name) == length && !memcmp(personas[i].name, name, length))
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
