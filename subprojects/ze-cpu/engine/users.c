// SPDX-License-Identifier: MIT
//
// Which functions use something, up to the kernels.

#include "build.h"

void zc_mark_users(struct zc_build *build, LLVMValueRef value, const struct zc_mark *mark)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAConstantExpr(user))
            zc_mark_users(build, user, mark);
        if (!LLVMIsAInstruction(user))
            continue;
        LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
        if (mark->is_set(function))
            continue;
        mark->set(build, function);
        zc_mark_users(build, function, mark);
    }
}
