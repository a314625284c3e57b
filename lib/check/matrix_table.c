// SPDX-License-Identifier: MIT
//
// Which joint matrices the architectures multiply, as the published runtime has it.

#include <string.h>

#include "check/matrix.h"

#define INT8 (MEZ_MATRIX_SINT8 | MEZ_MATRIX_UINT8)

// Any number of rows up to a most, or all exact, or all up to a most.
#define ROWS_UP_TO(most, columns, depth) .max_m = (most), .n = (columns), .k = (depth)
#define EXACTLY(rows, columns, depth) .m = (rows), .n = (columns), .k = (depth)
#define UP_TO(rows, columns, depth) .max_m = (rows), .max_n = (columns), .max_k = (depth)

#define TYPES(factors, sums) .a = (factors), .b = (factors), .c = (sums), .d = (sums)

// Sums may be kept in 32 bits or in the type of the factors.
#define HALVES(type)                                                  \
    {ROWS_UP_TO(8, 16, 16), TYPES(type, MEZ_MATRIX_FP32 | (type))},   \
        {EXACTLY(16, 16, 16), TYPES(type, MEZ_MATRIX_FP32 | (type))}, \
        {EXACTLY(1, 64, 16), TYPES(type, MEZ_MATRIX_FP32 | (type))},  \
        {EXACTLY(32, 64, 16), TYPES(type, MEZ_MATRIX_FP32 | (type))}, \
        {EXACTLY(1, 64, 32), TYPES(type, MEZ_MATRIX_FP32 | (type))},  \
    {                                                                 \
        EXACTLY(32, 64, 32), TYPES(type, MEZ_MATRIX_FP32 | (type))    \
    }

static const mez_matrix_combination lanes_16[] = {
    {ROWS_UP_TO(8, 16, 32), TYPES(INT8, MEZ_MATRIX_SINT32)},
    HALVES(MEZ_MATRIX_FP16),
    HALVES(MEZ_MATRIX_BF16),
    {ROWS_UP_TO(8, 16, 8), TYPES(MEZ_MATRIX_TF32, MEZ_MATRIX_FP32)},
};

static const mez_matrix_combination lanes_8[] = {
    {ROWS_UP_TO(8, 8, 32), TYPES(INT8, MEZ_MATRIX_SINT32)},
    {ROWS_UP_TO(8, 8, 16), TYPES(MEZ_MATRIX_FP16, MEZ_MATRIX_FP32)},
    {ROWS_UP_TO(8, 8, 16), TYPES(MEZ_MATRIX_BF16, MEZ_MATRIX_FP32)},
    {EXACTLY(32, 32, 16), TYPES(MEZ_MATRIX_BF16, MEZ_MATRIX_FP32)},
};

// The first two are those of the older one.
static const mez_matrix_combination amx[] = {
    {UP_TO(16, 16, 64), TYPES(INT8, MEZ_MATRIX_SINT32)},
    {UP_TO(16, 16, 32), TYPES(MEZ_MATRIX_BF16, MEZ_MATRIX_FP32)},
    {UP_TO(16, 16, 32), TYPES(MEZ_MATRIX_FP16, MEZ_MATRIX_FP32)},
};

static const struct row {
    const char *target;
    const mez_matrix_combination *combinations;
    uint32_t count;
} rows[] = {
#define ALL(list) (list), sizeof(list) / sizeof *(list)
    {"intel_gpu_pvc", ALL(lanes_16)},
    {"intel_gpu_bmg_g21", ALL(lanes_16)},
    {"intel_gpu_lnl_m", ALL(lanes_16)},
    {"intel_gpu_ptl_h", ALL(lanes_16)},
    {"intel_gpu_ptl_u", ALL(lanes_16)},
    {"intel_gpu_acm_g10", ALL(lanes_8)},
    {"intel_gpu_acm_g11", ALL(lanes_8)},
    {"intel_gpu_acm_g12", ALL(lanes_8)},
    {"intel_gpu_arl_h", ALL(lanes_8)},
    {"intel_cpu_spr", amx, 2},
    {"intel_cpu_gnr", ALL(amx)},
};

const mez_matrix_combination *mez_matrix_combinations(const char *target, uint32_t *count)
{
    *count = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].target, target) != 0)
            continue;
        *count = rows[i].count;
        return rows[i].combinations;
    }
    return NULL;
}
