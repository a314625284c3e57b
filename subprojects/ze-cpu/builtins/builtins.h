// SPDX-License-Identifier: MIT
//
// What all files of builtins share.
//
// A builtin is an OpenCL C function with the name that llvm-spirv gives to a SPIR-V instruction,
// "__spirv_...". The engine finds it by name and LLVM types (engine/resolve.c), so of int and uint
// one version is enough, pointers are generic, and vectors and halfs need no version at all where
// each element is computed by itself.
//
// prepare.c turns the files into one block of bitcode that lies in the engine. Mathematics is
// glibc's: what these functions call by its plain C name must be listed in engine/jit.c.

#ifndef ZC_BUILTINS_H
#define ZC_BUILTINS_H

// No OpenCL header is included: these files define what it would declare.
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef ulong size_t;

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define BUILTIN __attribute__((overloadable))
#define VECTOR(type, size) __attribute__((ext_vector_type(size))) type

typedef VECTOR(float, 2) float2;
typedef VECTOR(float, 3) float3;
typedef VECTOR(float, 4) float4;
typedef VECTOR(float, 8) float8;
typedef VECTOR(float, 16) float16;
typedef VECTOR(double, 2) double2;
typedef VECTOR(double, 3) double3;
typedef VECTOR(double, 4) double4;
typedef VECTOR(double, 8) double8;
typedef VECTOR(double, 16) double16;

#include "../engine/context.h"

// The running work-item's context: not a function at run time, see engine/inlining.c.
__attribute__((const)) __private struct zc_context *zc_get_context(void);

// Suspends the work-item until those that `whom` names (context.h) have come here, see
// engine/coroutine.c.
void zc_wait(zc_word whom);

#endif
