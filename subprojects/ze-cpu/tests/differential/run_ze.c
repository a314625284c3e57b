// SPDX-License-Identifier: MIT
//
// Runs the kernels of a module on ze-cpu, through the loader, in one mode of the engine:
//
//     run_ze LAUNCHES INPUT RESULTS MODULE MODE [OPTIONS]
//
// The module is built with OPTIONS.

#include "runner.h"

#include <stdio.h>
#include <stdlib.h>

#include <level_zero/ze_api.h>

static ze_driver_handle_t driver;
static ze_context_handle_t context;
static ze_device_handle_t device;
static ze_module_handle_t module;
static ze_command_list_handle_t list;

static bool open_device(void)
{
    const ze_context_desc_t description = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    const ze_command_queue_desc_t queue = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
    uint32_t one = 1;
    return !zeInit(0) && !zeDriverGet(&one, &driver) && !zeDeviceGet(driver, &one, &device) &&
           !zeContextCreate(driver, &description, &context) &&
           !zeCommandListCreateImmediate(context, device, &queue, &list);
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

static bool build(const char *path, const char *options)
{
    ze_module_desc_t description = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .format = ZE_MODULE_FORMAT_IL_SPIRV,
        .pBuildFlags = options};
    ze_module_build_log_handle_t log = NULL;
    void *bytes = read_file(path, &description.inputSize);
    description.pInputModule = bytes;
    const bool ok = bytes && !zeModuleCreate(context, device, &description, &module, &log);
    if (bytes && !ok && log)
        print_log(log);
    if (log)
        zeModuleBuildLogDestroy(log);
    free(bytes);
    return ok;
}

static void *allocate(size_t size)
{
    const ze_device_mem_alloc_desc_t on_device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    const ze_host_mem_alloc_desc_t on_host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    void *memory = NULL;
    return zeMemAllocShared(context, &on_device, &on_host, size, 4096, device, &memory) ? NULL
                                                                                        : memory;
}

static void release(void *memory)
{
    if (memory)
        zeMemFree(context, memory);
}

static bool set_up(
    ze_kernel_handle_t kernel, const struct launch *launch, const struct memory *memory)
{
    const uint32_t n = N;
    const size_t *local = launch->local, *offset = launch->offset;
    return !zeKernelSetArgumentValue(kernel, 0, sizeof(void *), &memory->results) &&
           !zeKernelSetArgumentValue(kernel, 1, sizeof(void *), &memory->totals) &&
           !zeKernelSetArgumentValue(kernel, 2, sizeof(void *), &memory->input) &&
           !zeKernelSetArgumentValue(kernel, 3, sizeof(n), &n) &&
           !zeKernelSetArgumentValue(kernel, 4, SCRATCH_BYTES, NULL) &&
           !zeKernelSetGroupSize(
               kernel, (uint32_t)local[0], (uint32_t)local[1], (uint32_t)local[2]) &&
           !zeKernelSetGlobalOffsetExp(
               kernel, (uint32_t)offset[0], (uint32_t)offset[1], (uint32_t)offset[2]);
}

static bool run(const struct launch *launch, const struct memory *memory)
{
    const ze_kernel_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = launch->name};
    const ze_group_count_t groups = {
        (uint32_t)launch->groups[0], (uint32_t)launch->groups[1], (uint32_t)launch->groups[2]};
    ze_kernel_handle_t kernel;
    if (zeKernelCreate(module, &description, &kernel))
        return false;
    const bool ok = set_up(kernel, launch, memory) &&
                    !zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL);
    return !zeKernelDestroy(kernel) && ok;
}

int main(int argc, char **argv)
{
    if (argc < 6 || setenv("ZE_CPU_ENGINE_MODE", argv[5], 1) != 0 || !open_device()) {
        fprintf(stderr, "run_ze: there is no device, or there are too few arguments\n");
        return 1;
    }
    if (!build(argv[4], argc > 6 ? argv[6] : NULL) ||
        !run_launches(argv[1], argv[2], argv[3], allocate, release, run))
        return 1;
    zeModuleDestroy(module);
    zeCommandListDestroy(list);
    zeContextDestroy(context);
    return 0;
}
