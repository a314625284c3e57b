// SPDX-License-Identifier: MIT

#include "number.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "half.h"

#define MOST_NUMBER_LENGTH 127 // of a number's text; nobody means a longer one

// Digits only, all of the text. False: it is not a number, or `*too_large`.
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
        return problem_set(
            problem, "%.*s is too large: the maximum is %" PRIu64, shown, text, most);
    return problem_set(problem, "\"%.*s\" is not a whole number", shown, text);
}

static bool not_a_number(const char *text, struct problem *problem)
{
    return problem_set(problem, "\"%.40s\" is not a number", text);
}

static bool does_not_fit(const struct number_type *type, const char *text, struct problem *problem)
{
    return problem_set(problem, "%s:%.40s is out of range for the type", type->short_name, text);
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
        return problem_set(problem, "\"%.40s...\" is not a number", text);
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

// All 64 bits of integers have their place in it on x86-64.
static long double load_any(const struct number_type *type, const void *bytes)
{
    if (type->kind == NUMBER_FLOAT)
        return (long double)load_double(type, bytes);
    uint64_t number = 0;
    memcpy(&number, bytes, type->size);
    return type->kind == NUMBER_SIGNED ? (long double)sign_extend(number, type->size)
                                       : (long double)number;
}

bool number_is_near(
    const struct number_type *type, const void *number, const void *wanted, double tolerance)
{
    const long double a = load_any(type, number), b = load_any(type, wanted);
    if (a == b || (isnan(a) && isnan(b)))
        return true;
    if (isinf(a) || isinf(b))
        return false;
    return fabsl(a - b) <= (long double)tolerance * fmaxl(1, fabsl(b));
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
