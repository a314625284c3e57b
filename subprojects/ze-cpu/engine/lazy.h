// SPDX-License-Identifier: MIT
//
// Large programs are not compiled when they are built: what their build leaves is a description and
// bitcode, and each kernel is compiled when somebody asks for it.

#ifndef ZC_ENGINE_LAZY_H
#define ZC_ENGINE_LAZY_H

#include "program.h"

// A program of fewer kernels is compiled at once: its build reports all that is wrong with it.
#define ZC_LAZY_KERNELS 8

// Thread-safe. NULL: it can't be compiled.
const struct zc_kernel *zc_lazy_kernel(struct zc_program *program, uint32_t index);
// The native binary of the whole program, which lives as long as that. Thread-safe. NULL: it can't be
// compiled.
const void *zc_lazy_native(struct zc_program *program, size_t *size);

#endif
