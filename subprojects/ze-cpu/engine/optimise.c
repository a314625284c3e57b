// SPDX-License-Identifier: MIT
//
// LLVM's passes and its verifier.

#include "build.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

bool zc_run_passes(struct zc_build *build, const char *passes)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(build->module, passes, build->machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (error == NULL)
        return true;
    char *message = LLVMGetErrorMessage(error);
    zc_log_add(&build->log, "error: compiler passes '%s': %s", passes, message);
    LLVMDisposeErrorMessage(message);
    return false;
}

bool zc_verify(struct zc_build *build, const char *stage)
{
    char *message = NULL;
    const bool broken = LLVMVerifyModule(build->module, LLVMReturnStatusAction, &message);
    if (broken)
        zc_log_add(&build->log, "error: invalid code after %s: %s", stage, message);
    LLVMDisposeMessage(message);
    return !broken;
}
