// SPDX-License-Identifier: MIT

#include "raw.h"

#include <ze_newer.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct raw raw;

void raw_failed(ze_result_t result, const char *call)
{
    fprintf(stderr, "%s returned 0x%x\n", call, (unsigned)result);
    exit(1);
}

static void open_device(void)
{
    const ze_context_desc_t context = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    ze_driver_handle_t driver;
    uint32_t one = 1;
    RAW(zeInit(0));
    RAW(zeDriverGet(&one, &driver));
    one = 1;
    RAW(zeDeviceGet(driver, &one, &raw.device));
    RAW(zeContextCreate(driver, &context, &raw.context));
}

ze_kernel_handle_t raw_create_kernel(const char *name)
{
    const ze_kernel_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = name};
    ze_kernel_handle_t kernel;
    RAW(zeKernelCreate(raw.module, &description, &kernel));
    return kernel;
}

static void create_kernels(const void *code, size_t size)
{
    const ze_module_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .format = ZE_MODULE_FORMAT_IL_SPIRV,
        .inputSize = size,
        .pInputModule = code,
    };
    RAW(zeModuleCreate(raw.context, raw.device, &description, &raw.module, NULL));
    raw.no_argument = raw_create_kernel("no_argument");
    raw.one_argument = raw_create_kernel("one_argument");
    raw.four_arguments = raw_create_kernel("four_arguments");
    RAW(zeKernelSetGroupSize(raw.no_argument, 1, 1, 1));
}

ze_command_list_handle_t raw_create_immediate(bool in_order)
{
    const ze_command_queue_desc_t queue = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
        .flags = in_order ? ZE_NEWER_COMMAND_QUEUE_FLAG_IN_ORDER : 0,
        .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
    ze_command_list_handle_t list;
    RAW(zeCommandListCreateImmediate(raw.context, raw.device, &queue, &list));
    return list;
}

static void create_queues(bool in_order)
{
    const ze_command_queue_desc_t queue = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
    const ze_command_list_desc_t list = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
    const ze_fence_desc_t fence = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
    RAW(zeCommandQueueCreate(raw.context, raw.device, &queue, &raw.queue));
    raw.immediate = raw_create_immediate(in_order);
    RAW(zeCommandListCreate(raw.context, raw.device, &list, &raw.regular));
    RAW(zeCommandListCreate(raw.context, raw.device, &list, &raw.recorded));
    RAW(zeFenceCreate(raw.queue, &fence, &raw.fence));
}

static void create_events(void)
{
    const ze_event_pool_desc_t pool = {
        .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
        .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
        .count = PERF_ROUND,
    };
    RAW(zeEventPoolCreate(raw.context, &pool, 1, &raw.device, &raw.pool));
    for (uint32_t i = 0; i < PERF_ROUND; i++) {
        const ze_event_desc_t event = {
            .stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
            .index = i,
            .signal = ZE_EVENT_SCOPE_FLAG_HOST,
            .wait = ZE_EVENT_SCOPE_FLAG_HOST,
        };
        RAW(zeEventCreate(raw.pool, &event, &raw.events[i]));
    }
}

static void allocate(void)
{
    const ze_device_mem_alloc_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    RAW(zeMemAllocDevice(raw.context, &description, 4096, 64, raw.device, &raw.memory));
    RAW(zeMemAllocDevice(raw.context, &description, 4096, 64, raw.device, &raw.more_memory));
}

void raw_init(const void *code, size_t size, bool in_order)
{
    open_device();
    create_kernels(code, size);
    create_queues(in_order);
    create_events();
    allocate();
}

void raw_finish(void)
{
    RAW(zeCommandQueueSynchronize(raw.queue, UINT64_MAX));
    for (uint32_t i = 0; i < PERF_ROUND; i++)
        RAW(zeEventDestroy(raw.events[i]));
    RAW(zeEventPoolDestroy(raw.pool));
    RAW(zeFenceDestroy(raw.fence));
    RAW(zeCommandListDestroy(raw.regular));
    RAW(zeCommandListDestroy(raw.recorded));
    RAW(zeCommandListDestroy(raw.immediate));
    RAW(zeCommandQueueDestroy(raw.queue));
    RAW(zeKernelDestroy(raw.no_argument));
    RAW(zeKernelDestroy(raw.one_argument));
    RAW(zeKernelDestroy(raw.four_arguments));
    RAW(zeModuleDestroy(raw.module));
    RAW(zeMemFree(raw.context, raw.memory));
    RAW(zeMemFree(raw.context, raw.more_memory));
    RAW(zeContextDestroy(raw.context));
}
