// SPDX-License-Identifier: MIT
//
// What programs ask of a target.

#include <mezzanine/target.h>

#include <string.h>

#include "target/target.h"

_Static_assert(
    sizeof(((mez_target_limits *)0)->sub_group_sizes) == sizeof(((mez_target *)0)->sub_group_sizes),
    "as many sub-group sizes as a target has");

const char *mez_target_get_name(const mez_target *target)
{
    return target ? target->name : NULL;
}

bool mez_target_has_aspect(const mez_target *target, const char *aspect)
{
    if (!target || !aspect)
        return false;
    const mez_aspect known = mez_aspect_find(aspect, strlen(aspect));
    return known != MEZ_ASPECT_NONE && mez_target_has(target, known);
}

uint32_t mez_target_get_aspects(const mez_target *target, const char **names, uint32_t capacity)
{
    uint32_t count = 0;
    if (!target)
        return 0;
    mez_aspects_each(&target->aspects, aspect)
    {
        if (count < capacity)
            names[count] = mez_aspect_name(aspect);
        count++;
    }
    return count;
}

void mez_target_get_limits(const mez_target *target, mez_target_limits *limits)
{
    if (!limits)
        return;
    *limits = (mez_target_limits){.compiler = "", .compiler_options = ""};
    if (!target)
        return;
    *limits = (mez_target_limits){
        .max_group_size = target->max_group_size,
        .max_local_memory = target->max_local_memory,
        .max_argument_size = target->max_argument_size,
        .sub_group_size_count = target->sub_group_size_count,
        .compiler = target->aot_toolchain,
        .compiler_options = target->aot_options,
        .takes_spirv = mez_target_takes_spirv(target),
    };
    memcpy(limits->max_group_sizes, target->max_group_sizes, sizeof limits->max_group_sizes);
    memcpy(limits->sub_group_sizes, target->sub_group_sizes, sizeof limits->sub_group_sizes);
}
