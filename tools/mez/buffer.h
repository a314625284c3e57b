// SPDX-License-Identifier: MIT
//
// Buffers as the user writes them, `float:1024=iota`, and what they are filled with.

#ifndef BUFFER_H
#define BUFFER_H

#include "value.h"

enum buffer_start {
    BUFFER_ZERO,   // all bytes zero: the default
    BUFFER_IOTA,   // 0, 1, 2, ... through all components; integers wrap around
    BUFFER_NUMBER, // one number in every component
    BUFFER_RANDOM, // the same numbers for the same seed, on every machine
    BUFFER_FILE,   // the file's bytes, exactly as many as the buffer has
};

struct buffer_spec {
    struct value_type type;
    uint64_t count; // elements of the type, at least 1
    enum buffer_start start;
    unsigned char number[8]; // of BUFFER_NUMBER
    uint64_t seed;           // of BUFFER_RANDOM
    const char *file;        // of BUFFER_FILE; points into the text
};

// Reads TYPE:COUNT[=START]. The size in bytes is checked to fit size_t.
bool buffer_parse(const char *text, struct buffer_spec *spec, struct problem *problem);

// Reads START for a buffer whose type and count are known.
bool buffer_start_parse(const char *text, struct buffer_spec *spec, struct problem *problem);

size_t buffer_size(const struct buffer_spec *spec);

// Writes the buffer_size(spec) bytes it starts with. False: the file can't be read or has another size.
bool buffer_fill(const struct buffer_spec *spec, void *bytes, struct problem *problem);

// What a buffer has where something else was expected.
struct buffer_difference {
    uint64_t elements; // that differ; 0: none
    uint64_t first;    // of them
};

// Compares as many elements as the buffer has, each component as number_is_near has it.
struct buffer_difference buffer_compare(
    const struct buffer_spec *spec, const void *bytes, const void *wanted, double tolerance);

// Prints elements, eight numbers a line, each line with the range of its elements.
void buffer_print(FILE *stream, const struct buffer_spec *spec, const void *bytes, uint64_t first,
    uint64_t count);

#endif
