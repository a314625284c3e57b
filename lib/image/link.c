// SPDX-License-Identifier: MIT

#include "image/link.h"

#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "check/describe.h"
#include "image/definitions.h"
#include "devicelib/devicelib.h"
#include "image/image.h"

// --- Lists

static mez_error add_unresolved(mez_link *link, const mez_unresolved *unresolved)
{
    const char *name = unresolved->name;
    if (mez_named_find(&link->unresolved, name, strlen(name)) != MEZ_NAME_NOT_FOUND)
        return mez_ok();
    return mez_named_push(&link->unresolved, *unresolved)
               ? mez_ok()
               : mez_error_no_memory("the names of unresolved symbols");
}

static mez_link_input *find_input(const mez_link *link, const mez_part *part)
{
    for (size_t i = 0; i < link->inputs.count; i++)
        if (link->inputs.items[i].part == part)
            return &link->inputs.items[i];
    return NULL;
}

static mez_link_input *add_input(mez_link *link, mez_part *part, const mez_part_code *code)
{
    mez_link_input *input = find_input(link, part);
    if (input)
        return input;
    if (!mez_vector_push(&link->inputs, (mez_link_input){.part = part, .code = code}))
        return NULL;
    return &link->inputs.items[link->inputs.count - 1];
}

static mez_error add_root(mez_link_input *input, uint32_t id)
{
    for (size_t i = 0; i < input->roots.count; i++)
        if (input->roots.items[i] == id)
            return mez_ok();
    return mez_vector_push(&input->roots, id) ? mez_ok() : mez_error_no_memory("what is linked");
}

// --- Following imports

typedef struct work {
    mez_link *link;
    mez_part *first;         // that everything is linked for
    mez_definitions nearest; // in its image, which most importers belong to
    size_t next;             // no input before this one has roots whose imports are not followed
} work;

static work begin(mez_part *first, mez_link *link)
{
    *link = (mez_link){0};
    return (work){.link = link, .first = first, .nearest = {.image = first->image}};
}

// The nearest first: the importing part's own image, its libraries, those of the image that everything is linked for.
static bool find_definition(
    work *work, const mez_part *importer, const char *symbol, mez_definition *found)
{
    if (importer->image == work->first->image)
        return mez_definitions_find(&work->nearest, importer, symbol, found);
    return mez_find_definition(importer->image, importer, symbol, found) ||
           mez_definitions_find(&work->nearest, work->first, symbol, found);
}

static mez_error take_symbol(work *work, const mez_part *importer, const mez_unresolved *unresolved)
{
    const char *symbol = unresolved->name;
    if (mez_devicelib_knows(symbol))
        return mez_ok();
    mez_definition found;
    if (!find_definition(work, importer, symbol, &found))
        return add_unresolved(work->link, unresolved);
    if (found.part == work->first) // a library that uses what its user defines
        return mez_ok();
    mez_link_input *input = add_input(work->link, found.part, found.code);
    if (!input)
        return mez_error_no_memory("what is linked");
    MEZ_TRY(add_root(input, found.id));
    const size_t place = (size_t)(input - work->link->inputs.items);
    if (input->followed < input->roots.count && place < work->next)
        work->next = place;
    return mez_ok();
}

static mez_error take_imports(
    work *work, const mez_part *importer, const mez_part_code *code, uint32_t function)
{
    if (!code->survey->functions[function].reaches_imports)
        return mez_ok();
    const struct mez_spirv_symbol **imports;
    uint32_t count;
    if (mez_spirv_survey_list_imports(code->survey, function, &imports, &count) != MEZ_SPIRV_OK)
        return mez_error_no_memory("what is linked");
    mez_error error = mez_ok();
    for (uint32_t i = 0; i < count && !mez_failed(error); i++)
        error = take_symbol(work, importer,
            &(mez_unresolved){imports[i]->name, imports[i], code->survey, function});
    mez_free_memory(imports);
    return error;
}

// A variable's initial value may name other symbols; those are the extracted module's to import.
static mez_error take_imports_of_root(work *work, const mez_link_input *input, uint32_t root)
{
    const struct mez_spirv_module *spirv = input->code->spirv;
    const struct mez_spirv_function *function = mez_spirv_find_function(spirv, root);
    if (!function)
        return mez_ok();
    return take_imports(work, input->part, input->code, (uint32_t)(function - spirv->functions));
}

// What an input imports may make any other grow: the first that has goes on.
static mez_error follow(work *work)
{
    const mez_link *link = work->link;
    while (work->next < link->inputs.count) {
        mez_link_input *input = &link->inputs.items[work->next];
        if (input->followed == input->roots.count) {
            work->next++;
            continue;
        }
        const uint32_t root = input->roots.items[input->followed++];
        const mez_link_input copy = *input; // the list may move
        MEZ_TRY(take_imports_of_root(work, &copy, root));
    }
    return mez_ok();
}

static mez_error finish(work *work, mez_error error)
{
    if (!mez_failed(error))
        error = follow(work);
    mez_definitions_finish(&work->nearest);
    return error;
}

mez_error mez_link_of_kernels(
    mez_part *part, const uint32_t *kernels, uint32_t count, mez_link *link)
{
    work work = begin(part, link);
    const mez_part_code *code = &part->code;
    mez_error error = mez_ok();
    for (uint32_t i = 0; i < count && !mez_failed(error); i++)
        error = take_imports(&work, part, code, code->survey->kernels[kernels[i]].kernel->function);
    return finish(&work, error);
}

mez_error mez_link_of_part(mez_part *part, mez_link *link)
{
    work work = begin(part, link);
    const struct mez_spirv_module *spirv = part->code.spirv;
    mez_error error = mez_ok();
    for (uint32_t i = 0; i < spirv->import_count && !mez_failed(error); i++)
        error = take_symbol(&work, part,
            &(mez_unresolved){
                spirv->imports[i].name, &spirv->imports[i], part->code.survey, MEZ_SPIRV_NO_INDEX});
    return finish(&work, error);
}

void mez_link_finish(mez_link *link)
{
    for (size_t i = 0; i < link->inputs.count; i++)
        mez_vector_finish(&link->inputs.items[i].roots);
    mez_vector_finish(&link->inputs);
    mez_named_finish(&link->unresolved);
    *link = (mez_link){0};
}

// --- Reporting

static mez_error add_symbol(mez_error error, const mez_unresolved *unresolved)
{
    mez_text place = {0};
    const mez_requirement requirement = {.kind = MEZ_REQUIRES_DEFINITION,
        .survey = unresolved->survey,
        .function = unresolved->function,
        .import = unresolved->import};
    if (unresolved->function != MEZ_SPIRV_NO_INDEX) {
        mez_text_add(&place, ", ");
        mez_check_add_place(&place, &requirement);
    }
    error =
        mez_error_add(error, "unresolved", "%s%-s", unresolved->import->name, mez_text_get(&place));
    mez_text_finish(&place);
    return error;
}

static bool has_function(const mez_link *link)
{
    for (size_t i = 0; i < link->unresolved.count; i++)
        if (link->unresolved.items[i].import->is_function)
            return true;
    return false;
}

mez_error mez_link_add_unresolved(mez_error error, const mez_link *link)
{
    for (size_t i = 0; i < link->unresolved.count; i++)
        error = add_symbol(error, &link->unresolved.items[i]);
    if (!has_function(link))
        return error;
    return mez_error_add(error, "advice",
        "give the image a library that defines it; a function that is inline in OpenCL C and not "
        "static has a body only where `mez compile` or the library compiles it, or clang with "
        "-fgnu89-inline");
}

// --- Asserts

static bool root_may_assert(const mez_link_input *input, uint32_t root)
{
    const struct mez_spirv_module *spirv = input->code->spirv;
    const struct mez_spirv_function *function = mez_spirv_find_function(spirv, root);
    return function && input->code->survey->functions[function - spirv->functions].may_assert;
}

bool mez_link_may_assert(const mez_link *link)
{
    for (size_t i = 0; i < link->inputs.count; i++) {
        const mez_link_input *input = &link->inputs.items[i];
        for (size_t j = 0; j < input->roots.count; j++)
            if (root_may_assert(input, input->roots.items[j]))
                return true;
    }
    return false;
}
