// SPDX-License-Identifier: MIT

#include "image/definitions.h"

#include <string.h>

#include "base/alloc.h"

// --- One symbol

// Where a container lists what a part exports, code that does not have the symbol stays unread.
static bool may_export(const mez_part *part, const char *symbol)
{
    const mez_property_set *exports = mez_binary_exports(part->binary);
    return !mez_part_is_native(part) && (!exports || mez_property_set_find(exports, symbol));
}

static const mez_part_code *read_code(mez_part *part)
{
    const mez_part_code *code;
    return mez_failed(mez_part_read(part, &code)) ? NULL : code;
}

static mez_definition definition_of(
    mez_part *part, const mez_part_code *code, const struct mez_spirv_symbol *export)
{
    return (mez_definition){part, code, export->id, export->is_function};
}

static bool find_in_part(mez_part *part, const char *symbol, mez_definition *found)
{
    const mez_part_code *code = may_export(part, symbol) ? read_code(part) : NULL;
    for (uint32_t i = 0; code && i < code->spirv->export_count; i++) {
        const struct mez_spirv_symbol *export = &code->spirv->exports[i];
        if (strcmp(export->name, symbol) != 0)
            continue;
        *found = definition_of(part, code, export);
        return true;
    }
    return false;
}

static bool find_in_image(
    const mez_image *image, const mez_part *but, const char *symbol, mez_definition *found)
{
    for (uint32_t i = 0; i < image->part_count; i++)
        if (&image->parts[i] != but && find_in_part(&image->parts[i], symbol, found))
            return true;
    return false;
}

bool mez_find_definition(
    const mez_image *image, const mez_part *but, const char *symbol, mez_definition *found)
{
    if (find_in_image(image, but, symbol, found))
        return true;
    for (uint32_t i = 0; i < image->library_count; i++)
        if (find_in_image(image->libraries[i], but, symbol, found))
            return true;
    return false;
}

// --- Many

// The first part that has the symbol, or has it in its list.
struct mez_exported {
    const char *name;          // lives as long as the part
    mez_definition definition; // code NULL: the list has it, and nobody has read the code
};

static struct mez_exported *find(const mez_definitions *definitions, const char *symbol)
{
    const size_t place = mez_named_find(&definitions->exports, symbol, strlen(symbol));
    return place == MEZ_NAME_NOT_FOUND ? NULL : &definitions->exports.items[place];
}

static bool add(mez_definitions *definitions, const char *name, const mez_definition *definition)
{
    return find(definitions, name) ||
           mez_named_push(&definitions->exports, (struct mez_exported){name, *definition});
}

static bool add_listed(mez_definitions *definitions, mez_part *part, const mez_property_set *list)
{
    const mez_definition unread = {.part = part};
    for (size_t i = 0; i < list->properties.count; i++)
        if (!add(definitions, list->properties.items[i].name, &unread))
            return false;
    return true;
}

static bool add_exports(mez_definitions *definitions, mez_part *part)
{
    const mez_part_code *code = read_code(part);
    for (uint32_t i = 0; code && i < code->spirv->export_count; i++) {
        const struct mez_spirv_symbol *export = &code->spirv->exports[i];
        const mez_definition definition = definition_of(part, code, export);
        if (!add(definitions, export->name, &definition))
            return false;
    }
    return true;
}

static mez_part *next_part(mez_definitions *definitions)
{
    const mez_image *image = definitions->image;
    for (; definitions->library <= image->library_count; definitions->library++) {
        const mez_image *of =
            definitions->library == 0 ? image : image->libraries[definitions->library - 1];
        if (definitions->part < of->part_count)
            return &of->parts[definitions->part++];
        definitions->part = 0;
    }
    return NULL;
}

// False: no memory for all that it has.
static bool look_at(mez_definitions *definitions, mez_part *part)
{
    const mez_property_set *list = mez_binary_exports(part->binary);
    if (mez_part_is_native(part))
        return true;
    return list ? add_listed(definitions, part, list) : add_exports(definitions, part);
}

// NULL: nobody has it, as far as all are known.
static struct mez_exported *look_for(mez_definitions *definitions, const char *symbol)
{
    struct mez_exported *exported = find(definitions, symbol);
    mez_part *part;
    while (!exported && !definitions->incomplete && (part = next_part(definitions))) {
        definitions->incomplete = !look_at(definitions, part);
        exported = find(definitions, symbol);
    }
    return exported;
}

// Fills in what a list has said, for all of the part. False: it is not so.
static bool read_listed(const mez_definitions *definitions, const struct mez_exported *exported)
{
    mez_part *part = exported->definition.part;
    const mez_part_code *code = exported->definition.code ? NULL : read_code(part);
    for (uint32_t i = 0; code && i < code->spirv->export_count; i++) {
        const struct mez_spirv_symbol *export = &code->spirv->exports[i];
        struct mez_exported *listed = find(definitions, export->name);
        if (listed && listed->definition.part == part)
            listed->definition = definition_of(part, code, export);
    }
    return exported->definition.code != NULL;
}

// One by one where memory was short, or the first that has the symbol is not it: the importing part, or one whose list is wrong.
bool mez_definitions_find(
    mez_definitions *definitions, const mez_part *but, const char *symbol, mez_definition *found)
{
    const struct mez_exported *exported = look_for(definitions, symbol);
    if (!exported && !definitions->incomplete)
        return false;
    if (!exported || exported->definition.part == but || !read_listed(definitions, exported))
        return mez_find_definition(definitions->image, but, symbol, found);
    *found = exported->definition;
    return true;
}

void mez_definitions_finish(mez_definitions *definitions)
{
    mez_named_finish(&definitions->exports);
    *definitions = (mez_definitions){0};
}
