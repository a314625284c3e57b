// SPDX-License-Identifier: MIT

#include "image/link.h"

#include <string.h>

#include "base/alloc.h"
#include "image/devicelib.h"
#include "image/image.h"

// --- Lists

static bool make_room(void *list, uint32_t count, uint32_t *capacity, size_t size)
{
    void **items = list;
    if (count < *capacity)
        return true;
    const uint32_t more = *capacity ? *capacity * 2 : 4;
    void *larger = mez_realloc_array(*items, more, size);
    if (!larger)
        return false;
    *items = larger;
    *capacity = more;
    return true;
}

static mez_error add_unresolved(mez_link *link, const char *symbol)
{
    for (uint32_t i = 0; i < link->unresolved_count; i++)
        if (strcmp(link->unresolved[i], symbol) == 0)
            return mez_ok();
    if (!make_room(&link->unresolved, link->unresolved_count, &link->unresolved_capacity,
            sizeof *link->unresolved))
        return mez_error_no_memory("the names of unresolved symbols");
    link->unresolved[link->unresolved_count++] = symbol;
    return mez_ok();
}

static mez_link_input *find_input(const mez_link *link, const mez_part *part)
{
    for (uint32_t i = 0; i < link->count; i++)
        if (link->inputs[i].part == part)
            return &link->inputs[i];
    return NULL;
}

static mez_link_input *add_input(mez_link *link, mez_part *part, const mez_part_code *code)
{
    mez_link_input *input = find_input(link, part);
    if (input)
        return input;
    if (!make_room(&link->inputs, link->count, &link->capacity, sizeof *link->inputs))
        return NULL;
    input = &link->inputs[link->count++];
    *input = (mez_link_input){.part = part, .code = code};
    return input;
}

// *is_new: it was not wanted before.
static mez_error add_root(mez_link_input *input, uint32_t id, bool *is_new)
{
    for (uint32_t i = 0; i < input->count; i++)
        if (input->roots[i] == id)
            return mez_ok();
    if (!make_room(&input->roots, input->count, &input->capacity, sizeof *input->roots))
        return mez_error_no_memory("what is linked");
    input->roots[input->count++] = id;
    *is_new = true;
    return mez_ok();
}

// --- Who defines a symbol

typedef struct definition {
    mez_part *part;
    const mez_part_code *code;
    uint32_t id;
    bool is_function;
} definition;

// Where a container lists what a part exports, code that does not have the symbol stays unread.
static bool may_export(const mez_part *part, const char *symbol)
{
    const mez_property_set *exports = mez_binary_exports(part->binary);
    return !mez_part_is_native(part) && (!exports || mez_property_set_find(exports, symbol));
}

// A part that can't be read defines nothing: whoever uses it by itself is told why.
static bool find_in_part(mez_part *part, const char *symbol, definition *found)
{
    const mez_part_code *code;
    if (!may_export(part, symbol) || mez_failed(mez_part_read(part, &code)) || !code)
        return false;
    for (uint32_t i = 0; i < code->spirv->export_count; i++) {
        const struct mez_spirv_symbol *export = &code->spirv->exports[i];
        if (strcmp(export->name, symbol) != 0)
            continue;
        *found = (definition){part, code, export->id, export->is_function};
        return true;
    }
    return false;
}

static bool find_in_image(
    const mez_image *image, const mez_part *but, const char *symbol, definition *found)
{
    for (uint32_t i = 0; i < image->part_count; i++)
        if (&image->parts[i] != but && find_in_part(&image->parts[i], symbol, found))
            return true;
    return false;
}

static bool find_in_libraries(const mez_image *image, const char *symbol, definition *found)
{
    for (uint32_t i = 0; i < image->library_count; i++)
        if (find_in_image(image->libraries[i], NULL, symbol, found))
            return true;
    return false;
}

// The nearest first: the importing part's own image, its libraries, those of the image that everything is linked for.
static bool find_definition(
    const mez_part *importer, const mez_part *first, const char *symbol, definition *found)
{
    return find_in_image(importer->image, importer, symbol, found) ||
           find_in_libraries(importer->image, symbol, found) ||
           (first->image != importer->image && (find_in_image(first->image, first, symbol, found) ||
                                                   find_in_libraries(first->image, symbol, found)));
}

// --- Following imports

typedef struct work {
    mez_link *link;
    mez_part *first; // that everything is linked for
} work;

static mez_error take_symbol(work *work, const mez_part *importer, const char *symbol)
{
    if (mez_devicelib_knows(symbol))
        return mez_ok();
    definition found;
    if (!find_definition(importer, work->first, symbol, &found))
        return add_unresolved(work->link, symbol);
    if (found.part == work->first) // a library that uses what its user defines
        return mez_ok();
    mez_link_input *input = add_input(work->link, found.part, found.code);
    if (!input)
        return mez_error_no_memory("what is linked");
    bool is_new = false;
    return add_root(input, found.id, &is_new);
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
        error = take_symbol(work, importer, imports[i]->name);
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

// What an input imports may make any other grow, hence from the start again.
static mez_error follow(work *work)
{
    mez_link *link = work->link;
    for (uint32_t i = 0; i < link->count;) {
        mez_link_input *input = &link->inputs[i];
        if (input->followed == input->count) {
            i++;
            continue;
        }
        const uint32_t root = input->roots[input->followed++];
        const mez_link_input copy = *input; // the list may move
        MEZ_TRY(take_imports_of_root(work, &copy, root));
        i = 0;
    }
    return mez_ok();
}

mez_error mez_link_of_kernels(
    mez_part *part, const uint32_t *kernels, uint32_t count, mez_link *link)
{
    *link = (mez_link){0};
    work work = {.link = link, .first = part};
    const mez_part_code *code = &part->code;
    for (uint32_t i = 0; i < count; i++)
        MEZ_TRY(
            take_imports(&work, part, code, code->survey->kernels[kernels[i]].kernel->function));
    return follow(&work);
}

mez_error mez_link_of_part(mez_part *part, mez_link *link)
{
    *link = (mez_link){0};
    work work = {.link = link, .first = part};
    const struct mez_spirv_module *spirv = part->code.spirv;
    for (uint32_t i = 0; i < spirv->import_count; i++)
        MEZ_TRY(take_symbol(&work, part, spirv->imports[i].name));
    return follow(&work);
}

void mez_link_finish(mez_link *link)
{
    for (uint32_t i = 0; i < link->count; i++)
        mez_free_memory(link->inputs[i].roots);
    mez_free_memory(link->inputs);
    mez_free_memory(link->unresolved);
    *link = (mez_link){0};
}

static bool root_may_assert(const mez_link_input *input, uint32_t root)
{
    const struct mez_spirv_module *spirv = input->code->spirv;
    const struct mez_spirv_function *function = mez_spirv_find_function(spirv, root);
    return function && input->code->survey->functions[function - spirv->functions].may_assert;
}

bool mez_link_may_assert(const mez_link *link)
{
    for (uint32_t i = 0; i < link->count; i++)
        for (uint32_t j = 0; j < link->inputs[i].count; j++)
            if (root_may_assert(&link->inputs[i], link->inputs[i].roots[j]))
                return true;
    return false;
}
