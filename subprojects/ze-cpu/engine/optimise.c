// SPDX-License-Identifier: MIT
//
// LLVM's passes, its verifier and its code generator.

#include "build.h"
#include "target.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

static void mark_functions(
    struct zc_build *build, LLVMModuleRef module, const char *name, const char *value)
{
    LLVMAttributeRef mark = LLVMCreateStringAttribute(
        build->context, name, (unsigned)strlen(name), value, (unsigned)strlen(value));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f))
            LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, mark);
    }
}

bool zc_run_passes(struct zc_build *build, LLVMModuleRef module, const char *passes)
{
    // LLVM would make exp2(y * log2(x)) of pow(x, y) where x is a constant power of two. The product is rounded, which costs hundreds
    // of units in the last place: OpenCL allows 16. Where it may not know exp2 it leaves pow alone.
    mark_functions(build, module, "no-builtin-exp2", "");
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, passes, build->machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (error == NULL)
        return true;
    char *message = LLVMGetErrorMessage(error);
    zc_log_add(&build->log, "error: compiler passes '%s': %s", passes, message);
    LLVMDisposeErrorMessage(message);
    return false;
}

static bool is_broken(struct zc_build *build, char **message)
{
    return LLVMVerifyModule(build->module, LLVMReturnStatusAction, message);
}

// A program with wrong debug information is not refused: the debug information is removed.
static bool is_broken_without_debug_info(struct zc_build *build, char **message)
{
    char *why = *message;
    if (!LLVMStripModuleDebugInfo(build->module))
        return true;
    build->has_debug_info = false;
    const bool broken = is_broken(build, message);
    if (!broken)
        zc_log_add(&build->log, "warning: debug information is left out, as it is wrong: %s", why);
    LLVMDisposeMessage(why);
    return broken;
}

bool zc_verify(struct zc_build *build, const char *stage)
{
    char *message = NULL;
    const bool broken = is_broken(build, &message) && is_broken_without_debug_info(build, &message);
    if (broken)
        zc_log_add(&build->log, "error: invalid code after %s: %s", stage, message);
    LLVMDisposeMessage(message);
    return !broken;
}

// Minimum and maximum of vectors of halfs, which LLVM 15 may have made of those of floats and can't select on x86: floats again.
static void widen(struct zc_build *build, LLVMValueRef call, const char *name)
{
    LLVMTypeRef type = LLVMTypeOf(call);
    LLVMTypeRef wide =
        LLVMVectorType(LLVMFloatTypeInContext(build->context), LLVMGetVectorSize(type));
    LLVMValueRef arguments[2];
    LLVMPositionBuilderBefore(build->builder, call);
    for (unsigned i = 0; i < 2; i++)
        arguments[i] = LLVMBuildFPExt(build->builder, LLVMGetOperand(call, i), wide, "");
    LLVMValueRef result = zc_call_intrinsic(build, name, &wide, 1, arguments, 2);
    LLVMReplaceAllUsesWith(call, LLVMBuildFPTrunc(build->builder, result, type, ""));
    LLVMInstructionEraseFromParent(call);
}

static bool is_of_halfs(LLVMValueRef function, const char *name)
{
    LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));
    return zc_has_prefix(zc_name_of(function), name) &&
           LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
           LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMHalfTypeKind;
}

static void widen_extremes_of_halfs(struct zc_build *build, LLVMModuleRef module)
{
    static const char *const names[] = {"llvm.maxnum", "llvm.minnum"};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
        for (unsigned n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
            LLVMUseRef use;
            while (is_of_halfs(f, names[n]) && (use = LLVMGetFirstUse(f)) != NULL)
                widen(build, LLVMGetUser(use), names[n]);
        }
    }
}

bool zc_emit_object(struct zc_build *build, LLVMModuleRef module, LLVMMemoryBufferRef *object)
{
    char *message = NULL;
    // A function with a large frame touches each page of it, so that it can't step over the page that guards the end of the stack.
    mark_functions(build, module, "probe-stack", "inline-asm");
    widen_extremes_of_halfs(build, module);
    LLVMTargetMachineRef machine = zc_target_machine(zc_target(), build->optimise);
    const bool failed = machine == NULL || LLVMTargetMachineEmitToMemoryBuffer(
                                               machine, module, LLVMObjectFile, &message, object);
    if (failed)
        zc_log_add(&build->log, "error: native compiler: %s", message != NULL ? message : "none");
    LLVMDisposeMessage(message);
    if (machine != NULL)
        LLVMDisposeTargetMachine(machine);
    return !failed;
}
