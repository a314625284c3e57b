// SPDX-License-Identifier: MIT
//
// What programs print, as text.
//
// Thread-safety: none for the same text.

#ifndef MEZ_COMPILE_LOG_H
#define MEZ_COMPILE_LOG_H

#include "base/text.h"

// Adds what the file has, its beginning where it is long: the first of a compiler's messages matter most. NULs become blanks, and
// the stack of a program of LLVM that crashed is left out. A file that can't be read adds nothing.
void mez_log_file(const char *path, mez_text *text);

#endif
