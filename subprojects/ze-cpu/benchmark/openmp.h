// SPDX-License-Identifier: MIT
//
// What the kernels do, as a C programmer would write it for a processor.

#ifndef ZC_BENCH_OPENMP_H
#define ZC_BENCH_OPENMP_H

#include "bench.h"

#define PLAIN(name) void plain_##name(const union value *values, const struct bench_case *work)

PLAIN(saxpy);
PLAIN(reduction);
PLAIN(scan);
PLAIN(gemm);
PLAIN(transpose);
PLAIN(stencil_2d);
PLAIN(stencil_3d);
PLAIN(histogram);
PLAIN(spmv);
PLAIN(n_body);
PLAIN(mandelbrot);
PLAIN(black_scholes);
PLAIN(bitonic);
PLAIN(hash);

#endif
