// SPDX-License-Identifier: MIT
//
// From addresses of code that runs to lines of source.

#ifndef ZC_ENGINE_LINES_H
#define ZC_ENGINE_LINES_H

#include "program.h"

// Sets file and line of the first address that is in code of the kernel's, if that has debug information: code[0] is an
// instruction, the others may be what functions return to.
void zc_lines_find(const struct zc_kernel_code *kernel, const uintptr_t *code, size_t count,
    struct zc_place *place);

#endif
