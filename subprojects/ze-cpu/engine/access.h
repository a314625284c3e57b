// SPDX-License-Identifier: MIT
//
// Accesses to memory in a function's code, and what they are known to be accesses to.

#ifndef ZC_ENGINE_ACCESS_H
#define ZC_ENGINE_ACCESS_H

#include "build.h"
#include "checked.h"

struct zc_access {
    LLVMValueRef instruction;
    LLVMValueRef pointer;
    LLVMValueRef size; // bytes, as an i64
    enum zc_access_kind kind;
};

// What an instruction accesses: at most two things, and what it writes comes last, as it does that last. Returns how many.
unsigned zc_access_find(
    struct zc_build *build, LLVMValueRef instruction, struct zc_access accesses[2]);

struct zc_object {
    enum zc_object_kind kind;
    LLVMValueRef base;
    LLVMValueRef size; // bytes, as an i64
    const char *name;
    unsigned index; // of the argument
    bool is_ours;   // nothing of the program's
};

// Where the pointer leads to, through steps of known types. `kernel` is the one whose wrapper the code is in, or NULL.
struct zc_object zc_object_of(
    struct zc_build *build, const struct zc_kernel_build *kernel, LLVMValueRef pointer);
// Whether the address is one that may be read whatever happens: of a variable, at constant indices, or one of several.
bool zc_is_always_there(LLVMValueRef pointer);
// A struct zc_access_site, as a constant; `variables` may be a null pointer.
LLVMValueRef zc_access_describe(struct zc_build *build, const struct zc_access *access,
    const struct zc_object *object, LLVMValueRef variables);
// Bytes from there to the pointer, computed at the builder's place.
LLVMValueRef zc_object_offset(struct zc_build *build, LLVMValueRef base, LLVMValueRef pointer);

#endif
