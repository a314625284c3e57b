// SPDX-License-Identifier: MIT
//
// A unit is a program as it was built: its native binary and the memory of its variables. It is
// shared by the program itself and by all programs that were linked with it, and goes with the last.
// After its creation it is only read, except for what kernels write to the variables.

#ifndef ZC_ENGINE_UNIT_H
#define ZC_ENGINE_UNIT_H

#include "jit.h"
#include "native.h"

#include <stdatomic.h>

struct zc_unit {
    atomic_uint references;
    void *bytes; // the native binary
    size_t size;
    struct zc_native native; // points into it
    void **addresses;        // of native.variables
    LLVMOrcLLJITRef jit;     // owns the variables; NULL where there are none
};

// Takes `bytes`, which are malloc'ed, also when it fails: then *unit is NULL, and the log says why.
// `device` is what zc_identity_device says of the one it is for. ZC_BUILD_NOT_NATIVE: the bytes are
// damaged or for somebody else.
enum zc_build_result zc_unit_create(
    struct zc_log *log, void *bytes, size_t size, const char *device, struct zc_unit **unit);
struct zc_unit *zc_unit_ref(struct zc_unit *unit);
void zc_unit_unref(struct zc_unit *unit); // NULL is accepted

#endif
