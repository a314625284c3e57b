// SPDX-License-Identifier: MIT
//
// Where an instruction of the program is, in words.
#ifndef ZE_CPU_CODE_PLACE_H
#define ZE_CPU_CODE_PLACE_H

#include <stddef.h>
#include <stdint.h>

// Writes ", at FILE+0xOFFSET", which addr2line takes, or nothing where it is not known. `size` is not 0.
void zc_code_describe(uintptr_t code, char *text, size_t size);

#endif
