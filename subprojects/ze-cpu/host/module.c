// SPDX-License-Identifier: MIT
//
// Modules.
#include "module.h"

#include "assert.h"
#include "build_input.h"
#include "build_log.h"
#include "check.h"
#include "context.h"
#include "device.h"
#include "engine_loader.h"
#include "settings.h"

#include <stdlib.h>
#include <string.h>

ze_module_handle_t zc_module_ref(ze_module_handle_t module)
{
    atomic_fetch_add(&module->references, 1);
    return module;
}

void zc_module_unref(ze_module_handle_t module)
{
    if (atomic_fetch_sub(&module->references, 1) != 1)
        return;
    module->engine->destroy(module->program);
    free(module);
}

ze_result_t zc_module_find_kernel(
    ze_module_handle_t module, const char *name, const struct zc_kernel **kernel)
{
    const struct zc_engine *engine = module->engine;
    const uint32_t count = engine->kernel_count(module->program);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(engine->kernel_name(module->program, i), name) != 0)
            continue;
        *kernel = engine->kernel(module->program, i);
        return *kernel ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
    }
    return ZE_RESULT_ERROR_INVALID_KERNEL_NAME;
}

// Variables have addresses only where a flag kept them from being optimised away; Intel's driver
// 22.43 does the same.
static bool asks_for_variables(const struct zc_build_input *input)
{
    static const char *const flags[] = {
        "-ze-take-global-address", "-library-compilation", "-ze-opt-disable", "-cl-opt-disable"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (zc_build_input_has_flag(input, flags[i]))
            return true;
    return false;
}

static ze_result_t to_result(enum zc_build_result result)
{
    switch (result) {
    case ZC_BUILD_OK:
        return ZE_RESULT_SUCCESS;
    case ZC_BUILD_OUT_OF_MEMORY:
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    case ZC_BUILD_NOT_NATIVE:
        return ZE_RESULT_ERROR_INVALID_NATIVE_BINARY;
    default: // Level Zero has no other word for a failed link within zeModuleCreate
        return ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
    }
}

static ze_result_t build_program(
    ze_module_handle_t module, const struct zc_build_input *input, char **log)
{
    const struct zc_features features = zc_device_features(module->device);
    const struct zc_build_request request = {.modules = input->modules,
        .module_count = input->count,
        .features = &features,
        .native_asserts = zc_asserts_are_native(),
        .exposes_variables = asks_for_variables(input),
        .checks = zc_settings.checks};
    return to_result(module->engine->build(&request, &module->program, log));
}

static ze_result_t load_program(ze_module_handle_t module, const ze_module_desc_t *desc, char **log)
{
    const struct zc_features features = zc_device_features(module->device);
    const struct zc_load_request request = {.bytes = desc->pInputModule,
        .size = desc->inputSize,
        .features = &features,
        .native_asserts = zc_asserts_are_native(),
        .checks = zc_settings.checks};
    return to_result(module->engine->load(&request, &module->program, log));
}

static void note_imports(ze_module_handle_t module, char **log)
{
    uint32_t count = 0;
    const char *const *names = module->engine->imports(module->program, &count);
    module->unlinked = count > 0;
    for (uint32_t i = 0; i < count; i++)
        zc_log_print(log, "error : unresolved external symbol %s\n", names[i]);
}

static ze_result_t build_spirv(ze_module_handle_t module, const ze_module_desc_t *desc, char **log)
{
    struct zc_build_input input;
    ze_result_t result = zc_build_input_init(&input, desc);
    ZC_PASS(result);
    if (zc_build_input_is_spirv(&input, log))
        result = build_program(module, &input, log);
    else
        result = ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
    zc_build_input_finish(&input);
    return result;
}

// The extension that links several modules is for SPIR-V alone, with Intel's driver too.
static ze_result_t load_native(ze_module_handle_t module, const ze_module_desc_t *desc, char **log)
{
    const ze_base_desc_t *next = desc->pNext;
    ZC_REQUIRE(!next || next->stype == ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC,
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ZC_REQUIRE(!next, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    ZC_REQUIRE_POINTER(desc->pInputModule);
    ZC_REQUIRE(desc->inputSize, ZE_RESULT_ERROR_INVALID_SIZE);
    return load_program(module, desc, log);
}

static ze_result_t build(ze_module_handle_t module, const ze_module_desc_t *desc, char **log)
{
    module->engine = zc_engine_open(log);
    ZC_REQUIRE(module->engine, ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE);
    const ze_result_t result = desc->format == ZE_MODULE_FORMAT_NATIVE
                                   ? load_native(module, desc, log)
                                   : build_spirv(module, desc, log);
    ZC_PASS(result);
    note_imports(module, log);
    return ZE_RESULT_SUCCESS;
}

static ze_module_handle_t create_module(ze_context_handle_t context, ze_device_handle_t device)
{
    ze_module_handle_t module = calloc(1, sizeof *module);
    if (!module)
        return NULL;
    atomic_init(&module->references, 1);
    module->context = context;
    module->device = device;
    return module;
}

// Builds into *module; NULL there unless it succeeds.
static ze_result_t create_and_build(ze_context_handle_t context, ze_device_handle_t device,
    const ze_module_desc_t *desc, ze_module_handle_t *module, char **log)
{
    ze_module_handle_t new = create_module(context, device);
    const ze_result_t result = new ? build(new, desc, log) : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    if (result)
        free(new);
    else
        *module = new;
    return result;
}

ze_result_t zeModuleCreate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_module_desc_t *desc, ze_module_handle_t *module, ze_module_build_log_handle_t *log)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(desc);
    ZC_REQUIRE_POINTER(module);
    ZC_REQUIRE(desc->format <= ZE_MODULE_FORMAT_NATIVE, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    char *text = NULL;
    const ze_result_t result = create_and_build(context, device, desc, module, &text);
    if (log)
        *log = zc_build_log_create(text);
    else
        free(text);
    return result;
}

ze_result_t zeModuleDestroy(ze_module_handle_t module)
{
    ZC_REQUIRE_HANDLE(module);
    zc_memory_map_return(module->context->memory, module);
    zc_module_unref(module);
    return ZE_RESULT_SUCCESS;
}

// A module that imports does so for ever, also once it is linked; Intel's driver says the same.
ze_result_t zeModuleGetProperties(ze_module_handle_t module, ze_module_properties_t *properties)
{
    ZC_REQUIRE_HANDLE(module);
    ZC_REQUIRE_POINTER(properties);
    uint32_t import_count = 0;
    module->engine->imports(module->program, &import_count);
    properties->flags = import_count ? ZE_MODULE_PROPERTY_FLAG_IMPORTS : 0;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleGetKernelNames(ze_module_handle_t module, uint32_t *count, const char **names)
{
    ZC_REQUIRE_HANDLE(module);
    ZC_REQUIRE_POINTER(count);
    if (!zc_clamp_count(count, module->engine->kernel_count(module->program)) || !names)
        return ZE_RESULT_SUCCESS;
    for (uint32_t i = 0; i < *count; i++)
        names[i] = module->engine->kernel_name(module->program, i);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleGetGlobalPointer(
    ze_module_handle_t module, const char *name, size_t *size, void **pointer)
{
    ZC_REQUIRE_HANDLE(module);
    ZC_REQUIRE_POINTER(name);
    ZC_REQUIRE(
        module->engine->exposes_variables(module->program), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ZC_REQUIRE(!module->unlinked, ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED);
    struct zc_allocation variable = {.type = ZE_MEMORY_TYPE_DEVICE,
        .device = module->device,
        .context = module->context,
        .owner = module};
    variable.base = module->engine->global(module->program, name, &variable.size);
    ZC_REQUIRE(variable.base, ZE_RESULT_ERROR_INVALID_GLOBAL_NAME);
    ZC_REQUIRE(
        zc_memory_map_lend(module->context->memory, &variable), ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    if (size)
        *size = variable.size;
    if (pointer)
        *pointer = variable.base;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleGetNativeBinary(ze_module_handle_t module, size_t *size, uint8_t *binary)
{
    ZC_REQUIRE_HANDLE(module);
    ZC_REQUIRE_POINTER(size);
    size_t needed = 0;
    const void *bytes = module->engine->native(module->program, &needed);
    ZC_REQUIRE(bytes, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    if (binary) {
        ZC_REQUIRE(*size >= needed, ZE_RESULT_ERROR_INVALID_SIZE);
        memcpy(binary, bytes, needed);
    }
    *size = needed;
    return ZE_RESULT_SUCCESS;
}
