// SPDX-License-Identifier: MIT
#include "support.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void check(ze_result_t result, const char *call, const char *file, int line)
{
    if (result == ZE_RESULT_SUCCESS)
        return;
    fprintf(stderr, "%s:%d: %s returned 0x%x\n", file, line, call, (unsigned)result);
    exit(1);
}

struct machine open_machine(void)
{
    const ze_context_desc_t context = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    const ze_command_queue_desc_t queue = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
    struct machine machine;
    uint32_t one = 1;
    TRY(zeInit(0));
    TRY(zeDriverGet(&one, &machine.driver));
    TRY(zeDeviceGet(machine.driver, &one, &machine.device));
    TRY(zeContextCreate(machine.driver, &context, &machine.context));
    TRY(zeCommandListCreateImmediate(machine.context, machine.device, &queue, &machine.list));
    return machine;
}

void close_machine(struct machine *machine)
{
    TRY(zeCommandListDestroy(machine->list));
    TRY(zeContextDestroy(machine->context));
}

// The bytes are the caller's to free.
static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    long end = -1;
    if (!file || fseek(file, 0, SEEK_END) || (end = ftell(file)) < 0) {
        perror(path);
        exit(1);
    }
    rewind(file);
    *size = (size_t)end;
    uint8_t *bytes = malloc(*size + 1);
    if (!bytes || fread(bytes, 1, *size, file) != *size) {
        fprintf(stderr, "%s can't be read\n", path);
        exit(1);
    }
    fclose(file);
    return bytes;
}

static void print_log(ze_module_build_log_handle_t log)
{
    size_t size = 0;
    TRY(zeModuleBuildLogGetString(log, &size, NULL));
    char *text = calloc(size + 1, 1);
    if (text && zeModuleBuildLogGetString(log, &size, text) == ZE_RESULT_SUCCESS)
        fprintf(stderr, "%s", text);
    free(text);
}

ze_module_handle_t load_module(const struct machine *machine, const char *path)
{
    ze_module_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_DESC, .format = ZE_MODULE_FORMAT_IL_SPIRV};
    ze_module_handle_t module = NULL;
    ze_module_build_log_handle_t log = NULL;
    uint8_t *bytes = read_file(path, &desc.inputSize);
    desc.pInputModule = bytes;
    const ze_result_t result =
        zeModuleCreate(machine->context, machine->device, &desc, &module, &log);
    if (result == ZE_RESULT_ERROR_MODULE_BUILD_FAILURE)
        print_log(log);
    TRY(result);
    TRY(zeModuleBuildLogDestroy(log));
    free(bytes);
    return module;
}

ze_kernel_handle_t create_kernel(ze_module_handle_t module, const char *name)
{
    const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = name};
    ze_kernel_handle_t kernel = NULL;
    TRY(zeKernelCreate(module, &desc, &kernel));
    return kernel;
}
