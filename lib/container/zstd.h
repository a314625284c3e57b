// SPDX-License-Identifier: MIT
//
// Unpacking what zstd has packed. A few bytes can unpack to anything, so there is a limit, and memory grows with what has come out.

#ifndef MEZ_CONTAINER_ZSTD_H
#define MEZ_CONTAINER_ZSTD_H

#include <stdbool.h>

#include "base/bytes.h"
#include "base/error.h"

// Does it begin as zstd's frames do?
bool mez_zstd_recognise(const void *bytes, size_t size);

// Adds the contents of all frames to `unpacked`. `source` names the bytes in messages.
//
// MEZ_ERRC_INVALID_IMAGE: damaged, cut short, or, with *is_larger, more than `limit` bytes. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_zstd_unpack(const void *bytes, size_t size, size_t limit, const char *source,
    mez_bytes *unpacked, bool *is_larger);

// Adds one frame, at the level that device compilers use.
mez_error mez_zstd_pack(const void *bytes, size_t size, mez_bytes *packed);

#endif
