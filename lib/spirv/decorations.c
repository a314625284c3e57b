// SPDX-License-Identifier: MIT
//
// Decorations by target. A decoration group is kept as one entry per target that refers to the
// group: unfolded, groups could multiply a module's size.

#include "spirv/contents.h"

#include <stdlib.h>

#define GROUP \
    UINT32_MAX // the kind of an entry that refers to a group; its `length` is the group's id

static uint32_t count_decorations(const struct mez_spirv_module *module)
{
    uint32_t count = 0;
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count)
    {
        if (in.opcode == MEZ_OP_Decorate || in.opcode == MEZ_OP_DecorateId ||
            in.opcode == MEZ_OP_DecorateString)
            count++;
        else if (in.opcode == MEZ_OP_GroupDecorate)
            count += in.length - 2u;
    }
    return count;
}

static void add_decoration(struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    module->decorations[module->decoration_count++] = (struct mez_spirv_decoration){
        .target = in.words[1],
        .kind = in.words[2],
        .word = in.at + 3,
        .length = in.length - 3u,
    };
}

static void add_group(struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    for (uint32_t i = 2; i < in.length; i++) {
        module->decorations[module->decoration_count++] = (struct mez_spirv_decoration){
            .target = in.words[i],
            .kind = GROUP,
            .word = in.at + i,
            .length = in.words[1],
        };
    }
}

// By target, then by place in the file: the word is unique, so the order does not depend on qsort.
static int compare_decorations(const void *a, const void *b)
{
    const struct mez_spirv_decoration *left = a, *right = b;
    if (left->target != right->target)
        return left->target < right->target ? -1 : 1;
    return (left->word > right->word) - (left->word < right->word);
}

enum mez_spirv_status mez_spirv_collect_decorations(
    struct mez_spirv_module *module, struct mez_spirv_problem *problem)
{
    const uint32_t count = count_decorations(module);
    if (!mez_spirv_make_list(&module->decorations, count, sizeof *module->decorations))
        return mez_spirv_fail(
            problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory for the module's decorations");

    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count)
    {
        if (in.opcode == MEZ_OP_Decorate || in.opcode == MEZ_OP_DecorateId ||
            in.opcode == MEZ_OP_DecorateString)
            add_decoration(module, in);
        else if (in.opcode == MEZ_OP_GroupDecorate)
            add_group(module, in);
    }
    qsort(module->decorations, count, sizeof *module->decorations, compare_decorations);
    return MEZ_SPIRV_OK;
}

static uint32_t first_decoration(const struct mez_spirv_module *module, uint32_t target)
{
    uint32_t low = 0, high = module->decoration_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (module->decorations[middle].target < target)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct mez_spirv_decoration_iter mez_spirv_decorations(
    const struct mez_spirv_module *module, uint32_t id)
{
    return (struct mez_spirv_decoration_iter){
        .module = module, .target = id, .next = first_decoration(module, id)};
}

static bool next_of(const struct mez_spirv_module *module, uint32_t target, uint32_t *next,
    struct mez_spirv_decoration *decoration)
{
    if (*next >= module->decoration_count || module->decorations[*next].target != target)
        return false;
    *decoration = module->decorations[(*next)++];
    return true;
}

bool mez_spirv_next_decoration(
    struct mez_spirv_decoration_iter *iter, struct mez_spirv_decoration *decoration)
{
    for (;;) {
        if (iter->group) {
            if (!next_of(iter->module, iter->group, &iter->next_in_group, decoration))
                iter->group = 0;
            else if (decoration->kind !=
                     GROUP) // groups of groups are not allowed and would be endless
                return true;
        } else {
            if (!next_of(iter->module, iter->target, &iter->next, decoration))
                return false;
            if (decoration->kind != GROUP)
                return true;
            iter->group = decoration->length;
            iter->next_in_group = first_decoration(iter->module, iter->group);
        }
    }
}

bool mez_spirv_is_decorated(const struct mez_spirv_module *module, uint32_t id, uint32_t kind)
{
    struct mez_spirv_decoration_iter iter = mez_spirv_decorations(module, id);
    struct mez_spirv_decoration decoration;
    while (mez_spirv_next_decoration(&iter, &decoration)) {
        if (decoration.kind == kind)
            return true;
    }
    return false;
}

bool mez_spirv_is_decorated_with(
    const struct mez_spirv_module *module, uint32_t id, uint32_t kind, uint32_t value)
{
    struct mez_spirv_decoration_iter iter = mez_spirv_decorations(module, id);
    struct mez_spirv_decoration decoration;
    while (mez_spirv_next_decoration(&iter, &decoration)) {
        if (decoration.kind == kind && decoration.length && module->words[decoration.word] == value)
            return true;
    }
    return false;
}

uint32_t mez_spirv_decoration_value(
    const struct mez_spirv_module *module, uint32_t id, uint32_t kind, uint32_t otherwise)
{
    struct mez_spirv_decoration_iter iter = mez_spirv_decorations(module, id);
    struct mez_spirv_decoration decoration;
    while (mez_spirv_next_decoration(&iter, &decoration)) {
        if (decoration.kind == kind && decoration.length)
            return module->words[decoration.word];
    }
    return otherwise;
}
