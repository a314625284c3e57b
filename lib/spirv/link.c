// SPDX-License-Identifier: MIT
//
// What is joined: every definition gets an id of the result, and what is the same in several modules gets one.

#include "spirv/link.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "spirv/declarations.h"
#include "spirv/link_parts.h"
#include "spirv/reader.h"

// --- What can be linked at all

static enum mez_spirv_status check_models(const struct mez_spirv_linker *linker)
{
    const struct mez_spirv_link_part *first = &linker->parts[0];
    for (uint32_t i = 1; i < linker->count; i++) {
        const struct mez_spirv_link_part *part = &linker->parts[i];
        if (part->module->addressing_model != first->module->addressing_model ||
            part->module->memory_model != first->module->memory_model)
            return mez_spirv_fail(linker->problem, MEZ_SPIRV_CONFLICT, 0,
                "'%.80s' and '%.80s' are for different addressing or memory models", first->name,
                part->name);
    }
    return MEZ_SPIRV_OK;
}

// What an id of the module becomes in the result must be known: where it may be a number it must not change, and one that
// nothing defines would become another's.
static enum mez_spirv_status check_id(const struct mez_spirv_linker *linker,
    const struct mez_spirv_link_part *part, struct mez_spirv_instruction in, struct mez_spirv_id id)
{
    char room[MEZ_SPIRV_OPCODE_ROOM];
    if (id.kind == MEZ_ID_MAYBE)
        return mez_spirv_fail(linker->problem, MEZ_SPIRV_CONFLICT, in.at,
            "'%.80s' can't be linked: which words of its %s at word %" PRIu32
            " are ids is not known",
            part->name, mez_spirv_opcode_name(in.opcode, room), in.at);
    if (id.kind == MEZ_ID_USE && in.opcode != MEZ_OP_Line &&
        !mez_spirv_find_def(part->module, id.value))
        return mez_spirv_fail(linker->problem, MEZ_SPIRV_CONFLICT, in.at,
            "'%.80s' can't be linked: its %s at word %" PRIu32 " uses id %" PRIu32
            ", which nothing defines",
            part->name, mez_spirv_opcode_name(in.opcode, room), in.at, id.value);
    return MEZ_SPIRV_OK;
}

static enum mez_spirv_status check_ids_are_known(
    const struct mez_spirv_linker *linker, const struct mez_spirv_link_part *part)
{
    enum mez_spirv_status status = MEZ_SPIRV_OK;
    mez_spirv_each_instruction(part->module, in, MEZ_SPIRV_HEADER_WORDS, part->module->word_count)
    {
        struct mez_spirv_id_iter iter = mez_spirv_ids(part->module, in);
        struct mez_spirv_id id;
        while (!status && mez_spirv_next_id(&iter, &id))
            status = check_id(linker, part, in, id);
    }
    return status;
}

// --- ids

static enum mez_spirv_status make_part(struct mez_spirv_linker *linker,
    const struct mez_spirv_link_input *input, struct mez_spirv_link_part *part)
{
    const uint32_t count = input->module->def_count;
    part->module = input->module;
    part->name = input->name;
    part->ids = mez_alloc_array(count + 1, sizeof *part->ids);
    part->is_other = mez_alloc_array(count + 1, sizeof *part->is_other);
    part->is_renamed = mez_alloc_array(count + 1, sizeof *part->is_renamed);
    if (!part->ids || !part->is_other || !part->is_renamed)
        return mez_spirv_link_no_memory(linker);
    return mez_spirv_pieces_create(part->module, linker->problem, &part->pieces);
}

static void number_ids(struct mez_spirv_linker *linker, uint32_t *first_ids)
{
    linker->bound = linker->parts[0].module->bound;
    for (uint32_t p = 0; p < linker->count; p++) {
        struct mez_spirv_link_part *part = &linker->parts[p];
        part->first_id = first_ids[p] = p ? linker->bound : 0;
        for (uint32_t i = 0; i < part->module->def_count; i++)
            part->ids[i] = mez_spirv_own_id(part, &part->module->defs[i]);
        linker->bound += p ? part->module->def_count : 0;
    }
}

static enum mez_spirv_status check_bound(const struct mez_spirv_linker *linker, uint64_t bound)
{
    if (bound <= MEZ_SPIRV_LARGEST_BOUND)
        return MEZ_SPIRV_OK;
    return mez_spirv_fail(linker->problem, MEZ_SPIRV_TOO_LARGE, 0,
        "together the modules have %" PRIu64 " ids, more than SPIR-V allows", bound);
}

static uint64_t count_ids(const struct mez_spirv_linker *linker)
{
    uint64_t bound = linker->parts[0].module->bound;
    for (uint32_t i = 1; i < linker->count; i++)
        bound += linker->parts[i].module->def_count;
    return bound;
}

// --- Lists of names

// Something that has a name, in one of the modules.
struct named {
    const char *name;
    const struct mez_spirv_def *def;
    uint32_t part;
    uint32_t rank; // of those that have one name, who stands for the others: the lowest
};

static int compare_named(const void *a, const void *b)
{
    const struct named *left = a, *right = b;
    const int order = strcmp(left->name, right->name);
    if (order)
        return order;
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    if (left->part != right->part)
        return left->part < right->part ? -1 : 1;
    return (left->def->word > right->def->word) - (left->def->word < right->def->word);
}

// Says the name and the rank of a definition; false: it is none of those that are listed.
typedef bool describe_named(const struct mez_spirv_link_part *part, struct named *named);

// `list` NULL: only counts them.
static uint32_t fill(
    const struct mez_spirv_linker *linker, describe_named *describe, struct named *list)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p < linker->count; p++) {
        const struct mez_spirv_link_part *part = &linker->parts[p];
        for (uint32_t i = 0; i < part->module->def_count; i++) {
            struct named named = {.def = &part->module->defs[i], .part = p};
            if (!describe(part, &named))
                continue;
            if (list)
                list[count] = named;
            count++;
        }
    }
    return count;
}

// The list is the caller's, to be given back to mez_free_memory.
static enum mez_spirv_status list_sorted(const struct mez_spirv_linker *linker,
    describe_named *describe, struct named **list, uint32_t *count)
{
    *count = fill(linker, describe, NULL);
    if (!mez_spirv_make_list(list, *count, sizeof **list))
        return mez_spirv_link_no_memory(linker);
    fill(linker, describe, *list);
    qsort(*list, *count, sizeof **list, compare_named);
    return MEZ_SPIRV_OK;
}

// --- Kernels

static void list_kernels(const struct mez_spirv_linker *linker, struct named *kernels)
{
    for (uint32_t p = 0; p < linker->count; p++) {
        const struct mez_spirv_module *module = linker->parts[p].module;
        for (uint32_t i = 0; i < module->entry_point_count; i++) {
            const struct mez_spirv_entry_point *entry = &module->entry_points[i];
            const uint32_t function = module->functions[entry->function].id;
            *kernels++ = (struct named){
                .name = entry->name, .def = mez_spirv_find_def(module, function), .part = p};
        }
    }
}

static enum mez_spirv_status check_kernels(const struct mez_spirv_linker *linker)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p < linker->count; p++)
        count += linker->parts[p].module->entry_point_count;
    struct named *kernels;
    if (!mez_spirv_make_list(&kernels, count, sizeof *kernels))
        return mez_spirv_link_no_memory(linker);
    list_kernels(linker, kernels);
    qsort(kernels, count, sizeof *kernels, compare_named);
    enum mez_spirv_status status = MEZ_SPIRV_OK;
    for (uint32_t i = 1; i < count && !status; i++) {
        const struct named *one = &kernels[i - 1], *two = &kernels[i];
        if (strcmp(one->name, two->name) == 0 && one->part != two->part)
            status = mez_spirv_fail(linker->problem, MEZ_SPIRV_CONFLICT, 0,
                "kernel '%.80s' is in '%.50s' and in '%.50s'", one->name,
                linker->parts[one->part].name, linker->parts[two->part].name);
    }
    mez_free_memory(kernels);
    return status;
}

// --- Symbols whose types differ in what pointers point to: may one pass on to the other?

// As the specification has it, which the reader does not ask for.
static bool is_whole(
    const struct mez_spirv_module *module, const struct mez_spirv_function *function)
{
    const struct mez_spirv_instruction type = mez_spirv_type_of_function(module, function);
    const struct mez_spirv_instruction head = mez_spirv_instruction_at(module, function->first);
    return type.opcode == MEZ_OP_TypeFunction && type.length == function->param_count + 3 &&
           head.words[1] == type.words[2];
}

static bool is_variable(const struct mez_spirv_module *module, const struct mez_spirv_def *def)
{
    return def->function == MEZ_SPIRV_NO_INDEX &&
           mez_spirv_instruction_at(module, def->word).opcode == MEZ_OP_Variable;
}

// A variable's own type is known to every compiler: what the pointer to it points to.
static bool are_alike(const struct mez_spirv_link_part *ours, const struct mez_spirv_def *first,
    const struct mez_spirv_link_part *theirs, const struct mez_spirv_def *other)
{
    const struct mez_spirv_function *one = mez_spirv_find_function(ours->module, first->id);
    const struct mez_spirv_function *two = mez_spirv_find_function(theirs->module, other->id);
    if (one && two)
        return is_whole(ours->module, one) && is_whole(theirs->module, two) &&
               mez_spirv_linked_as(ours, ours->shapes, one->type) ==
                   mez_spirv_linked_as(theirs, theirs->shapes, two->type);
    if (one || two || !is_variable(ours->module, first) || !is_variable(theirs->module, other))
        return false;
    const struct mez_spirv_type *a = mez_spirv_find_type(ours->module, first->type);
    const struct mez_spirv_type *b = mez_spirv_find_type(theirs->module, other->type);
    return a && b && a->opcode == MEZ_OP_TypePointer && b->opcode == MEZ_OP_TypePointer &&
           a->storage == b->storage &&
           mez_spirv_linked_as(ours, ours->shapes, a->component) ==
               mez_spirv_linked_as(theirs, theirs->shapes, b->component);
}

// Are both functions, or both variables, of types that differ in nothing else? Asked of symbols whose types differ.
static enum mez_spirv_status can_adapt(struct mez_spirv_linker *linker,
    const struct mez_spirv_link_part *ours, const struct mez_spirv_def *first,
    const struct mez_spirv_link_part *theirs, const struct mez_spirv_def *other, bool *can)
{
    const enum mez_spirv_status status =
        ours->shapes ? MEZ_SPIRV_OK : mez_spirv_link_shapes(linker);
    *can = !status && are_alike(ours, first, theirs, other);
    return status;
}

// --- Noting that it does

// Its parameters stay, with what is said about them; code that it may have is the other one's, too.
static void leave_code_out(
    struct mez_spirv_link_part *part, const struct mez_spirv_function *function)
{
    const struct mez_spirv_module *module = part->module;
    const struct mez_spirv_def *def = mez_spirv_find_def(module, function->id);
    for (uint32_t i = mez_spirv_def_index(module, def) + 1; i < module->def_count; i++) {
        if (module->defs[i].function != def->index)
            break;
        const struct mez_spirv_instruction in =
            mez_spirv_instruction_at(module, module->defs[i].word);
        part->is_other[i] = in.opcode != MEZ_OP_FunctionParameter;
    }
}

static enum mez_spirv_status add_adapter(
    struct mez_spirv_linker *linker, uint32_t part, const struct mez_spirv_function *function)
{
    const struct mez_spirv_module *module = linker->parts[part].module;
    const uint64_t ids =
        MEZ_SPIRV_IDS_OF_ADAPTER + (uint64_t)MEZ_SPIRV_IDS_OF_VALUE * (function->param_count + 1);
    const enum mez_spirv_status status = check_bound(linker, linker->bound + ids);
    if (status)
        return status;
    const struct mez_spirv_link_adapter adapter = {
        .part = part,
        .function = (uint32_t)(function - module->functions),
        .first_id = linker->bound,
    };
    if (!mez_vector_push(&linker->adapters, adapter))
        return mez_spirv_link_no_memory(linker);
    linker->bound += (uint32_t)ids;
    leave_code_out(&linker->parts[part], function);
    return MEZ_SPIRV_OK;
}

// Makes a definition of a part pass everything on to what has `id` in the result and another type: a function calls it, a
// variable becomes a pointer to it.
static enum mez_spirv_status adapt(
    struct mez_spirv_linker *linker, uint32_t part, const struct mez_spirv_def *def, uint32_t id)
{
    const struct mez_spirv_link_part *ours = &linker->parts[part];
    const struct mez_spirv_function *function = mez_spirv_find_function(ours->module, def->id);
    ours->passes_to[mez_spirv_def_index(ours->module, def)] = id;
    return function ? add_adapter(linker, part, function) : MEZ_SPIRV_OK;
}

// --- Symbols: of each name the first stands for all

enum { RANK_EXPORT, RANK_LINK_ONCE, RANK_IMPORT };

static uint32_t rank_of(const struct mez_spirv_module *module, const struct mez_spirv_def *def)
{
    const struct mez_spirv_function *function = mez_spirv_find_function(module, def->id);
    if (def->linkage == MEZ_LINKAGE_IMPORT || (function && !function->has_body))
        return RANK_IMPORT;
    return def->linkage == MEZ_LINKAGE_LINK_ONCE_ODR ? RANK_LINK_ONCE : RANK_EXPORT;
}

// What a module declares about its functions holds for that module: a header may say it to several.
static bool describe_symbol(const struct mez_spirv_link_part *part, struct named *named)
{
    named->name = (const char *)(part->module->words + named->def->link);
    named->rank = rank_of(part->module, named->def);
    return named->def->link && strncmp(named->name, MEZ_SPIRV_DEVICE_HAS_VARIABLE,
                                   sizeof MEZ_SPIRV_DEVICE_HAS_VARIABLE - 1) != 0;
}

// What makes two uses of a name agree: both functions or both variables, of one type, or of types that can be adapted.
static uint32_t linked_type(const struct mez_spirv_link_part *part, const struct mez_spirv_def *def)
{
    const struct mez_spirv_function *function = mez_spirv_find_function(part->module, def->id);
    return mez_spirv_linked_id(part, function ? function->type : def->type);
}

static enum mez_spirv_status join(
    struct mez_spirv_linker *linker, const struct named *first, const struct named *other)
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
        can_adapt(linker, ours, first->def, theirs, other->def, &can);
    if (status)
        return status;
    if (!can)
        return mez_spirv_fail(linker->problem, MEZ_SPIRV_CONFLICT, other->def->word,
            "'%.80s' has one type in '%.50s' and another in '%.50s'", first->name, ours->name,
            theirs->name);
    return adapt(linker, other->part, other->def, id);
}

static enum mez_spirv_status join_symbols(
    struct mez_spirv_linker *linker, const struct named *symbols, uint32_t count)
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

static enum mez_spirv_status link_symbols(struct mez_spirv_linker *linker)
{
    struct named *symbols;
    uint32_t count;
    enum mez_spirv_status status = list_sorted(linker, describe_symbol, &symbols, &count);
    if (status)
        return status;
    status = join_symbols(linker, symbols, count);
    mez_free_memory(symbols);
    return status;
}

// --- Names of functions that several modules have, as static ones of two sources may
//
// Newer compilers of Intel (2.40) go by such names: of two functions they take the first for both, and put the code of the second
// behind it.

enum { RANK_LINKED, RANK_PLAIN, RANK_ADAPTED };

static bool describe_function(const struct mez_spirv_link_part *part, struct named *named)
{
    const struct mez_spirv_def *def = named->def;
    named->name = (const char *)(part->module->words + def->name);
    named->rank = def->link ? RANK_LINKED : RANK_PLAIN;
    if (!def->name || !mez_spirv_is_linked(part, def->id))
        return false;
    if (mez_spirv_passes_to(part, def->id))
        named->rank = RANK_ADAPTED;
    return mez_spirv_find_function(part->module, def->id) != NULL;
}

static enum mez_spirv_status link_names(struct mez_spirv_linker *linker)
{
    struct named *named;
    uint32_t count;
    const enum mez_spirv_status status = list_sorted(linker, describe_function, &named, &count);
    for (uint32_t i = 1; i < count && !status; i++) {
        const struct mez_spirv_link_part *part = &linker->parts[named[i].part];
        if (strcmp(named[i].name, named[i - 1].name) == 0)
            part->is_renamed[mez_spirv_def_index(part->module, named[i].def)] = true;
    }
    mez_free_memory(named);
    return status;
}

// --- All of it

static enum mez_spirv_status link_parts(
    struct mez_spirv_linker *linker, const struct mez_spirv_link_input *inputs, uint32_t *first_ids)
{
    enum mez_spirv_status status = MEZ_SPIRV_OK;
    for (uint32_t i = 0; i < linker->count && !status; i++) {
        status = make_part(linker, &inputs[i], &linker->parts[i]);
        if (!status)
            status = check_ids_are_known(linker, &linker->parts[i]);
    }
    if (!status)
        status = check_models(linker);
    if (!status)
        status = check_bound(linker, count_ids(linker));
    if (status)
        return status;
    number_ids(linker, first_ids);
    status = mez_spirv_link_types(linker);
    if (!status)
        status = check_kernels(linker);
    if (!status)
        status = link_symbols(linker);
    return status ? status : link_names(linker);
}

static void finish_parts(struct mez_spirv_linker *linker)
{
    for (uint32_t i = 0; linker->parts && i < linker->count; i++) {
        mez_free_memory(linker->parts[i].ids);
        mez_free_memory(linker->parts[i].is_other);
        mez_free_memory(linker->parts[i].is_renamed);
        mez_free_memory(linker->parts[i].shapes);
        mez_free_memory(linker->parts[i].passes_to);
        mez_spirv_pieces_destroy(&linker->parts[i].pieces);
    }
    mez_free_memory(linker->parts);
    mez_vector_finish(&linker->adapters);
}

enum mez_spirv_status mez_spirv_link(const struct mez_spirv_link_input *inputs, uint32_t count,
    struct mez_spirv_problem *problem, uint32_t *first_ids, uint32_t **words, uint32_t *word_count)
{
    struct mez_spirv_linker linker = {
        .parts = mez_alloc_array(count, sizeof *linker.parts), .count = count, .problem = problem};
    *words = NULL;
    enum mez_spirv_status status =
        linker.parts ? link_parts(&linker, inputs, first_ids) : mez_spirv_link_no_memory(&linker);
    if (!status)
        status = mez_spirv_link_write(&linker, words, word_count);
    finish_parts(&linker);
    return status;
}
