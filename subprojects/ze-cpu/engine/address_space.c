// SPDX-License-Identifier: MIT
//
// Which memory a generic pointer leads to, for to_global() and its kin: local memory and what work-items keep lie in blocks
// of the worker, variables in coroutines' frames or on the stack, and all else is global.

#include "run.h"
#include "runtime.h"
#include "worker.h"

static bool is_in_block(const struct block *block, uintptr_t address)
{
    return address - (uintptr_t)block->memory < block->size;
}

static bool is_in_frame(const struct zc_worker *worker, uintptr_t address)
{
    for (const struct chunk *chunk = worker->chunks; chunk != NULL; chunk = chunk->next) {
        if (address - (uintptr_t)chunk < chunk->used)
            return true;
    }
    return false;
}

static bool is_on_stack(const struct zc_worker *worker, uintptr_t address)
{
    return address >= (uintptr_t)__builtin_frame_address(0) && address < worker->stack;
}

uint32_t zc_address_space_of(uint64_t worker_address, uint64_t address)
{
    const struct zc_worker *worker = (const struct zc_worker *)(uintptr_t)worker_address;
    if (is_in_block(&worker->local_memory, address))
        return ZC_SPACE_LOCAL;
    if (is_on_stack(worker, address) || is_in_frame(worker, address) ||
        is_in_block(&worker->items, address))
        return ZC_SPACE_PRIVATE;
    return ZC_SPACE_GLOBAL;
}
