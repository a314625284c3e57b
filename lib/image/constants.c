// SPDX-License-Identifier: MIT

#include "image/image.h"

#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "spirv/module.h"
#include "spirv/rewrite.h"

static mez_error make_room(mez_constants *constants, uint32_t count)
{
    constants->sizes = mez_alloc_array(count, sizeof *constants->sizes);
    constants->values = mez_alloc_array(count, sizeof *constants->values);
    constants->pointers = mez_alloc_array(count, sizeof *constants->pointers);
    constants->numbers = mez_alloc_array(count, sizeof *constants->numbers);
    const bool all =
        constants->sizes && constants->values && constants->pointers && constants->numbers;
    return all ? mez_ok() : mez_error_no_memory("specialization constants");
}

static bool is_taken(const mez_constants *constants, uint32_t number)
{
    for (uint32_t i = 0; i < constants->ze.numConstants; i++)
        if (constants->numbers[i] == number)
            return true;
    return false;
}

static mez_error check_given(const mez_constants *constants, const mez_spec_constant *given)
{
    if (!given->value)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "specialization constant %u has its value at NULL", given->id);
    if (given->size != 1 && given->size != 2 && given->size != 4 && given->size != 8)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "specialization constant %u was given %zu bytes: use 1, 2, 4 or 8", given->id,
            given->size);
    if (is_taken(constants, given->id))
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "specialization constant %u was given two values", given->id);
    return mez_ok();
}

static void add(mez_constants *constants, const mez_spec_constant *given)
{
    const uint32_t i = constants->ze.numConstants++;
    constants->numbers[i] = given->id;
    constants->sizes[i] = (uint32_t)given->size;
    memcpy(&constants->values[i], given->value, given->size);
    constants->pointers[i] = &constants->values[i];
}

mez_error mez_constants_init(
    const mez_spec_constant *given, uint32_t count, mez_constants *constants)
{
    *constants = (mez_constants){0};
    if (count == 0)
        return mez_ok();
    if (!given)
        return mez_error_make(
            MEZ_ERRC_INVALID_PARAMETER, "%u specialization constants at NULL", count);
    MEZ_TRY(make_room(constants, count));
    constants->ze.pConstantIds = constants->numbers;
    constants->ze.pConstantValues = constants->pointers;
    for (uint32_t i = 0; i < count; i++) {
        MEZ_TRY(check_given(constants, &given[i]));
        add(constants, &given[i]);
    }
    return mez_ok();
}

void mez_constants_finish(mez_constants *constants)
{
    mez_free_memory(constants->sizes);
    mez_free_memory(constants->values);
    mez_free_memory(constants->pointers);
    mez_free_memory(constants->numbers);
    *constants = (mez_constants){0};
}

// --- In a module

static void describe(const struct mez_spirv_spec_constant *constant, mez_text *text)
{
    mez_text_add(text, "%s%u", text->length > 0 ? ", " : "", constant->number);
    if (constant->name)
        mez_text_add(text, " \"%s\"", constant->name);
    mez_text_add(text, " of %u byte%s", constant->size, constant->size == 1 ? "" : "s");
}

static mez_error wrong_size(const struct mez_spirv_spec_constant *constant, uint32_t given)
{
    mez_text text = {0};
    describe(constant, &text);
    const mez_error error = mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
        "a specialization constant was given %u byte%s; it is %s", given, given == 1 ? "" : "s",
        mez_text_get(&text));
    mez_text_finish(&text);
    return error;
}

static mez_error write_values(
    const mez_constants *constants, struct mez_spirv_module *module, bool *found)
{
    for (uint32_t i = 0; i < constants->ze.numConstants; i++) {
        struct mez_spirv_spec_constant constant;
        if (!mez_spirv_find_spec_constant(module, constants->numbers[i], &constant))
            continue;
        if (constant.size != constants->sizes[i])
            return wrong_size(&constant, constants->sizes[i]);
        mez_spirv_specialize(module, constants->numbers[i], &constants->values[i]);
        found[i] = true;
    }
    return mez_ok();
}

mez_error mez_constants_apply(
    const mez_constants *constants, struct mez_spirv_module **module, bool *found)
{
    if (constants->ze.numConstants == 0)
        return mez_ok();
    MEZ_TRY(write_values(constants, *module, found));
    struct mez_spirv_module *anew;
    struct mez_spirv_problem problem;
    const size_t size = (size_t)(*module)->word_count * sizeof *(*module)->words;
    if (mez_spirv_module_create((*module)->words, size, &problem, &anew) == MEZ_SPIRV_NO_MEMORY)
        return mez_error_no_memory("an image's code");
    mez_spirv_module_destroy(module);
    *module = anew; // the form was right before, and is as it was
    return mez_ok();
}

static bool has_number(
    const struct mez_spirv_module *const *modules, uint32_t count, uint32_t number)
{
    struct mez_spirv_spec_constant constant;
    for (uint32_t i = 0; i < count; i++)
        if (mez_spirv_find_spec_constant(modules[i], number, &constant))
            return true;
    return false;
}

// Those of the last of the modules that none before it has. Each number once: where clang since 20 has a kernel's code twice, so are
// its constants.
static void list_constants(
    const struct mez_spirv_module *const *modules, uint32_t last, mez_text *text)
{
    struct mez_spirv_spec_constant constant, first;
    for (uint32_t at = 0; mez_spirv_next_spec_constant(modules[last], &at, &constant);)
        if (mez_spirv_find_spec_constant(modules[last], constant.number, &first) &&
            first.id == constant.id && !has_number(modules, last, constant.number))
            describe(&constant, text);
}

mez_error mez_constants_check_found(const mez_constants *constants, const bool *found,
    const struct mez_spirv_module *const *modules, uint32_t count)
{
    mez_error error = mez_ok();
    for (uint32_t i = 0; i < constants->ze.numConstants; i++) {
        if (found[i])
            continue;
        if (!mez_failed(error))
            error = mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
                "the code has no specialization constant %u", constants->numbers[i]);
        else
            error = mez_error_add(error, "nor", "%u", constants->numbers[i]);
    }
    if (!mez_failed(error))
        return error;
    mez_text has = {0};
    for (uint32_t i = 0; i < count; i++)
        list_constants(modules, i, &has);
    error = mez_error_add(error, "it has", "%s", has.length > 0 ? mez_text_get(&has) : "none");
    mez_text_finish(&has);
    return error;
}
