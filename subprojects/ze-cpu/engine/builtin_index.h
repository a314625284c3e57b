// SPDX-License-Identifier: MIT
//
// Which builtins there are, found by SPIR-V name and LLVM types.
//
// Mangled names do not do as keys: llvm-spirv picks the signedness of their integers at will. LLVM
// types have none.

#ifndef ZC_ENGINE_BUILTIN_INDEX_H
#define ZC_ENGINE_BUILTIN_INDEX_H

#include <stdbool.h>

#include <llvm-c/Core.h>

// The mangled name of the builtin, or NULL. Any thread.
const char *zc_builtin_find(const char *name, LLVMTypeRef type);

// Is it the mangled name of a function that modules import by it? Any thread.
bool zc_builtin_is_mangled(const char *name);

// The builtins' bitcode, to be linked lazily; NULL: it cannot be read.
LLVMModuleRef zc_builtin_module(LLVMContextRef context);

// Why there is no builtin of this name, in words, where instructions.h does not know it either; NULL: there is no reason but that nobody
// has written it.
const char *zc_builtin_refusal(const char *name);

#endif
