// SPDX-License-Identifier: MIT
//
// What differs between the versions of LLVM that the engine is built with, 15 to 22. Whoever meets
// another difference puts it here, under a name that says what is meant.

#ifndef ZC_ENGINE_LLVM_VERSIONS_H
#define ZC_ENGINE_LLVM_VERSIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <llvm-c/Core.h>
#include <llvm/Config/llvm-config.h>

// A context whose pointers have no pointee types, as all have since LLVM 17.
static inline LLVMContextRef zc_create_context(void)
{
    LLVMContextRef context = LLVMContextCreate();
#if LLVM_VERSION_MAJOR < 17
    LLVMContextSetOpaquePointers(context, true);
#endif
    return context;
}

// Types that only a target knows, of which llvm-spirv makes images, samplers and events since LLVM 17.
static inline bool zc_is_target_type(LLVMTypeRef type)
{
#if LLVM_VERSION_MAJOR < 16
    (void)type;
    return false;
#else
    return LLVMGetTypeKind(type) == LLVMTargetExtTypeKind;
#endif
}

// llvm.coro.end takes a token of results, for coroutines that return some, since LLVM 18.
#define ZC_COROUTINE_END_ARGUMENTS (LLVM_VERSION_MAJOR < 18 ? 2u : 3u)

// What memory a function touches: attributes, and since LLVM 16 one that says it all.
#if LLVM_VERSION_MAJOR < 16
#define ZC_MEMORY_ATTRIBUTES "readnone", "readonly", "writeonly", "argmemonly"
#else
#define ZC_MEMORY_ATTRIBUTES "memory"
#endif

// Calls of it may be joined and moved.
#if LLVM_VERSION_MAJOR < 16
#define ZC_NO_MEMORY_ATTRIBUTE "readnone"
#else
#define ZC_NO_MEMORY_ATTRIBUTE "memory" // of the value 0
#endif

static inline bool zc_touches_no_memory(LLVMValueRef function)
{
    const LLVMAttributeIndex index = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
#if LLVM_VERSION_MAJOR < 16
    const unsigned kind = LLVMGetEnumAttributeKindForName("readnone", 8);
    return LLVMGetEnumAttributeAtIndex(function, index, kind) != NULL;
#else
    const unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, index, kind);
    return attribute != NULL && LLVMGetEnumAttributeValue(attribute) == 0;
#endif
}

#endif
