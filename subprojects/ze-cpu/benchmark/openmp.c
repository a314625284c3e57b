// SPDX-License-Identifier: MIT
//
// The kernels' work as loops in C, on all cores, and the backend that calls them. Where the compiler
// has no OpenMP one core does it all.

#include "openmp.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define TILE 16

PLAIN(saxpy)
{
    float *restrict out = values[0].buffer;
    const float *x = values[1].buffer, *y = values[2].buffer;
    const float a = values[3].real;
    const long count = (long)work->global[0];
#pragma omp parallel for simd
    for (long i = 0; i < count; i++)
        out[i] = a * x[i] + y[i];
}

PLAIN(reduction)
{
    float *out = values[0].buffer;
    const float *in = values[1].buffer;
    const long size = (long)work->local[0] * 2;
    const long groups = (long)(work->global[0] / work->local[0]);
#pragma omp parallel for
    for (long group = 0; group < groups; group++) {
        const float *first = in + group * size;
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (long i = 0; i < size; i++)
            sum += first[i];
        out[group] = sum;
    }
}

PLAIN(scan)
{
    int *out = values[0].buffer;
    const int *in = values[1].buffer;
    const long size = (long)work->local[0];
    const long groups = (long)(work->global[0] / work->local[0]);
#pragma omp parallel for
    for (long group = 0; group < groups; group++) {
        int sum = 0;
        for (long i = group * size; i < (group + 1) * size; i++)
            out[i] = sum += in[i];
    }
}

PLAIN(gemm)
{
    float *c = values[0].buffer;
    const float *a = values[1].buffer, *b = values[2].buffer;
    const long size = (long)work->global[0];
#pragma omp parallel for
    for (long row = 0; row < size; row++) {
        float *restrict out = c + row * size;
        memset(out, 0, (size_t)size * sizeof(*out));
        for (long k = 0; k < size; k++) {
            const float factor = a[row * size + k];
            for (long column = 0; column < size; column++)
                out[column] += factor * b[k * size + column];
        }
    }
}

PLAIN(transpose)
{
    float *restrict out = values[0].buffer;
    const float *in = values[1].buffer;
    const long size = (long)work->global[0];
#pragma omp parallel for
    for (long top = 0; top < size; top += TILE)
        for (long left = 0; left < size; left += TILE)
            for (long x = left; x < left + TILE; x++)
                for (long y = top; y < top + TILE; y++)
                    out[x * size + y] = in[y * size + x];
}

PLAIN(stencil_2d)
{
    float *restrict out = values[0].buffer;
    const float *in = values[1].buffer;
    const long size = (long)work->global[0];
#pragma omp parallel for
    for (long y = 1; y < size - 1; y++)
        for (long i = y * size + 1; i < (y + 1) * size - 1; i++)
            out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - size] + in[i + size]);
}

PLAIN(stencil_3d)
{
    double *restrict out = values[0].buffer;
    const double *in = values[1].buffer;
    const long size = (long)work->global[0], slice = size * size;
#pragma omp parallel for
    for (long z = 1; z < size - 1; z++)
        for (long y = 1; y < size - 1; y++)
            for (long i = z * slice + y * size + 1; i < z * slice + (y + 1) * size - 1; i++)
                out[i] = 0.4 * in[i] + 0.1 * (in[i - 1] + in[i + 1] + in[i - size] + in[i + size] +
                                                 in[i - slice] + in[i + slice]);
}

PLAIN(histogram)
{
    uint32_t *out = values[0].buffer;
    const uint8_t *in = values[1].buffer;
    const long size = (long)work->local[0] * values[2].integer;
    const long groups = (long)(work->global[0] / work->local[0]);
#pragma omp parallel for
    for (long group = 0; group < groups; group++) {
        uint32_t bins[256] = {0};
        for (long i = group * size; i < (group + 1) * size; i++)
            bins[in[i]]++;
        memcpy(out + group * 256, bins, sizeof(bins));
    }
}

PLAIN(spmv)
{
    float *restrict out = values[0].buffer;
    const int *starts = values[1].buffer, *columns = values[2].buffer;
    const float *elements = values[3].buffer, *x = values[4].buffer;
    const long rows = (long)work->global[0];
#pragma omp parallel for
    for (long row = 0; row < rows; row++) {
        float sum = 0;
        for (int i = starts[row]; i < starts[row + 1]; i++)
            sum += elements[i] * x[columns[i]];
        out[row] = sum;
    }
}

PLAIN(n_body)
{
    (void)work;
    float *restrict out = values[0].buffer;
    const float *xs = values[1].buffer, *ys = values[2].buffer, *zs = values[3].buffer;
    const int count = values[4].integer;
#pragma omp parallel for
    for (int i = 0; i < count; i++) {
        const float x = xs[i], y = ys[i], z = zs[i];
        float ax = 0, ay = 0, az = 0;
        for (int k = 0; k < count; k++) {
            const float dx = xs[k] - x, dy = ys[k] - y, dz = zs[k] - z;
            const float squared = dx * dx + dy * dy + dz * dz + 0.01f;
            const float factor = 1.0f / (squared * sqrtf(squared));
            ax += dx * factor;
            ay += dy * factor;
            az += dz * factor;
        }
        out[i] = ax + ay + az;
    }
}

static int escape(float cx, float cy, int limit)
{
    float x = 0, y = 0;
    int steps = 0;
    while (steps < limit && x * x + y * y <= 4.0f) {
        const float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        steps++;
    }
    return steps;
}

PLAIN(mandelbrot)
{
    int *restrict out = values[0].buffer;
    const int size = values[1].integer, limit = values[2].integer;
    (void)work;
#pragma omp parallel for schedule(dynamic, 8)
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++)
            out[row * size + column] = escape(-2.0f + 3.0f * (float)column / (float)size,
                -1.5f + 3.0f * (float)row / (float)size, limit);
}

static float normal_distribution(float x)
{
    const float t = 1.0f / (1.0f + 0.2316419f * fabsf(x));
    const float tail =
        0.39894228f * expf(-0.5f * x * x) * t *
        (0.31938153f +
            t * (-0.356563782f + t * (1.781477937f + t * (-1.821255978f + t * 1.330274429f))));
    return x > 0 ? 1 - tail : tail;
}

PLAIN(black_scholes)
{
    float *restrict out = values[0].buffer;
    const float *prices = values[1].buffer, *strikes = values[2].buffer;
    const float years = values[3].real, rate = 0.02f, volatility = 0.3f;
    const long count = (long)work->global[0];
#pragma omp parallel for
    for (long i = 0; i < count; i++) {
        const float deviation = volatility * sqrtf(years);
        const float d1 =
            (logf(prices[i] / strikes[i]) + (rate + 0.5f * volatility * volatility) * years) /
            deviation;
        out[i] = prices[i] * normal_distribution(d1) -
                 strikes[i] * expf(-rate * years) * normal_distribution(d1 - deviation);
    }
}

PLAIN(bitonic)
{
    uint32_t *numbers = values[0].buffer;
    const long distance = values[1].integer, block = values[2].integer;
    const long count = (long)work->global[0] * 2;
#pragma omp parallel for
    for (long first = 0; first < count; first += distance * 2) {
        const int rising = (first & block) == 0;
#pragma omp simd
        for (long left = first; left < first + distance; left++) {
            const uint32_t a = numbers[left], b = numbers[left + distance];
            const uint32_t low = a < b ? a : b, high = a < b ? b : a;
            numbers[left] = rising ? low : high;
            numbers[left + distance] = rising ? high : low;
        }
    }
}

static uint32_t rotate(uint32_t x, unsigned bits)
{
    return x << bits | x >> (32 - bits);
}

PLAIN(hash)
{
    uint32_t *restrict out = values[0].buffer;
    const uint32_t *in = values[1].buffer;
    const int rounds = values[2].integer;
    const long count = (long)work->global[0];
#pragma omp parallel for simd
    for (long i = 0; i < count; i++) {
        uint32_t a = in[i], b = 0x9e3779b9u, c = 0x7f4a7c15u;
        for (int k = 0; k < rounds; k++) {
            a += rotate(b, 7) ^ c;
            b += rotate(c, 11) ^ (a & b);
            c += rotate(a, 19) + (uint32_t)k;
        }
        out[i] = a ^ b ^ c;
    }
}

static const struct bench_case *prepared;
static union value arguments[MAX_ARGUMENTS];

static bool open_plain(const char *spirv, const char *source)
{
    (void)spirv, (void)source;
    return true;
}

static void *allocate(size_t size)
{
    void *memory = NULL;
    return posix_memalign(&memory, 4096, size) == 0 ? memory : NULL;
}

static bool prepare(const struct bench_case *work, void *const *buffers)
{
    prepared = work;
    for (int i = 0; i < MAX_ARGUMENTS; i++) {
        const struct argument *argument = &work->arguments[i];
        if (argument->kind == INTEGER)
            arguments[i].integer = argument->integer;
        else if (argument->kind == REAL)
            arguments[i].real = argument->real;
        else
            arguments[i].buffer = buffers[i];
    }
    return true;
}

static bool run(void)
{
    prepared->plain(arguments, prepared);
    return true;
}

static void finish(void)
{
}

const struct backend openmp_backend = {.name = "OpenMP",
    .open = open_plain,
    .allocate = allocate,
    .release = free,
    .prepare = prepare,
    .run = run,
    .finish = finish};
