// SPDX-License-Identifier: MIT
//
// Builtins that are one or two LLVM instructions for every type: atomics, vector loads and stores,
// shuffles, selects. Written in OpenCL C they would be a thousand functions.
//
// Each generator finds the builder at the start of the function's empty body and ends it with a
// return.

#include "build.h"

#include <stdlib.h>
#include <string.h>

struct generator {
    const char *name;
    void (*emit)(struct zc_build *build, LLVMValueRef function, int detail);
    int detail;
    bool is_prefix; // the name goes on, with a type
};

static LLVMTypeRef result_type(LLVMValueRef function)
{
    return LLVMGetReturnType(LLVMGlobalGetValueType(function));
}

static LLVMValueRef parameter(LLVMValueRef function, unsigned index)
{
    return LLVMGetParam(function, index);
}

static unsigned size_of(struct zc_build *build, LLVMTypeRef type)
{
    return (unsigned)LLVMABISizeOfType(build->layout, type);
}

static bool is_vector(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind;
}

// Atomics: (pointer, scope, semantics, ...). local_atomics.c has those that change memory.

static void begin_atomic(struct zc_build *build, LLVMValueRef function)
{
    if (build->checks & ZC_CHECK_RACES)
        zc_race_check_note_order(build, parameter(function, 0), parameter(function, 2));
}

static void emit_atomic(struct zc_build *build, LLVMValueRef function, int operation)
{
    begin_atomic(build, function);
    LLVMValueRef old = zc_atomic_update(
        build, (LLVMAtomicRMWBinOp)operation, parameter(function, 0), parameter(function, 3));
    LLVMBuildRet(build->builder, old);
}

static void emit_atomic_step(struct zc_build *build, LLVMValueRef function, int operation)
{
    begin_atomic(build, function);
    LLVMValueRef one = LLVMConstInt(result_type(function), 1, false);
    LLVMValueRef old =
        zc_atomic_update(build, (LLVMAtomicRMWBinOp)operation, parameter(function, 0), one);
    LLVMBuildRet(build->builder, old);
}

static void emit_atomic_load(struct zc_build *build, LLVMValueRef function, int detail)
{
    (void)detail;
    begin_atomic(build, function);
    LLVMTypeRef type = result_type(function);
    LLVMValueRef value = LLVMBuildLoad2(build->builder, type, parameter(function, 0), "");
    LLVMSetOrdering(value, LLVMAtomicOrderingSequentiallyConsistent);
    LLVMSetAlignment(value, size_of(build, type));
    LLVMBuildRet(build->builder, value);
}

static void emit_atomic_store(struct zc_build *build, LLVMValueRef function, int detail)
{
    (void)detail;
    begin_atomic(build, function);
    LLVMValueRef value = parameter(function, 3);
    LLVMValueRef store = LLVMBuildStore(build->builder, value, parameter(function, 0));
    LLVMSetOrdering(store, LLVMAtomicOrderingSequentiallyConsistent);
    LLVMSetAlignment(store, size_of(build, LLVMTypeOf(value)));
    LLVMBuildRetVoid(build->builder);
}

// (pointer, scope, semantics if equal, semantics if not, value, comparator)
static void emit_compare_exchange(struct zc_build *build, LLVMValueRef function, int detail)
{
    (void)detail;
    begin_atomic(build, function);
    LLVMValueRef old = zc_atomic_exchange_if_equal(
        build, parameter(function, 0), parameter(function, 5), parameter(function, 4));
    LLVMBuildRet(build->builder, old);
}

static void emit_flag_test_and_set(struct zc_build *build, LLVMValueRef function, int detail)
{
    (void)detail;
    begin_atomic(build, function);
    LLVMValueRef old = zc_atomic_update(
        build, LLVMAtomicRMWBinOpXchg, parameter(function, 0), zc_const_i32(build, 1));
    LLVMBuildRet(build->builder, LLVMBuildIsNotNull(build->builder, old, ""));
}

static void emit_flag_clear(struct zc_build *build, LLVMValueRef function, int detail)
{
    (void)detail;
    begin_atomic(build, function);
    LLVMValueRef store =
        LLVMBuildStore(build->builder, zc_const_i32(build, 0), parameter(function, 0));
    LLVMSetOrdering(store, LLVMAtomicOrderingSequentiallyConsistent);
    LLVMSetAlignment(store, 4);
    LLVMBuildRetVoid(build->builder);
}

// Vectors in memory are elements one after the other, aligned as one element: a vector of three has
// no fourth.

static LLVMValueRef element_address(struct zc_build *build, LLVMTypeRef element,
    LLVMValueRef pointer, LLVMValueRef first, unsigned index)
{
    LLVMValueRef sum = LLVMBuildAdd(build->builder, first, zc_const_i64(build, index), "");
    return LLVMBuildGEP2(build->builder, element, pointer, &sum, 1, "");
}

// (offset in vectors, pointer, elements)
static void emit_vector_load(struct zc_build *build, LLVMValueRef function, int detail)
{
    (void)detail;
    LLVMTypeRef element = LLVMGetElementType(result_type(function));
    const unsigned count = LLVMGetVectorSize(result_type(function));
    LLVMValueRef first =
        LLVMBuildMul(build->builder, parameter(function, 0), zc_const_i64(build, count), "");
    LLVMValueRef result = LLVMGetUndef(result_type(function));
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef value = LLVMBuildLoad2(build->builder, element,
            element_address(build, element, parameter(function, 1), first, i), "");
        result = LLVMBuildInsertElement(build->builder, result, value, zc_const_i32(build, i), "");
    }
    LLVMBuildRet(build->builder, result);
}

// (vector, offset in vectors, pointer)
static void emit_vector_store(struct zc_build *build, LLVMValueRef function, int detail)
{
    (void)detail;
    LLVMValueRef vector = parameter(function, 0);
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(vector));
    const unsigned count = LLVMGetVectorSize(LLVMTypeOf(vector));
    LLVMValueRef first =
        LLVMBuildMul(build->builder, parameter(function, 1), zc_const_i64(build, count), "");
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef value =
            LLVMBuildExtractElement(build->builder, vector, zc_const_i32(build, i), "");
        LLVMBuildStore(build->builder, value,
            element_address(build, element, parameter(function, 2), first, i));
    }
    LLVMBuildRetVoid(build->builder);
}

// Element `index` of the source, or of two sources laid side by side.
static LLVMValueRef pick(
    struct zc_build *build, LLVMValueRef first, LLVMValueRef second, LLVMValueRef index)
{
    LLVMBuilderRef b = build->builder;
    LLVMTypeRef type = LLVMTypeOf(index);
    const unsigned size = LLVMGetVectorSize(LLVMTypeOf(first));
    const unsigned capacity = size == 3 ? 4 : size;
    LLVMValueRef within = LLVMBuildAnd(b, index, LLVMConstInt(type, capacity - 1, false), "");
    LLVMValueRef value = LLVMBuildExtractElement(b, first, within, "");
    if (second == NULL)
        return value;
    LLVMValueRef bit = LLVMBuildAnd(b, index, LLVMConstInt(type, capacity, false), "");
    LLVMValueRef other = LLVMBuildExtractElement(b, second, within, "");
    return LLVMBuildSelect(b, LLVMBuildIsNull(b, bit, ""), value, other, "");
}

// (source, mask) or (first source, second source, mask)
static void emit_shuffle(struct zc_build *build, LLVMValueRef function, int sources)
{
    LLVMValueRef second = sources == 2 ? parameter(function, 1) : NULL;
    LLVMValueRef mask = parameter(function, (unsigned)sources);
    LLVMValueRef result = LLVMGetUndef(result_type(function));
    for (unsigned i = 0; i < LLVMGetVectorSize(result_type(function)); i++) {
        LLVMValueRef position = zc_const_i32(build, i);
        LLVMValueRef index = LLVMBuildExtractElement(build->builder, mask, position, "");
        LLVMValueRef value = pick(build, parameter(function, 0), second, index);
        result = LLVMBuildInsertElement(build->builder, result, value, position, "");
    }
    LLVMBuildRet(build->builder, result);
}

// select(a, b, c): scalars ask whether c is zero, vectors for each element's highest bit.
static void emit_select(struct zc_build *build, LLVMValueRef function, int detail)
{
    (void)detail;
    LLVMValueRef c = parameter(function, 2);
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(c));
    const LLVMIntPredicate predicate = is_vector(LLVMTypeOf(c)) ? LLVMIntSLT : LLVMIntNE;
    LLVMValueRef condition = LLVMBuildICmp(build->builder, predicate, c, zero, "");
    LLVMBuildRet(build->builder, LLVMBuildSelect(build->builder, condition, parameter(function, 1),
                                     parameter(function, 0), ""));
}

static LLVMTypeRef integers_like(struct zc_build *build, LLVMTypeRef type)
{
    if (!is_vector(type))
        return LLVMIntTypeInContext(build->context, size_of(build, type) * 8);
    const unsigned bits = size_of(build, LLVMGetElementType(type)) * 8;
    return LLVMVectorType(LLVMIntTypeInContext(build->context, bits), LLVMGetVectorSize(type));
}

// bitselect(a, b, c): the bits of b where c has ones, else those of a.
static void emit_bitselect(struct zc_build *build, LLVMValueRef function, int detail)
{
    (void)detail;
    LLVMBuilderRef b = build->builder;
    LLVMTypeRef type = integers_like(build, result_type(function));
    LLVMValueRef v[3];
    for (unsigned i = 0; i < 3; i++)
        v[i] = LLVMBuildBitCast(b, parameter(function, i), type, "");
    LLVMValueRef zeros = LLVMBuildAnd(b, v[0], LLVMBuildNot(b, v[2], ""), "");
    LLVMValueRef ones = LLVMBuildAnd(b, v[1], v[2], "");
    LLVMBuildRet(
        b, LLVMBuildBitCast(b, LLVMBuildOr(b, zeros, ones, ""), result_type(function), ""));
}

// A vector of truth values as one integer, a bit for each.
static LLVMValueRef truth_bits(struct zc_build *build, LLVMValueRef vector, LLVMTypeRef *type)
{
    const unsigned size = LLVMGetVectorSize(LLVMTypeOf(vector));
    LLVMValueRef bits =
        LLVMBuildTruncOrBitCast(build->builder, vector, LLVMVectorType(build->types.i1, size), "");
    *type = LLVMIntTypeInContext(build->context, size);
    return LLVMBuildBitCast(build->builder, bits, *type, "");
}

static void emit_any(struct zc_build *build, LLVMValueRef function, int detail)
{
    (void)detail;
    LLVMTypeRef type;
    LLVMValueRef bits = truth_bits(build, parameter(function, 0), &type);
    LLVMBuildRet(build->builder, LLVMBuildIsNotNull(build->builder, bits, ""));
}

static void emit_all(struct zc_build *build, LLVMValueRef function, int detail)
{
    (void)detail;
    LLVMTypeRef type;
    LLVMValueRef bits = truth_bits(build, parameter(function, 0), &type);
    LLVMBuildRet(
        build->builder, LLVMBuildICmp(build->builder, LLVMIntEQ, bits, LLVMConstAllOnes(type), ""));
}

// A hint that nothing has to follow.
static void emit_nothing(struct zc_build *build, LLVMValueRef function, int detail)
{
    (void)function;
    (void)detail;
    LLVMBuildRetVoid(build->builder);
}

static const struct generator generators[] = {
    {"__spirv_AtomicIAdd", emit_atomic, LLVMAtomicRMWBinOpAdd, false},
    {"__spirv_AtomicISub", emit_atomic, LLVMAtomicRMWBinOpSub, false},
    {"__spirv_AtomicAnd", emit_atomic, LLVMAtomicRMWBinOpAnd, false},
    {"__spirv_AtomicOr", emit_atomic, LLVMAtomicRMWBinOpOr, false},
    {"__spirv_AtomicXor", emit_atomic, LLVMAtomicRMWBinOpXor, false},
    {"__spirv_AtomicSMin", emit_atomic, LLVMAtomicRMWBinOpMin, false},
    {"__spirv_AtomicSMax", emit_atomic, LLVMAtomicRMWBinOpMax, false},
    {"__spirv_AtomicUMin", emit_atomic, LLVMAtomicRMWBinOpUMin, false},
    {"__spirv_AtomicUMax", emit_atomic, LLVMAtomicRMWBinOpUMax, false},
    {"__spirv_AtomicExchange", emit_atomic, LLVMAtomicRMWBinOpXchg, false},
    {"__spirv_AtomicFAddEXT", emit_atomic, LLVMAtomicRMWBinOpFAdd, false},
    {"__spirv_AtomicFMinEXT", emit_atomic, LLVMAtomicRMWBinOpFMin, false},
    {"__spirv_AtomicFMaxEXT", emit_atomic, LLVMAtomicRMWBinOpFMax, false},
    {"__spirv_AtomicIIncrement", emit_atomic_step, LLVMAtomicRMWBinOpAdd, false},
    {"__spirv_AtomicIDecrement", emit_atomic_step, LLVMAtomicRMWBinOpSub, false},
    {"__spirv_AtomicLoad", emit_atomic_load, 0, false},
    {"__spirv_AtomicStore", emit_atomic_store, 0, false},
    {"__spirv_AtomicCompareExchange", emit_compare_exchange, 0, false},
    {"__spirv_AtomicCompareExchangeWeak", emit_compare_exchange, 0, false},
    {"__spirv_AtomicFlagTestAndSet", emit_flag_test_and_set, 0, false},
    {"__spirv_AtomicFlagClear", emit_flag_clear, 0, false},
    {"__spirv_ocl_vloadn_R", emit_vector_load, 0, true},
    {"__spirv_ocl_vstoren", emit_vector_store, 0, false},
    {"__spirv_ocl_shuffle", emit_shuffle, 1, false},
    {"__spirv_ocl_shuffle2", emit_shuffle, 2, false},
    {"__spirv_ocl_select", emit_select, 0, false},
    {"__spirv_ocl_bitselect", emit_bitselect, 0, false},
    {"__spirv_Any", emit_any, 0, false},
    {"__spirv_All", emit_all, 0, false},
    {"__spirv_ocl_prefetch", emit_nothing, 0, false},
};

static bool matches(const struct generator *generator, const char *name)
{
    return generator->is_prefix ? zc_has_prefix(name, generator->name)
                                : strcmp(name, generator->name) == 0;
}

bool zc_builtins_generate(struct zc_build *build, LLVMValueRef function, const char *name)
{
    for (size_t i = 0; i < sizeof(generators) / sizeof(generators[0]); i++) {
        if (!matches(&generators[i], name))
            continue;
        generators[i].emit(build, function, generators[i].detail);
        return true;
    }
    return false;
}
