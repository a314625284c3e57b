// SPDX-License-Identifier: MIT
//
// The memory of workers. It comes from the system, where nothing else lies beside it.

#include "worker.h"
#include "run.h"
#include "shadow.h"
#include "unwritten.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define BLOCK_STEP ((size_t)64 << 10)
#define CACHE_LINE ((size_t)64)

void *zc_map_memory(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

bool zc_block_reserve(struct block *block, size_t size)
{
    if (size <= block->size)
        return true;
    const size_t rounded = (size + BLOCK_STEP - 1) / BLOCK_STEP * BLOCK_STEP;
    void *memory = zc_map_memory(rounded);
    if (memory == NULL)
        return false;
    if (block->memory != NULL)
        munmap(block->memory, block->size);
    *block = (struct block){memory, rounded};
    return true;
}

static bool lies_in_two_regions(const struct block *block)
{
    const uintptr_t begin = (uintptr_t)block->memory;
    return begin / ZC_SHADOW_REGION != (begin + block->size - 1) / ZC_SHADOW_REGION;
}

// Kernels look for the shadow of local memory in one region (shadow_lookup.c). A second block is reserved while the first still holds the
// border between two regions.
static bool reserve_in_one_region(struct block *block, size_t size)
{
    if (!zc_block_reserve(block, size))
        return false;
    if (!lies_in_two_regions(block))
        return true;
    const struct block first = *block;
    *block = (struct block){NULL, 0};
    const bool ok = zc_block_reserve(block, size);
    munmap(first.memory, first.size);
    return ok;
}

bool zc_local_memory_reserve(struct block *block, size_t size)
{
    const size_t before = block->size;
    if (!reserve_in_one_region(block, size + 2 * ZC_LOCAL_MARGIN))
        return false;
    if (block->size != before)
        memset(block->memory, 0, block->size); // what was never written to is not there, either
    return true;
}

void *zc_worker_local_memory(const struct zc_worker *worker)
{
    return (char *)worker->local_memory.memory + ZC_LOCAL_MARGIN;
}

// The slots of work-items begin behind a line of the cache.
bool zc_exchange_reserve(struct zc_worker *worker, size_t items)
{
    if (!zc_block_reserve(&worker->exchange, CACHE_LINE + items * ZC_EXCHANGE_SLOT))
        return false;
    worker->context.exchange = (uintptr_t)worker->exchange.memory + CACHE_LINE;
    return true;
}

uint64_t *zc_exchange_active(const struct zc_worker *worker)
{
    return (uint64_t *)((char *)worker->exchange.memory + CACHE_LINE) - 1;
}

static void release(const struct zc_worker *worker, void *memory, size_t size)
{
    zc_unwritten_forget(worker, memory, size);
    munmap(memory, size);
}

static void block_release(const struct zc_worker *worker, struct block *block)
{
    if (block->memory != NULL)
        release(worker, block->memory, block->size);
}

struct zc_worker *zc_worker_create(void)
{
    return calloc(1, sizeof(struct zc_worker));
}

void zc_worker_destroy(struct zc_worker *worker)
{
    if (worker == NULL)
        return;
    for (struct chunk *chunk = worker->chunks, *next; chunk != NULL; chunk = next) {
        next = chunk->next;
        release(worker, chunk, chunk->size);
    }
    block_release(worker, &worker->local_memory);
    block_release(worker, &worker->exchange);
    block_release(worker, &worker->handles);
    block_release(worker, &worker->items);
    block_release(worker, &worker->checking.ranges);
    block_release(worker, &worker->checking.unwritten.state);
    zc_races_finish(&worker->races);
    free(worker);
}

void zc_worker_local_id(const struct zc_worker *worker, uint64_t item, uint64_t id[3])
{
    const zc_word *size = worker->context.local_size;
    id[0] = item % size[0];
    id[1] = item / size[0] % size[1];
    id[2] = item / size[0] / size[1];
}
