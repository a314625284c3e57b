// SPDX-License-Identifier: MIT
//
// A failed assert stops in the debugger, if there is one: before each call that reports it, in code
// built with debug information, a trap is inserted. It stands at the assert itself, so that the
// debugger shows the kernel's own line and not the driver's.

#include "build.h"

#include <string.h>

#include <llvm-c/DebugInfo.h>

static LLVMTypeRef question_type(struct zc_build *build)
{
    return LLVMFunctionType(build->types.i32, NULL, 0, false);
}

// The processor stops behind the trap, where another line may begin: something of the same line has to
// follow, and inline assembly has one location as a whole.
static void stop_here(struct zc_build *build)
{
#if defined(__x86_64__) || defined(__i386__)
    static char text[] = "int3; nop", constraints[] = "";
    LLVMTypeRef type = LLVMFunctionType(build->types.void_type, NULL, 0, false);
    LLVMValueRef trap = LLVMGetInlineAsm(
        type, text, sizeof(text) - 1, constraints, 0, true, false, LLVMInlineAsmDialectATT, false);
    LLVMBuildCall2(build->builder, type, trap, NULL, 0, "");
#else
    zc_call_intrinsic(build, "llvm.debugtrap", NULL, 0, NULL, 0);
#endif
}

// if (zc_debugger_is_attached()) trap. Without locations of its own, what is inlined takes that of
// the call.
static LLVMValueRef create_trap(struct zc_build *build)
{
    LLVMTypeRef type = LLVMFunctionType(build->types.void_type, NULL, 0, false);
    LLVMValueRef trap = LLVMAddFunction(build->module, "zc.trap", type);
    LLVMSetLinkage(trap, LLVMInternalLinkage);
    zc_add_attribute(build->context, trap, "alwaysinline");
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(build->context, trap, "entry");
    LLVMBasicBlockRef stop = LLVMAppendBasicBlockInContext(build->context, trap, "stop");
    LLVMBasicBlockRef go_on = LLVMAppendBasicBlockInContext(build->context, trap, "go_on");
    LLVMPositionBuilderAtEnd(build->builder, entry);
    LLVMValueRef question =
        LLVMAddFunction(build->module, "zc_debugger_is_attached", question_type(build));
    LLVMValueRef answer =
        LLVMBuildCall2(build->builder, question_type(build), question, NULL, 0, "");
    LLVMBuildCondBr(build->builder,
        LLVMBuildICmp(build->builder, LLVMIntNE, answer, zc_const_i32(build, 0), ""), stop, go_on);
    LLVMPositionBuilderAtEnd(build->builder, stop);
    stop_here(build);
    LLVMBuildBr(build->builder, go_on);
    LLVMPositionBuilderAtEnd(build->builder, go_on);
    LLVMBuildRetVoid(build->builder);
    return trap;
}

static bool is_assert_of_c(LLVMValueRef function)
{
    size_t length;
    return strcmp(LLVMGetValueName2(function, &length), "user." ZC_ASSERT_FAIL_OF_C) == 0;
}

// One of C's that calls the other has been stopped at already.
static bool stops_at(LLVMValueRef call)
{
    return LLVMIsACallInst(call) && LLVMInstructionGetDebugLoc(call) != NULL &&
           !is_assert_of_c(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)));
}

static void insert_before_calls(struct zc_build *build, LLVMValueRef trap, const char *name)
{
    LLVMValueRef function = LLVMGetNamedFunction(build->module, name);
    LLVMUseRef use = function != NULL ? LLVMGetFirstUse(function) : NULL;
    for (; use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        if (!stops_at(call))
            continue;
        LLVMPositionBuilderBefore(build->builder, call); // and takes its location
        LLVMBuildCall2(build->builder, LLVMGlobalGetValueType(trap), trap, NULL, 0, "");
    }
    LLVMSetCurrentDebugLocation2(build->builder, NULL);
}

void zc_trap_insert(struct zc_build *build)
{
    if (!build->has_debug_info)
        return;
    LLVMValueRef trap = create_trap(build);
    insert_before_calls(build, trap, "user." ZC_ASSERT_FAIL);
    insert_before_calls(build, trap, "user." ZC_ASSERT_FAIL_OF_C);
}
