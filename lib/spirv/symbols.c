// SPDX-License-Identifier: MIT
//
// Linkage: which functions and variables a module lacks and offers.

#include "spirv/reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static void read_linkage(
    struct mez_spirv_module *module, const struct mez_spirv_decoration *decoration)
{
    struct mez_spirv_def *def = mez_spirv_edit_def(module, decoration->target);
    if (decoration->kind != MEZ_DECORATION_LINKAGE_ATTRIBUTES || !def ||
        def->global == MEZ_SPIRV_NO_INDEX) // what stands in a function is linked with nothing
        return;

    // OpDecorate with these words was checked; a DecorateId or DecorateString of the same number
    // was not.
    const uint32_t words =
        mez_spirv_string_words(module->words + decoration->word, decoration->length);
    if (words == 0 || words >= decoration->length)
        return;
    def->link = decoration->word;
    def->linkage = module->words[decoration->word + words];
}

static const char *string_at(const struct mez_spirv_module *module, uint32_t word)
{
    return (const char *)(module->words + word);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char **sort_entry_names(const struct mez_spirv_module *module)
{
    const uint32_t count = module->entry_point_count;
    const char **names = mez_alloc_array(count ? count : 1, sizeof *names);
    if (!names)
        return NULL;

    for (uint32_t i = 0; i < count; i++)
        names[i] = module->entry_points[i].name;
    qsort(names, count, sizeof *names, compare_names);
    return names;
}

static bool is_entry_name(
    const struct mez_spirv_module *module, const char *name, const char **entry_names)
{
    return bsearch(&name, entry_names, module->entry_point_count, sizeof name, compare_names);
}

// clang since 20 has a kernel's code in an exported function of this name and the kernel's. The kernel calls it, or has its code as
// well where that was inlined. It is the kernel's own as much as a body behind llvm-spirv's wrapper, and is known by its name.
#define CLANG_KERNEL "__clang_ocl_kern_imp_"

static const char *linked_name(const struct mez_spirv_module *module,
    const struct mez_spirv_function *function, const char **entry_names)
{
    const char *name = string_at(module, mez_spirv_find_def(module, function->id)->link);
    const size_t length = strlen(CLANG_KERNEL);
    const bool is_kernel_code = function->has_body && strncmp(name, CLANG_KERNEL, length) == 0 &&
                                is_entry_name(module, name + length, entry_names);
    return is_kernel_code ? name + length : name;
}

// The wrapper that llvm-spirv puts in front of a kernel has no name of its own; people know it by
// the kernel's.
static void name_functions(struct mez_spirv_module *module, const char **entry_names)
{
    for (uint32_t i = 0; i < module->function_count; i++) {
        struct mez_spirv_function *function = &module->functions[i];
        const struct mez_spirv_def *def = mez_spirv_find_def(module, function->id);
        if (def->name)
            function->name = string_at(module, def->name);
    }
    for (uint32_t i = 0; i < module->entry_point_count; i++)
        module->functions[module->entry_points[i].function].name = module->entry_points[i].name;
    for (uint32_t i = 0; i < module->function_count; i++) {
        struct mez_spirv_function *function = &module->functions[i];
        const struct mez_spirv_def *def = mez_spirv_find_def(module, function->id);
        if (!def->link)
            continue;
        function->name = linked_name(module, function, entry_names);
        function->is_kernel_code = function->name != string_at(module, def->link);
    }
}

static bool is_import(const struct mez_spirv_module *module, const struct mez_spirv_def *def)
{
    if (def->linkage != MEZ_LINKAGE_IMPORT)
        return false;
    const struct mez_spirv_function *function = mez_spirv_find_function(module, def->id);
    return function ? !function->has_body
                    : !mez_spirv_is_decorated(module, def->id, MEZ_DECORATION_BUILT_IN);
}

static bool is_export(const struct mez_spirv_module *module, const struct mez_spirv_def *def,
    const char **entry_names)
{
    if (def->linkage != MEZ_LINKAGE_EXPORT && def->linkage != MEZ_LINKAGE_LINK_ONCE_ODR)
        return false;
    const struct mez_spirv_function *function = mez_spirv_find_function(module, def->id);
    const char *name = function ? function->name : string_at(module, def->link);
    return !is_entry_name(module, name, entry_names);
}

static void add_symbol(const struct mez_spirv_module *module, const struct mez_spirv_def *def,
    struct mez_spirv_symbol *symbols, uint32_t *count)
{
    symbols[(*count)++] = (struct mez_spirv_symbol){
        .name = string_at(module, def->link),
        .id = def->id,
        .is_function = mez_spirv_find_function(module, def->id) != NULL,
        .linkage = def->linkage,
    };
}

static uint32_t count_linked(const struct mez_spirv_module *module)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < module->def_count; i++)
        count += module->defs[i].link != 0;
    return count;
}

static bool fill_symbols(struct mez_spirv_module *module)
{
    const uint32_t linked = count_linked(module);
    const char **entry_names = sort_entry_names(module);
    if (entry_names)
        name_functions(module, entry_names);
    const bool ok = entry_names &&
                    mez_spirv_make_list(&module->imports, linked, sizeof *module->imports) &&
                    mez_spirv_make_list(&module->exports, linked, sizeof *module->exports);

    for (uint32_t i = 0; ok && i < module->def_count; i++) {
        const struct mez_spirv_def *def = &module->defs[i];
        if (is_import(module, def))
            add_symbol(module, def, module->imports, &module->import_count);
        else if (is_export(module, def, entry_names))
            add_symbol(module, def, module->exports, &module->export_count);
    }
    mez_free_memory(entry_names);
    return ok;
}

// A function at its place in module->address_taken.
struct taken {
    uint32_t type, function;
};

static int compare_taken(const void *a, const void *b)
{
    const struct taken *left = a, *right = b;
    if (left->type != right->type)
        return left->type < right->type ? -1 : 1;
    return (left->function > right->function) - (left->function < right->function);
}

// Marks the functions that a decoration says are called through pointers, beside those marked
// already; returns how many are marked.
static uint32_t mark_address_taken(struct mez_spirv_module *module)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < module->function_count; i++) {
        struct mez_spirv_function *function = &module->functions[i];
        if (mez_spirv_is_decorated(module, function->id, MEZ_DECORATION_REFERENCED_INDIRECTLY))
            function->address_taken = true;
        count += function->address_taken;
    }
    return count;
}

static bool fill_address_taken(struct mez_spirv_module *module)
{
    const uint32_t count = mark_address_taken(module);
    struct taken *sorted = mez_alloc_array(count ? count : 1, sizeof *sorted);
    const bool ok =
        sorted && mez_spirv_make_list(&module->address_taken, count, sizeof *module->address_taken);
    if (ok) {
        uint32_t next = 0;
        for (uint32_t i = 0; i < module->function_count; i++) {
            if (module->functions[i].address_taken)
                sorted[next++] = (struct taken){module->functions[i].type, i};
        }
        qsort(sorted, count, sizeof *sorted, compare_taken);
        for (uint32_t i = 0; i < count; i++)
            module->address_taken[module->address_taken_count++] = sorted[i].function;
    }
    mez_free_memory(sorted);
    return ok;
}

enum mez_spirv_status mez_spirv_collect_symbols(
    struct mez_spirv_module *module, struct mez_spirv_problem *problem)
{
    for (uint32_t i = 0; i < module->decoration_count; i++)
        read_linkage(module, &module->decorations[i]);
    if (!fill_symbols(module) || !fill_address_taken(module))
        return mez_spirv_fail(
            problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory for the module's symbols");
    return MEZ_SPIRV_OK;
}
