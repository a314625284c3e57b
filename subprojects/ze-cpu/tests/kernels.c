// SPDX-License-Identifier: MIT
//
// Kernels from SPIR-V files.
#include "kernels.h"

#include "harness.h"

#include <stdio.h>
#include <stdlib.h>

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

void set_pointer(ze_kernel_handle_t kernel, uint32_t index, void *pointer)
{
    assert_ok(zeKernelSetArgumentValue(kernel, index, sizeof pointer, &pointer));
}
