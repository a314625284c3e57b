// SPDX-License-Identifier: MIT
//
// Native asserts: a module that says where an assert failed, by calling a function that its compiler
// expects the driver to have, gets that function.
//
//     void __devicelib_assert_fail(expression, file, line, function, 3 global ids, 3 local ids)
//     void __assert_fail(expression, file, line, function)
//
// Both become calls of the run-time function zc_assert_fail. The first takes the place of a
// definition in the module, too, as with Intel's compiler; the second is what C libraries call it,
// and a module's own is left alone.

#include "build.h"

#include <stdlib.h>
#include <string.h>

#define ID_COUNT 6
#define VALUE_COUNT (4 + ID_COUNT)

// Marks what may fail an assert while it is looked for; generated code does not know it.
static const char mark[] = "zc-asserts";

// p: pointer, i: 32 bits, l: 64 bits
static bool has_kind(LLVMTypeRef type, char kind)
{
    if (kind == 'p')
        return LLVMGetTypeKind(type) == LLVMPointerTypeKind;
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(type) == (kind == 'i' ? 32 : 64);
}

// A function that only has the name by chance is not ours to give a body.
static bool has_parameters(LLVMValueRef function, const char *kinds)
{
    LLVMTypeRef types[VALUE_COUNT];
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    if (LLVMCountParamTypes(type) != strlen(kinds) ||
        LLVMGetTypeKind(LLVMGetReturnType(type)) != LLVMVoidTypeKind)
        return false;
    LLVMGetParamTypes(type, types);
    bool ok = true;
    for (size_t i = 0; kinds[i] != '\0'; i++)
        ok &= has_kind(types[i], kinds[i]);
    return ok;
}

static LLVMTypeRef runtime_type(struct zc_build *build)
{
    const struct zc_types *t = &build->types;
    LLVMTypeRef parameters[VALUE_COUNT] = {
        t->pointer, t->pointer, t->i32, t->pointer, t->i64, t->i64, t->i64, t->i64, t->i64, t->i64};
    return LLVMFunctionType(t->void_type, parameters, VALUE_COUNT, false);
}

static LLVMValueRef runtime_function(struct zc_build *build)
{
    LLVMValueRef function = LLVMGetNamedFunction(build->module, ZC_ASSERT_RUNTIME);
    return function != NULL
               ? function
               : LLVMAddFunction(build->module, ZC_ASSERT_RUNTIME, runtime_type(build));
}

// The ids that __assert_fail does not receive.
static bool ask_ids(struct zc_build *build, LLVMValueRef *ids)
{
    static const char *const names[] = {
        "__spirv_BuiltInGlobalInvocationId", "__spirv_BuiltInLocalInvocationId"};
    for (unsigned i = 0; i < ID_COUNT; i++) {
        LLVMValueRef dimension = zc_const_i32(build, i % 3);
        ids[i] = zc_builtins_call(build, names[i / 3], build->types.i64, &dimension, 1);
        if (ids[i] == NULL)
            return false;
    }
    return true;
}

static bool define_body(struct zc_build *build, LLVMValueRef function)
{
    LLVMValueRef values[VALUE_COUNT];
    const unsigned count = LLVMCountParams(function);
    LLVMGetParams(function, values);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(build->context, function, "entry");
    LLVMPositionBuilderAtEnd(build->builder, entry);
    if (count < VALUE_COUNT && !ask_ids(build, values + 4))
        return false;
    for (unsigned i = 0; i < 4; i++) {
        if (LLVMGetTypeKind(LLVMTypeOf(values[i])) == LLVMPointerTypeKind)
            values[i] = LLVMBuildAddrSpaceCast(build->builder, values[i], build->types.pointer, "");
    }
    LLVMBuildCall2(
        build->builder, runtime_type(build), runtime_function(build), values, VALUE_COUNT, "");
    LLVMBuildRetVoid(build->builder);
    return true;
}

static void return_anything(struct zc_build *build, LLVMBasicBlockRef block)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(block);
    LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));
    LLVMPositionBuilderAtEnd(build->builder, block);
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(build->builder);
    else
        LLVMBuildRet(build->builder, LLVMGetUndef(type));
}

// C says that a failed assert does not return, ours does: what the compiler took for unreachable
// leaves the function.
static void make_calls_return(struct zc_build *build, LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        if (!LLVMIsACallInst(call))
            continue;
        LLVMRemoveCallSiteEnumAttribute(
            call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, zc_attribute_kind("noreturn"));
        LLVMValueRef next = LLVMGetNextInstruction(call);
        if (next == NULL || !LLVMIsAUnreachableInst(next))
            continue;
        LLVMInstructionEraseFromParent(next);
        return_anything(build, LLVMGetInstructionParent(call));
    }
}

static bool replace(struct zc_build *build, LLVMValueRef old, const char *name)
{
    LLVMValueRef function = LLVMAddFunction(build->module, "", LLVMGlobalGetValueType(old));
    LLVMReplaceAllUsesWith(old, function);
    LLVMDeleteFunction(old);
    LLVMSetValueName2(function, name, strlen(name));
    LLVMSetLinkage(function, LLVMInternalLinkage);
    make_calls_return(build, function);
    return define_body(build, function);
}

bool zc_assert_define(struct zc_build *build)
{
    LLVMValueRef fail = LLVMGetNamedFunction(build->module, ZC_ASSERT_FAIL);
    LLVMValueRef c_fail = LLVMGetNamedFunction(build->module, ZC_ASSERT_FAIL_OF_C);
    if (fail != NULL && has_parameters(fail, "ppipllllll") && !replace(build, fail, ZC_ASSERT_FAIL))
        return false;
    return c_fail == NULL || !LLVMIsDeclaration(c_fail) || !has_parameters(c_fail, "ppip") ||
           replace(build, c_fail, ZC_ASSERT_FAIL_OF_C);
}

static bool is_marked(LLVMValueRef function)
{
    return LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
               mark, sizeof(mark) - 1) != NULL;
}

static void mark_function(struct zc_build *build, LLVMValueRef function)
{
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(build->context, mark, sizeof(mark) - 1, "", 0));
}

void zc_assert_note_kernels(struct zc_build *build)
{
    LLVMValueRef function = LLVMGetNamedFunction(build->module, ZC_ASSERT_RUNTIME);
    if (function == NULL)
        return;
    zc_mark_users(build, function, &(struct zc_mark){.is_set = is_marked, .set = mark_function});
    for (uint32_t i = 0; i < build->kernel_count; i++)
        build->kernels[i].info->uses_assert = is_marked(build->kernels[i].body);
}
