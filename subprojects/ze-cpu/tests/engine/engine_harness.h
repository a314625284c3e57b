// SPDX-License-Identifier: MIT
//
// What the engine's tests share: the engine, opened as the host opens it, modules from files, and
// groups run one by one.
//
// argv of each test: the engine's path, the folder with the compiled kernels.

#ifndef ZC_TEST_ENGINE_HARNESS_H
#define ZC_TEST_ENGINE_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine.h"

struct bytes {
    void *data;
    size_t size;
};

// A grid to run: what zeKernelSetGroupSize, the launch and zeKernelSetGlobalOffsetExp say.
struct launch {
    uint64_t groups[3];
    uint64_t group_size[3];
    uint64_t offset[3];
    uint32_t local_memory_size; // of arguments; the kernel's own is added
};

// The same numbers in each run: xorshift64.
uint64_t next_random(void);

extern const struct zc_engine *engine;
extern const struct zc_features all_features;

// Opens the engine, or ends the test program.
void open_engine(char **argv);

// `name` without folder and ".spv".
struct bytes load_spirv(const char *name);
void free_bytes(struct bytes *bytes);

// Builds one file; the build must succeed with an empty log.
struct zc_program *build_file(const char *name, const char *flags);
// Builds bytes; whatever comes of it. The log is the caller's.
enum zc_build_result build_bytes(struct bytes bytes, const struct zc_features *features,
    struct zc_program **program, char **log);

const struct zc_kernel *find_kernel(const struct zc_program *program, const char *name);

// Runs all groups, one after the other; must succeed.
void run(const struct zc_kernel *kernel, const struct launch *launch, const void *blob);

#endif
