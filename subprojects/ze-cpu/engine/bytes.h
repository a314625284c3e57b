// SPDX-License-Identifier: MIT
//
// Writing and reading bytes field by field, for native.c. Numbers are in the machine's byte order.

#ifndef ZC_ENGINE_BYTES_H
#define ZC_ENGINE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A block of bytes that somebody else owns; size 0: there is none.
struct zc_span {
    const void *data;
    size_t size;
};

// Zero-initialised: empty. `bytes` is malloc'ed and goes to whoever takes it.
struct zc_writer {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
    bool failed; // memory was short; nothing is written after that
};

void zc_put(struct zc_writer *writer, const void *bytes, size_t size);
void zc_put_u32(struct zc_writer *writer, uint32_t value);
void zc_put_u64(struct zc_writer *writer, uint64_t value);
void zc_put_text(struct zc_writer *writer, const char *text);
void zc_put_span(struct zc_writer *writer, struct zc_span span);

// What get functions return lies within the bytes that are read; after a fault it is 0, "" or empty.
struct zc_reader {
    const uint8_t *next;
    size_t left;
    const char *fault; // the first; nothing is read after it
};
extern const char ZC_READ_NO_MEMORY[]; // a fault

void zc_set_fault(struct zc_reader *reader, const char *fault);
uint32_t zc_get_u32(struct zc_reader *reader);
uint64_t zc_get_u64(struct zc_reader *reader);
const char *zc_get_text(struct zc_reader *reader); // never NULL
struct zc_span zc_get_span(struct zc_reader *reader);
// Reads a count and makes zeroed room for a list of so many elements, which the caller frees. Each
// takes at least `least` bytes to come, which bounds what a wrong count can ask for. NULL with a
// count of 0 after a fault.
void *zc_get_list(struct zc_reader *reader, uint32_t *count, size_t least, size_t element_size);

#endif
