// SPDX-License-Identifier: MIT
//
// Every definition gets an id of the result; what is the same in several modules gets one.

#include "spirv/link.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "spirv/id_operands.h"
#include "spirv/link_parts.h"

uint32_t mez_spirv_linked_id(const struct mez_spirv_link_part *part, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(part->module, id);
    return def ? part->ids[mez_spirv_def_index(part->module, def)] : 0;
}

bool mez_spirv_is_linked(const struct mez_spirv_link_part *part, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(part->module, id);
    return def && !part->is_other[mez_spirv_def_index(part->module, def)];
}

// Ids of a part follow each other, behind those of the part before.
const struct mez_spirv_def *mez_spirv_linked_def(
    const struct mez_spirv_linker *linker, uint32_t id, uint32_t *part)
{
    uint32_t low = 0, high = linker->count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (linker->parts[middle].first_id <= id)
            low = middle;
        else
            high = middle;
    }
    const struct mez_spirv_link_part *found = &linker->parts[low];
    *part = low;
    if (low == 0)
        return mez_spirv_find_def(found->module, id);
    return id - found->first_id < found->module->def_count
               ? &found->module->defs[id - found->first_id]
               : NULL;
}

uint32_t mez_spirv_count_pieces(const struct mez_spirv_linker *linker)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p < linker->count; p++)
        count += linker->parts[p].pieces->count;
    return count;
}

enum mez_spirv_status mez_spirv_link_no_memory(const struct mez_spirv_linker *linker)
{
    return mez_spirv_fail(linker->problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory to link modules");
}

void mez_spirv_link_as(
    struct mez_spirv_link_part *part, const struct mez_spirv_def *def, uint32_t id)
{
    const uint32_t index = mez_spirv_def_index(part->module, def);
    const struct mez_spirv_function *function = mez_spirv_find_function(part->module, def->id);
    part->ids[index] = id;
    part->is_other[index] = true;
    for (uint32_t i = index + 1; function && i < part->module->def_count; i++) {
        if (part->module->defs[i].function != def->index)
            break;
        part->is_other[i] = true;
    }
}

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

static enum mez_spirv_status check_bound(const struct mez_spirv_linker *linker)
{
    uint64_t bound = linker->parts[0].module->bound;
    for (uint32_t i = 1; i < linker->count; i++)
        bound += linker->parts[i].module->def_count;
    if (bound > MEZ_SPIRV_LARGEST_BOUND)
        return mez_spirv_fail(linker->problem, MEZ_SPIRV_TOO_LARGE, 0,
            "together the modules have %" PRIu64 " ids, more than SPIR-V allows", bound);
    return MEZ_SPIRV_OK;
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
        status = check_bound(linker);
    if (status)
        return status;
    number_ids(linker, first_ids);
    status = mez_spirv_link_types(linker);
    if (!status)
        status = mez_spirv_link_symbols(linker);
    return status ? status : mez_spirv_link_names(linker);
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
    mez_free_memory(linker->adapters);
}

enum mez_spirv_status mez_spirv_link(const struct mez_spirv_link_input *inputs, uint32_t count,
    struct mez_spirv_problem *problem, uint32_t *first_ids, uint32_t **words, uint32_t *word_count)
{
    struct mez_spirv_linker linker = {
        .parts = mez_alloc_array(count, sizeof *linker.parts), .count = count, .problem = problem};
    *words = NULL;
    enum mez_spirv_status status =
        linker.parts ? link_parts(&linker, inputs, first_ids)
                     : mez_spirv_fail(problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory to link modules");
    if (!status)
        status = mez_spirv_link_write(&linker, words, word_count);
    finish_parts(&linker);
    return status;
}
