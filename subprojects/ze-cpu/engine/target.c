// SPDX-License-Identifier: MIT
//
// The host as a compilation target.

#include "target.h"

#include <pthread.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

static struct zc_target host;
static bool usable;
static pthread_once_t once = PTHREAD_ONCE_INIT;

LLVMTargetMachineRef zc_target_machine(const struct zc_target *target, bool optimise)
{
    return LLVMCreateTargetMachine(target->target, target->triple, target->processor,
        target->features, optimise ? LLVMCodeGenLevelDefault : LLVMCodeGenLevelNone, LLVMRelocPIC,
        LLVMCodeModelJITDefault);
}

// LLVM's registries are not guarded by locks of their own, hence pthread_once.
static void find_host(void)
{
    if (LLVMInitializeNativeTarget() || LLVMInitializeNativeAsmPrinter() ||
        LLVMInitializeNativeAsmParser()) // of inline assembly
        return;
    host.triple = LLVMGetDefaultTargetTriple();
    host.processor = LLVMGetHostCPUName();
    host.features = LLVMGetHostCPUFeatures();
    char *error = NULL;
    if (LLVMGetTargetFromTriple(host.triple, &host.target, &error)) {
        LLVMDisposeMessage(error);
        return;
    }
    LLVMTargetMachineRef machine = zc_target_machine(&host, true);
    if (machine == NULL)
        return;
    LLVMTargetDataRef data = LLVMCreateTargetDataLayout(machine);
    host.layout = LLVMCopyStringRepOfTargetData(data);
    LLVMDisposeTargetData(data);
    LLVMDisposeTargetMachine(machine);
    usable = true;
}

const struct zc_target *zc_target(void)
{
    pthread_once(&once, find_host);
    return usable ? &host : NULL;
}
