// SPDX-License-Identifier: MIT
//
// Saying in OpenCL C which aspects of a device a kernel may count on, and which a function uses though its code does not tell.
// Mezzanine reads both from the SPIR-V: what a kernel's code uses and what is declared for it are required together, before the
// driver's compiler is asked.
//
//     #include <mezzanine/aspects.h>
//     MEZ_USES_ASPECTS("ext_intel_matrix") float multiply(global float *a) { ... }
//     MEZ_DEVICE_HAS(solve, "fp64, gpu");
//     kernel void solve(global float *x) { x[0] = multiply(x); }
//
// Names are those of SYCL's aspects, separated by commas. `mez check`, `mez split` and `mez build` warn of names that are none,
// and of code that uses an aspect that its function does not declare.
//
// Compile with clang's -I for the folder that holds this `mezzanine` folder.

#ifndef MEZZANINE_DEVICE_ASPECTS_H
#define MEZZANINE_DEVICE_ASPECTS_H

// The kernel, or the function that is not static, needs a device with these aspects, even if its code uses none of them; and is
// meant to use no others. Stands outside functions, once for each name, before or behind it.
//
// A variable, because that is what compilers keep whatever they do to the function.
#define MEZ_DEVICE_HAS(function, aspects)              \
    extern constant char mez_device_has__##function[]; \
    constant char mez_device_has__##function[] = aspects

// Stands before the definition of a function, which may be static: it and all that call it use these aspects. At most one of
// these for a function: clang drops the second.
//
// Not inlined, because the note belongs to the function, and would be lost with the call. A call that the compiler finds to have
// no effect goes as any code does that nobody needs, and the note with it. llvm-spirv 15 crashes on it where it is given
// --spirv-max-version below 1.4: leave that option out.
#define MEZ_USES_ASPECTS(aspects) __attribute__((noinline, annotate("mez.uses_aspects:" aspects)))

#endif
