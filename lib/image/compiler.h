// SPDX-License-Identifier: MIT
//
// Which compiler stands behind the driver. No call tells, and a compiler that is replaced makes other binaries under the driver's old
// version: so the files themselves are looked at, and what users tell the compiler by its environment.

#ifndef MEZ_IMAGE_COMPILER_H
#define MEZ_IMAGE_COMPILER_H

#include <stdbool.h>

#include "base/text.h"

// Adds path, size and time of each driver that is loaded and of the compilers beside it, and the compiler's variables. The same
// text in the same state of the machine, whether the compiler is loaded yet or not. False: memory is short, and the text is
// worth nothing.
bool mez_compiler_describe(mez_text *text);

#endif
