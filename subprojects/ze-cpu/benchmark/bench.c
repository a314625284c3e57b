// SPDX-License-Identifier: MIT
//
// Times kernels on ze-cpu, on PoCL and as C with OpenMP, compares their results, and prints the
// ratios.
//
//     benchmark KERNELS.spv KERNELS.cl OUT.json [NAME...]
//
// Fails where a result is wrong; however long it takes.

#include "bench.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Each is run until this time is over, and at least so often.
#define SECONDS 0.4
#define MIN_RUNS 5

enum { ZE, OPENCL, OPENMP, BACKENDS };

#ifdef HAVE_OPENCL
static const struct backend *const backends[BACKENDS] = {
    &ze_backend, &opencl_backend, &openmp_backend};
#else
static const struct backend *const backends[BACKENDS] = {&ze_backend, NULL, &openmp_backend};
#endif

static bool is_open[BACKENDS];

char *bench_read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    if (bytes && fread(bytes, 1, *size, file) == *size) {
        bytes[*size] = '\0';
    } else {
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    return bytes;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static uint32_t random_number(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void fill_rows(int *starts, size_t count)
{
    starts[0] = 0;
    for (size_t i = 0; i + 1 < count; i++)
        starts[i + 1] = starts[i] + SPARSE_ROW((int)i);
}

static void fill(void *buffer, const struct argument *argument)
{
    uint32_t state = 12345;
    const size_t words = argument->size / 4;
    float *reals = buffer;
    double *doubles = buffer;
    uint32_t *integers = buffer;
    memset(buffer, 0, argument->size);
    if (argument->content == ROW_STARTS)
        fill_rows(buffer, words);
    for (size_t i = 0; i < words; i++) {
        const uint32_t number = random_number(&state);
        switch (argument->content) {
        case REALS:
            reals[i] = (float)number / (float)(1 << 24);
            break;
        case POSITIVES:
            reals[i] = 1 + 99 * (float)number / (float)(1 << 24);
            break;
        case DOUBLES:
            doubles[i / 2] = (double)number / (1 << 24);
            break;
        case SMALL_INTS:
            integers[i] = number % 100;
            break;
        case RANDOM:
            integers[i] = number ^ number << 12;
            break;
        case COLUMNS:
            integers[i] = (uint32_t)(i / 16 + number % 4096) % (256 * 1024);
            break;
        default:
            break;
        }
    }
}

static double element(const void *buffer, enum result_kind kind, size_t i)
{
    if (kind == FLOATS)
        return ((const float *)buffer)[i];
    return kind == DOUBLE_FLOATS ? ((const double *)buffer)[i] : ((const uint32_t *)buffer)[i];
}

// Sums are added in another order; a point on the border of the Mandelbrot set may fall to either
// side.
static bool is_equal(const struct bench_case *work, const void *a, const void *b)
{
    const size_t count = work->arguments[0].size / (work->result == DOUBLE_FLOATS ? 8 : 4);
    size_t different = 0;
    for (size_t i = 0; i < count; i++) {
        const double x = element(a, work->result, i), y = element(b, work->result, i);
        different += !(fabs(x - y) <= (work->result == INTEGERS ? 0 : 1e-3 * (1 + fabs(y))));
    }
    return different <= (strcmp(work->name, "mandelbrot") == 0 ? count / 100 : 0);
}

static double time_runs(const struct backend *backend)
{
    double best = INFINITY;
    const double end = now() + SECONDS;
    for (int i = 0; i < MIN_RUNS || now() < end; i++) {
        const double start = now();
        if (!backend->run())
            return NAN;
        const double taken = now() - start;
        if (taken < best)
            best = taken;
    }
    return best * 1e3;
}

// Milliseconds; NAN where it fails. `result` gets a copy of the first buffer.
static double time_case(const struct bench_case *work, const struct backend *backend, void *result)
{
    void *buffers[MAX_ARGUMENTS] = {NULL};
    for (int i = 0; i < MAX_ARGUMENTS; i++) {
        if (work->arguments[i].kind != BUFFER)
            continue;
        if ((buffers[i] = backend->allocate(work->arguments[i].size)) != NULL)
            fill(buffers[i], &work->arguments[i]);
    }
    double time = NAN;
    if (backend->prepare(work, buffers)) {
        time = time_runs(backend);
        backend->finish();
        memcpy(result, buffers[0], work->arguments[0].size);
    }
    for (int i = 0; i < MAX_ARGUMENTS; i++) {
        if (buffers[i])
            backend->release(buffers[i]);
    }
    return time;
}

static void print_ratio(double ratio)
{
    if (isnan(ratio))
        printf(" %9s", "-");
    else
        printf(" %9.2f", ratio);
}

static void print_row(FILE *json, const char *name, const double *times)
{
    printf("%-14s", name);
    for (int i = 0; i < BACKENDS; i++)
        print_ratio(times[i]);
    print_ratio(times[ZE] / times[OPENCL]);
    print_ratio(times[ZE] / times[OPENMP]);
    printf("\n");
    fflush(stdout);
    if (!json)
        return;
    fprintf(json, "%s\n  {\"name\": \"%s\"", ftell(json) > 1 ? "," : "", name);
    for (int i = 0; i < BACKENDS; i++) {
        static const char *const keys[BACKENDS] = {"ze_cpu_ms", "pocl_ms", "openmp_ms"};
        if (!isnan(times[i]))
            fprintf(json, ", \"%s\": %.4f", keys[i], times[i]);
    }
    fprintf(json, "}");
}

static bool run_case(const struct bench_case *work, FILE *json)
{
    void *results[BACKENDS];
    double times[BACKENDS] = {NAN, NAN, NAN};
    bool ok = true;
    for (int i = 0; i < BACKENDS; i++) {
        results[i] = malloc(work->arguments[0].size);
        if (is_open[i] && results[i])
            times[i] = time_case(work, backends[i], results[i]);
    }
    print_row(json, work->name, times);
    for (int i = 0; i < OPENMP; i++) {
        if (is_open[i] && (isnan(times[i]) || !is_equal(work, results[i], results[OPENMP]))) {
            printf("  %s is wrong with %s\n", work->name, backends[i]->name);
            ok = ok && i != ZE;
        }
    }
    for (int i = 0; i < BACKENDS; i++)
        free(results[i]);
    return ok;
}

static bool is_wanted(const char *name, int count, char **names)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return count == 0;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    for (int i = 0; i < BACKENDS; i++)
        is_open[i] = backends[i] && backends[i]->open(argv[1], argv[2]);
    if (!is_open[ZE]) {
        fprintf(stderr, "ze-cpu cannot be used\n");
        return 1;
    }
    FILE *json = fopen(argv[3], "w");
    if (json)
        fprintf(json, "[");
    printf("%-14s %9s %9s %9s %9s %9s   (ms, and ratios)\n", "", "ze-cpu", "PoCL", "OpenMP",
        "/PoCL", "/OpenMP");
    bool ok = true;
    for (size_t i = 0; i < bench_case_count; i++) {
        if (is_wanted(bench_cases[i].name, argc - 4, argv + 4))
            ok &= run_case(&bench_cases[i], json);
    }
    if (json) {
        fprintf(json, "\n]\n");
        fclose(json);
    }
    return ok ? 0 : 1;
}
