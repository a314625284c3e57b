// SPDX-License-Identifier: MIT
//
// Ranges are walked in pieces, each within one page.

#include "shadow.h"

#include <string.h>
#include <sys/mman.h>

#define PAGE ((uintptr_t)1 << ZC_SHADOW_PAGE_BITS)
// Less is cleared byte by byte.
#define LARGE ((size_t)256 << 10)

void *zc_shadow_map(size_t size)
{
    void *memory = mmap(
        NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

struct zc_shadow *zc_shadow_create(void)
{
    return zc_shadow_map(sizeof(struct zc_shadow));
}

// Part of a range: what lies in one page.
struct piece {
    struct zc_shadow_region *region; // NULL: it has none
    size_t offset;                   // in the region
    size_t size;
};

static _Atomic(struct zc_shadow_region *) *slot_of(struct zc_shadow *shadow, uintptr_t address)
{
    return &shadow->regions[(address >> ZC_SHADOW_REGION_BITS) & (ZC_SHADOW_REGIONS - 1)];
}

static struct piece piece_at(struct zc_shadow *shadow, uintptr_t address, size_t size)
{
    const size_t left = PAGE - (address & (PAGE - 1));
    return (struct piece){atomic_load(slot_of(shadow, address)), address & (ZC_SHADOW_REGION - 1),
        size < left ? size : left};
}

static void make_region(struct zc_shadow *shadow, uintptr_t address)
{
    _Atomic(struct zc_shadow_region *) *slot = slot_of(shadow, address);
    struct zc_shadow_region *none = NULL;
    if (atomic_load(slot) != NULL)
        return;
    struct zc_shadow_region *region = zc_shadow_map(sizeof *region);
    if (region != NULL && !atomic_compare_exchange_strong(slot, &none, region))
        munmap(region, sizeof *region);
}

static unsigned char *tracked(const struct piece *piece)
{
    return &piece->region->tracked[piece->offset >> ZC_SHADOW_PAGE_BITS];
}

static bool is_tracked(const struct piece *piece)
{
    return piece->region != NULL && *tracked(piece);
}

struct zc_shadow_region *zc_shadow_region_of(struct zc_shadow *shadow, uintptr_t address)
{
    make_region(shadow, address);
    return atomic_load(slot_of(shadow, address));
}

static void set_origin(const struct piece *piece, uint32_t origin)
{
    const size_t word = sizeof(uint32_t);
    const size_t end = (piece->offset + piece->size + word - 1) / word;
    for (size_t i = piece->offset / word; i < end; i++)
        piece->region->origins[i] = origin;
}

void zc_shadow_set_unwritten(
    struct zc_shadow *shadow, const void *address, size_t size, uint32_t origin)
{
    struct piece piece;
    for (uintptr_t at = (uintptr_t)address; size > 0; at += piece.size, size -= piece.size) {
        make_region(shadow, at);
        piece = piece_at(shadow, at, size);
        if (piece.region == NULL)
            continue;
        *tracked(&piece) = 1;
        memset(piece.region->unwritten + piece.offset, 0xff, piece.size);
        set_origin(&piece, origin);
    }
}

void zc_shadow_set_written(struct zc_shadow *shadow, const void *address, size_t size)
{
    struct piece piece;
    for (uintptr_t at = (uintptr_t)address; size > 0; at += piece.size, size -= piece.size) {
        piece = piece_at(shadow, at, size);
        if (is_tracked(&piece))
            memset(piece.region->unwritten + piece.offset, 0, piece.size);
    }
}

// Whole pages of a large range are given back, which makes zeros of them, too.
static void forget_piece(const struct piece *piece, bool is_large)
{
    unsigned char *unwritten = piece->region->unwritten + piece->offset;
    *tracked(piece) = 0;
    if (is_large && piece->size == PAGE)
        madvise(unwritten, PAGE, MADV_DONTNEED);
    else
        memset(unwritten, 0, piece->size);
}

void zc_shadow_forget(struct zc_shadow *shadow, const void *address, size_t size)
{
    struct piece piece;
    const bool is_large = size >= LARGE;
    for (uintptr_t at = (uintptr_t)address; size > 0; at += piece.size, size -= piece.size) {
        piece = piece_at(shadow, at, size);
        if (is_tracked(&piece))
            forget_piece(&piece, is_large);
    }
}

static bool find_in_piece(const struct piece *piece, uint32_t *origin)
{
    if (!is_tracked(piece))
        return false;
    for (size_t i = piece->offset; i < piece->offset + piece->size; i++) {
        if (piece->region->unwritten[i] == 0)
            continue;
        *origin = piece->region->origins[i / sizeof(uint32_t)];
        return true;
    }
    return false;
}

bool zc_shadow_find_unwritten(
    struct zc_shadow *shadow, const void *address, size_t size, uint32_t *origin)
{
    struct piece piece;
    for (uintptr_t at = (uintptr_t)address; size > 0; at += piece.size, size -= piece.size) {
        piece = piece_at(shadow, at, size);
        if (find_in_piece(&piece, origin))
            return true;
    }
    return false;
}

// ---- copies ----

// `size` bytes, of one page each.
static void copy_piece(struct zc_shadow *shadow, uintptr_t to, uintptr_t from, size_t size)
{
    const struct piece target = piece_at(shadow, to, size);
    const struct piece source = piece_at(shadow, from, size);
    uint32_t origin;
    if (!is_tracked(&target))
        return;
    unsigned char *unwritten = target.region->unwritten + target.offset;
    if (is_tracked(&source))
        memmove(unwritten, source.region->unwritten + source.offset, size);
    else
        memset(unwritten, 0, size);
    if (find_in_piece(&source, &origin))
        set_origin(&target, origin);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void copy_upwards(struct zc_shadow *shadow, uintptr_t to, uintptr_t from, size_t size)
{
    while (size > 0) {
        const size_t step =
            least(size, least(PAGE - (to & (PAGE - 1)), PAGE - (from & (PAGE - 1))));
        copy_piece(shadow, to, from, step);
        to += step;
        from += step;
        size -= step;
    }
}

// Bytes of the page that ends at `end`, or in which it lies.
static size_t before(uintptr_t end)
{
    return ((end - 1) & (PAGE - 1)) + 1;
}

static void copy_downwards(struct zc_shadow *shadow, uintptr_t to, uintptr_t from, size_t size)
{
    while (size > 0) {
        const size_t step = least(size, least(before(to + size), before(from + size)));
        size -= step;
        copy_piece(shadow, to + size, from + size, step);
    }
}

// As memmove does it, where the two overlap.
void zc_shadow_copy(struct zc_shadow *shadow, const void *to, const void *from, size_t size)
{
    const uintptr_t target = (uintptr_t)to, source = (uintptr_t)from;
    if (target <= source)
        copy_upwards(shadow, target, source, size);
    else
        copy_downwards(shadow, target, source, size);
}
