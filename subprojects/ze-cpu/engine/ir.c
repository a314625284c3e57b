// SPDX-License-Identifier: MIT
//
// Small helpers around LLVM's C API.

#include "build.h"

#include <string.h>

bool zc_has_prefix(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

unsigned zc_attribute_kind(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

void zc_add_attribute(LLVMContextRef context, LLVMValueRef function, const char *name)
{
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(context, zc_attribute_kind(name), 0));
}

LLVMValueRef zc_call_intrinsic(struct zc_build *build, const char *name, LLVMTypeRef *overloads,
    unsigned overload_count, LLVMValueRef *arguments, unsigned argument_count)
{
    const unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef function =
        LLVMGetIntrinsicDeclaration(build->module, id, overloads, overload_count);
    LLVMTypeRef type = LLVMIntrinsicGetType(build->context, id, overloads, overload_count);
    return LLVMBuildCall2(build->builder, type, function, arguments, argument_count, "");
}

LLVMValueRef zc_const_i32(struct zc_build *build, uint64_t value)
{
    return LLVMConstInt(build->types.i32, value, false);
}

LLVMValueRef zc_const_i64(struct zc_build *build, uint64_t value)
{
    return LLVMConstInt(build->types.i64, value, false);
}

LLVMValueRef zc_byte_offset(struct zc_build *build, LLVMValueRef base, uint64_t bytes)
{
    LLVMValueRef index = zc_const_i64(build, bytes);
    return LLVMBuildGEP2(build->builder, build->types.i8, base, &index, 1, "");
}
