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
    if (!LLVMStripModuleDebugInfo(build->module))
        return true;
    build->has_debug_info = false;
    LLVMDisposeMessage(*message);
    return is_broken(build, message);
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

bool zc_emit_object(struct zc_build *build, LLVMModuleRef module, LLVMMemoryBufferRef *object)
{
    char *message = NULL;
    // A function with a large frame touches each page of it, so that it can't step over the page that guards the end of the stack.
    mark_functions(build, module, "probe-stack", "inline-asm");
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
