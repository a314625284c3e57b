// SPDX-License-Identifier: MIT

#include "spirv/local_memory.h"

#include "spirv/reach.h"

// 0: it is no variable in local memory.
static uint64_t size_of(const struct mez_spirv_module *module, const struct mez_spirv_def *def)
{
    const struct mez_spirv_instruction in = mez_spirv_instruction_at(module, def->word);
    if (in.opcode != MEZ_OP_Variable || in.words[3] != MEZ_STORAGE_WORKGROUP)
        return 0;
    const struct mez_spirv_type *pointer = mez_spirv_find_type(module, def->type);
    const struct mez_spirv_type *type =
        pointer ? mez_spirv_find_type(module, pointer->component) : NULL;
    return type ? type->size : 0;
}

static uint64_t add(uint64_t sum, uint64_t size)
{
    return size <= UINT64_MAX - sum ? sum + size : UINT64_MAX;
}

uint64_t mez_spirv_all_local_memory(const struct mez_spirv_module *module)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < module->global_count; i++)
        sum = add(sum, size_of(module, &module->defs[module->globals[i]]));
    return sum;
}

enum mez_spirv_status mez_spirv_local_memory(const struct mez_spirv_module *module,
    uint32_t function, struct mez_spirv_problem *problem, uint64_t *bytes)
{
    struct mez_spirv_reach *reach;
    *bytes = 0;
    const enum mez_spirv_status status =
        mez_spirv_reach_create(module, &function, 1, problem, &reach);
    if (status)
        return status;
    for (uint32_t i = 0; i < reach->count; i++)
        *bytes = add(*bytes, size_of(module, &module->defs[reach->order[i]]));
    mez_spirv_reach_destroy(&reach);
    return status;
}
