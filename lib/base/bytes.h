// SPDX-License-Identifier: MIT
//
// Bytes that grow: what a writer fills; and numbers that a reader finds among bytes. When memory runs out a writer stays failed, so that
// it asks once, at its end.

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

// --- Reading
//
// Little-endian numbers at any alignment, and ranges of bytes. All containers are little-endian, as the hosts that Level Zero runs on.

static inline uint32_t mez_read_u32(const void *bytes)
{
    const uint8_t *b = bytes;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline uint16_t mez_read_u16(const void *bytes)
{
    const uint8_t *b = bytes;
    return (uint16_t)(b[0] | b[1] << 8);
}

static inline uint64_t mez_read_u64(const void *bytes)
{
    return mez_read_u32(bytes) | (uint64_t)mez_read_u32((const uint8_t *)bytes + 4) << 32;
}

// Do `size` bytes from `offset` on lie within `whole` bytes? No sum that could overflow.
static inline bool mez_range_fits(uint64_t offset, uint64_t size, uint64_t whole)
{
    return offset <= whole && size <= whole - offset;
}

#endif
