// SPDX-License-Identifier: MIT
//
// Programs: a unit, what it was linked with, and the code that runs.

#ifndef ZC_ENGINE_PROGRAM_H
#define ZC_ENGINE_PROGRAM_H

#include "unit.h"

#include <pthread.h>

// A kernel of a program. The public part comes first, so that run_groups finds the rest.
struct zc_kernel_code {
    struct zc_kernel public;
    void *entry;           // NULL in a program that is not linked yet
    struct zc_span object; // what was loaded: an object file with the entry, among others
};

// Code that was loaded, from the unit's native binary or from one that linking made.
struct zc_code {
    void *bytes;             // the latter
    struct zc_native native; // points into it
    struct zc_kernel_code *kernels;
    uint32_t kernel_count;
    LLVMOrcLLJITRef jit; // owns the code; NULL where there is none
};

struct zc_bytes {
    void *data; // malloc'ed
    size_t size;
};

struct zc_program {
    atomic_uint references; // of modules, and of those that were built lately (recent.h)
    struct zc_unit *unit;
    pthread_mutex_t lock;       // of a lazy program (lazy.h): guards what follows, while it grows
    struct zc_code *pieces;     // the code of each kernel that somebody has asked for
    struct zc_bytes whole;      // the native binary, if somebody has
    struct zc_unit **libraries; // what the code contains parts of, besides; they keep the variables
    uint32_t library_count;
    struct zc_code code;
};

// Takes `unit` also when it fails: then *program is NULL, and the log says why.
enum zc_build_result zc_program_create(
    struct zc_log *log, struct zc_unit *unit, struct zc_program **program);
struct zc_program *zc_program_ref(struct zc_program *program);
// Gives a reference back; the program goes with the last. NULL is accepted.
void zc_program_destroy(struct zc_program *program);

// Exchanges the code for what linking made; takes `bytes`, a native binary, also when it fails.
// units[0] is the program's own, the others are its libraries; variables of units[i] are known to the
// code under zc_unit_prefix(i). False: nothing has changed, and the log says why.
bool zc_program_relink(struct zc_log *log, struct zc_program *program, void *bytes, size_t size,
    struct zc_unit *const *units, uint32_t unit_count);

// Reads a native binary, which it takes also when it fails, and loads its code.
bool zc_code_load(struct zc_log *log, struct zc_code *code, void *bytes, size_t size,
    struct zc_unit *const *units, uint32_t unit_count);

// What sets the names of the i-th of several units that are linked together apart.
struct zc_prefix {
    char text[24];
};
#define ZC_LINK_PREFIX "link."
struct zc_prefix zc_unit_prefix(uint32_t index); // empty for the first

#endif
