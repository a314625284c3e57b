// SPDX-License-Identifier: MIT
//
// Atomic operations. All work-items of a group run on one thread, so those on local memory need no
// help of the processor, which takes some twenty cycles each time. They are marked as volatile: nothing
// may be made of them that would not see what other work-items write, as in vectors.
//
// All others are sequentially consistent, which is right for every semantics and costs nothing on x86 except for
// stores.

#include "build.h"

#define LOCAL_ADDRESS_SPACE 3

static LLVMValueRef smaller_or_larger(
    struct zc_build *build, LLVMIntPredicate predicate, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildSelect(
        build->builder, LLVMBuildICmp(build->builder, predicate, a, b, ""), a, b, "");
}

// What the operation makes of the old value; NULL: it is none of the plain ones.
static LLVMValueRef combine(
    struct zc_build *build, LLVMAtomicRMWBinOp operation, LLVMValueRef old, LLVMValueRef value)
{
    LLVMBuilderRef b = build->builder;
    switch (operation) {
    case LLVMAtomicRMWBinOpXchg:
        return value;
    case LLVMAtomicRMWBinOpAdd:
        return LLVMBuildAdd(b, old, value, "");
    case LLVMAtomicRMWBinOpSub:
        return LLVMBuildSub(b, old, value, "");
    case LLVMAtomicRMWBinOpAnd:
        return LLVMBuildAnd(b, old, value, "");
    case LLVMAtomicRMWBinOpOr:
        return LLVMBuildOr(b, old, value, "");
    case LLVMAtomicRMWBinOpXor:
        return LLVMBuildXor(b, old, value, "");
    case LLVMAtomicRMWBinOpMin:
        return smaller_or_larger(build, LLVMIntSLT, old, value);
    case LLVMAtomicRMWBinOpMax:
        return smaller_or_larger(build, LLVMIntSGT, old, value);
    case LLVMAtomicRMWBinOpUMin:
        return smaller_or_larger(build, LLVMIntULT, old, value);
    case LLVMAtomicRMWBinOpUMax:
        return smaller_or_larger(build, LLVMIntUGT, old, value);
    case LLVMAtomicRMWBinOpFAdd:
        return LLVMBuildFAdd(b, old, value, "");
    default:
        return NULL;
    }
}

// Where races are looked for, they have to differ from plain accesses.
static bool may_be_plain(struct zc_build *build, LLVMValueRef pointer)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == LOCAL_ADDRESS_SPACE &&
           !(build->checks & ZC_CHECK_RACES);
}

static LLVMValueRef load(struct zc_build *build, LLVMTypeRef type, LLVMValueRef pointer)
{
    LLVMValueRef value = LLVMBuildLoad2(build->builder, type, pointer, "");
    LLVMSetVolatile(value, true);
    return value;
}

static void store(struct zc_build *build, LLVMValueRef value, LLVMValueRef pointer)
{
    LLVMSetVolatile(LLVMBuildStore(build->builder, value, pointer), true);
}

LLVMValueRef zc_atomic_update(
    struct zc_build *build, LLVMAtomicRMWBinOp operation, LLVMValueRef pointer, LLVMValueRef value)
{
    const bool is_plain = may_be_plain(build, pointer) && operation != LLVMAtomicRMWBinOpFMin &&
                          operation != LLVMAtomicRMWBinOpFMax;
    if (!is_plain)
        return LLVMBuildAtomicRMW(build->builder, operation, pointer, value,
            LLVMAtomicOrderingSequentiallyConsistent, false);
    LLVMValueRef old = load(build, LLVMTypeOf(value), pointer);
    store(build, combine(build, operation, old, value), pointer);
    return old;
}

LLVMValueRef zc_atomic_exchange_if_equal(
    struct zc_build *build, LLVMValueRef pointer, LLVMValueRef expected, LLVMValueRef value)
{
    if (!may_be_plain(build, pointer)) {
        LLVMValueRef pair = LLVMBuildAtomicCmpXchg(build->builder, pointer, expected, value,
            LLVMAtomicOrderingSequentiallyConsistent, LLVMAtomicOrderingSequentiallyConsistent,
            false);
        return LLVMBuildExtractValue(build->builder, pair, 0, "");
    }
    LLVMValueRef old = load(build, LLVMTypeOf(value), pointer);
    LLVMValueRef is_equal = LLVMBuildICmp(build->builder, LLVMIntEQ, old, expected, "");
    store(build, LLVMBuildSelect(build->builder, is_equal, value, old, ""), pointer);
    return old;
}
