// SPDX-License-Identifier: MIT

#include "image/module.h"

#include <string.h>

#include "base/alloc.h"
#include "image/image.h"
#include "spirv/rewrite.h"
#include "spirv/module.h"

// --- Flags

// Kernels written for the vector compiler.
#define VECTOR_COMPUTE "-vc-codegen"

// Kernels that asked for the larger of two register files, in either spelling.
#define LARGE_REGISTERS "-ze-opt-large-register-file"
enum { LARGE_REGISTER_MODE = 2, LARGE_REGISTER_COUNT = 256 };

static bool wants_large_registers(const mez_properties *properties)
{
    return mez_properties_get_number(properties, MEZ_SET_MISC, "sycl-register-alloc-mode", 0) ==
               LARGE_REGISTER_MODE ||
           mez_properties_get_number(properties, MEZ_SET_MISC, "sycl-grf-size", 0) ==
               LARGE_REGISTER_COUNT;
}

typedef struct pieces {
    const char *items[6];
    size_t count;
} pieces;

static void add(pieces *pieces, const char *piece)
{
    if (piece[0] != '\0')
        pieces->items[pieces->count++] = piece;
}

static pieces gather(const mez_part *part)
{
    const mez_properties *properties = &part->binary->properties;
    pieces pieces = {0};
    add(&pieces, part->binary->compile_options);
    add(&pieces, part->image->build_flags);
    if (part->stated.esimd)
        add(&pieces, VECTOR_COMPUTE);
    if (wants_large_registers(properties))
        add(&pieces, LARGE_REGISTERS);
    return pieces;
}

// One string between `before` and `after`, to be given to mez_free_memory. Not a mez_text, which would drop flags where memory is short.
static mez_error make_flags(
    const mez_part *part, const char *before, const char *after, char **flags)
{
    const pieces pieces = gather(part);
    size_t size = strlen(before) + strlen(after) + 1;
    for (size_t i = 0; i < pieces.count; i++)
        size += strlen(pieces.items[i]) + 1;
    *flags = mez_alloc_array(size, 1);
    if (!*flags)
        return mez_error_no_memory("build flags");
    char *end = stpcpy(*flags, before);
    for (size_t i = 0; i < pieces.count; i++) {
        if (i > 0)
            *end++ = ' ';
        end = stpcpy(end, pieces.items[i]);
    }
    strcpy(end, after);
    return mez_ok();
}

// Without it drivers hide program-scope variables from zeModuleGetGlobalPointer. Kernels get the same instructions with it
// (docs/internals/compilers.md#flags-that-matter).
#define TAKE_GLOBALS " -ze-take-global-address "

// Of a module of its own: without it others can't be linked to the library later.
#define LIBRARY_FLAGS " -library-compilation" TAKE_GLOBALS

// --- SPIR-V

static mez_error take_part(const mez_selection *selection, mez_inputs *inputs)
{
    if (mez_part_is_native(selection->part))
        return mez_ok();
    inputs->module_count = 1;
    inputs->modules[0] = selection->part->code.spirv;
    if (!selection->groups)
        return mez_ok();
    MEZ_TRY(mez_groups_extract(selection->groups, selection->first, &inputs->made[0]));
    inputs->modules[0] = inputs->made[0];
    return mez_ok();
}

// Ids are variables that drivers fill for a kernel.
static bool asks_for_ids(const struct mez_spirv_module *spirv)
{
    for (uint32_t i = 0; i < spirv->def_count; i++) {
        const struct mez_spirv_def *def = &spirv->defs[i];
        const struct mez_spirv_instruction in = mez_spirv_instruction_at(spirv, def->word);
        if (def->function == MEZ_SPIRV_NO_INDEX && in.opcode == MEZ_OP_Variable &&
            in.words[3] == MEZ_STORAGE_INPUT)
            return true;
    }
    return false;
}

// Only what is wanted: the rest might not compile for this device.
static mez_error take_link(const mez_link *link, mez_inputs *inputs)
{
    for (size_t i = 0; i < link->inputs.count; i++) {
        const mez_link_input *input = &link->inputs.items[i];
        struct mez_spirv_module **made = &inputs->made[inputs->module_count];
        MEZ_TRY(mez_part_extract(input->part, input->roots.items, input->roots.count, made));
        inputs->modules[inputs->module_count++] = *made;
        if (asks_for_ids(*made))
            inputs->asks_for_ids = input->part;
    }
    return mez_ok();
}

static mez_error rename_symbol(const struct mez_spirv_module *module, const char *from,
    const char *to, struct mez_spirv_module **renamed)
{
    struct mez_spirv_problem problem;
    uint32_t *words, count;
    enum mez_spirv_status status = mez_spirv_rename(
        module, from, to, MEZ_RENAME_IMPORTS | MEZ_RENAME_EXPORTS, &problem, &words, &count);
    if (status == MEZ_SPIRV_OK)
        status = mez_spirv_module_create(words, (size_t)count * sizeof *words, &problem, renamed);
    mez_free_memory(words);
    return mez_spirv_to_error(status, &problem, "a copy of an image");
}

static bool has_symbol(const struct mez_spirv_symbol *symbols, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(symbols[i].name, name) == 0)
            return true;
    return false;
}

static void replace_module(mez_inputs *inputs, uint32_t index, struct mez_spirv_module *module)
{
    mez_spirv_module_destroy(&inputs->made[index]);
    inputs->modules[index] = inputs->made[index] = module;
}

static mez_error rename_all(mez_inputs *inputs, const char *from, const char *to)
{
    for (uint32_t i = 0; i < inputs->module_count; i++) {
        const struct mez_spirv_module *module = inputs->modules[i];
        struct mez_spirv_module *renamed = NULL;
        if (!has_symbol(module->imports, module->import_count, from) &&
            !has_symbol(module->exports, module->export_count, from))
            continue;
        MEZ_TRY(rename_symbol(module, from, to, &renamed));
        replace_module(inputs, i, renamed);
    }
    return mez_ok();
}

static mez_error rename_for_asserts(mez_inputs *inputs)
{
    if (inputs->plan.renames)
        return rename_all(inputs, MEZ_ASSERT_FAIL, MEZ_ASSERT_FAIL_RENAMED);
    if (!inputs->plan.posts)
        return mez_ok();
    MEZ_TRY(rename_all(inputs, MEZ_ASSERT_FAIL, MEZ_ASSERT_POST));
    return rename_all(inputs, MEZ_C_ASSERT_FAIL, MEZ_C_ASSERT_POST);
}

// --- Hidden arguments

// As far as can be seen before it is tried. Code of several parts calls each other's functions, which would have to be changed alike; and
// who looks at the record expects that there is one.
static bool may_post(
    const mez_selection *selection, const mez_device *device, const mez_inputs *inputs)
{
    const mez_image_asserts *asserts = &inputs->asserts;
    return !device->platform->assert_needs->of_modules && asserts->imports &&
           !asserts->imports_variables && !asserts->defines && inputs->module_count == 1 &&
           !mez_part_is_native(selection->part) && !selection->part->stated.esimd;
}

// NULL: it can't have any.
static mez_error add_hidden(
    const struct mez_spirv_module *module, struct mez_spirv_module **changed)
{
    struct mez_spirv_problem problem;
    uint32_t *words, count;
    *changed = NULL;
    enum mez_spirv_status status = mez_spirv_add_hidden(module, &problem, &words, &count);
    if (words)
        status = mez_spirv_module_create(words, (size_t)count * sizeof *words, &problem, changed);
    mez_free_memory(words);
    return mez_spirv_to_error(status, &problem, "an image whose asserts are posted");
}

static mez_error plan_asserts(
    const mez_selection *selection, mez_device *device, mez_inputs *inputs)
{
    struct mez_spirv_module *changed;
    const bool can_post = may_post(selection, device, inputs);
    MEZ_TRY(mez_assert_plan_make(&inputs->asserts, can_post, device, &inputs->plan));
    if (!inputs->plan.posts)
        return mez_ok();
    MEZ_TRY(add_hidden(inputs->modules[0], &changed));
    if (!changed)
        return mez_assert_plan_make(&inputs->asserts, false, device, &inputs->plan);
    replace_module(inputs, 0, changed);
    return mez_ok();
}

// --- Asserts

// A native binary says by its properties alone that it wants the library.
static void look_for_asserts(const mez_selection *selection, mez_inputs *inputs)
{
    for (uint32_t i = 0; i < inputs->module_count; i++)
        mez_image_asserts_add(&inputs->asserts, inputs->modules[i]);
    const mez_binary *binary = selection->part->binary;
    if (mez_part_is_native(selection->part) &&
        mez_properties_devicelib_mask(&binary->properties) & 1)
        mez_image_asserts_add_wish(&inputs->asserts);
}

static mez_error unresolved_error(const mez_image *image)
{
    return mez_error_make(
        MEZ_ERRC_LINK_PROGRAM, "\"%s\" imports symbols that nothing defines", image->name);
}

static mez_error check_library_imports(
    const mez_inputs *inputs, const mez_image *image, mez_error error)
{
    for (uint32_t i = 0; i < inputs->module_count; i++)
        for (uint32_t j = 0; j < inputs->modules[i]->import_count; j++) {
            const char *symbol = inputs->modules[i]->imports[j].name;
            if (!mez_devicelib_knows(symbol) ||
                mez_assert_plan_resolves(&inputs->plan, &inputs->asserts, symbol))
                continue;
            error = mez_failed(error) ? error : unresolved_error(image);
            error = mez_error_add(error, "unresolved", "%s", symbol);
        }
    return error;
}

// Intel's driver builds a module with unresolved symbols and refuses each of its kernels later, without a reason.
static mez_error check_imports(
    const mez_inputs *inputs, const mez_image *image, const mez_link *link)
{
    const mez_error error = link->unresolved.count == 0
                                ? mez_ok()
                                : mez_link_add_unresolved(unresolved_error(image), link);
    return check_library_imports(inputs, image, error);
}

// --- Codes

static void add_spirv(
    mez_inputs *inputs, const mez_part *part, const struct mez_spirv_module *spirv)
{
    inputs->parts[inputs->count] = part;
    inputs->codes[inputs->count] = (mez_code){
        .bytes = spirv->words,
        .size = (size_t)spirv->word_count * sizeof *spirv->words,
        .flags = inputs->flags[inputs->count],
        .constants = mez_constants_get(&part->image->constants),
        .fleeting = inputs->plan.native, // the driver's asserts write to a buffer of the driver's
    };
    inputs->count++;
}

static void add_native(mez_inputs *inputs, const mez_part *part)
{
    inputs->parts[inputs->count] = part;
    inputs->codes[inputs->count] = (mez_code){
        .bytes = part->binary->code,
        .size = part->binary->code_size,
        .native = true,
        .flags = inputs->flags[inputs->count],
    };
    inputs->count++;
}

// Variables that a program may ask for by their names.
static bool exports_variables(const mez_inputs *inputs)
{
    for (uint32_t i = 0; i < inputs->module_count; i++)
        for (uint32_t j = 0; j < inputs->modules[i]->export_count; j++)
            if (!inputs->modules[i]->exports[j].is_function)
                return true;
    return false;
}

static mez_error add_codes(const mez_selection *selection, const mez_link *link, mez_inputs *inputs)
{
    // Variables are taken by address; what is linked needs a space at both ends (compile.c).
    const mez_assert_plan *plan = &inputs->plan;
    const bool links = link->inputs.count > 0 || plan->library || plan->c_assert;
    const bool takes_globals = plan->record || exports_variables(inputs);
    const char *before = takes_globals ? TAKE_GLOBALS : links ? " " : "";
    const char *after = takes_globals || links ? " " : "";
    MEZ_TRY(make_flags(selection->part, before, after, &inputs->flags[0]));
    if (mez_part_is_native(selection->part))
        add_native(inputs, selection->part);
    else
        add_spirv(inputs, selection->part, inputs->modules[0]);
    const uint32_t first = inputs->module_count - link->inputs.count;
    for (size_t i = 0; i < link->inputs.count; i++) {
        const mez_part *part = link->inputs.items[i].part;
        MEZ_TRY(make_flags(part, LIBRARY_FLAGS, "", &inputs->flags[inputs->count]));
        add_spirv(inputs, part, inputs->modules[first + i]);
    }
    return mez_ok();
}

static void add_library(mez_inputs *inputs)
{
    const mez_assert_plan *plan = &inputs->plan;
    if (plan->library) {
        inputs->library = inputs->count;
        inputs->codes[inputs->count++] = (mez_code){
            .bytes = plan->library->code, .size = *plan->library->size, .flags = LIBRARY_FLAGS};
    }
    if (plan->c_assert) {
        mez_code *code = &inputs->codes[inputs->count++];
        const mez_c_assert how = plan->posts     ? MEZ_C_ASSERT_POSTS
                                 : plan->renames ? MEZ_C_ASSERT_RENAMED
                                                 : MEZ_C_ASSERT_PLAIN;
        code->bytes = mez_devicelib_c_assert(how, &code->size);
        code->flags = "";
    }
}

// The record of an image that brings its own lies where it is defined.
static void find_record(mez_inputs *inputs)
{
    if (inputs->plan.library || !inputs->plan.record)
        return;
    const uint32_t natives = inputs->count - inputs->module_count; // codes that are not modules
    for (uint32_t i = 0; i < inputs->module_count; i++)
        for (uint32_t j = 0; j < inputs->modules[i]->export_count; j++)
            if (strcmp(inputs->modules[i]->exports[j].name, inputs->plan.record) == 0)
                inputs->library = i + natives;
}

// --- All of it

static mez_error make_room(mez_inputs *inputs, uint32_t modules)
{
    inputs->codes = mez_alloc_array(modules + 2u, sizeof *inputs->codes); // the library, C's assert
    inputs->parts = mez_alloc_array(modules + 2u, sizeof *inputs->parts);
    inputs->modules = mez_alloc_array(modules, sizeof *inputs->modules);
    inputs->made = mez_alloc_array(modules, sizeof *inputs->made);
    inputs->flags = mez_alloc_array(modules, sizeof *inputs->flags);
    inputs->flag_count = modules;
    const bool all =
        inputs->codes && inputs->parts && inputs->modules && inputs->made && inputs->flags;
    return all ? mez_ok() : mez_error_no_memory("what a compiler is given");
}

mez_error mez_inputs_init(
    const mez_selection *selection, const mez_link *link, mez_device *device, mez_inputs *inputs)
{
    *inputs = (mez_inputs){0};
    MEZ_TRY(make_room(inputs, link->inputs.count + 1));
    MEZ_TRY(take_part(selection, inputs));
    MEZ_TRY(take_link(link, inputs));
    look_for_asserts(selection, inputs);
    MEZ_TRY(plan_asserts(selection, device, inputs));
    MEZ_TRY(check_imports(inputs, selection->part->image, link));
    MEZ_TRY(rename_for_asserts(inputs));
    MEZ_TRY(add_codes(selection, link, inputs));
    find_record(inputs);
    add_library(inputs);
    return mez_ok();
}

void mez_inputs_finish(mez_inputs *inputs)
{
    for (uint32_t i = 0; inputs->made && i < inputs->module_count; i++)
        mez_spirv_module_destroy(&inputs->made[i]);
    for (uint32_t i = 0; inputs->flags && i < inputs->flag_count; i++)
        mez_free_memory(inputs->flags[i]);
    mez_free_memory(inputs->codes);
    mez_free_memory(inputs->parts);
    mez_free_memory(inputs->modules);
    mez_free_memory(inputs->made);
    mez_free_memory(inputs->flags);
}
