// SPDX-License-Identifier: MIT
//
// Joint matrices: what code asks for, in the words of its property sets, and what architectures have.
//
// Thread-safety: safe, nothing here changes.

#ifndef MEZ_CHECK_MATRIX_H
#define MEZ_CHECK_MATRIX_H

#include "check/requirements.h"

// Types of elements, a bit each.
typedef enum mez_matrix_type {
    MEZ_MATRIX_BF16 = 1 << 0,
    MEZ_MATRIX_FP16 = 1 << 1,
    MEZ_MATRIX_TF32 = 1 << 2,
    MEZ_MATRIX_FP32 = 1 << 3,
    MEZ_MATRIX_FP64 = 1 << 4,
    MEZ_MATRIX_SINT8 = 1 << 5,
    MEZ_MATRIX_SINT16 = 1 << 6,
    MEZ_MATRIX_SINT32 = 1 << 7,
    MEZ_MATRIX_SINT64 = 1 << 8,
    MEZ_MATRIX_UINT8 = 1 << 9,
    MEZ_MATRIX_UINT16 = 1 << 10,
    MEZ_MATRIX_UINT32 = 1 << 11,
    MEZ_MATRIX_UINT64 = 1 << 12,
} mez_matrix_type;

// d = a * b + c, where a has m rows and k columns, b k and n, c and d m and n. Each type may be any of its bits.
typedef struct mez_matrix_combination {
    uint32_t max_m, max_n, max_k; // where the exact size is 0
    uint32_t m, n, k;
    uint32_t a, b, c, d;
} mez_matrix_combination;

// Those of an architecture, by the name of its target. NULL: none is known.
const mez_matrix_combination *mez_matrix_combinations(const char *target, uint32_t *count);

#define MEZ_MATRIX_PARTS 7

// The parts between the commas of a requirement: "matrix_type::fp16,use::a,8,16".
typedef struct mez_matrix_words {
    mez_slice parts[MEZ_MATRIX_PARTS];
    uint32_t count;
} mez_matrix_words;

// False: too many parts, or an empty one.
bool mez_matrix_split(mez_slice words, mez_matrix_words *split);

typedef enum mez_matrix_use { MEZ_MATRIX_A, MEZ_MATRIX_B, MEZ_MATRIX_ACCUMULATOR } mez_matrix_use;

typedef struct mez_matrix {
    uint32_t type; // 0: one that we do not know, which nothing supports
    mez_matrix_use use;
    uint32_t rows, columns;
} mez_matrix;

typedef struct mez_matrix_mad {
    uint32_t a, b, c, d; // types, as above
    uint32_t m, k, n;
} mez_matrix_mad;

// False: the parts are not those of a matrix, or of a multiplication.
bool mez_matrix_read(const mez_matrix_words *words, mez_matrix *matrix);
bool mez_matrix_mad_read(const mez_matrix_words *words, mez_matrix_mad *mad);

#endif
