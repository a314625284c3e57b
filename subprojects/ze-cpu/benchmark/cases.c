// SPDX-License-Identifier: MIT
//
// The cases: sizes and arguments of kernels.cl's kernels.

#include "bench.h"
#include "openmp.h"

#define K 1024u
#define M (1024u * 1024)

#define INPUT(what, bytes)                                 \
    {                                                      \
        .kind = BUFFER, .content = (what), .size = (bytes) \
    }
#define OUTPUT(bytes)                                     \
    {                                                     \
        .kind = BUFFER, .content = ZEROS, .size = (bytes) \
    }
#define LOCAL(bytes)                          \
    {                                         \
        .kind = LOCAL_BUFFER, .size = (bytes) \
    }
#define INT(value)                          \
    {                                       \
        .kind = INTEGER, .integer = (value) \
    }
#define FLOAT(value)                  \
    {                                 \
        .kind = REAL, .real = (value) \
    }

const struct bench_case bench_cases[] = {
    {.name = "saxpy",
        .global = {16 * M, 1, 1},
        .local = {256, 1, 1},
        .arguments = {OUTPUT(64 * M), INPUT(REALS, 64 * M), INPUT(REALS, 64 * M), FLOAT(2.5f)},
        .result = FLOATS,
        .plain = plain_saxpy},
    {.name = "reduction",
        .global = {8 * M, 1, 1},
        .local = {256, 1, 1},
        .arguments = {OUTPUT(128 * K), INPUT(REALS, 64 * M), LOCAL(1 * K)},
        .result = FLOATS,
        .plain = plain_reduction},
    {.name = "scan",
        .global = {8 * M, 1, 1},
        .local = {256, 1, 1},
        .arguments = {OUTPUT(32 * M), INPUT(SMALL_INTS, 32 * M), LOCAL(1 * K)},
        .result = INTEGERS,
        .plain = plain_scan},
    {.name = "sgemm",
        .global = {512, 512, 1},
        .local = {16, 16, 1},
        .arguments = {OUTPUT(M), INPUT(REALS, M), INPUT(REALS, M), INT(512)},
        .result = FLOATS,
        .plain = plain_gemm},
    {.name = "plain_gemm",
        .global = {512, 512, 1},
        .local = {16, 16, 1},
        .arguments = {OUTPUT(M), INPUT(REALS, M), INPUT(REALS, M), INT(512)},
        .result = FLOATS,
        .plain = plain_gemm},
    {.name = "transpose",
        .global = {4096, 4096, 1},
        .local = {16, 16, 1},
        .arguments = {OUTPUT(64 * M), INPUT(REALS, 64 * M), INT(4096)},
        .result = FLOATS,
        .plain = plain_transpose},
    {.name = "stencil_2d",
        .global = {4096, 4096, 1},
        .local = {64, 4, 1},
        .arguments = {OUTPUT(64 * M), INPUT(REALS, 64 * M), INT(4096)},
        .result = FLOATS,
        .plain = plain_stencil_2d},
    {.name = "stencil_3d",
        .global = {256, 256, 256},
        .local = {64, 4, 1},
        .arguments = {OUTPUT(128 * M), INPUT(DOUBLES, 128 * M), INT(256)},
        .result = DOUBLE_FLOATS,
        .plain = plain_stencil_3d},
    {.name = "histogram",
        .global = {64 * K, 1, 1},
        .local = {256, 1, 1},
        .arguments = {OUTPUT(256 * K), INPUT(RANDOM, 16 * M), INT(256)},
        .result = INTEGERS,
        .plain = plain_histogram},
    {.name = "spmv",
        .global = {256 * K, 1, 1},
        .local = {256, 1, 1},
        .arguments = {OUTPUT(M), INPUT(ROW_STARTS, M + 4), INPUT(COLUMNS, 32 * M),
            INPUT(REALS, 32 * M), INPUT(REALS, M)},
        .result = FLOATS,
        .plain = plain_spmv},
    {.name = "n_body",
        .global = {4096, 1, 1},
        .local = {256, 1, 1},
        .arguments = {OUTPUT(16 * K), INPUT(REALS, 16 * K), INPUT(REALS, 16 * K),
            INPUT(REALS, 16 * K), INT(4096)},
        .result = FLOATS,
        .plain = plain_n_body},
    {.name = "mandelbrot",
        .global = {512, 512, 1},
        .local = {16, 16, 1},
        .arguments = {OUTPUT(M), INT(512), INT(256)},
        .result = INTEGERS,
        .plain = plain_mandelbrot},
    {.name = "black_scholes",
        .global = {2 * M, 1, 1},
        .local = {256, 1, 1},
        .arguments = {OUTPUT(8 * M), INPUT(POSITIVES, 8 * M), INPUT(POSITIVES, 8 * M), FLOAT(1.5f)},
        .result = FLOATS,
        .plain = plain_black_scholes},
    {.name = "bitonic",
        .global = {4 * M, 1, 1},
        .local = {256, 1, 1},
        .arguments = {INPUT(RANDOM, 32 * M), INT(1024), INT(4096)},
        .result = INTEGERS,
        .plain = plain_bitonic},
    {.name = "hash",
        .global = {1 * M, 1, 1},
        .local = {256, 1, 1},
        .arguments = {OUTPUT(4 * M), INPUT(RANDOM, 4 * M), INT(32)},
        .result = INTEGERS,
        .plain = plain_hash},
};
const size_t bench_case_count = sizeof(bench_cases) / sizeof(bench_cases[0]);
