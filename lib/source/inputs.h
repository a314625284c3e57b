// SPDX-License-Identifier: MIT
//
// What a compilation depended on besides its own text and options: files that it read, and files that it would have read instead if
// they had been there.
//
// Thread-safety: none for the same list.

#ifndef MEZ_SOURCE_INPUTS_H
#define MEZ_SOURCE_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "child/words.h"

// --- Lists
//
// As bytes, which are an entry of the cache.

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

// --- Files that are not there
//
// Includes that would be found elsewhere if a file appeared there: a header in the second of two folders of -I is another one as
// soon as the first has one of its name.

// Where the compiler looks for includes, as its options say, in its order.
typedef struct mez_source_folders {
    mez_words list;
    bool relative; // one of them depends on where the process is
} mez_source_folders;

// False: the options, or variables of clang, let the compiler read or look for what can't be followed here. The folders are to be
// finished in any case. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_source_folders_read(
    const mez_words *options, mez_source_folders *folders, bool *followed);
void mez_source_folders_finish(mez_source_folders *folders);

// Adds every place where the compiler may have looked for one of `files` without success before it found it. Quoted includes are looked for
// beside the file that has them first, and `files` are all that may have any. Ends early where the list
// has more than MEZ_SOURCE_MOST_BYTES, which is of no use then. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_source_add_absent(
    const mez_source_folders *folders, const mez_words *files, mez_bytes *list);

// --- More than files
//
// Does a compilation depend on more than the content of files: on the time, or on whether a file is there? Its options and all that
// it reads are looked through for the macros that ask so, whole or in pieces that ## may put together, in whichever file they stand.
// Comments and strings count as well, and so do pieces that nothing puts together: what is kept is to be right, what is compiled
// once more costs time alone.

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
