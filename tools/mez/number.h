// SPDX-License-Identifier: MIT
//
// Numbers of the types that kernels take: their names, from text to bytes and back.

#ifndef NUMBER_H
#define NUMBER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "problem.h"

#define MOST_COMPONENTS 16
#define MOST_VALUE_BYTES (MOST_COMPONENTS * 8)

enum number_kind { NUMBER_SIGNED, NUMBER_UNSIGNED, NUMBER_FLOAT };

struct number_type {
    const char *name;       // as in OpenCL C: "float"
    const char *short_name; // "f32"
    enum number_kind kind;
    size_t size; // bytes: 1, 2, 4 or 8
};

// A number or a vector of numbers.
struct value_type {
    const struct number_type *number;
    unsigned components; // 1, 2, 3, 4, 8 or 16
};

// Reads a name: float, f32, float4, f32x4. Note that int8 is eight ints, as in OpenCL C.
bool value_type_parse(
    const char *text, size_t length, struct value_type *type, struct problem *problem);

// Bytes in memory; three components take the room of four, as in OpenCL C.
size_t value_type_size(const struct value_type *type);

// "float4". `name` has room for VALUE_TYPE_NAME bytes.
#define VALUE_TYPE_NAME 16
void value_type_name(const struct value_type *type, char *name);

// Reads one number, all of the text: integers in decimal or 0x hexadecimal, floating point as C's strtod has it, in the C
// locale. What does not fit the type is refused. Writes `type->size` bytes.
bool number_parse(const struct number_type *type, const char *text, size_t length, void *bytes,
    struct problem *problem);

// The low bits of the number; as a floating point number its value, rounded.
void number_from_integer(const struct number_type *type, uint64_t number, void *bytes);

// The number in [0, 1) for floating point; all bits used for integers.
void number_from_random_bits(const struct number_type *type, uint64_t bits, void *bytes);

// Prints so that reading the text gives the same number.
void number_print(FILE *stream, const struct number_type *type, const void *bytes);

// A count: decimal or 0x hexadecimal, no sign, up to `most`.
bool count_parse(
    const char *text, size_t length, uint64_t most, uint64_t *count, struct problem *problem);

#endif
