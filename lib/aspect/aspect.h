// SPDX-License-Identifier: MIT
//
// Aspects: the optional features that SYCL gives names to. The name is the key; the numbers that files carry have changed and
// will again, so that whoever reads or writes one says by which numbering.
//
// Thread-safety: safe, everything here is constant.

#ifndef MEZ_ASPECT_ASPECT_H
#define MEZ_ASPECT_ASPECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The names, as MEZ_ASPECT_fp64.
typedef enum mez_aspect {
#define ASPECT(name, other, classic, renumbered) MEZ_ASPECT_##name,
#include "aspect/aspects.def"
#undef ASPECT
    MEZ_ASPECT_COUNT,
    MEZ_ASPECT_NONE = MEZ_ASPECT_COUNT // no aspect that we know
} mez_aspect;

typedef enum mez_aspect_numbering {
    MEZ_ASPECTS_CLASSIC = 0, // of every release so far
    MEZ_ASPECTS_RENUMBERED,  // of the next break of the ABI: all from 25 on moved
    MEZ_ASPECT_NUMBERINGS
} mez_aspect_numbering;

// "fp64". Never NULL for an aspect.
const char *mez_aspect_name(mez_aspect aspect);

// By its name, or another one it has had; "aspect::" in front is ignored.
mez_aspect mez_aspect_find(const char *name, size_t length);

// False: it has no number there.
bool mez_aspect_get_number(mez_aspect aspect, mez_aspect_numbering numbering, uint32_t *number);

mez_aspect mez_aspect_from_number(mez_aspect_numbering numbering, uint32_t number);

// The known name nearest to a misspelt one, for messages; NULL: none is near.
const char *mez_aspect_suggest(const char *name, size_t length);

// --- Sets. Zeroed memory is the empty one.

#define MEZ_ASPECT_WORDS ((MEZ_ASPECT_COUNT + 63) / 64)

typedef struct mez_aspects {
    uint64_t words[MEZ_ASPECT_WORDS];
} mez_aspects;

static inline void mez_aspects_add(mez_aspects *set, mez_aspect aspect)
{
    set->words[aspect / 64] |= UINT64_C(1) << (aspect % 64);
}

static inline bool mez_aspects_has(const mez_aspects *set, mez_aspect aspect)
{
    return set->words[aspect / 64] >> (aspect % 64) & 1;
}

// True: `set` has grown.
bool mez_aspects_unite(mez_aspects *set, const mez_aspects *more);

// Those of `set` that `without` has not.
mez_aspects mez_aspects_except(const mez_aspects *set, const mez_aspects *without);

// Visits the aspects of a set, by their place in the table.
#define mez_aspects_each(set, it)                                                     \
    for (mez_aspect it = mez_aspects_next(set, (mez_aspect)0); it < MEZ_ASPECT_COUNT; \
         it = mez_aspects_next(set, (mez_aspect)(it + 1)))

// The first one from `from` on; MEZ_ASPECT_COUNT: none.
mez_aspect mez_aspects_next(const mez_aspects *set, mez_aspect from);

#endif
