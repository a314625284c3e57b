// SPDX-License-Identifier: MIT
#include "units.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define UNITS 64u // of a chunk: the bits of a word
#define CHUNK_SIZE (UNITS * ZC_UNIT)

struct zc_chunk {
    struct zc_chunk *next, **link; // in the list of those that have free units
    char *pages;
    uint64_t free; // a bit for each unit
};

static struct {
    pthread_mutex_t lock; // guards what follows, and all chunks
    struct zc_chunk *first;
} chunks = {.lock = PTHREAD_MUTEX_INITIALIZER};

// ---- pages ----

// The system aligns to pages: what is too much for more than that goes back.
char *zc_pages_map(size_t size, size_t alignment)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t spare = alignment > page ? alignment - page : 0;
    char *pages =
        mmap(NULL, size + spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return NULL;
    const size_t front = (alignment - (uintptr_t)pages % alignment) % alignment;
    if (front)
        munmap(pages, front);
    if (spare > front)
        munmap(pages + front + size, spare - front);
    return pages + front;
}

void zc_pages_unmap(char *pages, size_t size)
{
    if (munmap(pages, size))
        madvise(pages, size, MADV_DONTNEED);
}

// ---- chunks; the caller has the lock ----

static void add(struct zc_chunk *chunk)
{
    chunk->next = chunks.first;
    chunk->link = &chunks.first;
    if (chunk->next)
        chunk->next->link = &chunk->next;
    chunks.first = chunk;
}

static void remove_chunk(struct zc_chunk *chunk)
{
    *chunk->link = chunk->next;
    if (chunk->next)
        chunk->next->link = chunk->link;
}

static struct zc_chunk *create(void)
{
    struct zc_chunk *chunk = malloc(sizeof *chunk);
    if (!chunk)
        return NULL;
    *chunk = (struct zc_chunk){.pages = zc_pages_map(CHUNK_SIZE, ZC_UNIT), .free = UINT64_MAX};
    if (!chunk->pages) {
        free(chunk);
        return NULL;
    }
    add(chunk);
    return chunk;
}

static char *take(struct zc_chunk *chunk)
{
    const unsigned unit = (unsigned)__builtin_ctzll(chunk->free);
    chunk->free &= ~(UINT64_C(1) << unit);
    if (!chunk->free)
        remove_chunk(chunk);
    return chunk->pages + unit * ZC_UNIT;
}

// One that is empty stays as long as it is the only one that has free units.
static bool is_superfluous(const struct zc_chunk *chunk)
{
    return chunk->free == UINT64_MAX && (chunks.first != chunk || chunk->next);
}

static void give(struct zc_chunk *chunk, const char *unit)
{
    if (!chunk->free)
        add(chunk);
    chunk->free |= UINT64_C(1) << ((size_t)(unit - chunk->pages) / ZC_UNIT);
    if (!is_superfluous(chunk))
        return;
    remove_chunk(chunk);
    zc_pages_unmap(chunk->pages, CHUNK_SIZE);
    free(chunk);
}

// ---- units ----

char *zc_unit_take(struct zc_chunk **chunk)
{
    pthread_mutex_lock(&chunks.lock);
    *chunk = chunks.first ? chunks.first : create();
    char *unit = *chunk ? take(*chunk) : NULL;
    pthread_mutex_unlock(&chunks.lock);
    return unit;
}

// Whoever takes it next finds zeros.
void zc_unit_give(struct zc_chunk *chunk, char *unit)
{
    madvise(unit, ZC_UNIT, MADV_DONTNEED);
    pthread_mutex_lock(&chunks.lock);
    give(chunk, unit);
    pthread_mutex_unlock(&chunks.lock);
}
