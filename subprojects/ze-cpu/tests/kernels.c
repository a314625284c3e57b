// SPDX-License-Identifier: MIT
//
// Kernels from SPIR-V files.
#include "kernels.h"

#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct file read_spirv(const char *name)
{
    char path[4096];
    struct file file = {NULL, 0};
    snprintf(path, sizeof path, "%s/%s.spv", getenv("SPIRV_FOLDER"), name);
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    file.bytes = malloc(1 << 20);
    assert_non_null(file.bytes);
    file.size = fread(file.bytes, 1, 1 << 20, stream);
    fclose(stream);
    return file;
}

ze_module_handle_t load_module(const char *name, const char *flags)
{
    struct file file = read_spirv(name);
    const ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .pInputModule = file.bytes,
        .inputSize = file.size,
        .pBuildFlags = flags};
    ze_module_handle_t module = NULL;
    const ze_result_t result = zeModuleCreate(fx.context, fx.device, &desc, &module, NULL);
    free(file.bytes);
    assert_ok(result);
    return module;
}

ze_kernel_handle_t create_kernel(ze_module_handle_t module, const char *name)
{
    const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = name};
    ze_kernel_handle_t kernel = NULL;
    assert_ok(zeKernelCreate(module, &desc, &kernel));
    return kernel;
}

void run_kernel(ze_kernel_handle_t kernel, uint32_t size, uint32_t groups)
{
    const ze_group_count_t count = {groups, 1, 1};
    ze_command_list_handle_t list = create_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    assert_ok(zeKernelSetGroupSize(kernel, size, 1, 1));
    assert_ok(zeCommandListAppendLaunchKernel(list, kernel, &count, NULL, 0, NULL));
    assert_ok(zeCommandListDestroy(list));
}

struct file native_binary(ze_module_handle_t module)
{
    struct file file = {NULL, 0};
    assert_ok(zeModuleGetNativeBinary(module, &file.size, NULL));
    file.bytes = malloc(file.size);
    assert_non_null(file.bytes);
    assert_ok(zeModuleGetNativeBinary(module, &file.size, file.bytes));
    return file;
}

ze_module_handle_t load_native(struct file file)
{
    ze_module_handle_t module = NULL;
    uint8_t *copy = malloc(file.size);
    assert_non_null(copy);
    memcpy(copy, file.bytes, file.size);
    const ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .format = ZE_MODULE_FORMAT_NATIVE,
        .pInputModule = copy,
        .inputSize = file.size};
    assert_ok(zeModuleCreate(fx.context, fx.device, &desc, &module, NULL));
    memset(copy, 0, file.size);
    free(copy);
    return module;
}

ze_module_handle_t reload_module(ze_module_handle_t module)
{
    struct file file = native_binary(module);
    assert_ok(zeModuleDestroy(module));
    module = load_native(file);
    free(file.bytes);
    return module;
}

void set_pointer(ze_kernel_handle_t kernel, uint32_t index, void *pointer)
{
    assert_ok(zeKernelSetArgumentValue(kernel, index, sizeof pointer, &pointer));
}
