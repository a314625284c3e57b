// SPDX-License-Identifier: MIT
//
// Sources that can be read once, as pipes, or by this process alone, as its standard input: the compiler gets what was read of them.
//
// Thread-safety: safe.

#ifndef MEZ_COMPILE_STREAM_H
#define MEZ_COMPILE_STREAM_H

#include <stdbool.h>

// False where there is nothing of this name, too.
bool mez_compile_is_stream(const char *path);

#endif
