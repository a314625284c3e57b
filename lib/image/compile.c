// SPDX-License-Identifier: MIT

#include "image/compile.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

// --- Which kernels a driver's module has

// Intel's driver adds one where functions are exported or called by pointer.
#define SYMBOL_TABLE "Intel_Symbol_Table_Void_Program"

mez_error mez_kernel_names_list(ze_module_handle_t module, const char ***names, uint32_t *count)
{
    uint32_t named = 0;
    *names = NULL;
    *count = 0;
    MEZ_TRY(ZE(zeModuleGetKernelNames, module, &named, NULL));
    const char **list = mez_alloc_array(named + 1u, sizeof *list);
    if (!list)
        return mez_error_no_memory("the names of kernels");
    const mez_error error = named > 0 ? ZE(zeModuleGetKernelNames, module, &named, list) : mez_ok();
    if (mez_failed(error)) {
        mez_free_memory(list);
        return error;
    }
    for (uint32_t i = 0; i < named; i++)
        if (strcmp(list[i], SYMBOL_TABLE) != 0)
            list[(*count)++] = list[i];
    *names = list;
    return error;
}

static bool have(const char *const *names, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static mez_error check(const mez_wanted_kernels *wanted, const char *const *names, uint32_t count)
{
    mez_error error = mez_ok();
    for (uint32_t i = 0; i < wanted->count; i++) {
        if (have(names, count, wanted->names[i]))
            continue;
        if (!mez_failed(error))
            error = mez_error_make(
                MEZ_ERRC_KERNEL, "the driver built a module without kernels that its code has");
        error = mez_error_add(error, "missing", "%s", wanted->names[i]);
    }
    return error;
}

mez_error mez_kernel_names_check(ze_module_handle_t module, const mez_wanted_kernels *wanted)
{
    const char **names;
    uint32_t count;
    if (!wanted || wanted->count == 0)
        return mez_ok();
    MEZ_TRY(mez_kernel_names_list(module, &names, &count));
    const mez_error error = check(wanted, names, count);
    mez_free_memory(names);
    return error;
}

// --- A module alone

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
        mez_text_add(text, "%-s", string);
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

// What the compiler has just made.
static mez_error check_and_keep(const mez_device *device, const mez_cached *cached,
    const mez_wanted_kernels *wanted, ze_module_handle_t *module)
{
    const mez_error error = mez_kernel_names_check(*module, wanted);
    if (mez_failed(error)) {
        ZE_LOGGED(zeModuleDestroy, *module);
        *module = NULL;
        return error;
    }
    mez_cached_keep(device, cached, *module);
    return error;
}

mez_error mez_compile_module(
    const mez_device *device, const mez_code *code, mez_text *build_log, ze_module_handle_t *module)
{
    const ze_module_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .format = code->native ? ZE_MODULE_FORMAT_NATIVE : ZE_MODULE_FORMAT_IL_SPIRV,
        .inputSize = code->size,
        .pInputModule = code->bytes,
        .pBuildFlags = code->flags,
        .pConstants = code->constants,
    };
    const mez_cached cached = mez_cached_key(device, code, 1);
    if (mez_cached_find(device, &cached, code->wanted, module))
        return mez_ok();
    MEZ_TRY(create(device, &description, build_log, module));
    return check_and_keep(device, &cached, code->wanted, module);
}

// --- Together

// The arrays of a program, which Level Zero wants apart.
typedef struct program {
    size_t *sizes;
    const uint8_t **inputs;
    const char **flags;
    const ze_module_constants_t **constants;
} program;

static mez_error program_init(program *program, const mez_code *codes, uint32_t count)
{
    *program = (struct program){
        .sizes = mez_alloc_array(count, sizeof *program->sizes),
        .inputs = mez_alloc_array(count, sizeof *program->inputs),
        .flags = mez_alloc_array(count, sizeof *program->flags),
        .constants = mez_alloc_array(count, sizeof *program->constants),
    };
    if (!program->sizes || !program->inputs || !program->flags || !program->constants)
        return mez_error_no_memory("modules to be linked");
    for (uint32_t i = 0; i < count; i++) {
        program->sizes[i] = codes[i].size;
        program->inputs[i] = codes[i].bytes;
        program->flags[i] = i == 0 ? codes[i].flags : " ";
        program->constants[i] = codes[i].constants;
    }
    return mez_ok();
}

static void program_finish(program *program)
{
    mez_free_memory(program->sizes);
    mez_free_memory(program->inputs);
    mez_free_memory(program->flags);
    mez_free_memory(program->constants);
}

// Flags stand in both places: 22.43 reads only those of the input modules, drivers from 26.22 on read both; all of them
// join flags without a separator, hence the spaces (docs/internals/compilers.md#linking-modules).
static mez_error create_program(const mez_device *device, const program *program, uint32_t count,
    mez_text *build_log, ze_module_handle_t *module)
{
    ze_module_program_exp_desc_t inputs = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC,
        .count = count,
        .inputSizes = program->sizes,
        .pInputModules = program->inputs,
        .pBuildFlags = program->flags,
        .pConstants = program->constants,
    };
    const ze_module_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .pNext = &inputs,
        .format = ZE_MODULE_FORMAT_IL_SPIRV,
        .inputSize = program->sizes[0],
        .pInputModule = program->inputs[0],
        .pBuildFlags = program->flags[0],
    };
    return create(device, &description, build_log, module);
}

mez_error mez_compile_program(const mez_device *device, const mez_code *codes, uint32_t count,
    mez_text *build_log, ze_module_handle_t *module)
{
    const mez_cached cached = mez_cached_key(device, codes, count);
    if (mez_cached_find(device, &cached, codes->wanted, module))
        return mez_ok();
    program program;
    mez_error error = program_init(&program, codes, count);
    if (!mez_failed(error))
        error = create_program(device, &program, count, build_log, module);
    program_finish(&program);
    if (!mez_failed(error))
        error = check_and_keep(device, &cached, codes->wanted, module);
    return error;
}

// --- One by one

static mez_error link_modules(uint32_t count, ze_module_handle_t *modules, mez_text *build_log)
{
    ze_module_build_log_handle_t log = NULL;
    const ze_result_t result = ZE_RESULT(zeModuleDynamicLink, count, modules, &log);
    take_log(log, build_log);
    if (result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)
        return mez_error_make(MEZ_ERRC_LINK_PROGRAM,
            "asserts, and code that imports symbols, need several modules, which the driver can't "
            "link: it does not list " ZE_MODULE_PROGRAM_EXP_NAME
            ", and has no zeModuleDynamicLink; where only asserts do, compile the kernels with "
            "-DNDEBUG");
    return mez_ze_checked(result, "zeModuleDynamicLink(count, modules, &log)", __FILE__, __LINE__);
}

// The loader of 1.8.12 hands its own wrappers to the driver, and crashes.
static mez_error refuse_wrapped(void)
{
    return mez_error_make(MEZ_ERRC_LINK_PROGRAM,
        "modules can't be linked while the Level Zero loader wraps its drivers: load one driver "
        "only (MEZ_DRIVERS), and leave ZE_ENABLE_LOADER_INTERCEPT and ZE_ENABLE_VALIDATION_LAYER "
        "unset");
}

mez_error mez_compile_and_link(const mez_device *device, const mez_code *codes, uint32_t count,
    mez_text *build_log, ze_module_handle_t *modules)
{
    if (device->platform->caps.wrapped)
        return refuse_wrapped();
    mez_error error = mez_ok();
    uint32_t made = 0;
    while (made < count && !mez_failed(error)) {
        error = mez_compile_module(device, &codes[made], build_log, &modules[made]);
        made += !mez_failed(error);
    }
    if (!mez_failed(error))
        error = link_modules(count, modules, build_log);
    while (mez_failed(error) && made > 0)
        ZE_LOGGED(zeModuleDestroy, modules[--made]);
    return error;
}

mez_error mez_has_imports(ze_module_handle_t module, bool *has)
{
    ze_module_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_MODULE_PROPERTIES};
    MEZ_TRY(ZE(zeModuleGetProperties, module, &properties));
    *has = properties.flags & ZE_MODULE_PROPERTY_FLAG_IMPORTS;
    return mez_ok();
}
