// SPDX-License-Identifier: MIT

#include "image/asserts.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/alloc.h"
#include "base/environment.h"
#include "base/process.h"
#include "image/compile.h"

// --- What contexts and queues want

mez_error mez_assert_read_record_setting(bool *of_modules)
{
    const char *text = mez_setting(MEZ_VARIABLE_ASSERT_RECORD);
    *of_modules = text && strcmp(text, "module") == 0;
    return !text || *of_modules || strcmp(text, "launch") == 0
               ? mez_ok()
               : mez_setting_refused(MEZ_VARIABLE_ASSERT_RECORD);
}

mez_error mez_assert_needs_create(struct mez_assert_needs **created)
{
    bool of_modules;
    *created = NULL;
    MEZ_TRY(mez_assert_read_record_setting(&of_modules));
    struct mez_assert_needs *needs = mez_new(struct mez_assert_needs);
    if (!needs)
        return mez_error_no_memory("a context");
    pthread_mutex_init(&needs->native_lock, NULL);
    needs->of_modules = of_modules;
    *created = needs;
    return mez_ok();
}

void mez_assert_needs_destroy(struct mez_assert_needs *needs)
{
    if (!needs)
        return;
    pthread_mutex_destroy(&needs->native_lock);
    mez_free_memory(needs);
}

// --- Asserts of the driver's own

// Made at build time from devicelib/native_trial.cl.
extern const uint8_t mez_devicelib_spirv_native_trial[];
extern const size_t mez_devicelib_spirv_native_trial_size;

bool mez_native_assert_is_debugged(void)
{
    const char *debugging = getenv("ZET_ENABLE_PROGRAM_DEBUGGING");
    return debugging && strcmp(debugging, "1") == 0;
}

// Some drivers build a module with unresolved imports, others refuse it.
static mez_error build_trial(mez_device *device, ze_module_handle_t *module)
{
    const ze_module_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .format = ZE_MODULE_FORMAT_IL_SPIRV,
        .inputSize = mez_devicelib_spirv_native_trial_size,
        .pInputModule = mez_devicelib_spirv_native_trial,
    };
    const ze_result_t result =
        ZE_RESULT(zeModuleCreate, device->platform->ze, device->ze, &description, module, NULL);
    if (result == ZE_RESULT_SUCCESS)
        return mez_ok();
    *module = NULL;
    if (result == ZE_RESULT_ERROR_MODULE_BUILD_FAILURE ||
        result == ZE_RESULT_ERROR_MODULE_LINK_FAILURE)
        return mez_ok();
    return mez_ze_failure(result, "zeModuleCreate(trial of asserts)", __FILE__, __LINE__);
}

static mez_error ask_compiler(mez_device *device, mez_native_asserts *how)
{
    ze_module_handle_t module;
    bool lacks = true;
    MEZ_TRY(build_trial(device, &module));
    if (!module)
        return mez_ok();
    const mez_error error = mez_has_imports(module, &lacks);
    ZE_LOGGED(zeModuleDestroy, module);
    if (!lacks)
        *how = MEZ_NATIVE_ASSERTS_COMPILED;
    return error;
}

// The answer is kept as one byte: that a module of the cache lacks a symbol, drivers need not say.
static mez_error try_compiler(mez_device *device, mez_native_asserts *how)
{
    const mez_code question = {
        .bytes = mez_devicelib_spirv_native_trial,
        .size = mez_devicelib_spirv_native_trial_size,
        .flags = "does the compiler bring asserts?",
    };
    const mez_cached cached = mez_cached_key(device, &question, 1);
    uint8_t answer;
    if (mez_cached_answer(device, &cached, &answer)) {
        *how = answer ? MEZ_NATIVE_ASSERTS_COMPILED : MEZ_NATIVE_ASSERTS_NONE;
        return mez_ok();
    }
    MEZ_TRY(ask_compiler(device, how));
    answer = *how == MEZ_NATIVE_ASSERTS_COMPILED;
    if (cached.is_on)
        mez_cache_put(device->platform->cache, &cached.key, &answer, sizeof answer);
    return mez_ok();
}

static void log_choice(const mez_device *device, mez_native_asserts how)
{
    if (how == MEZ_NATIVE_ASSERTS_NONE) {
        mez_log(
            IMAGE, DEBUG, "device \"%s\": the driver has no asserts of its own", device->info.name);
        return;
    }
    mez_log(IMAGE, INFO, "device \"%s\": the driver has asserts of its own (%s)", device->info.name,
        how == MEZ_NATIVE_ASSERTS_LISTED ? "it lists them" : "its compiler resolves them");
    if (mez_native_assert_is_debugged())
        mez_log(IMAGE, INFO,
            "ZET_ENABLE_PROGRAM_DEBUGGING=1: a debugger stops at failed asserts of device \"%s\", "
            "so the driver handles them",
            device->info.name);
}

static mez_error find_out(mez_device *device, mez_native_asserts *how)
{
    *how = MEZ_NATIVE_ASSERTS_NONE;
    if (device->platform->caps.devicelib_assert)
        *how = MEZ_NATIVE_ASSERTS_LISTED;
    else
        MEZ_TRY(try_compiler(device, how));
    log_choice(device, *how);
    return mez_ok();
}

mez_error mez_native_assert(mez_device *device, mez_native_asserts *how)
{
    mez_platform *platform = device->platform;
    while (device->parent != device->index) // parts of a device are compiled for alike
        device = &platform->devices[device->parent];
    mez_error error = mez_ok();
    pthread_mutex_lock(&platform->assert_needs->native_lock);
    if (device->native_assert_known) {
        *how = device->native_assert;
    } else if (!mez_failed(error = find_out(device, how))) {
        device->native_assert = *how;
        device->native_assert_known = true;
    }
    pthread_mutex_unlock(&platform->assert_needs->native_lock);
    return error;
}

mez_error mez_device_get_native_asserts_at(
    const mez_location *where, mez_device *device, mez_native_asserts *how)
{
    MEZ_REQUIRE(how, where);
    *how = MEZ_NATIVE_ASSERTS_NONE;
    MEZ_REQUIRE(device, where);
    MEZ_REFUSE_CLOSED(__func__, where);
    return mez_error_add_place(mez_native_assert(device, how), where);
}

// --- What an image has

// NULL: the symbol is not a record.
static const char *record_of(const struct mez_spirv_symbol *symbol)
{
    if (symbol->is_function)
        return NULL;
    if (strcmp(symbol->name, MEZ_ASSERT_VARIABLE) == 0)
        return MEZ_ASSERT_VARIABLE;
    return strcmp(symbol->name, MEZ_ASSERT_VARIABLE_LATER) == 0 ? MEZ_ASSERT_VARIABLE_LATER : NULL;
}

// The design that was published last has another variable, and a reading function that takes a pointer.
static bool has_later_name(
    const struct mez_spirv_module *spirv, const struct mez_spirv_symbol *symbol)
{
    if (strcmp(symbol->name, MEZ_ASSERT_VARIABLE_LATER) == 0)
        return true;
    if (strcmp(symbol->name, MEZ_ASSERT_READ) != 0)
        return false;
    const struct mez_spirv_function *function = mez_spirv_find_function(spirv, symbol->id);
    return function && function->param_count == 1;
}

static void note_import(const struct mez_spirv_module *spirv, const struct mez_spirv_symbol *symbol,
    mez_image_asserts *asserts)
{
    if (!mez_devicelib_knows(symbol->name))
        return;
    asserts->imports = true;
    if (strcmp(symbol->name, MEZ_C_ASSERT_FAIL) == 0)
        asserts->imports_c_assert = true;
    else if (strcmp(symbol->name, MEZ_ASSERT_FAIL) != 0)
        asserts->imports_variables = true;
    asserts->later_names |= has_later_name(spirv, symbol);
}

static bool note_definition(const struct mez_spirv_module *spirv, mez_image_asserts *asserts)
{
    const struct mez_spirv_function *fails = mez_spirv_find_assert(spirv);
    if (!fails || !fails->has_body)
        return false;
    if (!*asserts->deviation)
        mez_spirv_assert_deviates(spirv, fails, asserts->deviation);
    return true;
}

void mez_image_asserts_add(mez_image_asserts *asserts, const struct mez_spirv_module *spirv)
{
    const bool defines = note_definition(spirv, asserts);
    asserts->defines |= defines;
    for (uint32_t i = 0; i < spirv->import_count; i++)
        note_import(spirv, &spirv->imports[i], asserts);
    for (uint32_t i = 0; defines && i < spirv->export_count; i++) {
        const char *record = record_of(&spirv->exports[i]);
        if (record)
            asserts->own_record = record;
    }
}

void mez_image_asserts_add_wish(mez_image_asserts *asserts)
{
    asserts->imports = true;
}

// --- What follows for a module

static const mez_devicelib *choose(const mez_image_asserts *asserts, mez_devicelib_wish wish)
{
    wish.later_names = asserts->later_names;
    return mez_devicelib_get(&wish);
}

// Where the function that a failed assert calls is defined elsewhere, the library may bring only what lacks: two definitions
// do not link.
static const mez_devicelib *choose_rest(const mez_image_asserts *asserts)
{
    return asserts->imports_variables ? choose(asserts, (mez_devicelib_wish){.native = true})
                                      : NULL;
}

// A compiler that would have resolved an import replaces the image's own definition, too.
static void plan_defined(
    const mez_image_asserts *asserts, bool replaced, bool renames, mez_assert_plan *plan)
{
    plan->library = choose_rest(asserts);
    plan->native = replaced && !renames;
    plan->renames = replaced && renames;
    plan->record = plan->native ? NULL : asserts->own_record;
}

// Of a compiler that is known to bring asserts, verdicts have said so already: lib/check/judge.c.
static mez_error check_replaced(const mez_image_asserts *asserts, const mez_assert_plan *plan)
{
    if (!plan->native || !*asserts->deviation)
        return mez_ok();
    return mez_error_make(MEZ_ERRC_LINK_PROGRAM,
        "the image defines " MEZ_ASSERT_FAIL
        " with a signature other than the published one: %s; the device's compiler replaces it by "
        "its own function, and crashes: rename yours",
        asserts->deviation);
}

static void plan_native(const mez_image_asserts *asserts, mez_assert_plan *plan)
{
    plan->library = choose_rest(asserts);
    plan->native = true;
}

static void plan_fallback(
    const mez_image_asserts *asserts, bool renames, bool many, mez_assert_plan *plan)
{
    plan->library = choose(asserts, (mez_devicelib_wish){.renamed = renames, .many = many});
    plan->renames = renames;
    plan->record = plan->library->record;
    plan->log = plan->library->log;
}

static void plan_posting(const mez_image_asserts *asserts, mez_assert_plan *plan)
{
    plan->library = choose(asserts, (mez_devicelib_wish){.posts = true});
    plan->posts = true;
}

mez_error mez_assert_plan_make(
    const mez_image_asserts *asserts, bool can_post, mez_device *device, mez_assert_plan *plan)
{
    *plan = (mez_assert_plan){0};
    if (!asserts->imports && !asserts->defines)
        return mez_ok();
    plan->c_assert = asserts->imports_c_assert;
    mez_native_asserts how;
    MEZ_TRY(mez_native_assert(device, &how));
    const struct mez_assert_needs *needs = device->platform->assert_needs;
    const bool native = how != MEZ_NATIVE_ASSERTS_NONE;
    const bool recoverable = needs->recoverable && !mez_native_assert_is_debugged();
    if (asserts->defines)
        plan_defined(asserts, how == MEZ_NATIVE_ASSERTS_COMPILED, recoverable, plan);
    else if (native && !recoverable)
        plan_native(asserts, plan);
    else if (can_post)
        plan_posting(asserts, plan);
    else
        plan_fallback(asserts, native, needs->many, plan);
    return check_replaced(asserts, plan);
}

bool mez_assert_plan_resolves(
    const mez_assert_plan *plan, const mez_image_asserts *asserts, const char *symbol)
{
    if (strcmp(symbol, MEZ_ASSERT_FAIL) == 0 && (plan->native || asserts->defines))
        return true;
    if (strcmp(symbol, MEZ_C_ASSERT_FAIL) == 0)
        return plan->c_assert;
    return plan->library && mez_devicelib_defines(plan->library, symbol);
}
