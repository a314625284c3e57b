// SPDX-License-Identifier: MIT
//
// What a file is, for commands that take one sort of files alone and say what the wrong one is.

#ifndef CONTENTS_H
#define CONTENTS_H

#include <stddef.h>

// "a SYCLBIN", "an OffloadBinary" or "a file table", by its titles or its name; NULL: no container of several images.
const char *contents_container(const char *path, const void *bytes, size_t size);

// The same, or "SPIR-V", "native code", "LLVM bitcode", "compressed by zstd"; NULL: nothing that the library takes.
const char *contents_name(const char *path, const void *bytes, size_t size);

#endif
