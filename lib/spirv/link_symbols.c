// SPDX-License-Identifier: MIT
//
// Which definition answers to a name. Everything that is linked, of all modules, is sorted by name; of each name the first
// stands for all.

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "spirv/contents.h"
#include "spirv/declarations.h"
#include "spirv/link_parts.h"

// In this order of who stands for the others.
enum rank { RANK_EXPORT, RANK_LINK_ONCE, RANK_IMPORT };

struct symbol {
    const char *name;
    const struct mez_spirv_def *def;
    uint32_t part;
    enum rank rank;
};

static const char *string_at(const struct mez_spirv_module *module, uint32_t word)
{
    return (const char *)(module->words + word);
}

static enum rank rank_of(const struct mez_spirv_module *module, const struct mez_spirv_def *def)
{
    const struct mez_spirv_function *function = mez_spirv_find_function(module, def->id);
    if (def->linkage == MEZ_LINKAGE_IMPORT || (function && !function->has_body))
        return RANK_IMPORT;
    return def->linkage == MEZ_LINKAGE_LINK_ONCE_ODR ? RANK_LINK_ONCE : RANK_EXPORT;
}

// What a module declares about its functions holds for that module: a header may say it to several.
static bool is_symbol(const struct mez_spirv_module *module, const struct mez_spirv_def *def)
{
    return def->link && strncmp(string_at(module, def->link), MEZ_SPIRV_DEVICE_HAS_VARIABLE,
                            sizeof MEZ_SPIRV_DEVICE_HAS_VARIABLE - 1) != 0;
}

static uint32_t count_linked(const struct mez_spirv_linker *linker)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p < linker->count; p++) {
        for (uint32_t i = 0; i < linker->parts[p].module->def_count; i++)
            count += is_symbol(linker->parts[p].module, &linker->parts[p].module->defs[i]);
    }
    return count;
}

static void list_linked(const struct mez_spirv_linker *linker, struct symbol *symbols)
{
    for (uint32_t p = 0; p < linker->count; p++) {
        const struct mez_spirv_module *module = linker->parts[p].module;
        for (uint32_t i = 0; i < module->def_count; i++) {
            const struct mez_spirv_def *def = &module->defs[i];
            if (!is_symbol(module, def))
                continue;
            *symbols++ = (struct symbol){
                .name = string_at(module, def->link),
                .def = def,
                .part = p,
                .rank = rank_of(module, def),
            };
        }
    }
}

static int compare_symbols(const void *a, const void *b)
{
    const struct symbol *left = a, *right = b;
    const int order = strcmp(left->name, right->name);
    if (order)
        return order;
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    if (left->part != right->part)
        return left->part < right->part ? -1 : 1;
    return (left->def->word > right->def->word) - (left->def->word < right->def->word);
}

// What makes two uses of a name agree: both functions or both variables, of one type, or of types that can be adapted.
static uint32_t linked_type(const struct mez_spirv_link_part *part, const struct mez_spirv_def *def)
{
    const struct mez_spirv_function *function = mez_spirv_find_function(part->module, def->id);
    return mez_spirv_linked_id(part, function ? function->type : def->type);
}

static enum mez_spirv_status join(
    struct mez_spirv_linker *linker, const struct symbol *first, const struct symbol *other)
{
    struct mez_spirv_link_part *ours = &linker->parts[first->part];
    struct mez_spirv_link_part *theirs = &linker->parts[other->part];
    if (first->rank == RANK_EXPORT && other->rank == RANK_EXPORT)
        return mez_spirv_fail(linker->problem, MEZ_SPIRV_CONFLICT, other->def->word,
            "'%.80s' is exported by '%.50s' and by '%.50s'", first->name, ours->name, theirs->name);
    const uint32_t id = mez_spirv_linked_id(ours, first->def->id);
    if (linked_type(ours, first->def) == linked_type(theirs, other->def)) {
        mez_spirv_link_as(theirs, other->def, id);
        return MEZ_SPIRV_OK;
    }
    bool can;
    const enum mez_spirv_status status =
        mez_spirv_link_can_adapt(linker, ours, first->def, theirs, other->def, &can);
    if (status)
        return status;
    if (!can)
        return mez_spirv_fail(linker->problem, MEZ_SPIRV_CONFLICT, other->def->word,
            "'%.80s' has one type in '%.50s' and another in '%.50s'", first->name, ours->name,
            theirs->name);
    return mez_spirv_link_adapt(linker, other->part, other->def, id);
}

static enum mez_spirv_status join_symbols(
    struct mez_spirv_linker *linker, const struct symbol *symbols, uint32_t count)
{
    for (uint32_t i = 0, first = 0; i < count; i++) {
        if (strcmp(symbols[i].name, symbols[first].name) != 0)
            first = i;
        const enum mez_spirv_status status =
            i == first ? MEZ_SPIRV_OK : join(linker, &symbols[first], &symbols[i]);
        if (status)
            return status;
    }
    return MEZ_SPIRV_OK;
}

struct kernel {
    const char *name;
    uint32_t part;
};

static int compare_kernels(const void *a, const void *b)
{
    const struct kernel *left = a, *right = b;
    const int order = strcmp(left->name, right->name);
    return order ? order : (left->part > right->part) - (left->part < right->part);
}

static enum mez_spirv_status check_kernels(const struct mez_spirv_linker *linker)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p < linker->count; p++)
        count += linker->parts[p].module->entry_point_count;
    struct kernel *kernels;
    if (!mez_spirv_make_list(&kernels, count, sizeof *kernels))
        return mez_spirv_fail(linker->problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory to link modules");

    uint32_t next = 0;
    for (uint32_t p = 0; p < linker->count; p++) {
        const struct mez_spirv_module *module = linker->parts[p].module;
        for (uint32_t i = 0; i < module->entry_point_count; i++)
            kernels[next++] = (struct kernel){module->entry_points[i].name, p};
    }
    qsort(kernels, count, sizeof *kernels, compare_kernels);
    enum mez_spirv_status status = MEZ_SPIRV_OK;
    for (uint32_t i = 1; i < count && !status; i++) {
        const struct kernel *one = &kernels[i - 1], *two = &kernels[i];
        if (strcmp(one->name, two->name) == 0 && one->part != two->part)
            status = mez_spirv_fail(linker->problem, MEZ_SPIRV_CONFLICT, 0,
                "kernel '%.80s' is in '%.50s' and in '%.50s'", one->name,
                linker->parts[one->part].name, linker->parts[two->part].name);
    }
    mez_free_memory(kernels);
    return status;
}

enum mez_spirv_status mez_spirv_link_symbols(struct mez_spirv_linker *linker)
{
    enum mez_spirv_status status = check_kernels(linker);
    if (status)
        return status;
    const uint32_t count = count_linked(linker);
    struct symbol *symbols;
    if (!mez_spirv_make_list(&symbols, count, sizeof *symbols))
        return mez_spirv_fail(linker->problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory to link modules");
    list_linked(linker, symbols);
    qsort(symbols, count, sizeof *symbols, compare_symbols);
    status = join_symbols(linker, symbols, count);
    mez_free_memory(symbols);
    return status;
}
