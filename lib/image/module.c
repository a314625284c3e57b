// SPDX-License-Identifier: MIT

#include "image/module.h"

#include <string.h>

#include "base/alloc.h"

static void destroy_handle(ze_module_handle_t *ze)
{
    if (*ze)
        ZE_LOGGED(zeModuleDestroy, *ze);
    *ze = NULL;
}

void mez_module_destroy(mez_module **module)
{
    if (!*module)
        return;
    destroy_handle(&(*module)->ze);
    for (uint32_t i = 0; i < (*module)->other_count; i++)
        destroy_handle(&(*module)->others[i]);
    mez_free_memory((*module)->others);
    mez_free_memory((*module)->parts);
    mez_free_memory(*module);
    *module = NULL;
}

// --- Linking

// What C's assert calls asks for ids, which only an image's own module can.
static mez_error refuse_c_assert(const mez_image *image)
{
    return mez_error_make(MEZ_ERRC_LINK_PROGRAM,
        "\"%s\" imports " MEZ_C_ASSERT_FAIL
        ", which needs a driver that lists " ZE_MODULE_PROGRAM_EXP_NAME
        ": recompile the kernels with <mezzanine/assert.h>, which does not need that, or with "
        "-DNDEBUG",
        image->name);
}

// Intel's compiler crashes on such a library, and takes the process along.
static mez_error refuse_ids(const mez_image *image, const mez_part *library)
{
    return mez_error_make(MEZ_ERRC_LINK_PROGRAM,
        "\"%s\" is linked with %s, whose functions ask for ids or assert: that needs a driver that "
        "lists " ZE_MODULE_PROGRAM_EXP_NAME,
        image->name, library->binary->source);
}

static mez_error link_dynamically(mez_module *module, const mez_inputs *inputs, mez_text *build_log)
{
    if (inputs->asserts.imports_c_assert)
        return refuse_c_assert(module->image);
    if (inputs->asks_for_ids)
        return refuse_ids(module->image, inputs->asks_for_ids);
    ze_module_handle_t *modules = mez_alloc_array(inputs->count, sizeof *modules);
    module->parts = mez_alloc_array(inputs->count, sizeof *module->parts);
    if (!modules || !module->parts) {
        mez_free_memory(modules);
        return mez_error_no_memory("linked modules");
    }
    const mez_error error =
        mez_compile_and_link(module->device, inputs->codes, inputs->count, build_log, modules);
    if (mez_failed(error)) {
        mez_free_memory(modules);
        return error;
    }
    memcpy(module->parts, inputs->parts, inputs->count * sizeof *module->parts);
    module->ze = modules[0];
    module->others = modules;
    module->other_count = inputs->count;
    modules[0] = NULL; // it is not one of the others, but keeps indexes as they are in the inputs
    module->reaches_others = true;
    return error;
}

// Some drivers return a program that lacks what the library has (docs/internals/compilers.md#linking-modules).
static mez_error link_program(
    mez_module *module, const mez_inputs *inputs, mez_text *build_log, bool *complete)
{
    bool lacks = false;
    MEZ_TRY(
        mez_compile_program(module->device, inputs->codes, inputs->count, build_log, &module->ze));
    MEZ_TRY(mez_has_imports(module->ze, &lacks));
    *complete = !lacks;
    if (lacks) {
        mez_log(IMAGE, INFO, "\"%s\": the driver has not linked the program; linking again",
            module->image->name);
        destroy_handle(&module->ze);
    }
    return mez_ok();
}

static mez_error compile(mez_module *module, const mez_inputs *inputs, mez_text *build_log)
{
    if (inputs->count == 1)
        return mez_compile_module(module->device, &inputs->codes[0], build_log, &module->ze);
    bool complete = false;
    if (module->image->platform->caps.module_program && !inputs->codes[0].native)
        MEZ_TRY(link_program(module, inputs, build_log, &complete));
    return complete ? mez_ok() : link_dynamically(module, inputs, build_log);
}

// --- Variables

static mez_error find_variable(const mez_module *module, uint32_t owner, const char *name,
    size_t least, void **address, size_t *size)
{
    const bool elsewhere = module->others && owner > 0;
    const ze_module_handle_t ze = elsewhere ? module->others[owner] : module->ze;
    MEZ_TRY(ZE(zeModuleGetGlobalPointer, ze, name, size, address));
    if (*size >= least)
        return mez_ok();
    return mez_error_make(
        MEZ_ERRC_INVALID_IMAGE, "its variable %s has %zu bytes of %zu", name, *size, least);
}

static mez_error find_variables(mez_module *module, const mez_inputs *inputs)
{
    const mez_assert_plan *plan = &inputs->plan;
    size_t size;
    module->native_asserts = plan->native;
    module->posts = plan->posts;
    if (plan->record)
        MEZ_TRY(find_variable(module, inputs->library, plan->record, sizeof(mez_assert_record),
            &module->assert_record, &module->assert_record_size));
    if (plan->log)
        MEZ_TRY(find_variable(module, inputs->library, plan->log, sizeof(mez_assert_log),
            &module->assert_log, &size));
    return mez_ok();
}

// Each driver has its own word for a name that it does not know or does not show (docs/internals/compilers.md#flags-that-matter).
static bool is_not_found(ze_result_t result)
{
    return result == ZE_RESULT_ERROR_INVALID_GLOBAL_NAME ||
           result == ZE_RESULT_ERROR_INVALID_ARGUMENT ||
           result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
}

// Several that are modules of their own may have a variable of the same name.
static ze_module_handle_t handle_of(const mez_module *module, const mez_part *owner)
{
    for (uint32_t i = 1; i < module->other_count; i++)
        if (module->parts[i] == owner)
            return module->others[i];
    return module->ze;
}

mez_error mez_module_find_variable(const mez_module *module, const mez_part *owner,
    const char *name, bool *found, void **pointer, size_t *size)
{
    const ze_module_handle_t ze = handle_of(module, owner);
    const ze_result_t result = ZE_RESULT(zeModuleGetGlobalPointer, ze, name, size, pointer);
    *found = result == ZE_RESULT_SUCCESS;
    if (is_not_found(result))
        return mez_ok();
    return mez_ze_checked(
        result, "zeModuleGetGlobalPointer(ze, name, size, pointer)", __FILE__, __LINE__);
}

// --- Building

static const char *words_of_log(const mez_module *module, const mez_text *build_log)
{
    if (module->image->platform->caps.wrapped)
        return "not available: the Level Zero loader wraps its drivers, and then crashes when the "
               "log "
               "of a failed build is read; load one driver only (MEZ_DRIVERS), and leave "
               "ZE_ENABLE_LOADER_INTERCEPT unset";
    return build_log->length > 0 ? mez_text_get(build_log) : "(empty)";
}

static mez_error explain(const mez_module *module, mez_error error, const mez_text *build_log)
{
    error = mez_error_headline(error, "\"%s\" can't be built for device \"%s\"",
        module->image->name, module->device->info.name);
    return mez_error_add(error, "build log", "%-s", words_of_log(module, build_log));
}

// What the compiler says of a module before it was linked with the others, such as that a symbol is missing, is past.
static void report_build_log(const mez_module *module, const mez_text *build_log)
{
    const char *name = module->image->name, *device = module->device->info.name;
    const char *words = mez_text_get(build_log);
    if (module->others)
        mez_log(IMAGE, INFO, "build log of \"%s\" for device \"%s\": %-s", name, device, words);
    else
        mez_log(IMAGE, WARN, "the driver built \"%s\" for device \"%s\" with these messages: %-s",
            name, device, words);
}

static mez_error build_of_inputs(mez_module *module, const mez_inputs *inputs)
{
    mez_text build_log = {0};
    mez_error error = compile(module, inputs, &build_log);
    if (!mez_failed(error))
        error = find_variables(module, inputs);
    if (mez_failed(error))
        error = explain(module, error, &build_log);
    else if (build_log.length > 0)
        report_build_log(module, &build_log);
    mez_text_finish(&build_log);
    return error;
}

static mez_error build(mez_module *module, const mez_selection *selection, const mez_link *link,
    const mez_wanted_kernels *wanted)
{
    mez_inputs inputs;
    mez_error error = mez_inputs_init(selection, link, module->device, &inputs);
    if (!mez_failed(error)) {
        inputs.codes[0].wanted = wanted;
        error = build_of_inputs(module, &inputs);
    }
    mez_inputs_finish(&inputs);
    return error;
}

mez_error mez_module_create(const mez_selection *selection, const mez_link *link,
    const mez_wanted_kernels *wanted, mez_device *device, mez_module **created)
{
    mez_module *module = mez_new(mez_module);
    if (!module)
        return mez_error_no_memory("a module");
    module->image = selection->part->image;
    module->device = device;
    module->of_group = selection->groups != NULL;
    const mez_error error = build(module, selection, link, wanted);
    if (mez_failed(error))
        mez_module_destroy(&module);
    *created = module;
    return error;
}
