// SPDX-License-Identifier: MIT
//
// Is each function of one float as accurate as OpenCL C's specification (section 7.4, full profile) wants it, over all floats?
// glibc in double is the reference.
//   accuracy ENGINE FOLDER [STRIDE]: every STRIDE-th bit pattern, by default all, which takes an hour of two cores
#include "engine_harness.h"
#include "ulp.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "math_functions.h"

#define PATTERNS (UINT64_C(1) << 32)
#define CHUNK ((size_t)1 << 20)
#define GROUP 1024u

// In units in the last place.
static const struct limit {
    const char *function;
    double ulps;
} limits[] = {
    {"acos", 4},
    {"acosh", 4},
    {"acospi", 5},
    {"asin", 4},
    {"asinh", 4},
    {"asinpi", 5},
    {"atan", 5},
    {"atanh", 5},
    {"atanpi", 5},
    {"cbrt", 2},
    {"ceil", 0},
    {"cos", 4},
    {"cosh", 4},
    {"cospi", 4},
    {"degrees", 2},
    {"erf", 16},
    {"erfc", 16},
    {"exp", 3},
    {"exp10", 3},
    {"exp2", 3},
    {"expm1", 3},
    {"fabs", 0},
    {"floor", 0},
    {"half_rsqrt", 8192},
    {"lgamma", -1}, // has none
    {"log", 3},
    {"log10", 3},
    {"log1p", 2},
    {"log2", 3},
    {"logb", 0},
    {"native_exp", -1},
    {"radians", 2},
    {"rint", 0},
    {"round", 0},
    {"rsqrt", 2},
    {"sign", 0},
    {"sin", 4},
    {"sinh", 4},
    {"sinpi", 4},
    {"sqrt", 3},
    {"tan", 5},
    {"tanh", 5},
    {"tanpi", 6},
    {"tgamma", 16},
    {"trunc", 0},
};

static struct zc_program *program;
static uint64_t stride = 1;

static double limit_of(const char *function)
{
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (!strcmp(limits[i].function, function))
            return limits[i].ulps;
    fail_msg("%s has no limit here", function);
    return 0;
}

// ---- a chunk of patterns ----

struct chunk {
    double (*reference)(double);
    float *x, *out;
    size_t count;
};

struct worst {
    double error;
    size_t at;
};

// What one thread looks at: every `step`-th.
struct part {
    pthread_t thread;
    const struct chunk *chunk;
    size_t first, step;
    struct worst worst;
};

static void *look(void *argument)
{
    struct part *part = argument;
    const struct chunk *chunk = part->chunk;
    for (size_t i = part->first; i < chunk->count; i += part->step) {
        const double error = ulp_error(chunk->out[i], chunk->reference((double)chunk->x[i]));
        if (error > part->worst.error)
            part->worst = (struct worst){error, i};
    }
    return NULL;
}

enum { MAX_THREADS = 64 };

static size_t thread_count(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > MAX_THREADS ? MAX_THREADS : (size_t)count;
}

static struct worst compare(const struct chunk *chunk)
{
    struct part parts[MAX_THREADS];
    const size_t count = thread_count();
    struct worst worst = {.error = 0};
    for (size_t i = 0; i < count; i++) {
        parts[i] = (struct part){.chunk = chunk, .first = i, .step = count};
        assert_int_equal(pthread_create(&parts[i].thread, NULL, look, &parts[i]), 0);
    }
    for (size_t i = 0; i < count; i++) {
        pthread_join(parts[i].thread, NULL);
        if (parts[i].worst.error > worst.error)
            worst = parts[i].worst;
    }
    return worst;
}

static void compute(const struct zc_kernel *kernel, const struct chunk *chunk)
{
    const struct {
        float *out;
        const float *x;
    } blob = {chunk->out, chunk->x};
    const struct launch launch = {.groups = {CHUNK / GROUP, 1, 1}, .group_size = {GROUP, 1, 1}};
    run(kernel, &launch, &blob);
}

// From pattern `first` on; returns that behind the last.
static uint64_t fill(struct chunk *chunk, uint64_t first)
{
    uint64_t pattern = first;
    chunk->count = 0;
    for (size_t i = 0; i < CHUNK; i++) {
        const uint32_t bits = (uint32_t)(pattern < PATTERNS ? pattern : 0);
        memcpy(&chunk->x[i], &bits, sizeof bits);
        chunk->count += pattern < PATTERNS;
        pattern += stride;
    }
    return pattern;
}

static void check(const char *function, double (*reference)(double))
{
    static _Alignas(64) float x[CHUNK], out[CHUNK];
    struct chunk chunk = {.reference = reference, .x = x, .out = out};
    const double limit = limit_of(function);
    double largest = 0;
    char name[64];
    if (limit < 0)
        skip();
    snprintf(name, sizeof name, "%s_scalar", function);
    const struct zc_kernel *kernel = find_kernel(program, name);
    for (uint64_t pattern = 0; pattern < PATTERNS;) {
        pattern = fill(&chunk, pattern);
        compute(kernel, &chunk);
        const struct worst worst = compare(&chunk);
        if (worst.error > limit)
            fail_msg("%s(%a) = %a, should be %a: %g ulp, of %g", function, (double)x[worst.at],
                (double)out[worst.at], reference((double)x[worst.at]), worst.error, limit);
        largest = worst.error > largest ? worst.error : largest;
    }
    printf("%s: %.3g ulp, of %g\n", function, largest, limit);
}

#define DEFINE(name, expression)                 \
    static double reference_##name(double x)     \
    {                                            \
        return expression;                       \
    }                                            \
    static void name##_is_accurate(void **state) \
    {                                            \
        (void)state;                             \
        check(#name, reference_##name);          \
    }
FUNCTIONS_OF_ONE(DEFINE)

#define ENTRY(name, expression) cmocka_unit_test(name##_is_accurate),

static int build(void **state)
{
    (void)state;
    program = build_file("math.O2", NULL);
    return 0;
}

static int destroy(void **state)
{
    (void)state;
    engine->destroy(program);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {FUNCTIONS_OF_ONE(ENTRY)};
    open_engine(argv);
    if (argc > 3)
        stride = strtoull(argv[3], NULL, 10);
    if (stride == 0)
        return 2;
    return cmocka_run_group_tests(tests, build, destroy);
}
