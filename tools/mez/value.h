// SPDX-License-Identifier: MIT
//
// Values as the user writes them: `f32:2.0`, `u64:0x10`, `float4:1,2,3,4`.

#ifndef VALUE_H
#define VALUE_H

#include "number.h"

struct value {
    struct value_type type;
    unsigned char bytes[MOST_VALUE_BYTES]; // value_type_size(&type) of them are used
};

// Reads what stands behind the colon: as many numbers as the type has components, with commas between.
bool value_parse(
    const struct value_type *type, const char *text, unsigned char *bytes, struct problem *problem);

// A vector prints as (1, 2, 3, 4).
void value_print(FILE *stream, const struct value_type *type, const void *bytes);

#endif
