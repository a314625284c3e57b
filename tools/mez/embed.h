// SPDX-License-Identifier: MIT
//
// Bytes as C and as an object file, under a name, for programs that hold their kernels themselves:
//
//     extern const uint32_t heat_spv[];      // aligned for 64 bits
//     extern const size_t heat_spv_size;     // bytes

#ifndef EMBED_H
#define EMBED_H

#include "base/bytes.h"

// An identifier of C from a path: "heat_spv" of "kernels/heat.cl" and "spv"; for mez_free_memory. NULL: no memory.
char *embed_name(const char *path, const char *ending);
bool embed_is_name(const char *name);
// A keyword of C or C++, which nothing can be called by.
bool embed_is_word(const char *name);
// A name that compilers or headers of C may have for something else, and so may not be chosen.
bool embed_is_known(const char *name);

// A header that defines both as static, however often it is included. `source` is named in its first line. Whole words are taken: a
// size that is not a multiple of 4 gets zeros behind it, which the size does not count.
void embed_header(
    const void *bytes, size_t size, const char *name, const char *source, mez_bytes *text);

// An object file for this machine: ELF for 64 bits. False: for this machine none can be written.
bool embed_object(const void *bytes, size_t size, const char *name, mez_bytes *object);

#endif
