// SPDX-License-Identifier: MIT

#include "image/compile.h"

#include <string.h>

#include "base/alloc.h"
#include "base/check.h"

static mez_error read_log(ze_module_build_log_handle_t log, mez_text *text)
{
    size_t size = 0;
    MEZ_TRY(ZE(zeModuleBuildLogGetString, log, &size, NULL));
    if (size == 0)
        return mez_ok();
    char *string = mez_alloc_array(size + 1, 1);
    if (!string)
        return mez_error_no_memory("a build log");
    const mez_error error = ZE(zeModuleBuildLogGetString, log, &size, string);
    if (!mez_failed(error) && string[strspn(string, " \t\r\n")] != '\0')
        mez_text_add(text, "%s", string);
    mez_free_memory(string);
    return error;
}

static void take_log(ze_module_build_log_handle_t log, mez_text *text)
{
    if (!log)
        return;
    mez_log_error(MEZ_TOPIC_IMAGE, read_log(log, text));
    ZE_LOGGED(zeModuleBuildLogDestroy, log);
}

// Wrapped logs of failed builds crash the loader.
static mez_error create(const mez_device *device, const ze_module_desc_t *description,
    mez_text *build_log, ze_module_handle_t *module)
{
    const mez_platform *platform = device->platform;
    ze_module_build_log_handle_t log = NULL;
    ze_module_build_log_handle_t *wanted = platform->caps.wrapped ? NULL : &log;
    const mez_error error =
        ZE(zeModuleCreate, platform->ze, device->ze, description, module, wanted);
    if (mez_failed(error))
        *module = NULL;
    take_log(log, build_log);
    return error;
}

mez_error mez_compile(
    const mez_device *device, const mez_code *code, mez_text *build_log, ze_module_handle_t *module)
{
    const ze_module_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .format = ZE_MODULE_FORMAT_IL_SPIRV,
        .inputSize = code->size,
        .pInputModule = code->bytes,
        .pBuildFlags = code->flags,
        .pConstants = code->constants,
    };
    return create(device, &description, build_log, module);
}

// Flags stand in both places: 22.43 reads only those of the input modules, drivers from 26.22 on read both; all of them
// join flags without a separator, hence the spaces (facts: asserts-and-queues.md 1.6, trap 1).
mez_error mez_compile_program(const mez_device *device, const mez_code *codes, uint32_t count,
    mez_text *build_log, ze_module_handle_t *module)
{
    size_t sizes[MEZ_MOST_CODES];
    const uint8_t *inputs[MEZ_MOST_CODES];
    const char *flags[MEZ_MOST_CODES];
    const ze_module_constants_t *constants[MEZ_MOST_CODES];
    for (uint32_t i = 0; i < count; i++) {
        sizes[i] = codes[i].size;
        inputs[i] = codes[i].bytes;
        flags[i] = i == 0 ? codes[i].flags : " ";
        constants[i] = codes[i].constants;
    }
    ze_module_program_exp_desc_t program = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC,
        .count = count,
        .inputSizes = sizes,
        .pInputModules = inputs,
        .pBuildFlags = flags,
        .pConstants = constants,
    };
    const ze_module_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .pNext = &program,
        .format = ZE_MODULE_FORMAT_IL_SPIRV,
        .inputSize = sizes[0],
        .pInputModule = inputs[0],
        .pBuildFlags = flags[0],
    };
    return create(device, &description, build_log, module);
}

static mez_error link_modules(
    const mez_device *device, ze_module_handle_t modules[2], mez_text *build_log)
{
    ze_module_build_log_handle_t log = NULL;
    ze_module_build_log_handle_t *wanted = device->platform->caps.wrapped ? NULL : &log;
    const ze_result_t result = ZE_RESULT(zeModuleDynamicLink, 2, modules, wanted);
    take_log(log, build_log);
    if (result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)
        return mez_error_make(MEZ_ERRC_LINK_PROGRAM,
            "asserts need a device library, which the driver can't link: it does not "
            "list " ZE_MODULE_PROGRAM_EXP_NAME
            ", and has no zeModuleDynamicLink; compile the kernels with -DNDEBUG");
    return mez_ze_checked(result, "zeModuleDynamicLink(2, modules, wanted)", __FILE__, __LINE__);
}

mez_error mez_compile_and_link(const mez_device *device, const mez_code codes[2],
    mez_text *build_log, ze_module_handle_t modules[2])
{
    modules[0] = modules[1] = NULL;
    mez_error error = mez_compile(device, &codes[0], build_log, &modules[0]);
    if (mez_failed(error))
        return error;
    error = mez_compile(device, &codes[1], build_log, &modules[1]);
    if (!mez_failed(error))
        error = link_modules(device, modules, build_log);
    for (int i = 0; mez_failed(error) && i < 2; i++) {
        if (modules[i])
            ZE_LOGGED(zeModuleDestroy, modules[i]);
        modules[i] = NULL;
    }
    return error;
}

mez_error mez_has_imports(ze_module_handle_t module, bool *has)
{
    ze_module_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_MODULE_PROPERTIES};
    MEZ_TRY(ZE(zeModuleGetProperties, module, &properties));
    *has = properties.flags & ZE_MODULE_PROPERTY_FLAG_IMPORTS;
    return mez_ok();
}
