// SPDX-License-Identifier: MIT

#include "image/module.h"

#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "image/devicelib.h"

// Without it 22.43 hides program-scope variables from zeModuleGetGlobalPointer.
#define TAKE_GLOBALS " -ze-take-global-address "

mez_error mez_modules_create(mez_image *image)
{
    const uint32_t count = image->platform->device_total;
    image->modules = mez_alloc_array(count, sizeof *image->modules);
    if (!image->modules)
        return mez_error_no_memory("an image's modules");
    for (uint32_t i = 0; i < count; i++) {
        pthread_mutex_init(&image->modules[i].lock, NULL);
        image->modules[i].image = image;
        image->modules[i].device = &image->platform->devices[i];
    }
    return mez_ok();
}

void mez_modules_destroy(mez_image *image)
{
    if (!image->modules)
        return;
    for (uint32_t i = 0; i < image->platform->device_total; i++) {
        if (image->modules[i].ze)
            ZE_LOGGED(zeModuleDestroy, image->modules[i].ze);
        pthread_mutex_destroy(&image->modules[i].lock);
    }
    mez_free_memory(image->modules);
}

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
    if (!mez_failed(error))
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

static mez_error compile_with(
    mez_module *module, const ze_module_desc_t *description, mez_text *build_log)
{
    const mez_platform *platform = module->image->platform;
    ze_module_build_log_handle_t log = NULL;
    ze_module_build_log_handle_t *wanted = platform->caps.wrapped ? NULL : &log;
    const mez_error error =
        ZE(zeModuleCreate, platform->ze, module->device->ze, description, &module->ze, wanted);
    if (mez_failed(error))
        module->ze = NULL;
    take_log(log, build_log);
    return error;
}

static size_t code_size(const struct mez_spirv_module *spirv)
{
    return (size_t)spirv->word_count * sizeof(uint32_t);
}

static mez_error compile_alone(mez_module *module, mez_text *build_log)
{
    const mez_image *image = module->image;
    const ze_module_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .format = ZE_MODULE_FORMAT_IL_SPIRV,
        .inputSize = code_size(image->spirv),
        .pInputModule = (const uint8_t *)image->spirv->words,
        .pBuildFlags = image->build_flags,
    };
    return compile_with(module, &description, build_log);
}

// Not a mez_text, which would drop flags where memory is short.
static char *linking_flags(const mez_image *image)
{
    const size_t size = sizeof TAKE_GLOBALS + strlen(image->build_flags) + 1;
    char *flags = mez_alloc_array(size, 1);
    if (flags)
        snprintf(flags, size, TAKE_GLOBALS "%s ", image->build_flags);
    return flags;
}

// Flags stand in both places: 22.43 reads only those of the input modules, drivers from 26.22 on read both; all of them
// join flags without a separator, hence the spaces (facts: asserts-and-queues.md 1.6, trap 1).
static mez_error compile_linked(mez_module *module, mez_text *build_log)
{
    const mez_image *image = module->image;
    char *flags = linking_flags(image);
    if (!flags)
        return mez_error_no_memory("build flags");
    size_t sizes[] = {code_size(image->spirv), mez_devicelib_spirv_size};
    const uint8_t *codes[] = {(const uint8_t *)image->spirv->words, mez_devicelib_spirv};
    const char *module_flags[] = {flags, " "};
    ze_module_program_exp_desc_t program = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC,
        .count = 2,
        .inputSizes = sizes,
        .pInputModules = codes,
        .pBuildFlags = module_flags,
    };
    const ze_module_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .pNext = &program,
        .format = ZE_MODULE_FORMAT_IL_SPIRV,
        .inputSize = sizes[0],
        .pInputModule = codes[0],
        .pBuildFlags = flags,
    };
    const mez_error error = compile_with(module, &description, build_log);
    mez_free_memory(flags);
    return error;
}

static mez_error find_assert_record(mez_module *module)
{
    MEZ_TRY(ZE(zeModuleGetGlobalPointer, module->ze, MEZ_ASSERT_VARIABLE,
        &module->assert_record_size, &module->assert_record));
    return mez_ok();
}

static mez_error compile(mez_module *module, mez_text *build_log)
{
    if (!module->image->imports_assert)
        return compile_alone(module, build_log);
    if (!module->image->platform->caps.module_program)
        return mez_error_make(MEZ_ERRC_LINK_PROGRAM,
            "asserts need the driver's extension " ZE_MODULE_PROGRAM_EXP_NAME
            ", which it does not list: compile the kernels with -DNDEBUG");
    MEZ_TRY(compile_linked(module, build_log));
    return find_assert_record(module);
}

// Intel's driver builds a module with unresolved symbols and refuses each of its kernels later, without a reason.
static mez_error check_imports(const mez_image *image)
{
    mez_error error = mez_ok();
    for (uint32_t i = 0; i < image->spirv->import_count; i++) {
        const char *symbol = image->spirv->imports[i].name;
        if (mez_devicelib_defines(symbol))
            continue;
        if (!mez_failed(error))
            error = mez_error_make(
                MEZ_ERRC_LINK_PROGRAM, "\"%s\" imports symbols that nothing defines", image->name);
        error = mez_error_add(error, "unresolved", "%s", symbol);
    }
    return error;
}

static const char *words_of_log(const mez_module *module, const mez_text *build_log)
{
    if (module->image->platform->caps.wrapped)
        return "not to be had: the Level Zero loader wraps its drivers, and then crashes when the "
               "log "
               "of a failed build is read; load one driver only (MEZ_DRIVERS), and leave "
               "ZE_ENABLE_LOADER_INTERCEPT unset";
    return build_log->length > 0 ? mez_text_get(build_log) : "(empty)";
}

static mez_error build(mez_module *module)
{
    MEZ_TRY(check_imports(module->image));
    mez_text build_log = {0};
    mez_error error = compile(module, &build_log);
    if (mez_failed(error)) {
        error = mez_error_headline(error, "\"%s\" can't be built for device \"%s\"",
            module->image->name, module->device->info.name);
        error = mez_error_add(error, "build log", "%s", words_of_log(module, &build_log));
        if (module->ze)
            ZE_LOGGED(zeModuleDestroy, module->ze);
        module->ze = NULL;
    } else if (build_log.length > 0) {
        mez_log(
            IMAGE, INFO, "build log of \"%s\": %s", module->image->name, mez_text_get(&build_log));
    }
    mez_text_finish(&build_log);
    return error;
}

mez_error mez_module_get(mez_image *image, mez_device *device, mez_module **got)
{
    mez_module *module = &image->modules[device->index];
    pthread_mutex_lock(&module->lock);
    const mez_error error = module->ze ? mez_ok() : build(module);
    pthread_mutex_unlock(&module->lock);
    *got = module;
    return error;
}
