// SPDX-License-Identifier: MIT

#include "check/matrix.h"

#include <string.h>

bool mez_matrix_split(mez_slice words, mez_matrix_words *split)
{
    split->count = 0;
    for (size_t start = 0; start <= words.length; split->count++) {
        size_t end = start;
        while (end < words.length && words.start[end] != ',')
            end++;
        if (end == start || split->count == MEZ_MATRIX_PARTS)
            return false;
        split->parts[split->count] = (mez_slice){words.start + start, end - start};
        start = end + 1;
    }
    return true;
}

static bool is_word(mez_slice words, const char *wanted)
{
    return words.length == strlen(wanted) && memcmp(words.start, wanted, words.length) == 0;
}

// "matrix_type::fp16" -> "fp16"; it may stand without its scope.
static mez_slice without(const char *scope, mez_slice words)
{
    const size_t length = strlen(scope);
    if (words.length < length || memcmp(words.start, scope, length) != 0)
        return words;
    return (mez_slice){words.start + length, words.length - length};
}

static uint32_t read_type(mez_slice words)
{
    static const char *const names[] = {"bf16", "fp16", "tf32", "fp32", "fp64", "sint8", "sint16",
        "sint32", "sint64", "uint8", "uint16", "uint32", "uint64"}; // as their bits
    const mez_slice name = without("matrix_type::", words);
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_word(name, names[i]))
            return UINT32_C(1) << i;
    return 0;
}

static bool read_use(mez_slice words, mez_matrix_use *use)
{
    static const char *const names[] = {
        [MEZ_MATRIX_A] = "a", [MEZ_MATRIX_B] = "b", [MEZ_MATRIX_ACCUMULATOR] = "accumulator"};
    const mez_slice name = without("use::", words);
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        *use = (mez_matrix_use)i;
        if (is_word(name, names[i]))
            return true;
    }
    return false;
}

static bool read_size(mez_slice words, uint32_t *size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < words.length; i++) {
        if (words.start[i] < '0' || words.start[i] > '9')
            return false;
        value = value * 10 + (uint64_t)(words.start[i] - '0');
        if (value > UINT32_MAX)
            return false;
    }
    *size = (uint32_t)value;
    return true;
}

bool mez_matrix_read(const mez_matrix_words *words, mez_matrix *matrix)
{
    if (words->count != 4)
        return false;
    matrix->type = read_type(words->parts[0]);
    return read_use(words->parts[1], &matrix->use) && read_size(words->parts[2], &matrix->rows) &&
           read_size(words->parts[3], &matrix->columns);
}

bool mez_matrix_mad_read(const mez_matrix_words *words, mez_matrix_mad *mad)
{
    if (words->count != 7)
        return false;
    mad->a = read_type(words->parts[0]);
    mad->b = read_type(words->parts[1]);
    mad->c = read_type(words->parts[2]);
    mad->d = read_type(words->parts[3]);
    return read_size(words->parts[4], &mad->m) && read_size(words->parts[5], &mad->k) &&
           read_size(words->parts[6], &mad->n);
}

static bool fits(uint32_t size, uint32_t exact, uint32_t most)
{
    return exact ? size == exact : size <= most;
}

static bool fits_shape(const mez_matrix_combination *combination, const mez_matrix *matrix)
{
    const mez_matrix_combination *own = combination;
    const bool rows_are_k = matrix->use == MEZ_MATRIX_B,
               columns_are_k = matrix->use == MEZ_MATRIX_A;
    return fits(matrix->rows, rows_are_k ? own->k : own->m, rows_are_k ? own->max_k : own->max_m) &&
           fits(matrix->columns, columns_are_k ? own->k : own->n,
               columns_are_k ? own->max_k : own->max_n);
}

bool mez_matrix_fits(const mez_matrix_combination *combination, const mez_matrix *matrix)
{
    const uint32_t types[] = {
        [MEZ_MATRIX_A] = combination->a,
        [MEZ_MATRIX_B] = combination->b,
        [MEZ_MATRIX_ACCUMULATOR] = combination->c | combination->d,
    };
    return types[matrix->use] & matrix->type && fits_shape(combination, matrix);
}

bool mez_matrix_mad_fits(const mez_matrix_combination *combination, const mez_matrix_mad *mad)
{
    return combination->a & mad->a && combination->b & mad->b && combination->c & mad->c &&
           combination->d & mad->d && fits(mad->m, combination->m, combination->max_m) &&
           fits(mad->k, combination->k, combination->max_k) &&
           fits(mad->n, combination->n, combination->max_n);
}
