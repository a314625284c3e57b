// SPDX-License-Identifier: MIT
//
// Kernel handles.
#include "kernel.h"

#include "assert.h"
#include "check.h"
#include "cooperative.h"
#include "device.h"
#include "fault.h"
#include "image_argument.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Suggested groups are not larger than this: larger ones leave cores idle at the end of a launch.
#define SUGGESTED_GROUP_SIZE 256u

static bool has_required_size(const struct zc_kernel *info)
{
    return info->required_group_size[0] != 0;
}

static bool fits(const uint32_t size[3], uint32_t limit)
{
    return size[0] <= limit && size[1] <= limit && size[2] <= limit &&
           (uint64_t)size[0] * size[1] * size[2] <= limit;
}

static void free_kernel(ze_kernel_handle_t kernel)
{
    if (kernel->blob && kernel->has_image_arguments)
        zc_image_arguments_each(kernel->info, kernel->blob, zc_image_unref);
    free(kernel->arguments);
    free(kernel->blob);
    free(kernel);
}

// As OpenCL's CL_KERNEL_ATTRIBUTES has them.
static void write_attributes(const struct zc_kernel *info, char *text, size_t size)
{
    const uint32_t *group = info->required_group_size;
    size_t used = 0;
    text[0] = '\0';
    if (info->required_sub_group_size)
        used = (size_t)snprintf(
            text, size, "intel_reqd_sub_group_size(%u)", info->required_sub_group_size);
    if (has_required_size(info))
        snprintf(text + used, size - used, "%sreqd_work_group_size(%u,%u,%u)", used ? " " : "",
            group[0], group[1], group[2]);
}

static ze_kernel_handle_t create_kernel(const struct zc_kernel *info)
{
    ze_kernel_handle_t kernel = calloc(1, sizeof *kernel);
    if (!kernel)
        return NULL;
    kernel->info = info;
    kernel->missing_arguments = info->argument_count;
    write_attributes(info, kernel->attributes, sizeof kernel->attributes);
    for (uint32_t i = 0; i < info->argument_count; i++) {
        kernel->has_local_arguments |= info->arguments[i].kind == ZC_ARGUMENT_LOCAL;
        kernel->has_image_arguments |= info->arguments[i].kind == ZC_ARGUMENT_IMAGE;
    }
    kernel->arguments = calloc(info->argument_count + 1, sizeof *kernel->arguments);
    kernel->blob = calloc(1, info->blob_size + 1);
    if (!kernel->arguments || !kernel->blob) {
        free_kernel(kernel);
        return NULL;
    }
    for (int i = 0; i < 3; i++)
        kernel->group_size[i] = has_required_size(info) ? info->required_group_size[i] : 1;
    return kernel;
}

ze_result_t zeKernelCreate(
    ze_module_handle_t module, const ze_kernel_desc_t *desc, ze_kernel_handle_t *kernel)
{
    ZC_REQUIRE_HANDLE(module);
    ZC_REQUIRE_POINTER(desc);
    ZC_REQUIRE_POINTER(desc->pKernelName);
    ZC_REQUIRE_POINTER(kernel);
    ZC_REQUIRE_FLAGS(
        desc->flags, ZE_KERNEL_FLAG_FORCE_RESIDENCY | ZE_KERNEL_FLAG_EXPLICIT_RESIDENCY);
    ZC_REQUIRE(!module->unlinked, ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED);
    const struct zc_kernel *info = NULL;
    const ze_result_t found = zc_module_find_kernel(module, desc->pKernelName, &info);
    ZC_PASS(found);
    const uint32_t limit = module->device->persona->max_group_size;
    ZC_REQUIRE(
        fits(info->required_group_size, limit), ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
    ze_kernel_handle_t new = create_kernel(info);
    ZC_REQUIRE(new, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    new->module = zc_module_ref(module);
    zc_guard_refresh();
    *kernel = new;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelDestroy(ze_kernel_handle_t kernel)
{
    ZC_REQUIRE_HANDLE(kernel);
    if (kernel->info->uses_assert)
        zc_assert_abort_on_any();
    ze_module_handle_t module = kernel->module;
    free_kernel(kernel);
    zc_module_unref(module);
    return ZE_RESULT_SUCCESS;
}

static void note_set(ze_kernel_handle_t kernel, struct zc_argument_state *state)
{
    kernel->missing_arguments -= !state->is_set;
    state->is_set = true;
}

static ze_result_t set_local(
    ze_kernel_handle_t kernel, struct zc_argument_state *state, size_t size, const void *value)
{
    ZC_REQUIRE(!value, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ZC_REQUIRE(size && size <= UINT32_MAX / 2, ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
    state->local_size = (uint32_t)size;
    note_set(kernel, state);
    return ZE_RESULT_SUCCESS;
}

// Intel's driver takes as many bytes as the parameter has and the program gives. A part of a pointer is refused: it points nowhere.
static bool accepts_size(const struct zc_argument *argument, size_t size, const void *value)
{
    if (size == argument->size)
        return true;
    const bool is_pointer = argument->kind != ZC_ARGUMENT_VALUE;
    return !zc_settings.strict && (size > argument->size || !is_pointer || !value);
}

// Without a handle the argument is missing again, as on Intel's driver, where a launch would use what is not there.
static ze_result_t set_image_or_sampler(ze_kernel_handle_t kernel,
    const struct zc_argument *argument, struct zc_argument_state *state, const void *value)
{
    if (!value) {
        zc_image_argument_clear(argument, kernel->blob);
        kernel->missing_arguments += state->is_set;
        state->is_set = false;
        return ZE_RESULT_SUCCESS;
    }
    const ze_result_t result = zc_image_argument_set(argument, value, kernel->blob);
    if (!result)
        note_set(kernel, state);
    return result;
}

static void set_value(
    char *place, const struct zc_argument *argument, size_t size, const void *value)
{
    if (value)
        memcpy(place, value, size < argument->size ? size : argument->size);
    else // a null pointer, or a value of zeros
        memset(place, 0, argument->size);
}

ze_result_t zeKernelSetArgumentValue(
    ze_kernel_handle_t kernel, uint32_t index, size_t size, const void *value)
{
    ZC_REQUIRE_HANDLE(kernel);
    ZC_REQUIRE(index < kernel->info->argument_count, ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX);
    const struct zc_argument *argument = &kernel->info->arguments[index];
    struct zc_argument_state *state = &kernel->arguments[index];
    if (argument->kind == ZC_ARGUMENT_LOCAL)
        return set_local(kernel, state, size, value);
    ZC_REQUIRE(accepts_size(argument, size, value), ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
    if (zc_is_image_or_sampler(argument))
        return set_image_or_sampler(kernel, argument, state, value);
    set_value(kernel->blob + argument->offset, argument, size, value);
    note_set(kernel, state);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSetGroupSize(ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z)
{
    ZC_REQUIRE_HANDLE(kernel);
    const uint32_t limit = kernel->module->device->persona->max_group_size;
    const uint32_t size[3] = {x, y, z};
    ZC_REQUIRE(x && y && z && fits(size, limit), ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
    const bool as_required = !has_required_size(kernel->info) ||
                             !memcmp(size, kernel->info->required_group_size, sizeof size);
    ZC_REQUIRE(as_required, ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
    memcpy(kernel->group_size, size, sizeof size);
    return ZE_RESULT_SUCCESS;
}

// The largest divisor of `size` that is not above `limit`.
static uint32_t largest_divisor(uint32_t size, uint32_t limit)
{
    uint32_t divisor = size < limit ? size : limit;
    while (divisor > 1 && size % divisor)
        divisor--;
    return divisor ? divisor : 1;
}

ze_result_t zeKernelSuggestGroupSize(ze_kernel_handle_t kernel, uint32_t size_x, uint32_t size_y,
    uint32_t size_z, uint32_t *x, uint32_t *y, uint32_t *z)
{
    ZC_REQUIRE_HANDLE(kernel);
    ZC_REQUIRE_POINTER(x);
    ZC_REQUIRE_POINTER(y);
    ZC_REQUIRE_POINTER(z);
    if (has_required_size(kernel->info)) {
        *x = kernel->info->required_group_size[0];
        *y = kernel->info->required_group_size[1];
        *z = kernel->info->required_group_size[2];
        return ZE_RESULT_SUCCESS;
    }
    const uint32_t device_limit = kernel->module->device->persona->max_group_size;
    const uint32_t limit =
        device_limit < SUGGESTED_GROUP_SIZE ? device_limit : SUGGESTED_GROUP_SIZE;
    *x = largest_divisor(size_x, limit);
    *y = largest_divisor(size_y, limit / *x);
    *z = largest_divisor(size_z, limit / *x / *y);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSetIndirectAccess(
    ze_kernel_handle_t kernel, ze_kernel_indirect_access_flags_t flags)
{
    ZC_REQUIRE_HANDLE(kernel);
    ZC_REQUIRE_FLAGS(flags, ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST |
                                ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE |
                                ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED);
    kernel->indirect_access = flags;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelGetIndirectAccess(
    ze_kernel_handle_t kernel, ze_kernel_indirect_access_flags_t *flags)
{
    ZC_REQUIRE_HANDLE(kernel);
    ZC_REQUIRE_POINTER(flags);
    *flags = kernel->indirect_access;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSuggestMaxCooperativeGroupCount(ze_kernel_handle_t kernel, uint32_t *count)
{
    ZC_REQUIRE_HANDLE(kernel);
    ZC_REQUIRE_POINTER(count);
    *count = zc_cooperative_limit(kernel->module->device);
    return ZE_RESULT_SUCCESS;
}

// A hint about a cache that is not ours to divide.
ze_result_t zeKernelSetCacheConfig(ze_kernel_handle_t kernel, ze_cache_config_flags_t flags)
{
    ZC_REQUIRE_HANDLE(kernel);
    ZC_REQUIRE_FLAGS(flags, ZE_CACHE_CONFIG_FLAG_LARGE_SLM | ZE_CACHE_CONFIG_FLAG_LARGE_DATA);
    return ZE_RESULT_SUCCESS;
}

// Groups run in the order that suits the processor, and hints may be ignored.
ze_result_t zeKernelSchedulingHintExp(
    ze_kernel_handle_t kernel, ze_scheduling_hint_exp_desc_t *hint)
{
    ZC_REQUIRE_HANDLE(kernel);
    ZC_REQUIRE_POINTER(hint);
    ZC_REQUIRE_FLAGS(hint->flags, ZE_SCHEDULING_HINT_EXP_FLAG_OLDEST_FIRST |
                                      ZE_SCHEDULING_HINT_EXP_FLAG_ROUND_ROBIN |
                                      ZE_SCHEDULING_HINT_EXP_FLAG_STALL_BASED_ROUND_ROBIN);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSetGlobalOffsetExp(
    ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z)
{
    ZC_REQUIRE_HANDLE(kernel);
    kernel->global_offset[0] = x;
    kernel->global_offset[1] = y;
    kernel->global_offset[2] = z;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelGetName(ze_kernel_handle_t kernel, size_t *size, char *name)
{
    ZC_REQUIRE_HANDLE(kernel);
    ZC_REQUIRE_POINTER(size);
    const size_t needed = strlen(kernel->info->name) + 1;
    if (name && *size >= needed)
        memcpy(name, kernel->info->name, needed);
    *size = needed;
    return ZE_RESULT_SUCCESS;
}

// The specification hands out a text of the kernel's. Intel's driver copies it to where the program's pointer points, when the program
// gives the size that it was given before.
ze_result_t zeKernelGetSourceAttributes(ze_kernel_handle_t kernel, uint32_t *size, char **text)
{
    ZC_REQUIRE_HANDLE(kernel);
    ZC_REQUIRE_POINTER(size);
    const uint32_t needed = (uint32_t)strlen(kernel->attributes) + 1;
    const bool wants_copy = text && *text && *size >= needed;
    *size = needed;
    if (wants_copy)
        memcpy(*text, kernel->attributes, needed);
    else if (text)
        *text = kernel->attributes;
    return ZE_RESULT_SUCCESS;
}

static void fill_uuid(ze_kernel_handle_t kernel, ze_kernel_uuid_t *uuid)
{
    memset(uuid, 0, sizeof *uuid);
    snprintf((char *)uuid->kid, sizeof uuid->kid, "%s", kernel->info->name);
    memcpy(uuid->mid, &kernel->module, sizeof kernel->module);
}

// The processor's vectors are as wide as a sub-group.
static void fill_preferred(const struct zc_kernel *info, void *chain)
{
    ze_kernel_preferred_group_size_properties_t *properties =
        zc_find_properties(chain, ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES);
    if (properties)
        properties->preferredMultiple = info->sub_group_size ? info->sub_group_size : 1;
}

ze_result_t zeKernelGetProperties(ze_kernel_handle_t kernel, ze_kernel_properties_t *properties)
{
    ZC_REQUIRE_HANDLE(kernel);
    ZC_REQUIRE_POINTER(properties);
    const struct zc_kernel *info = kernel->info;
    const uint32_t group_limit = kernel->module->device->persona->max_group_size;
    properties->numKernelArgs = info->argument_count;
    properties->requiredGroupSizeX = info->required_group_size[0];
    properties->requiredGroupSizeY = info->required_group_size[1];
    properties->requiredGroupSizeZ = info->required_group_size[2];
    properties->requiredNumSubGroups = 0;
    properties->requiredSubgroupSize = info->required_sub_group_size;
    properties->maxSubgroupSize = info->sub_group_size;
    properties->maxNumSubgroups = info->sub_group_size ? group_limit / info->sub_group_size : 0;
    properties->localMemSize = info->static_local_size;
    properties->privateMemSize = info->private_size;
    properties->spillMemSize = 0;
    fill_uuid(kernel, &properties->uuid);
    fill_preferred(info, properties->pNext);
    return ZE_RESULT_SUCCESS;
}
