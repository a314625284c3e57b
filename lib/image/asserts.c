// SPDX-License-Identifier: MIT

#include "image/asserts.h"

#include <string.h>

#include "base/error.h"
#include "image/native_assert.h"

// --- What the image has

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

// --- What follows

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

mez_error mez_assert_plan_make(
    const mez_image_asserts *asserts, mez_device *device, mez_assert_plan *plan)
{
    *plan = (mez_assert_plan){0};
    if (!asserts->imports && !asserts->defines)
        return mez_ok();
    plan->c_assert = asserts->imports_c_assert;
    mez_native_asserts how;
    MEZ_TRY(mez_native_assert(device, &how));
    const mez_platform *platform = device->platform;
    const bool native = how != MEZ_NATIVE_ASSERTS_NONE;
    const bool recoverable = platform->asserts_recoverable && !mez_native_assert_is_debugged();
    if (asserts->defines)
        plan_defined(asserts, how == MEZ_NATIVE_ASSERTS_COMPILED, recoverable, plan);
    else if (native && !recoverable)
        plan_native(asserts, plan);
    else
        plan_fallback(asserts, native, platform->asserts_many, plan);
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
