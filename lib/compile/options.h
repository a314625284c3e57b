// SPDX-License-Identifier: MIT
//
// The options that users give for the compiler. What they mean is clang's business, except for those that would make it do something
// else than compile this one source.
//
// Thread-safety: safe.

#ifndef MEZ_COMPILE_OPTIONS_H
#define MEZ_COMPILE_OPTIONS_H

#include <stdbool.h>

#include "child/words.h"

typedef struct mez_compile_options {
    bool level;    // they say how much is optimised: -O.., -cl-opt-disable
    bool optimise; // and not that nothing is; true where they don't say
    bool standard; // they say which OpenCL C it is: -cl-std=
    bool cxx;      // and that it is C++ for OpenCL
} mez_compile_options;

// Is the next word the value of this one, as in "-I" "folder"?
bool mez_compile_option_takes_next(const char *word);

// `words` may be NULL. MEZ_ERRC_INVALID_PARAMETER: a word that is not an option, one without its value, or one that is not for users;
// it is named.
mez_error mez_compile_options_read(const mez_words *words, mez_compile_options *options);

#endif
