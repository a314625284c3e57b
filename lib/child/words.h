// SPDX-License-Identifier: MIT
//
// The words of a command line, and taking options apart as a shell does: at blanks, except for what '...' or "..." hold together, and
// with \ before a character that is meant as it stands. Nothing is expanded.
//
// Thread-safety: none; what is only read may be read by many threads.

#ifndef MEZ_CHILD_WORDS_H
#define MEZ_CHILD_WORDS_H

#include "base/error.h"
#include "base/vector.h"

// Zeroed memory is an empty list. The words belong to the list.
// `items` has a NULL behind the last word, and is NULL itself where there is none.
typedef MEZ_VECTOR(char *) mez_words;

// A copy of the word at the end. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_words_add(mez_words *words, const char *word);

// The words of `text` at the end. MEZ_ERRC_INVALID_PARAMETER: a quotation mark without its partner, or a \ at the end; the story has the
// text. MEZ_ERRC_OUT_OF_HOST_MEMORY. After an error some may have been added.
mez_error mez_words_split(mez_words *words, const char *text);

void mez_words_finish(mez_words *words);

#endif
