// SPDX-License-Identifier: MIT

#include "compile/compiler.h"

#include "toolchain.h"

mez_build_time_compiler mez_compiler_of_build_time(void)
{
    return (mez_build_time_compiler){.clang = MEZ_CLANG_PATH, .llvm_spirv = MEZ_LLVM_SPIRV_PATH};
}
