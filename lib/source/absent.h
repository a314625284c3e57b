// SPDX-License-Identifier: MIT
//
// Includes that would be found elsewhere if a file appeared there: a header in the second of two folders of -I is another one as
// soon as the first has one of its name.
//
// Thread-safety: safe.

#ifndef MEZ_SOURCE_ABSENT_H
#define MEZ_SOURCE_ABSENT_H

#include "child/words.h"
#include "source/inputs.h"

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

// Adds every place where the compiler may have looked for one of `files` in vain before it found it. Quoted includes are looked for
// beside the file that has them first, and `files` are all that may have any. Ends early where the list
// has more than MEZ_SOURCE_MOST_BYTES, which is of no use then. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_source_add_absent(
    const mez_source_folders *folders, const mez_words *files, mez_bytes *list);

#endif
