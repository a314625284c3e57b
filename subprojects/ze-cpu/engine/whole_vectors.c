// SPDX-License-Identifier: MIT
//
// Builtins that take vectors as a whole, so that resolve.c can't make them of scalar ones, and that are too many to be written in
// builtins/: equality among the members of a group, and dot products of integers.

#include "build.h"

#include <string.h>

#define MOST_BITS 64

static bool is_vector(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

static LLVMValueRef element(struct zc_build *build, LLVMValueRef vector, unsigned index)
{
    return LLVMBuildExtractElement(build->builder, vector, zc_const_i32(build, index), "");
}

// Vectors are equal where each of their elements is.
static LLVMValueRef emit_all_equal(
    struct zc_build *build, const char *name, const LLVMValueRef *arguments, unsigned count)
{
    if (count != 2 || !is_vector(arguments[1]))
        return NULL;
    LLVMValueRef result = LLVMConstAllOnes(build->types.i1);
    for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(arguments[1])); i++) {
        LLVMValueRef scalars[2] = {arguments[0], element(build, arguments[1], i)};
        LLVMValueRef equal = zc_builtins_call(build, name, build->types.i1, scalars, 2);
        if (equal == NULL)
            return NULL;
        result = LLVMBuildAnd(build->builder, result, equal, "");
    }
    return result;
}

// ---- dot products ----

struct dot {
    const char *name; // without the result's type
    bool is_signed[2];
    bool accumulates;
};

// Longer names first.
static const struct dot dots[] = {
    {"__spirv_SDotAccSat", {true, true}, true},
    {"__spirv_UDotAccSat", {false, false}, true},
    {"__spirv_SUDotAccSat", {true, false}, true},
    {"__spirv_SDot", {true, true}, false},
    {"__spirv_UDot", {false, false}, false},
    {"__spirv_SUDot", {true, false}, false},
};

static bool is_integer(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= MOST_BITS;
}

// Numbers of 32 bits are four bytes. NULL: it is neither such nor a vector of integers.
static LLVMValueRef unpacked(struct zc_build *build, LLVMValueRef value)
{
    if (is_vector(value))
        return is_integer(LLVMGetElementType(LLVMTypeOf(value))) ? value : NULL;
    return LLVMTypeOf(value) == build->types.i32
               ? LLVMBuildBitCast(build->builder, value, LLVMVectorType(build->types.i8, 4), "")
               : NULL;
}

static LLVMValueRef extended(
    struct zc_build *build, LLVMValueRef vector, unsigned index, bool is_signed, LLVMTypeRef type)
{
    return LLVMBuildIntCast2(build->builder, element(build, vector, index), type, is_signed, "");
}

static LLVMValueRef emit_sum(
    struct zc_build *build, const struct dot *dot, LLVMTypeRef type, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef sum = LLVMConstNull(type);
    for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(a)); i++) {
        LLVMValueRef x = extended(build, a, i, dot->is_signed[0], type);
        LLVMValueRef y = extended(build, b, i, dot->is_signed[1], type);
        sum = LLVMBuildAdd(build->builder, sum, LLVMBuildMul(build->builder, x, y, ""), "");
    }
    return sum;
}

static LLVMValueRef add_saturated(
    struct zc_build *build, const struct dot *dot, LLVMValueRef sum, LLVMValueRef more)
{
    const char *name = dot->is_signed[0] ? "llvm.sadd.sat" : "llvm.uadd.sat";
    const unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMTypeRef type = LLVMTypeOf(sum);
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(build->module, id, &type, 1);
    LLVMValueRef arguments[2] = {sum, more};
    return LLVMBuildCall2(build->builder, LLVMIntrinsicGetType(build->context, id, &type, 1),
        function, arguments, 2, "");
}

static LLVMValueRef emit_dot(struct zc_build *build, const struct dot *dot, LLVMTypeRef type,
    const LLVMValueRef *arguments, unsigned count)
{
    if (count < (dot->accumulates ? 3u : 2u) || !is_integer(type))
        return NULL;
    LLVMValueRef a = unpacked(build, arguments[0]), b = unpacked(build, arguments[1]);
    if (a == NULL || b == NULL || LLVMTypeOf(a) != LLVMTypeOf(b))
        return NULL;
    LLVMValueRef sum = emit_sum(build, dot, type, a, b);
    if (!dot->accumulates)
        return sum;
    return LLVMTypeOf(arguments[2]) == type ? add_saturated(build, dot, sum, arguments[2]) : NULL;
}

LLVMValueRef zc_whole_vectors_call(struct zc_build *build, const char *name, LLVMTypeRef result,
    const LLVMValueRef *arguments, unsigned count)
{
    if (strcmp(name, "__spirv_GroupNonUniformAllEqual") == 0)
        return emit_all_equal(build, name, arguments, count);
    for (size_t i = 0; i < sizeof(dots) / sizeof(dots[0]); i++) {
        if (zc_has_prefix(name, dots[i].name))
            return emit_dot(build, &dots[i], result, arguments, count);
    }
    return NULL;
}
