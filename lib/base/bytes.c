// SPDX-License-Identifier: MIT

#include "base/bytes.h"

#include <string.h>

#include "base/alloc.h"

#define FIRST_CAPACITY 256

// Where `size` more bytes go; NULL: no memory.
static uint8_t *reserve(mez_bytes *bytes, size_t size)
{
    size_t needed;
    if (bytes->failed || __builtin_add_overflow(bytes->size, size, &needed)) {
        bytes->failed = true;
        return NULL;
    }
    if (needed > bytes->capacity || !bytes->data) {
        size_t capacity = needed <= FIRST_CAPACITY ? FIRST_CAPACITY : needed;
        if (capacity < SIZE_MAX / 2)
            capacity *= 2;
        uint8_t *data = mez_realloc_array(bytes->data, capacity, 1);
        if (!data) {
            bytes->failed = true;
            return NULL;
        }
        bytes->data = data;
        bytes->capacity = capacity;
    }
    uint8_t *place = bytes->data + bytes->size;
    bytes->size = needed;
    return place;
}

void mez_bytes_add(mez_bytes *bytes, const void *data, size_t size)
{
    uint8_t *place = reserve(bytes, size);
    if (place && size)
        memcpy(place, data, size);
}

void mez_bytes_add_zeros(mez_bytes *bytes, size_t size)
{
    uint8_t *place = reserve(bytes, size);
    if (place && size)
        memset(place, 0, size);
}

void mez_bytes_append(mez_bytes *bytes, const mez_bytes *more)
{
    mez_bytes_add(bytes, more->data, more->size);
    bytes->failed |= more->failed;
}

void mez_bytes_add_text(mez_bytes *bytes, const char *text)
{
    mez_bytes_add(bytes, text, strlen(text));
}

static void add_number(mez_bytes *bytes, uint64_t value, size_t size)
{
    uint8_t digits[8];
    for (size_t i = 0; i < size; i++)
        digits[i] = (uint8_t)(value >> 8 * i);
    mez_bytes_add(bytes, digits, size);
}

void mez_bytes_add_u16(mez_bytes *bytes, uint16_t value)
{
    add_number(bytes, value, sizeof value);
}

void mez_bytes_add_u32(mez_bytes *bytes, uint32_t value)
{
    add_number(bytes, value, sizeof value);
}

void mez_bytes_add_u64(mez_bytes *bytes, uint64_t value)
{
    add_number(bytes, value, sizeof value);
}

void mez_bytes_align(mez_bytes *bytes, size_t alignment)
{
    mez_bytes_add_zeros(bytes, (alignment - bytes->size % alignment) % alignment);
}

void mez_bytes_finish(mez_bytes *bytes)
{
    mez_free_memory(bytes->data);
    *bytes = (mez_bytes){0};
}
