// SPDX-License-Identifier: MIT
//
// What is the same for every build in this process: the host's processor, its data layout, the
// builtins.

#ifndef ZC_ENGINE_TARGET_H
#define ZC_ENGINE_TARGET_H

#include <stdbool.h>

#include <llvm-c/TargetMachine.h>

struct zc_target {
    LLVMTargetRef target;
    char *triple;
    char *processor;
    char *features;
    char *layout; // data layout as text
};

// Made at the first call, from any thread. NULL: LLVM cannot compile for this machine.
const struct zc_target *zc_target(void);

// A new machine, which the caller disposes of: a machine must not be shared by threads.
LLVMTargetMachineRef zc_target_machine(const struct zc_target *target, bool optimise);

#endif
