// SPDX-License-Identifier: MIT
//
// The allocations that a kernel's arguments point into.
#include "check.h"
#include "context.h"
#include "kernel.h"
#include "module.h"
#include "own.h"

#include <stdbool.h>
#include <string.h>
#include <ze_newer.h>

typedef ze_newer_kernel_allocation_exp_properties_t properties;

// False: the argument points into no allocation, or is something else.
static bool find(ze_kernel_handle_t kernel, uint32_t index, properties *found)
{
    const struct zc_argument *argument = &kernel->info->arguments[index];
    struct zc_memory_map *map = kernel->module->context->memory;
    void *address;
    if (argument->kind != ZC_ARGUMENT_GLOBAL)
        return false;
    memcpy(&address, kernel->blob + argument->offset, sizeof address);
    pthread_mutex_lock(&map->lock);
    const struct zc_allocation *allocation = zc_memory_map_find(map, address);
    if (allocation) {
        found->base = (uintptr_t)allocation->base;
        found->size = allocation->size;
        found->type = allocation->type;
        found->argIndex = index;
    }
    pthread_mutex_unlock(&map->lock);
    return allocation != NULL;
}

ze_result_t zc_kernel_get_allocation_properties(ze_kernel_handle_t kernel, uint32_t *count,
    properties *list) ZC_ENTRY_POINT(zeKernelGetAllocationPropertiesExp);

ze_result_t zc_kernel_get_allocation_properties(
    ze_kernel_handle_t kernel, uint32_t *count, properties *list)
{
    ZC_REQUIRE_NEWER();
    ZC_REQUIRE_HANDLE(kernel);
    ZC_REQUIRE_POINTER(count);
    const uint32_t room = list ? *count : 0;
    properties unwanted;
    uint32_t total = 0;
    for (uint32_t i = 0; i < kernel->info->argument_count; i++)
        total += find(kernel, i, total < room ? &list[total] : &unwanted);
    if (*count == 0 || *count > total)
        *count = total;
    return ZE_RESULT_SUCCESS;
}
