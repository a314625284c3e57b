// SPDX-License-Identifier: MIT

#include "image/module.h"

#include "base/alloc.h"
#include "image/asserts.h"
#include "image/compile.h"
#include "image/inputs.h"

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

static void destroy_handle(ze_module_handle_t *ze)
{
    if (*ze)
        ZE_LOGGED(zeModuleDestroy, *ze);
    *ze = NULL;
}

static void forget(mez_module *module)
{
    destroy_handle(&module->ze);
    destroy_handle(&module->library);
    module->assert_record = module->assert_log = NULL;
}

void mez_modules_destroy(mez_image *image)
{
    if (!image->modules)
        return;
    for (uint32_t i = 0; i < image->platform->device_total; i++) {
        forget(&image->modules[i]);
        pthread_mutex_destroy(&image->modules[i].lock);
    }
    mez_free_memory(image->modules);
}

// --- Linking

// What C's assert calls asks for ids, which only an image's own module can.
static mez_error refuse_c_assert(const mez_image *image)
{
    return mez_error_make(MEZ_ERRC_LINK_PROGRAM,
        "\"%s\" imports " MEZ_C_ASSERT_FAIL
        ", which needs a driver that lists " ZE_MODULE_PROGRAM_EXP_NAME
        ": compile the kernels anew with <mezzanine/assert.h>, which does without, or with "
        "-DNDEBUG",
        image->name);
}

static mez_error link_dynamically(mez_module *module, const mez_inputs *inputs, mez_text *build_log)
{
    if (module->image->asserts.imports_c_assert)
        return refuse_c_assert(module->image);
    ze_module_handle_t modules[2];
    MEZ_TRY(mez_compile_and_link(module->device, inputs->codes, build_log, modules));
    module->ze = modules[0];
    module->library = modules[1];
    module->reaches_library = true;
    return mez_ok();
}

// Some drivers return a program that lacks what the library has (facts: asserts-and-queues.md 1.6, trap 10).
static mez_error link_program(
    mez_module *module, const mez_inputs *inputs, mez_text *build_log, bool *complete)
{
    bool lacks = false;
    MEZ_TRY(
        mez_compile_program(module->device, inputs->codes, inputs->count, build_log, &module->ze));
    MEZ_TRY(mez_has_imports(module->ze, &lacks));
    *complete = !lacks;
    if (lacks) {
        mez_log(IMAGE, INFO, "\"%s\": the driver has not linked the device library; linking again",
            module->image->name);
        destroy_handle(&module->ze);
    }
    return mez_ok();
}

static mez_error compile(mez_module *module, const mez_inputs *inputs, mez_text *build_log)
{
    if (inputs->count == 1)
        return mez_compile(module->device, &inputs->codes[0], build_log, &module->ze);
    bool complete = false;
    if (module->image->platform->caps.module_program)
        MEZ_TRY(link_program(module, inputs, build_log, &complete));
    return complete ? mez_ok() : link_dynamically(module, inputs, build_log);
}

// --- Variables

static mez_error find_variable(
    const mez_module *module, const char *name, size_t least, void **address, size_t *size)
{
    const ze_module_handle_t owner = module->library ? module->library : module->ze;
    MEZ_TRY(ZE(zeModuleGetGlobalPointer, owner, name, size, address));
    if (*size >= least)
        return mez_ok();
    return mez_error_make(
        MEZ_ERRC_INVALID_IMAGE, "its variable %s has %zu bytes of %zu", name, *size, least);
}

static mez_error find_variables(mez_module *module, const mez_assert_plan *plan)
{
    size_t size;
    module->native_asserts = plan->native;
    if (plan->record)
        MEZ_TRY(find_variable(module, plan->record, sizeof(mez_assert_record),
            &module->assert_record, &module->assert_record_size));
    if (plan->log)
        MEZ_TRY(
            find_variable(module, plan->log, sizeof(mez_assert_log), &module->assert_log, &size));
    return mez_ok();
}

// --- Building

// Intel's driver builds a module with unresolved symbols and refuses each of its kernels later, without a reason.
static mez_error check_imports(const mez_image *image, const mez_assert_plan *plan)
{
    mez_error error = mez_ok();
    for (uint32_t i = 0; i < image->spirv->import_count; i++) {
        const char *symbol = image->spirv->imports[i].name;
        if (mez_assert_plan_resolves(plan, &image->asserts, symbol))
            continue;
        if (!mez_failed(error))
            error = mez_error_make(
                MEZ_ERRC_LINK_PROGRAM, "\"%s\" imports symbols that nothing defines", image->name);
        error = mez_error_add(error, "unresolved", "%s", symbol);
    }
    return error;
}

static mez_error build_as_planned(
    mez_module *module, const mez_assert_plan *plan, mez_text *build_log)
{
    mez_inputs inputs;
    mez_error error = mez_inputs_init(module->image, plan, &inputs);
    if (!mez_failed(error))
        error = compile(module, &inputs, build_log);
    mez_inputs_finish(&inputs);
    return mez_failed(error) ? error : find_variables(module, plan);
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

static mez_error explain(const mez_module *module, mez_error error, const mez_text *build_log)
{
    error = mez_error_headline(error, "\"%s\" can't be built for device \"%s\"",
        module->image->name, module->device->info.name);
    return mez_error_add(error, "build log", "%s", words_of_log(module, build_log));
}

// What the compiler says of a module before it was linked with the library, such as that a symbol is missing, is past.
static void tell_build_log(const mez_module *module, const mez_text *build_log)
{
    const char *name = module->image->name, *device = module->device->info.name;
    const char *words = mez_text_get(build_log);
    if (module->library)
        mez_log(IMAGE, INFO, "build log of \"%s\" for device \"%s\": %s", name, device, words);
    else
        mez_log(IMAGE, WARN, "the driver built \"%s\" for device \"%s\", and says: %s", name,
            device, words);
}

static mez_error build(mez_module *module)
{
    mez_assert_plan plan;
    MEZ_TRY(mez_assert_plan_make(&module->image->asserts, module->device, &plan));
    MEZ_TRY(check_imports(module->image, &plan));
    mez_text build_log = {0};
    mez_error error = build_as_planned(module, &plan, &build_log);
    if (mez_failed(error)) {
        error = explain(module, error, &build_log);
        forget(module);
    } else if (build_log.length > 0) {
        tell_build_log(module, &build_log);
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
