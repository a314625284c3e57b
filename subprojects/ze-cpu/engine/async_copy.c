// SPDX-License-Identifier: MIT
//
// async_work_group_copy. The size of an element is known from nothing but the mangled name, since
// LLVM's pointers have no types; with it, the copy is a builtin in OpenCL C
// (builtins/group_operations.cl).

#include "build.h"

#include <stdlib.h>
#include <string.h>

#define GLOBAL_ADDRESS_SPACE 1
#define MANGLED_POINTER "PU3AS"

// Bytes of a mangled scalar type; 0: not one.
static unsigned scalar_size(const char *type)
{
    static const char *const letters[] = {"cha", "st", "ijf", "lmdxy"};
    if (zc_has_prefix(type, "Dh"))
        return 2;
    for (unsigned i = 0; i < sizeof(letters) / sizeof(letters[0]); i++) {
        if (*type != '\0' && strchr(letters[i], *type) != NULL)
            return 1u << i;
    }
    return 0;
}

// "Dv4_f": a vector of four; one of three takes the place of four.
static unsigned mangled_size(const char *type)
{
    if (!zc_has_prefix(type, "Dv"))
        return scalar_size(type);
    char *end;
    const unsigned long count = strtoul(type + strlen("Dv"), &end, 10);
    if (*end != '_' || count > 16)
        return 0;
    return scalar_size(end + 1) * (count == 3 ? 4 : (unsigned)count);
}

// The first parameter that is a pointer decides: the second may be abbreviated.
static unsigned element_size(const char *mangled)
{
    const char *pointer = strstr(mangled, MANGLED_POINTER);
    if (pointer == NULL)
        return 0;
    pointer += strlen(MANGLED_POINTER);
    return mangled_size(pointer + strspn(pointer, "0123456789"));
}

// For a comparison with those of the other work-items.
static void note_arguments(struct zc_build *build, LLVMValueRef function)
{
    LLVMValueRef arguments[4];
    for (unsigned i = 0; i < 4; i++) {
        LLVMValueRef argument = LLVMGetParam(function, i + 1);
        arguments[i] =
            i < 2 ? LLVMBuildPtrToInt(build->builder, argument, build->types.i64, "")
                  : LLVMBuildIntCast2(build->builder, argument, build->types.i64, false, "");
    }
    zc_call_runtime(build, "zc_check_copy", build->types.void_type, arguments, 4);
}

// (scope, to, from, count, stride, event): the stride belongs to the global side.
bool zc_async_copy_define(struct zc_build *build, LLVMValueRef function, const char *mangled)
{
    const unsigned size = element_size(mangled);
    if (size == 0 || LLVMCountParams(function) != 6)
        return false;
    LLVMValueRef to = LLVMGetParam(function, 1);
    LLVMValueRef stride = LLVMGetParam(function, 4);
    LLVMValueRef one = zc_const_i64(build, 1);
    const bool is_checked = build->checks & ZC_CHECK_DIVERGENCE;
    if (is_checked)
        note_arguments(build, function);
    const bool to_global = LLVMGetPointerAddressSpace(LLVMTypeOf(to)) == GLOBAL_ADDRESS_SPACE;
    LLVMValueRef arguments[6] = {to, LLVMGetParam(function, 2), LLVMGetParam(function, 3),
        to_global ? stride : one, to_global ? one : stride, zc_const_i64(build, size)};
    const char *name = is_checked ? "__spirv_AsyncCopyTogether" : "__spirv_AsyncCopy";
    if (zc_builtins_call(build, name, build->types.void_type, arguments, 6) == NULL)
        return false;
    LLVMBuildRet(build->builder, LLVMGetParam(function, 5));
    return true;
}
