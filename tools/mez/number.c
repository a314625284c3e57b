// SPDX-License-Identifier: MIT

#include "number.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "half.h"

#define MOST_NUMBER_LENGTH 127 // of a number's text; more is no number that anybody means

static const struct number_type types[] = {
    {"char", "i8", NUMBER_SIGNED, 1},
    {"uchar", "u8", NUMBER_UNSIGNED, 1},
    {"short", "i16", NUMBER_SIGNED, 2},
    {"ushort", "u16", NUMBER_UNSIGNED, 2},
    {"int", "i32", NUMBER_SIGNED, 4},
    {"uint", "u32", NUMBER_UNSIGNED, 4},
    {"long", "i64", NUMBER_SIGNED, 8},
    {"ulong", "u64", NUMBER_UNSIGNED, 8},
    {"half", "f16", NUMBER_FLOAT, 2},
    {"float", "f32", NUMBER_FLOAT, 4},
    {"double", "f64", NUMBER_FLOAT, 8},
};

static bool components_parse(const char *text, size_t length, unsigned *components)
{
    static const struct {
        const char *text;
        unsigned components;
    } known[] = {{"", 1}, {"2", 2}, {"3", 3}, {"4", 4}, {"8", 8}, {"16", 16}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].text) == length && memcmp(known[i].text, text, length) == 0) {
            *components = known[i].components;
            return true;
        }
    return false;
}

static bool begins_with(const char *text, size_t length, const char *start)
{
    return length >= strlen(start) && memcmp(text, start, strlen(start)) == 0;
}

static bool matches_name(const char *text, size_t length, const char *name, unsigned *components)
{
    if (!begins_with(text, length, name))
        return false;
    return components_parse(text + strlen(name), length - strlen(name), components);
}

// A short name ends in a digit, so an x stands before the count.
static bool matches_short_name(
    const char *text, size_t length, const char *name, unsigned *components)
{
    if (!begins_with(text, length, name))
        return false;
    text += strlen(name);
    length -= strlen(name);
    const size_t separator = length > 1 && *text == 'x';
    return components_parse(text + separator, length - separator, components) &&
           (separator || *components == 1);
}

bool value_type_parse(
    const char *text, size_t length, struct value_type *type, struct problem *problem)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        type->number = &types[i];
        if (matches_name(text, length, types[i].name, &type->components) ||
            matches_short_name(text, length, types[i].short_name, &type->components))
            return true;
    }
    return problem_set(problem,
        "\"%.*s\" is no type: use f16 f32 f64 i8 u8 i16 u16 i32 u32 i64 u64, a vector of them such "
        "as f32x4, or OpenCL C's names such as float4",
        (int)(length < 40 ? length : 40), text);
}

size_t value_type_size(const struct value_type *type)
{
    return type->number->size * (type->components == 3 ? 4 : type->components);
}

void value_type_name(const struct value_type *type, char *name)
{
    if (type->components == 1)
        snprintf(name, VALUE_TYPE_NAME, "%s", type->number->name);
    else
        snprintf(name, VALUE_TYPE_NAME, "%s%u", type->number->name, type->components);
}

// Digits only, all of the text. False: it is no number, or `*too_large`.
static bool magnitude_parse(const char *text, size_t length, uint64_t *number, bool *too_large)
{
    const bool hex = length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const unsigned base = hex ? 16 : 10;
    *number = 0;
    *too_large = false;
    if (length == 0)
        return false;
    for (size_t i = hex ? 2 : 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (hex ? !isxdigit(c) : !isdigit(c))
            return false;
        const unsigned digit = (unsigned)(isdigit(c) ? c - '0' : tolower(c) - 'a' + 10);
        *too_large = *too_large || __builtin_mul_overflow(*number, base, number) ||
                     __builtin_add_overflow(*number, digit, number);
    }
    return !*too_large;
}

bool count_parse(
    const char *text, size_t length, uint64_t most, uint64_t *count, struct problem *problem)
{
    bool too_large;
    const bool good = magnitude_parse(text, length, count, &too_large);
    if (good && *count <= most)
        return true;
    const int shown = (int)(length < 40 ? length : 40);
    if (good || too_large)
        return problem_set(problem, "%.*s is too large: the most is %" PRIu64, shown, text, most);
    return problem_set(problem, "\"%.*s\" is no count", shown, text);
}

static bool not_a_number(const char *text, struct problem *problem)
{
    return problem_set(problem, "\"%.40s\" is no number", text);
}

static bool does_not_fit(const struct number_type *type, const char *text, struct problem *problem)
{
    return problem_set(problem, "%s:%.40s does not fit", type->short_name, text);
}

static uint64_t largest_magnitude(const struct number_type *type, bool negative)
{
    const uint64_t all = UINT64_MAX >> (64 - 8 * type->size);
    if (type->kind == NUMBER_UNSIGNED)
        return negative ? 0 : all;
    return all / 2 + negative;
}

static bool integer_parse(
    const struct number_type *type, const char *text, void *bytes, struct problem *problem)
{
    const bool negative = *text == '-';
    const char *digits = text + (negative || *text == '+');
    uint64_t magnitude;
    bool too_large;
    if (!magnitude_parse(digits, strlen(digits), &magnitude, &too_large) && !too_large)
        return not_a_number(text, problem);
    if (too_large || magnitude > largest_magnitude(type, negative))
        return does_not_fit(type, text, problem);
    const uint64_t number = negative ? 0 - magnitude : magnitude;
    memcpy(bytes, &number, type->size); // little endian, as every host of Level Zero
    return true;
}

static void store_double(const struct number_type *type, double number, void *bytes)
{
    const uint16_t half = half_from_double(number);
    const float single = (float)number;
    const void *from = type->size == 2   ? (const void *)&half
                       : type->size == 4 ? (const void *)&single
                                         : (const void *)&number;
    memcpy(bytes, from, type->size);
}

static double load_double(const struct number_type *type, const void *bytes)
{
    uint16_t half;
    float single;
    double number;
    switch (type->size) {
    case 2:
        memcpy(&half, bytes, sizeof half);
        return half_to_double(half);
    case 4:
        memcpy(&single, bytes, sizeof single);
        return (double)single;
    default:
        memcpy(&number, bytes, sizeof number);
        return number;
    }
}

static bool float_parse(
    const struct number_type *type, const char *text, void *bytes, struct problem *problem)
{
    char *end;
    if (isspace((unsigned char)*text)) // which strtod would skip
        return not_a_number(text, problem);
    // strtof rounds once; a float made from strtod's double would be rounded twice.
    const double number = type->size == 4 ? (double)strtof(text, &end) : strtod(text, &end);
    if (end == text || *end)
        return not_a_number(text, problem);
    store_double(type, number, bytes);
    const bool infinity_was_meant = strpbrk(text, "iI") != NULL;
    if (isinf(load_double(type, bytes)) && !infinity_was_meant)
        return does_not_fit(type, text, problem);
    return true;
}

bool number_parse(const struct number_type *type, const char *text, size_t length, void *bytes,
    struct problem *problem)
{
    char number[MOST_NUMBER_LENGTH + 1];
    if (length > MOST_NUMBER_LENGTH)
        return problem_set(problem, "\"%.40s...\" is no number", text);
    memcpy(number, text, length);
    number[length] = '\0';
    if (type->kind == NUMBER_FLOAT)
        return float_parse(type, number, bytes, problem);
    return integer_parse(type, number, bytes, problem);
}

void number_from_integer(const struct number_type *type, uint64_t number, void *bytes)
{
    if (type->kind == NUMBER_FLOAT)
        store_double(type, (double)number, bytes);
    else
        memcpy(bytes, &number, type->size);
}

void number_from_random_bits(const struct number_type *type, uint64_t bits, void *bytes)
{
    if (type->kind != NUMBER_FLOAT) {
        memcpy(bytes, &bits, type->size);
        return;
    }
    // As many bits as the mantissa holds, so that rounding never reaches 1.
    const int mantissa = type->size == 2 ? 11 : type->size == 4 ? 24 : 53;
    store_double(type, ldexp((double)(bits >> (64 - mantissa)), -mantissa), bytes);
}

static int64_t sign_extend(uint64_t number, size_t size)
{
    const unsigned unused = (unsigned)(64 - 8 * size);
    return (int64_t)(number << unused) >> unused;
}

void number_print(FILE *stream, const struct number_type *type, const void *bytes)
{
    if (type->kind == NUMBER_FLOAT) {
        const int digits = type->size == 2 ? 5 : type->size == 4 ? 9 : 17;
        fprintf(stream, "%.*g", digits, load_double(type, bytes));
        return;
    }
    uint64_t number = 0;
    memcpy(&number, bytes, type->size);
    if (type->kind == NUMBER_SIGNED)
        fprintf(stream, "%" PRId64, sign_extend(number, type->size));
    else
        fprintf(stream, "%" PRIu64, number);
}
