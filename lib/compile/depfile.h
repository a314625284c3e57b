// SPDX-License-Identifier: MIT
//
// The list of files that a compiler has read, as it writes it for make: `target: file file \` with more lines, where a \ stands
// before a blank, a # or a \ of a name, and $$ for a $.
//
// Thread-safety: none for the same list.

#ifndef MEZ_COMPILE_DEPFILE_H
#define MEZ_COMPILE_DEPFILE_H

#include "base/bytes.h"
#include "child/words.h"

// Adds the files of all rules in their order, each once. MEZ_ERRC_FILE: this is not such a list. MEZ_ERRC_OUT_OF_HOST_MEMORY. After an
// error some may have been added.
mez_error mez_depfile_read(const char *text, size_t size, mez_words *files);

// Writes such a list, with an empty rule for each file but `source`, which may be NULL: make goes on where a header has gone that
// nothing includes any more. What can't be written in one, a line's end in a name or a \ at its end, and in the target what make reads as
// more than a name (: % = ; and a last &), is MEZ_ERRC_INVALID_PARAMETER.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_depfile_write(
    const char *target, const char *source, const mez_words *files, mez_bytes *text);

#endif
