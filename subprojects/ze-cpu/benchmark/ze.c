// SPDX-License-Identifier: MIT
//
// The kernels through Level Zero: a synchronous immediate list, as the fastest programs have it.

#include "bench.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <level_zero/ze_api.h>

static ze_context_handle_t context;
static ze_device_handle_t device;
static ze_module_handle_t module;
static ze_command_list_handle_t list;
static ze_kernel_handle_t kernel;
static ze_group_count_t groups;

static bool find_device(ze_driver_handle_t *driver)
{
    uint32_t one = 1;
    if (zeInit(0) || zeDriverGet(&one, driver) || one == 0)
        return false;
    one = 1;
    return !zeDeviceGet(*driver, &one, &device) && one == 1;
}

static void print_log(ze_module_build_log_handle_t log)
{
    size_t size = 0;
    zeModuleBuildLogGetString(log, &size, NULL);
    char *text = malloc(size + 1);
    if (text && !zeModuleBuildLogGetString(log, &size, text))
        fprintf(stderr, "%.*s\n", (int)size, text);
    free(text);
}

static bool build(const char *path)
{
    ze_module_desc_t description = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC};
    size_t size;
    char *bytes = bench_read_file(path, &size);
    ze_module_build_log_handle_t log = NULL;
    description.format = ZE_MODULE_FORMAT_IL_SPIRV;
    description.pInputModule = (const uint8_t *)bytes;
    description.inputSize = size;
    const bool ok = bytes && !zeModuleCreate(context, device, &description, &module, &log);
    if (bytes && !ok && log)
        print_log(log);
    free(bytes);
    return ok;
}

static bool open_ze(const char *spirv, const char *source)
{
    (void)source;
    const ze_context_desc_t context_description = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    const ze_command_queue_desc_t queue = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
    ze_driver_handle_t driver;
    return find_device(&driver) && !zeContextCreate(driver, &context_description, &context) &&
           build(spirv) && !zeCommandListCreateImmediate(context, device, &queue, &list);
}

static void *allocate(size_t size)
{
    const ze_device_mem_alloc_desc_t device_side = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    const ze_host_mem_alloc_desc_t host_side = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    void *memory = NULL;
    return zeMemAllocShared(context, &device_side, &host_side, size, 4096, device, &memory)
               ? NULL
               : memory;
}

static void release(void *buffer)
{
    zeMemFree(context, buffer);
}

static bool set_argument(uint32_t index, const struct argument *argument, void *const *buffer)
{
    switch (argument->kind) {
    case BUFFER:
        return !zeKernelSetArgumentValue(kernel, index, sizeof(*buffer), buffer);
    case LOCAL_BUFFER:
        return !zeKernelSetArgumentValue(kernel, index, argument->size, NULL);
    case INTEGER:
        return !zeKernelSetArgumentValue(kernel, index, sizeof(int), &argument->integer);
    case REAL:
        return !zeKernelSetArgumentValue(kernel, index, sizeof(float), &argument->real);
    default:
        return true;
    }
}

static bool prepare(const struct bench_case *work, void *const *buffers)
{
    const ze_kernel_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = work->name};
    bool ok = !zeKernelCreate(module, &description, &kernel) &&
              !zeKernelSetGroupSize(kernel, (uint32_t)work->local[0], (uint32_t)work->local[1],
                  (uint32_t)work->local[2]);
    for (uint32_t i = 0; ok && i < MAX_ARGUMENTS; i++)
        ok = set_argument(i, &work->arguments[i], &buffers[i]);
    groups = (ze_group_count_t){(uint32_t)(work->global[0] / work->local[0]),
        (uint32_t)(work->global[1] / work->local[1]), (uint32_t)(work->global[2] / work->local[2])};
    return ok;
}

static bool run(void)
{
    return !zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL);
}

static void finish(void)
{
    zeKernelDestroy(kernel);
}

const struct backend ze_backend = {.name = "ze-cpu",
    .open = open_ze,
    .allocate = allocate,
    .release = release,
    .prepare = prepare,
    .run = run,
    .finish = finish};
