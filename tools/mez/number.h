// SPDX-License-Identifier: MIT
//
// Numbers of the types that kernels take: from text to bytes and back.

#ifndef NUMBER_H
#define NUMBER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "problem.h"
#include "type.h"

// Reads one number, all of the text: integers in decimal or 0x hexadecimal, floating point as C's strtod has it, in the C
// locale. What does not fit the type is refused. Writes `type->size` bytes.
bool number_parse(const struct number_type *type, const char *text, size_t length, void *bytes,
    struct problem *problem);

// The low bits of the number; as a floating point number its value, rounded.
void number_from_integer(const struct number_type *type, uint64_t number, void *bytes);

// The number in [0, 1) for floating point; all bits used for integers.
void number_from_random_bits(const struct number_type *type, uint64_t bits, void *bytes);

// Is the number what was wanted, give or take `tolerance` (at least 0), which is relative for magnitudes above 1? NaN is what was
// wanted where NaN was.
bool number_is_near(
    const struct number_type *type, const void *number, const void *wanted, double tolerance);

// Prints so that reading the text gives the same number.
void number_print(FILE *stream, const struct number_type *type, const void *bytes);

// A count: decimal or 0x hexadecimal, no sign, up to `most`.
bool count_parse(
    const char *text, size_t length, uint64_t most, uint64_t *count, struct problem *problem);

#endif
