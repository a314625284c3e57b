// SPDX-License-Identifier: MIT
//
// Who am I: ids and sizes of work-items, groups and sub-groups.

#include "builtins.h"

#define CONTEXT zc_get_context()

size_t BUILTIN __spirv_BuiltInLocalInvocationId(int d)
{
    return d < 3 ? CONTEXT->local_id[d] : 0;
}

size_t BUILTIN __spirv_BuiltInWorkgroupSize(int d)
{
    return d < 3 ? CONTEXT->local_size[d] : 1;
}

// Groups are never smaller than what was asked for.
size_t BUILTIN __spirv_BuiltInEnqueuedWorkgroupSize(int d)
{
    return __spirv_BuiltInWorkgroupSize(d);
}

size_t BUILTIN __spirv_BuiltInWorkgroupId(int d)
{
    return d < 3 ? CONTEXT->group_id[d] : 0;
}

size_t BUILTIN __spirv_BuiltInNumWorkgroups(int d)
{
    return d < 3 ? CONTEXT->group_count[d] : 1;
}

size_t BUILTIN __spirv_BuiltInGlobalOffset(int d)
{
    return d < 3 ? CONTEXT->global_offset[d] : 0;
}

size_t BUILTIN __spirv_BuiltInGlobalSize(int d)
{
    return __spirv_BuiltInNumWorkgroups(d) * __spirv_BuiltInWorkgroupSize(d);
}

static size_t id_without_offset(int d)
{
    return __spirv_BuiltInWorkgroupId(d) * __spirv_BuiltInWorkgroupSize(d) +
           __spirv_BuiltInLocalInvocationId(d);
}

size_t BUILTIN __spirv_BuiltInGlobalInvocationId(int d)
{
    return id_without_offset(d) + __spirv_BuiltInGlobalOffset(d);
}

uint BUILTIN __spirv_BuiltInWorkDim(void)
{
    return CONTEXT->dimensions;
}

size_t BUILTIN __spirv_BuiltInLocalInvocationIndex(void)
{
    return __spirv_BuiltInLocalInvocationId(0) +
           __spirv_BuiltInWorkgroupSize(0) *
               (__spirv_BuiltInLocalInvocationId(1) +
                   __spirv_BuiltInWorkgroupSize(1) * __spirv_BuiltInLocalInvocationId(2));
}

size_t BUILTIN __spirv_BuiltInGlobalLinearId(void)
{
    return id_without_offset(0) +
           __spirv_BuiltInGlobalSize(0) *
               (id_without_offset(1) + __spirv_BuiltInGlobalSize(1) * id_without_offset(2));
}

uint BUILTIN __spirv_BuiltInSubgroupMaxSize(void)
{
    return CONTEXT->sub_group_size;
}

uint BUILTIN __spirv_BuiltInSubgroupLocalInvocationId(void)
{
    return __spirv_BuiltInLocalInvocationIndex() % CONTEXT->sub_group_size;
}

uint BUILTIN __spirv_BuiltInSubgroupId(void)
{
    return __spirv_BuiltInLocalInvocationIndex() / CONTEXT->sub_group_size;
}

static size_t group_items(void)
{
    return __spirv_BuiltInWorkgroupSize(0) * __spirv_BuiltInWorkgroupSize(1) *
           __spirv_BuiltInWorkgroupSize(2);
}

uint BUILTIN __spirv_BuiltInNumSubgroups(void)
{
    return (group_items() + CONTEXT->sub_group_size - 1) / CONTEXT->sub_group_size;
}

uint BUILTIN __spirv_BuiltInNumEnqueuedSubgroups(void)
{
    return __spirv_BuiltInNumSubgroups();
}

// The last sub-group of a group has what is left.
uint BUILTIN __spirv_BuiltInSubgroupSize(void)
{
    const size_t size = CONTEXT->sub_group_size;
    const size_t left = group_items() - __spirv_BuiltInSubgroupId() * size;
    return left < size ? left : size;
}
