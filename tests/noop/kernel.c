// SPDX-License-Identifier: MIT
// Kernels: a name, a number of arguments, and setters that set nothing.
#include "internal.h"

#include <stdlib.h>

ze_result_t noop_zeKernelCreate(
    ze_module_handle_t module, const ze_kernel_desc_t *desc, ze_kernel_handle_t *kernel)
{
    NOOP_ENTER(zeKernelCreate);
    const struct noop_spirv_kernel *found = noop_module_find_kernel(module, desc->pKernelName);
    if (found == NULL)
        return ZE_RESULT_ERROR_INVALID_KERNEL_NAME;

    const size_t length = strlen(found->name) + 1;
    *kernel = noop_object_create(NOOP_KERNEL, sizeof **kernel + length);
    if (*kernel == NULL)
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    const uint32_t configured = noop_config_get().kernel_arguments;
    (*kernel)->arguments = configured != NOOP_ARGUMENTS_OF_MODULE ? configured : found->arguments;
    memcpy((*kernel)->name, found->name, length);
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zeKernelDestroy(ze_kernel_handle_t kernel)
{
    return noop_object_end(kernel, NOOP_KERNEL, noop_enter(NOOP_zeKernelDestroy));
}

#define REMEMBERED 16 // arguments, and bytes of each

static unsigned char arguments[REMEMBERED][REMEMBERED];

const void *noop_argument(uint32_t index)
{
    return arguments[index];
}

static inline ze_result_t answer_to(ze_kernel_handle_t kernel, uint32_t index)
{
    const bool known = index < kernel->arguments;
    return known ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX;
}

// With the parameters of the call, so that getting here costs a jump.
__attribute__((noinline)) static ze_result_t set_watched(
    ze_kernel_handle_t kernel, uint32_t index, size_t size, const void *value)
{
    if (index < REMEMBERED && value)
        memcpy(arguments[index], value, size < REMEMBERED ? size : REMEMBERED);
    return noop_watch_answer(NOOP_zeKernelSetArgumentValue, answer_to(kernel, index));
}

ze_result_t noop_zeKernelSetArgumentValue(
    ze_kernel_handle_t kernel, uint32_t index, size_t size, const void *value)
{
    if (__builtin_expect(atomic_load_explicit(&noop_watching, memory_order_relaxed), 0))
        return set_watched(kernel, index, size, value);
    noop_count(NOOP_zeKernelSetArgumentValue);
    return answer_to(kernel, index);
}

NOOP_SUCCEED(zeKernelSetGroupSize)
NOOP_SUCCEED(zeKernelSetCacheConfig)
NOOP_SUCCEED(zeKernelSetGlobalOffsetExp)
NOOP_SUCCEED(zeKernelSchedulingHintExp)

ze_result_t noop_zeKernelSetIndirectAccess(
    ze_kernel_handle_t kernel, ze_kernel_indirect_access_flags_t flags)
{
    NOOP_ENTER(zeKernelSetIndirectAccess);
    kernel->indirect_access = flags;
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zeKernelGetIndirectAccess(
    ze_kernel_handle_t kernel, ze_kernel_indirect_access_flags_t *flags)
{
    NOOP_ENTER(zeKernelGetIndirectAccess);
    *flags = kernel->indirect_access;
    return ZE_RESULT_SUCCESS;
}

// The largest power of two that divides the size, up to the limit.
static uint32_t divide(uint32_t size, uint32_t limit)
{
    uint32_t group = 1;
    while (size != 0 && size % (group * 2) == 0 && group * 2 <= limit)
        group *= 2;
    return group;
}

ze_result_t noop_zeKernelSuggestGroupSize(ze_kernel_handle_t kernel, uint32_t x, uint32_t y,
    uint32_t z, uint32_t *group_x, uint32_t *group_y, uint32_t *group_z)
{
    NOOP_ENTER(zeKernelSuggestGroupSize);
    (void)kernel;
    const uint32_t limit = noop_config_get().max_group_size;
    *group_x = divide(x, limit);
    *group_y = divide(y, limit / *group_x);
    *group_z = divide(z, limit / *group_x / *group_y);
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zeKernelSuggestMaxCooperativeGroupCount(ze_kernel_handle_t kernel, uint32_t *count)
{
    NOOP_ENTER(zeKernelSuggestMaxCooperativeGroupCount);
    (void)kernel;
    *count = 64;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t give_string(const char *string, size_t *size, char *out)
{
    const size_t needed = strlen(string) + 1;
    if (out != NULL && *size >= needed)
        memcpy(out, string, needed);
    *size = needed;
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zeKernelGetName(ze_kernel_handle_t kernel, size_t *size, char *name)
{
    NOOP_ENTER(zeKernelGetName);
    return give_string(kernel->name, size, name);
}

// As in Intel's driver *text is the caller's buffer, although the specification can be read
// otherwise.
ze_result_t noop_zeKernelGetSourceAttributes(ze_kernel_handle_t kernel, uint32_t *size, char **text)
{
    NOOP_ENTER(zeKernelGetSourceAttributes);
    (void)kernel;
    if (text != NULL && *text != NULL && *size >= 1)
        **text = '\0';
    *size = 1;
    return ZE_RESULT_SUCCESS;
}

static uint32_t largest_sub_group(const struct noop_config *config)
{
    uint32_t largest = 1;
    for (int i = 0; i < NOOP_MAX_SUB_GROUP_SIZES && config->sub_group_sizes[i] != 0; i++)
        if (config->sub_group_sizes[i] > largest)
            largest = config->sub_group_sizes[i];
    return largest;
}

static void answer_preferred(void *chain, uint32_t multiple)
{
    ze_base_properties_t *next = chain;
    while (next && next->stype != ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES)
        next = next->pNext;
    if (next)
        ((ze_kernel_preferred_group_size_properties_t *)next)->preferredMultiple = multiple;
}

ze_result_t noop_zeKernelGetProperties(
    ze_kernel_handle_t kernel, ze_kernel_properties_t *properties)
{
    NOOP_ENTER(zeKernelGetProperties);
    const struct noop_config config = noop_config_get();
    const uint32_t sub_group = largest_sub_group(&config);
    *properties = (ze_kernel_properties_t){
        .stype = properties->stype,
        .pNext = properties->pNext,
        .numKernelArgs = kernel->arguments,
        .requiredGroupSizeX = config.required_group_size[0],
        .requiredGroupSizeY = config.required_group_size[1],
        .requiredGroupSizeZ = config.required_group_size[2],
        .maxSubgroupSize = sub_group,
        .maxNumSubgroups = (config.max_group_size + sub_group - 1) / sub_group,
        .localMemSize = 256,
        .privateMemSize = 64,
        .spillMemSize = 1024,
    };
    answer_preferred(properties->pNext, sub_group);
    return ZE_RESULT_SUCCESS;
}
