// SPDX-License-Identifier: MIT
//
// Small helpers around LLVM's C API.

#include "build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool zc_has_prefix(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

const char *zc_name_of(LLVMValueRef value)
{
    size_t length;
    return LLVMGetValueName2(value, &length);
}

LLVMValueRef zc_note_of(LLVMValueRef function, const char *name)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    const unsigned wanted = LLVMGetMDKindIDInContext(context, name, (unsigned)strlen(name));
    LLVMValueRef node = NULL;
    size_t count;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(function, &count);
    for (unsigned i = 0; i < count; i++) {
        if (LLVMValueMetadataEntriesGetKind(entries, i) == wanted)
            node = LLVMMetadataAsValue(context, LLVMValueMetadataEntriesGetMetadata(entries, i));
    }
    LLVMDisposeValueMetadataEntries(entries);
    return node;
}

unsigned zc_address_space(LLVMValueRef global)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(global));
}

// Local memory is each kernel's own, whatever the module says about linkage.
bool zc_is_shared_symbol(LLVMValueRef value)
{
    return !LLVMIsDeclaration(value) && LLVMGetLinkage(value) == LLVMExternalLinkage &&
           zc_address_space(value) != 3;
}

bool zc_is_known_constant(LLVMValueRef value)
{
    return LLVMGetLinkage(value) == LLVMAvailableExternallyLinkage;
}

void zc_rename(LLVMValueRef value, const char *prefix, const char *name)
{
    char *full = NULL;
    const int length = asprintf(&full, "%s%s", prefix, name);
    if (length < 0)
        return;
    LLVMSetValueName2(value, full, (size_t)length);
    free(full);
}

void zc_set_apart(LLVMValueRef value)
{
    zc_rename(value, ZC_USER_PREFIX, zc_name_of(value));
}

unsigned zc_attribute_kind(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

void zc_add_parameter_attribute(
    LLVMContextRef context, LLVMValueRef function, unsigned index, const char *name, uint64_t value)
{
    LLVMAddAttributeAtIndex(
        function, index + 1, LLVMCreateEnumAttribute(context, zc_attribute_kind(name), value));
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

LLVMValueRef zc_add_constant(struct zc_build *build, LLVMValueRef value)
{
    LLVMValueRef global = LLVMAddGlobal(build->module, LLVMTypeOf(value), "zc.constant");
    LLVMSetInitializer(global, value);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    return global;
}

LLVMValueRef zc_add_text(struct zc_build *build, const char *text, size_t length)
{
    return zc_add_constant(
        build, LLVMConstStringInContext(build->context, text, (unsigned)length, false));
}

LLVMValueRef zc_source_place(struct zc_build *build, LLVMValueRef instruction, uint64_t *line)
{
    unsigned length = 0;
    const char *file = LLVMGetDebugLocFilename(instruction, &length);
    *line = file != NULL ? LLVMGetDebugLocLine(instruction) : 0;
    return file != NULL ? zc_add_text(build, file, length) : LLVMConstNull(build->types.pointer);
}

// The call is out of the way then, and so is saving registers for it.
void zc_set_unlikely(struct zc_build *build, LLVMValueRef branch)
{
    LLVMMetadataRef parts[3] = {LLVMMDStringInContext2(build->context, "branch_weights", 14),
        LLVMValueAsMetadata(zc_const_i32(build, 1)),
        LLVMValueAsMetadata(zc_const_i32(build, 1 << 20))};
    LLVMMetadataRef node = LLVMMDNodeInContext2(build->context, parts, 3);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(build->context, "prof", 4),
        LLVMMetadataAsValue(build->context, node));
}

LLVMValueRef zc_declare_runtime(struct zc_build *build, const char *name, LLVMTypeRef type)
{
    LLVMValueRef function = LLVMGetNamedFunction(build->module, name);
    return function != NULL ? function : LLVMAddFunction(build->module, name, type);
}

LLVMValueRef zc_call_runtime(struct zc_build *build, const char *name, LLVMTypeRef result,
    LLVMValueRef *arguments, unsigned count)
{
    LLVMTypeRef types[4];
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(arguments[i]);
    LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
    return LLVMBuildCall2(
        build->builder, type, zc_declare_runtime(build, name, type), arguments, count, "");
}

LLVMBasicBlockRef zc_append_block(struct zc_build *build, LLVMValueRef function)
{
    return LLVMAppendBasicBlockInContext(build->context, function, "");
}

LLVMValueRef zc_begin_inlined(struct zc_build *build, LLVMTypeRef type, const char *name)
{
    LLVMValueRef function = LLVMAddFunction(build->module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    zc_add_attribute(build->context, function, "alwaysinline");
    LLVMSetCurrentDebugLocation2(build->builder, NULL);
    LLVMPositionBuilderAtEnd(build->builder, zc_append_block(build, function));
    return function;
}
