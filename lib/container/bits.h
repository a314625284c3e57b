// SPDX-License-Identifier: MIT
//
// Little-endian numbers at any alignment, and ranges of bytes. All containers are little-endian, as the hosts that Level Zero runs on.

#ifndef MEZ_CONTAINER_BITS_H
#define MEZ_CONTAINER_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
