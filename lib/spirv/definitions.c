// SPDX-License-Identifier: MIT
//
// The table of definitions: an array in file order and an open-addressing hash table over it.

#include "spirv/ids.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"

// Where an instruction keeps its result id: 2 behind a result type, else 1; 0: it has none (or we
// do not know).
static uint32_t result_position(uint16_t opcode)
{
    const struct mez_spirv_opcode_info *info = mez_spirv_opcode_info(opcode);
    if (!info)
        return 0;
    if (info->layout[0] == 't')
        return 2;
    return info->layout[0] == 'r' ? 1 : 0;
}

uint32_t mez_spirv_result_of(struct mez_spirv_instruction in)
{
    const uint32_t position = result_position(in.opcode);
    return position ? in.words[position] : 0;
}

static uint32_t count_results(const struct mez_spirv_module *module)
{
    uint32_t count = 0;
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count) count +=
        result_position(in.opcode) != 0;
    return count;
}

// Producers hand out ids one after the other, so their low bits spread them evenly.
static uint32_t first_slot(const struct mez_spirv_module *module, uint32_t id)
{
    return id & (module->def_slot_count - 1);
}

// The slot that holds `id`, or the free one where it belongs. The table is at most half full, so
// the walk ends.
static uint32_t *find_slot(const struct mez_spirv_module *module, uint32_t id)
{
    uint32_t slot = first_slot(module, id);
    while (module->def_slots[slot] != MEZ_SPIRV_NO_INDEX &&
           module->defs[module->def_slots[slot]].id != id)
        slot = (slot + 1) & (module->def_slot_count - 1);
    return &module->def_slots[slot];
}

static bool make_table(struct mez_spirv_module *module, uint32_t count)
{
    uint32_t slots = 2;
    while (slots / 2 < count)
        slots *= 2;

    module->def_slot_count = slots;
    module->def_slots = mez_alloc_array(slots, sizeof *module->def_slots);
    module->defs = mez_alloc_array(count ? count : 1, sizeof *module->defs);
    if (!module->def_slots || !module->defs)
        return false;

    for (uint32_t i = 0; i < slots; i++)
        module->def_slots[i] = MEZ_SPIRV_NO_INDEX;
    return true;
}

static enum mez_spirv_status add_def(struct mez_spirv_module *module,
    struct mez_spirv_instruction in, uint32_t position, uint32_t function,
    struct mez_spirv_problem *problem)
{
    const uint32_t id = in.words[position];
    char room[MEZ_SPIRV_OPCODE_ROOM];
    const char *name = mez_spirv_opcode_name(in.opcode, room);

    if (id == 0 || id >= module->bound)
        return mez_spirv_fail(problem, MEZ_SPIRV_MALFORMED, in.at,
            "%s defines id %" PRIu32 ", outside the bound of %" PRIu32, name, id, module->bound);

    uint32_t *slot = find_slot(module, id);
    if (*slot != MEZ_SPIRV_NO_INDEX)
        return mez_spirv_fail(problem, MEZ_SPIRV_MALFORMED, in.at,
            "%s defines id %" PRIu32 ", which is defined at word %" PRIu32 " already", name, id,
            module->defs[*slot].word);

    const bool is_global = in.opcode == MEZ_OP_Function || function == MEZ_SPIRV_NO_INDEX;
    *slot = module->def_count;
    module->defs[module->def_count++] = (struct mez_spirv_def){
        .id = id,
        .word = in.at,
        .type = position == 2 ? in.words[1] : 0,
        .function = is_global ? MEZ_SPIRV_NO_INDEX : function,
        .global = is_global ? module->global_count++ : MEZ_SPIRV_NO_INDEX,
        .index = MEZ_SPIRV_NO_INDEX,
        .linkage = MEZ_LINKAGE_NONE,
    };
    return MEZ_SPIRV_OK;
}

static bool list_globals(struct mez_spirv_module *module)
{
    const uint32_t count = module->global_count;
    module->globals = mez_alloc_array(count ? count : 1, sizeof *module->globals);
    for (uint32_t i = 0; module->globals && i < module->def_count; i++) {
        if (module->defs[i].global != MEZ_SPIRV_NO_INDEX)
            module->globals[module->defs[i].global] = i;
    }
    return module->globals != NULL;
}

static enum mez_spirv_status no_memory(struct mez_spirv_problem *problem)
{
    return mez_spirv_fail(problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory for the module's ids");
}

enum mez_spirv_status mez_spirv_collect_ids(
    struct mez_spirv_module *module, struct mez_spirv_problem *problem)
{
    if (!make_table(module, count_results(module)))
        return no_memory(problem);

    uint32_t functions = 0, function = MEZ_SPIRV_NO_INDEX;
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count)
    {
        if (in.opcode == MEZ_OP_Function)
            function = functions++;

        const uint32_t position = result_position(in.opcode);
        const enum mez_spirv_status status =
            position ? add_def(module, in, position, function, problem) : MEZ_SPIRV_OK;
        if (status)
            return status;

        if (in.opcode == MEZ_OP_FunctionEnd)
            function = MEZ_SPIRV_NO_INDEX;
    }
    return list_globals(module) ? MEZ_SPIRV_OK : no_memory(problem);
}

const struct mez_spirv_def *mez_spirv_find_def(const struct mez_spirv_module *module, uint32_t id)
{
    const uint32_t index = *find_slot(module, id);
    return index == MEZ_SPIRV_NO_INDEX ? NULL : &module->defs[index];
}
