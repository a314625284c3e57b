// SPDX-License-Identifier: MIT
//
// What a compilation depended on besides its own text and options: files that it read, and files that it would have read instead if
// they had been there. As bytes, which are an entry of the cache.
//
// Thread-safety: none for the same list.

#ifndef MEZ_SOURCE_INPUTS_H
#define MEZ_SOURCE_INPUTS_H

#include "base/bytes.h"

typedef enum mez_source_input_kind {
    MEZ_SOURCE_READ = 'R',
    MEZ_SOURCE_ABSENT = 'A',
} mez_source_input_kind;

typedef struct mez_source_input {
    mez_source_input_kind kind;
    const char *path; // points into the list
} mez_source_input;

// More inputs than a start should look at.
#define MEZ_SOURCE_MOST_BYTES ((size_t)1 << 20)

void mez_source_inputs_add(mez_bytes *list, mez_source_input_kind kind, const char *path);

// Takes the next one, from *offset on, which is 0 at the start. False: there is none.
bool mez_source_inputs_next(const void *list, size_t size, size_t *offset, mez_source_input *input);

// Are the bytes a list? Nothing else may be asked of those that are not.
bool mez_source_inputs_are_whole(const void *list, size_t size);

#endif
