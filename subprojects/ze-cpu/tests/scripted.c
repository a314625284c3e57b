// SPDX-License-Identifier: MIT
//
// Modules for the scripted engine.
#include "scripted.h"

#include "harness.h"
#include "scripted_engine.h"

#include <stdlib.h>
#include <string.h>

#define MAX_MODULES 4
#define SPIRV_MAGIC 0x07230203u

// Header and text, padded with spaces to whole words.
static uint8_t *assemble(const char *text, size_t *size)
{
    const uint32_t magic = SPIRV_MAGIC;
    const size_t length = strlen(text);
    *size = SCRIPTED_HEADER_SIZE + (length + 3) / 4 * 4;
    uint8_t *bytes = calloc(1, *size);
    assert_non_null(bytes);
    memset(bytes + SCRIPTED_HEADER_SIZE, ' ', *size - SCRIPTED_HEADER_SIZE);
    memcpy(bytes, &magic, sizeof magic);
    memcpy(bytes + SCRIPTED_HEADER_SIZE, text, length);
    return bytes;
}

char *scripted_take_log(ze_module_build_log_handle_t log)
{
    size_t size = 0;
    assert_ok(zeModuleBuildLogGetString(log, &size, NULL));
    char *text = malloc(size);
    assert_non_null(text);
    assert_ok(zeModuleBuildLogGetString(log, &size, text));
    assert_ok(zeModuleBuildLogDestroy(log));
    return text;
}

ze_result_t scripted_build(
    const char *text, const char *flags, ze_module_handle_t *module, char **log)
{
    ze_module_build_log_handle_t build_log = NULL;
    ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC, .pBuildFlags = flags};
    uint8_t *bytes = assemble(text, &desc.inputSize);
    desc.pInputModule = bytes;
    const ze_result_t result =
        zeModuleCreate(fx.context, fx.device, &desc, module, log ? &build_log : NULL);
    if (log)
        *log = scripted_take_log(build_log);
    free(bytes);
    return result;
}

ze_result_t scripted_link(const char *const *texts, const char **flags, uint32_t count,
    const char *common_flags, ze_module_handle_t *module)
{
    uint8_t *modules[MAX_MODULES] = {NULL};
    size_t sizes[MAX_MODULES] = {0};
    const ze_module_program_exp_desc_t program = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC,
        .count = count,
        .inputSizes = sizes,
        .pInputModules = (const uint8_t **)modules,
        .pBuildFlags = flags,
    };
    for (uint32_t i = 0; i < count; i++)
        modules[i] = assemble(texts[i], &sizes[i]);
    // The extension makes the drivers ignore the single module, but the validation layer wants to
    // see one.
    const ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .pNext = &program,
        .pInputModule = modules[0],
        .inputSize = sizes[0],
        .pBuildFlags = common_flags};
    const ze_result_t result = zeModuleCreate(fx.context, fx.device, &desc, module, NULL);
    for (uint32_t i = 0; i < count; i++)
        free(modules[i]);
    return result;
}

ze_kernel_handle_t scripted_kernel(ze_module_handle_t module, const char *name)
{
    const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = name};
    ze_kernel_handle_t kernel = NULL;
    assert_ok(zeKernelCreate(module, &desc, &kernel));
    return kernel;
}
