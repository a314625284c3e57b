// SPDX-License-Identifier: MIT
//
// The value of "symbols" in an OffloadBinary: the kernels of an image. Two forms have been written:
//
//   names, each with a NUL behind it
//   u32 count; for each name u32 offset from the start, u32 length; then the names, each with a NUL behind it

#ifndef MEZ_CONTAINER_OFFLOAD_SYMBOLS_H
#define MEZ_CONTAINER_OFFLOAD_SYMBOLS_H

#include "base/bytes.h"
#include "container/bundle.h"

// Either form. Whatever the bytes, they are a list of names, if they are not the second form.
mez_error mez_binary_take_symbols(
    mez_bundle *bundle, mez_binary *binary, const void *bytes, size_t size);

// In the second form, which is today's.
void mez_binary_write_symbols(const mez_binary *binary, mez_bytes *bytes);

#endif
