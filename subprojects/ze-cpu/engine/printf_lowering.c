// SPDX-License-Identifier: MIT
//
// OpenCL's printf takes vectors and has length modifiers of its own, so C's cannot serve. Each call
// becomes
//
//     zc_printf(format, count, shapes, slots)
//
// with the arguments stored in slots of equal size and their shapes beside them.

#include "build.h"
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>

static LLVMTypeRef runtime_type(struct zc_build *build)
{
    const struct zc_types *t = &build->types;
    LLVMTypeRef parameters[4] = {t->pointer, t->i32, t->pointer, t->pointer};
    return LLVMFunctionType(t->i32, parameters, 4, false);
}

static LLVMValueRef runtime_function(struct zc_build *build)
{
    LLVMValueRef function = LLVMGetNamedFunction(build->module, "zc_printf");
    return function != NULL ? function
                            : LLVMAddFunction(build->module, "zc_printf", runtime_type(build));
}

static uint32_t shape_of(struct zc_build *build, LLVMTypeRef type)
{
    uint32_t count = 1;
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
        count = LLVMGetVectorSize(type);
        type = LLVMGetElementType(type);
    }
    return ZC_PRINTF_SHAPE((uint32_t)LLVMABISizeOfType(build->layout, type), count);
}

// Stack memory belongs into the entry block: a printf in a loop must not grow the stack.
static LLVMValueRef entry_alloca(
    struct zc_build *build, LLVMValueRef call, uint64_t size, unsigned alignment)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    LLVMPositionBuilderBefore(
        build->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    LLVMTypeRef type = LLVMArrayType(build->types.i8, (unsigned)size);
    LLVMValueRef memory = LLVMBuildAlloca(build->builder, type, "printf");
    LLVMSetAlignment(memory, alignment);
    return memory;
}

static void lower_call(struct zc_build *build, LLVMValueRef call)
{
    const unsigned count = LLVMGetNumArgOperands(call) - 1;
    LLVMValueRef slots = entry_alloca(build, call, (uint64_t)(count + 1) * ZC_PRINTF_SLOT, 8);
    LLVMValueRef shapes = entry_alloca(build, call, (uint64_t)(count + 1) * sizeof(uint32_t), 4);
    LLVMPositionBuilderBefore(build->builder, call);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i + 1);
        LLVMValueRef slot = zc_byte_offset(build, slots, (uint64_t)i * ZC_PRINTF_SLOT);
        LLVMSetAlignment(LLVMBuildStore(build->builder, argument, slot), 1);
        LLVMBuildStore(build->builder, zc_const_i32(build, shape_of(build, LLVMTypeOf(argument))),
            zc_byte_offset(build, shapes, i * sizeof(uint32_t)));
    }
    LLVMValueRef format =
        LLVMBuildAddrSpaceCast(build->builder, LLVMGetOperand(call, 0), build->types.pointer, "");
    LLVMValueRef arguments[4] = {format, zc_const_i32(build, count), shapes, slots};
    LLVMValueRef result = LLVMBuildCall2(
        build->builder, runtime_type(build), runtime_function(build), arguments, 4, "");
    LLVMReplaceAllUsesWith(call, result);
    LLVMInstructionEraseFromParent(call);
}

void zc_printf_lower(struct zc_build *build)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(build->module); f; f = LLVMGetNextFunction(f)) {
        char name[64];
        size_t length;
        if (!zc_builtin_name(LLVMGetValueName2(f, &length), name, sizeof(name)) ||
            strcmp(name, "__spirv_ocl_printf") != 0)
            continue;
        LLVMUseRef use;
        while ((use = LLVMGetFirstUse(f)) != NULL && LLVMIsACallInst(LLVMGetUser(use)))
            lower_call(build, LLVMGetUser(use));
    }
    LLVMSetCurrentDebugLocation2(build->builder, NULL); // that of the last call
}
