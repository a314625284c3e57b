// SPDX-License-Identifier: MIT
//
// The types that kernels take, and their names.

#ifndef TYPE_H
#define TYPE_H

#include <stddef.h>

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

#endif
