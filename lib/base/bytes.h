// SPDX-License-Identifier: MIT
//
// Bytes that grow: what a writer fills. When memory runs out it stays failed, so that a writer asks once, at its end.

#ifndef MEZ_BASE_BYTES_H
#define MEZ_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mez_bytes {
    uint8_t *data; // NULL: empty
    size_t size;
    size_t capacity;
    bool failed; // something did not fit into the host's memory; data is what came before
} mez_bytes;

void mez_bytes_add(mez_bytes *bytes, const void *data, size_t size);
void mez_bytes_add_zeros(mez_bytes *bytes, size_t size);

// What another one holds, and its failure.
void mez_bytes_append(mez_bytes *bytes, const mez_bytes *more);

// The characters of the text, without its NUL.
void mez_bytes_add_text(mez_bytes *bytes, const char *text);

// Little-endian.
void mez_bytes_add_u16(mez_bytes *bytes, uint16_t value);
void mez_bytes_add_u32(mez_bytes *bytes, uint32_t value);
void mez_bytes_add_u64(mez_bytes *bytes, uint64_t value);

// Zeros until the size is a multiple of `alignment`.
void mez_bytes_align(mez_bytes *bytes, size_t alignment);

void mez_bytes_finish(mez_bytes *bytes);

#endif
