// SPDX-License-Identifier: MIT
#include "block.h"

#include "settings.h"
#include "units.h"

#include <engine.h>

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Vectors of 16 doubles are loaded aligned; also a cache line.
#define MIN_ALIGNMENT 128

// Room that kernels which are checked (memory_check.h) find on both sides of an allocation.
#define CHECKED_ROOM ((size_t)4096)

// From this size on the system is asked for huge pages, which need blocks of a multiple of their size to be of use.
#define HUGE_PAGE ((size_t)2 << 20)
#define MIN_HUGE_SIZE (2 * HUGE_PAGE)

// What unwritten memory has with ZE_CPU_GUARD: as a float -7.3e-16, as an index far outside.
#define PATTERN 0xa5
// More of it would take memory, and time, from programs that use a small part of what they allocate.
#define MAX_PATTERN ((size_t)256 << 20)

// A sanitizer that looks at the heap finds leaks and stray accesses of the host there. It looks at no mapping.
#if defined(__SANITIZE_ADDRESS__)
#define USES_HEAP (!zc_settings.guard)
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define USES_HEAP (!zc_settings.guard)
#endif
#endif
#ifndef USES_HEAP
#define USES_HEAP false
#endif

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static size_t round_up(size_t size, size_t unit)
{
    return (size + unit - 1) / unit * unit;
}

static size_t max(size_t a, size_t b)
{
    return a > b ? a : b;
}

// ---- pages ----

// No harm is done where it is refused.
static void ask_for_huge_pages(char *pages, size_t size)
{
    if (size >= MIN_HUGE_SIZE)
        madvise(pages, size, MADV_HUGEPAGE);
}

static char *map_zeros(size_t size, size_t alignment)
{
    char *pages = zc_pages_map(size, size >= MIN_HUGE_SIZE ? max(alignment, HUGE_PAGE) : alignment);
    if (pages)
        ask_for_huge_pages(pages, size);
    return pages;
}

static char *take_from_heap(size_t size, size_t alignment)
{
    void *memory = NULL;
    if (posix_memalign(&memory, alignment, size))
        return NULL;
    return memset(memory, 0, size);
}

// ---- kinds of block ----

// Pages that are closed at times (shared_use.h) are nobody else's later.
static bool takes_unit(const struct zc_allocation *allocation, size_t alignment)
{
    const bool closes = allocation->type == ZE_MEMORY_TYPE_SHARED && alignment >= page_size();
    return allocation->block_size == ZC_UNIT && alignment <= ZC_UNIT && !closes;
}

static bool map_ordinary(struct zc_allocation *allocation, size_t alignment)
{
    const bool checked = zc_settings.checks & ZC_CHECK_MEMORY;
    allocation->before = checked ? round_up(CHECKED_ROOM, alignment) : 0;
    const size_t size = allocation->before + allocation->size + (checked ? CHECKED_ROOM : 0);
    char *memory;
    if (USES_HEAP) {
        allocation->block_size = size;
        memory = take_from_heap(size, alignment);
        allocation->in_heap = true;
    } else {
        allocation->block_size = round_up(size, ZC_UNIT);
        memory = takes_unit(allocation, alignment)
                     ? zc_unit_take(&allocation->chunk)
                     : map_zeros(allocation->block_size, max(alignment, page_size()));
    }
    allocation->base = memory + allocation->before;
    return memory != NULL;
}

// The last page has what is looked at later.
static void write_pattern(char *begin, size_t size, size_t page)
{
    ask_for_huge_pages(begin, size);
    memset(begin, PATTERN, size < MAX_PATTERN ? size : MAX_PATTERN);
    memset(begin + size - page, PATTERN, page);
}

// A page that nobody may access, pages that hold the allocation, as far back as its alignment lets it lie, and another such page. So less
// than a page of them is not the allocation's.
static bool map_guarded(struct zc_allocation *allocation, size_t alignment)
{
    const size_t page = page_size();
    const size_t used = round_up(allocation->size, alignment < page ? alignment : page);
    const size_t open = round_up(used, page);
    const size_t front = max(page, alignment);
    const size_t size = front + open + page;
    char *memory = zc_pages_map(size, max(page, alignment));
    if (!memory)
        return false;
    if (mprotect(memory, front, PROT_NONE) || mprotect(memory + front + open, page, PROT_NONE)) {
        zc_pages_unmap(memory, size);
        return false;
    }
    write_pattern(memory + front, open, page);
    allocation->before = front + open - used;
    allocation->block_size = size;
    allocation->base = memory + allocation->before;
    return true;
}

bool zc_block_map(struct zc_allocation *allocation, size_t alignment, bool owns_pages)
{
    const size_t least = owns_pages ? page_size() : MIN_ALIGNMENT;
    alignment = max(alignment, least);
    if (allocation->size > SIZE_MAX / 4) // so that no sum wraps
        return false;
    // What has its pages to itself may be moved as pages (ipc.h).
    struct zc_allocation block = *allocation;
    if (owns_pages)
        block.size = round_up(block.size, page_size());
    if (!(zc_settings.guard ? map_guarded(&block, alignment) : map_ordinary(&block, alignment)))
        return false;
    allocation->base = block.base;
    allocation->before = block.before;
    allocation->block_size = block.block_size;
    allocation->in_heap = block.in_heap;
    allocation->chunk = block.chunk;
    return true;
}

void zc_block_unmap(const struct zc_allocation *allocation)
{
    char *block = allocation->base - allocation->before;
    if (allocation->in_heap)
        free(block);
    else if (allocation->chunk)
        zc_unit_give(allocation->chunk, block);
    else
        zc_pages_unmap(block, allocation->block_size);
}

// ---- ZE_CPU_GUARD ----

static bool find_change(
    const struct zc_allocation *allocation, const char *begin, const char *end, ptrdiff_t *offset)
{
    while (begin < end && *(const unsigned char *)begin == PATTERN)
        begin++;
    *offset = begin - allocation->base;
    return begin < end;
}

bool zc_block_is_intact(const struct zc_allocation *allocation, ptrdiff_t *offset)
{
    if (!zc_settings.guard || allocation->foreign)
        return true;
    const size_t page = page_size();
    const char *base = allocation->base, *behind = base + allocation->size;
    const char *last = base - allocation->before + allocation->block_size - page;
    const char *first = base - (uintptr_t)base % page;
    return !find_change(allocation, first, base, offset) &&
           !find_change(allocation, behind, last, offset);
}

void zc_block_close(const struct zc_allocation *allocation)
{
    const size_t page = page_size();
    char *first = allocation->base - (uintptr_t)allocation->base % page;
    char *end = allocation->base - allocation->before + allocation->block_size;
    madvise(first, (size_t)(end - first), MADV_DONTNEED);
    mprotect(first, (size_t)(end - first), PROT_NONE);
}
