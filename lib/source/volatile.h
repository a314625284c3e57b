// SPDX-License-Identifier: MIT
//
// Does a compilation depend on more than the content of files: on the time, or on whether a file is there? Its options and all that
// it reads are looked through for the macros that ask so, whole or in pieces that ## may put together, in whichever file they stand.
// Comments and strings count as well, and so do pieces that nothing puts together: what is kept is to be right, what is compiled
// once more costs time alone.
//
// Thread-safety: none for the same object.

#ifndef MEZ_SOURCE_VOLATILE_H
#define MEZ_SOURCE_VOLATILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MEZ_VOLATILE_WORDS = 6, MEZ_VOLATILE_LENGTH = 18 };

// Zeroed memory has seen nothing.
typedef struct mez_volatile {
    bool pastes; // ## was seen
    // Of each word and each of its characters the lengths of the pieces that begin there, as bits: that were seen as identifiers.
    uint32_t pieces[MEZ_VOLATILE_WORDS][MEZ_VOLATILE_LENGTH];
} mez_volatile;

void mez_volatile_look(mez_volatile *seen, const char *text, size_t size);
bool mez_volatile_is(const mez_volatile *seen);

#endif
