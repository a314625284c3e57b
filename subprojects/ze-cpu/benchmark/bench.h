// SPDX-License-Identifier: MIT
//
// What the parts of the benchmark share: a case is a kernel with its arguments, a backend is a way to
// run it.

#ifndef ZC_BENCH_H
#define ZC_BENCH_H

#include <stdbool.h>
#include <stddef.h>

#define MAX_ARGUMENTS 6

enum argument_kind {
    NO_ARGUMENT,
    BUFFER,
    LOCAL_BUFFER,
    INTEGER,
    REAL,
};

// How a buffer begins.
enum content {
    ZEROS,
    REALS,      // floats from 0 to 1
    DOUBLES,    // likewise
    POSITIVES,  // floats from 1 to 100
    SMALL_INTS, // 32 bits, 0 to 99
    RANDOM,     // any bytes
    ROW_STARTS, // of a sparse matrix, as 32-bit integers
    COLUMNS,    // likewise
};

struct argument {
    enum argument_kind kind;
    enum content content;
    size_t size; // bytes of a buffer
    int integer;
    float real;
};

enum result_kind { INTEGERS, FLOATS, DOUBLE_FLOATS };

// One argument as the C functions see it.
union value {
    void *buffer;
    int integer;
    float real;
};

struct bench_case {
    const char *name; // of the kernel
    size_t global[3];
    size_t local[3];
    struct argument arguments[MAX_ARGUMENTS]; // the first is the result
    enum result_kind result;
    // The same work with OpenMP.
    void (*plain)(const union value *values, const struct bench_case *work);
};

extern const struct bench_case bench_cases[];
extern const size_t bench_case_count;

// Rows of the sparse matrix have 1 to 31 elements, in turn.
#define SPARSE_ROW(i) ((i)*7 % 31 + 1)

struct backend {
    const char *name;
    // False: it is not there. What it needs are files: kernels as SPIR-V and as OpenCL C.
    bool (*open)(const char *spirv, const char *source);
    // Buffers that it can work on.
    void *(*allocate)(size_t size);
    void (*release)(void *buffer);
    // Prepares the case; `buffers` has a place for each argument.
    bool (*prepare)(const struct bench_case *work, void *const *buffers);
    // Runs it once and waits.
    bool (*run)(void);
    void (*finish)(void);
};

extern const struct backend ze_backend;
extern const struct backend opencl_backend;
extern const struct backend openmp_backend;

// The whole file and a zero behind it; malloc'ed. NULL where it can't be read.
char *bench_read_file(const char *path, size_t *size);

#endif
