// SPDX-License-Identifier: MIT
//
// Functions of several modules that have the same name, as static ones of two sources may. Newer compilers of Intel (2.40) go by
// such names: of two functions they take the first for both, and put the code of the second behind it.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "spirv/contents.h"
#include "spirv/link_parts.h"

// In this order of who keeps the name.
enum rank { RANK_LINKED, RANK_PLAIN, RANK_ADAPTED };

struct named {
    const char *name;
    uint32_t part, def; // index in that module's definitions
    enum rank rank;
};

static enum rank rank_of(const struct mez_spirv_link_part *part, const struct mez_spirv_def *def)
{
    if (mez_spirv_passes_to(part, def->id))
        return RANK_ADAPTED;
    return def->link ? RANK_LINKED : RANK_PLAIN;
}

// `named` NULL: only counts them.
static uint32_t list(const struct mez_spirv_linker *linker, struct named *named)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p < linker->count; p++) {
        const struct mez_spirv_link_part *part = &linker->parts[p];
        const struct mez_spirv_module *module = part->module;
        for (uint32_t i = 0; i < module->function_count; i++) {
            const struct mez_spirv_def *def = mez_spirv_find_def(module, module->functions[i].id);
            if (!def->name || !mez_spirv_is_linked(part, def->id))
                continue;
            if (named)
                named[count] = (struct named){
                    .name = (const char *)(module->words + def->name),
                    .part = p,
                    .def = mez_spirv_def_index(module, def),
                    .rank = rank_of(part, def),
                };
            count++;
        }
    }
    return count;
}

static int compare(const void *a, const void *b)
{
    const struct named *left = a, *right = b;
    const int order = strcmp(left->name, right->name);
    if (order)
        return order;
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    if (left->part != right->part)
        return left->part < right->part ? -1 : 1;
    return (left->def > right->def) - (left->def < right->def);
}

enum mez_spirv_status mez_spirv_link_names(struct mez_spirv_linker *linker)
{
    const uint32_t count = list(linker, NULL);
    struct named *named;
    if (!mez_spirv_make_list(&named, count, sizeof *named))
        return mez_spirv_link_no_memory(linker);
    list(linker, named);
    qsort(named, count, sizeof *named, compare);
    for (uint32_t i = 1; i < count; i++) {
        if (strcmp(named[i].name, named[i - 1].name) == 0)
            linker->parts[named[i].part].is_renamed[named[i].def] = true;
    }
    mez_free_memory(named);
    return MEZ_SPIRV_OK;
}

bool mez_spirv_is_renamed(const struct mez_spirv_link_part *part, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(part->module, id);
    return def && part->is_renamed[mez_spirv_def_index(part->module, def)];
}

// Compilers put numbers behind full stops, and no words; no two ids are the same.
void mez_spirv_write_new_name(
    struct mez_spirv_words *out, const struct mez_spirv_link_part *part, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(part->module, id);
    const char *name = (const char *)(part->module->words + def->name);
    const uint32_t linked = mez_spirv_linked_id(part, id);
    uint32_t words[64] = {0};
    snprintf((char *)words, sizeof words, "%.200s.linked.%" PRIu32, name, linked);
    const size_t start = out->count;
    const uint32_t head[] = {0, linked};
    mez_spirv_add_words(out, head, 2);
    mez_spirv_add_words(out, words, strlen((const char *)words) / sizeof *words + 1);
    mez_spirv_close_instruction(out, start, MEZ_OP_Name);
}
