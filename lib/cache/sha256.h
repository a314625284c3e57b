// SPDX-License-Identifier: MIT
//
// SHA-256 (FIPS 180-4). Keys must be such that no two different inputs ever meet, for nobody compares the inputs themselves.
//
// Thread-safety: none for one state.

#ifndef MEZ_CACHE_SHA256_H
#define MEZ_CACHE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { MEZ_SHA256_BYTES = 32, MEZ_SHA256_BLOCK = 64 };

typedef struct mez_sha256 {
    uint32_t words[8];
    uint64_t length; // bytes so far
    uint8_t block[MEZ_SHA256_BLOCK];
} mez_sha256;

void mez_sha256_init(mez_sha256 *state);
void mez_sha256_add(mez_sha256 *state, const void *bytes, size_t size);
void mez_sha256_finish(mez_sha256 *state, uint8_t digest[MEZ_SHA256_BYTES]);

#endif
