// SPDX-License-Identifier: MIT

#include "target/target.h"

#include <string.h>

#include "target/values.h"

bool mez_target_has(const mez_target *target, mez_aspect aspect)
{
    return !target->aspects_known || mez_aspects_has(&target->aspects, aspect);
}

static bool is_listed(const uint32_t *list, uint32_t count, uint32_t value)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == value)
            return true;
    return false;
}

bool mez_target_has_number(
    const mez_target *target, mez_aspect_numbering numbering, uint32_t number)
{
    const mez_aspect aspect = mez_aspect_from_number(numbering, number);
    if (aspect != MEZ_ASPECT_NONE)
        return mez_target_has(target, aspect);
    return !target->aspects_known ||
           is_listed(target->unnamed_aspects, target->unnamed_aspect_count, number);
}

bool mez_target_has_sub_group_size(const mez_target *target, uint32_t size)
{
    return target->sub_group_size_count == 0 ||
           is_listed(target->sub_group_sizes, target->sub_group_size_count, size);
}

bool mez_target_has_ip(const mez_target *target, uint32_t ip_version)
{
    for (uint32_t i = 0; i < target->ip_version_count; i++)
        if (mez_ip_release(target->ip_versions[i]) == mez_ip_release(ip_version))
            return true;
    return false;
}

// Names that compilers of SYCL give to GPUs of other vendors begin so.
static bool is_foreign(const char *name)
{
    static const char *const prefixes[] = {
        "ptx", "nvptx", "nvidia_gpu", "amdgcn", "amd_gpu", "llvm_nvptx", "llvm_amdgcn"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

bool mez_target_takes_spirv(const mez_target *target)
{
    return !is_foreign(target->name);
}

bool mez_target_is(const mez_target *target, mez_aspect_numbering numbering, uint32_t value)
{
    const bool any = !target->aspects_known && target->ip_version_count == 0;
    if (value >= MEZ_FIXED_TARGET_IP)
        return any || mez_target_has_ip(target, value);
    return mez_target_has_number(target, numbering, value);
}
