// SPDX-License-Identifier: MIT
//
// The lists of a module that follow directly from single instructions.

#include "spirv/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct counts {
    uint32_t capabilities, extensions, functions, params, entry_points;
};

bool mez_spirv_make_list(void *list, uint32_t count, size_t size)
{
    void *memory = mez_alloc_array(count ? count : 1, size);
    memcpy(list, &memory, sizeof memory); // `list` is a pointer to some kind of pointer
    return memory != NULL;
}

struct mez_spirv_def *mez_spirv_edit_def(struct mez_spirv_module *module, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(module, id);
    return def ? &module->defs[def - module->defs] : NULL;
}

static struct counts count_contents(const struct mez_spirv_module *module)
{
    struct counts counts = {0};
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count)
    {
        counts.capabilities += in.opcode == MEZ_OP_Capability;
        counts.extensions += in.opcode == MEZ_OP_Extension;
        counts.functions += in.opcode == MEZ_OP_Function;
        counts.params += in.opcode == MEZ_OP_FunctionParameter;
        counts.entry_points += in.opcode == MEZ_OP_EntryPoint;
    }
    return counts;
}

static bool make_lists(struct mez_spirv_module *module, const struct counts *counts)
{
    return mez_spirv_make_list(
               &module->capabilities, counts->capabilities, sizeof *module->capabilities) &&
           mez_spirv_make_list(
               &module->extensions, counts->extensions, sizeof *module->extensions) &&
           mez_spirv_make_list(&module->functions, counts->functions, sizeof *module->functions) &&
           mez_spirv_make_list(&module->params, counts->params, sizeof *module->params) &&
           mez_spirv_make_list(
               &module->entry_points, counts->entry_points, sizeof *module->entry_points);
}

static void add_function(struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    struct mez_spirv_function *function = &module->functions[module->function_count];
    *function = (struct mez_spirv_function){
        .id = in.words[2],
        .type = in.words[4],
        .first = in.at,
        .first_param = module->param_count,
    };
    snprintf(function->unnamed, sizeof function->unnamed, "%%%" PRIu32, function->id);
    function->name = function->unnamed;
    mez_spirv_edit_def(module, function->id)->index = module->function_count++;
}

static void add_param(struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    module->params[module->param_count++] = in.words[2];
    module->functions[module->function_count - 1].param_count++;
}

static void add_name(struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    struct mez_spirv_def *def = mez_spirv_edit_def(module, in.words[1]);
    if (def && in.words[2] != 0) // an empty name is none
        def->name = in.at + 2;
}

static void add_entry_point(struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    module->entry_points[module->entry_point_count++] = (struct mez_spirv_entry_point){
        .name = (const char *)(in.words + 3),
        .model = in.words[1],
        .function = in.words[2], // its id, until functions are known
        .word = in.at,
    };
}

static void add_contents(struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    switch (in.opcode) {
    case MEZ_OP_Capability:
        module->capabilities[module->capability_count++] = in.words[1];
        break;
    case MEZ_OP_Extension:
        module->extensions[module->extension_count++] = (const char *)(in.words + 1);
        break;
    case MEZ_OP_MemoryModel:
        module->addressing_model = in.words[1];
        module->memory_model = in.words[2];
        break;
    case MEZ_OP_Source:
        module->source_language = in.words[1];
        module->source_version = in.words[2];
        break;
    case MEZ_OP_EntryPoint:
        add_entry_point(module, in);
        break;
    case MEZ_OP_Name:
        add_name(module, in);
        break;
    case MEZ_OP_Function:
        add_function(module, in);
        break;
    case MEZ_OP_FunctionParameter:
        add_param(module, in);
        break;
    case MEZ_OP_Label:
        module->functions[module->function_count - 1].has_body = true;
        break;
    case MEZ_OP_FunctionEnd:
        module->functions[module->function_count - 1].end = in.at + in.length;
        break;
    }
}

// A size given by ids counts only if all three are constants.
static bool read_size(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in, uint32_t size[3])
{
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t value = in.words[3 + i];
        if (in.words[2] == MEZ_MODE_LOCAL_SIZE_ID &&
            !mez_spirv_constant(module, in.words[3 + i], &value))
            return false;
        size[i] = value <= UINT32_MAX ? (uint32_t)value : UINT32_MAX;
    }
    return true;
}

static void add_mode(struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    const struct mez_spirv_function *function = mez_spirv_find_function(module, in.words[1]);
    if (!function)
        return;

    struct mez_spirv_modes *modes = &module->functions[function - module->functions].modes;
    switch (in.words[2]) {
    case MEZ_MODE_LOCAL_SIZE:
    case MEZ_MODE_LOCAL_SIZE_ID:
        modes->has_local_size = read_size(module, in, modes->local_size);
        modes->local_size_word = in.at;
        break;
    case MEZ_MODE_LOCAL_SIZE_HINT:
        modes->has_local_size_hint = read_size(module, in, modes->local_size_hint);
        break;
    case MEZ_MODE_SUBGROUP_SIZE:
        modes->sub_group_size = in.words[3];
        modes->sub_group_size_word = in.at;
        break;
    }
}

static void add_address_taken(struct mez_spirv_module *module, uint32_t id)
{
    const struct mez_spirv_function *function = mez_spirv_find_function(module, id);
    if (function)
        module->functions[function - module->functions].address_taken = true;
}

// What needs the functions: they stand behind everything that speaks of them.
static void add_what_speaks_of_functions(struct mez_spirv_module *module)
{
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count)
    {
        if (in.opcode == MEZ_OP_ExecutionMode || in.opcode == MEZ_OP_ExecutionModeId)
            add_mode(module, in);
        else if (in.opcode == MEZ_OP_ConstantFunctionPointerINTEL)
            add_address_taken(module, in.words[3]);
    }
}

static enum mez_spirv_status connect_entry_points(
    struct mez_spirv_module *module, struct mez_spirv_problem *problem)
{
    for (uint32_t i = 0; i < module->entry_point_count; i++) {
        struct mez_spirv_entry_point *entry = &module->entry_points[i];
        const struct mez_spirv_function *function =
            mez_spirv_find_function(module, entry->function);
        if (!function)
            return mez_spirv_fail(problem, MEZ_SPIRV_MALFORMED, entry->word,
                "entry point '%.100s' names id %" PRIu32 ", which is not a function", entry->name,
                entry->function);
        if (!function->has_body)
            return mez_spirv_fail(problem, MEZ_SPIRV_MALFORMED, entry->word,
                "entry point '%.100s' has no body", entry->name);
        entry->function = (uint32_t)(function - module->functions);
    }
    return MEZ_SPIRV_OK;
}

enum mez_spirv_status mez_spirv_collect_contents(
    struct mez_spirv_module *module, struct mez_spirv_problem *problem)
{
    const struct counts counts = count_contents(module);
    if (!make_lists(module, &counts))
        return mez_spirv_fail(
            problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory for the module's functions");

    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count)
        add_contents(module, in);
    add_what_speaks_of_functions(module);
    return connect_entry_points(module, problem);
}

const struct mez_spirv_function *mez_spirv_find_function(
    const struct mez_spirv_module *module, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(module, id);
    if (!def || def->index >= module->function_count || module->functions[def->index].id != id)
        return NULL;
    return &module->functions[def->index];
}

bool mez_spirv_constant(const struct mez_spirv_module *module, uint32_t id, uint64_t *value)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(module, id);
    if (!def)
        return false;

    const struct mez_spirv_instruction in = mez_spirv_instruction_at(module, def->word);
    const struct mez_spirv_def *type = mez_spirv_find_def(module, def->type);
    const bool integer =
        type && mez_spirv_instruction_at(module, type->word).opcode == MEZ_OP_TypeInt;
    if (!integer || (in.opcode != MEZ_OP_Constant && in.opcode != MEZ_OP_SpecConstant))
        return false;

    *value = in.words[3] | (in.length > 4 ? (uint64_t)in.words[4] << 32 : 0);
    return true;
}

const struct mez_spirv_entry_point *mez_spirv_find_entry_point(
    const struct mez_spirv_module *module, const char *name)
{
    for (uint32_t i = 0; i < module->entry_point_count; i++) {
        if (strcmp(module->entry_points[i].name, name) == 0)
            return &module->entry_points[i];
    }
    return NULL;
}

// --- Decorations
//
// Decorations by target. A decoration group is kept as one entry per target that refers to the
// group: unfolded, groups could multiply a module's size.

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
