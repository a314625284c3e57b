// SPDX-License-Identifier: MIT
//
// The functions that MemorySanitizer's code asks where the shadow of an address is (unwritten_check.c). They are inlined.

#include "build.h"
#include "context.h"
#include "unwritten.h"
#include "worker.h"

#include <string.h>

#define METADATA "__msan_metadata_ptr_for_"

static LLVMValueRef view(struct zc_build *build, size_t offset)
{
    LLVMValueRef global = LLVMGetNamedGlobal(build->module, "zc_shadow_view");
    if (global == NULL) {
        global =
            LLVMAddGlobal(build->module, LLVMArrayType(build->types.pointer, 3), "zc_shadow_view");
        LLVMSetGlobalConstant(global, true);
    }
    return LLVMBuildLoad2(
        build->builder, build->types.pointer, zc_byte_offset(build, global, offset), "");
}

static LLVMValueRef at(struct zc_build *build, LLVMValueRef base, LLVMValueRef offset)
{
    return LLVMBuildGEP2(build->builder, build->types.i8, base, &offset, 1, "");
}

static LLVMValueRef bits(struct zc_build *build, LLVMValueRef value, unsigned shift, uint64_t mask)
{
    LLVMValueRef shifted = LLVMBuildLShr(build->builder, value, zc_const_i64(build, shift), "");
    return LLVMBuildAnd(build->builder, shifted, zc_const_i64(build, mask), "");
}

static LLVMValueRef find_region(struct zc_build *build, LLVMValueRef address)
{
    LLVMBuilderRef b = build->builder;
    LLVMValueRef index = bits(build, address, ZC_SHADOW_REGION_BITS, ZC_SHADOW_REGIONS - 1);
    LLVMValueRef slot = LLVMBuildGEP2(b, build->types.pointer,
        view(build, offsetof(struct zc_shadow_view, shadow)), &index, 1, "");
    LLVMValueRef region = LLVMBuildLoad2(b, build->types.pointer, slot, "");
    return LLVMBuildSelect(b, LLVMBuildIsNull(b, region, ""),
        view(build, offsetof(struct zc_shadow_view, nothing)), region, "");
}

// What is written to pages that are not tracked goes to the sink.
static void divert(struct zc_build *build, LLVMValueRef *region, LLVMValueRef *offset)
{
    LLVMBuilderRef b = build->builder;
    LLVMValueRef page = bits(build, *offset, ZC_SHADOW_PAGE_BITS, ZC_SHADOW_PAGES - 1);
    LLVMValueRef flag =
        at(build, zc_byte_offset(build, *region, offsetof(struct zc_shadow_region, tracked)), page);
    LLVMValueRef tracked = LLVMBuildIsNotNull(b, LLVMBuildLoad2(b, build->types.i8, flag, ""), "");
    LLVMValueRef within = bits(build, *offset, 0, ZC_SHADOW_SINK - 1);
    *region = LLVMBuildSelect(
        b, tracked, *region, view(build, offsetof(struct zc_shadow_view, sink)), "");
    *offset = LLVMBuildSelect(b, tracked, *offset, within, "");
}

static LLVMValueRef pair(
    struct zc_build *build, LLVMTypeRef type, LLVMValueRef region, LLVMValueRef offset)
{
    LLVMBuilderRef b = build->builder;
    LLVMValueRef origins =
        zc_byte_offset(build, region, offsetof(struct zc_shadow_region, origins));
    LLVMValueRef word = bits(build, offset, 0, ~(uint64_t)3);
    LLVMValueRef half =
        LLVMBuildInsertValue(b, LLVMGetUndef(type), at(build, region, offset), 0, "");
    return LLVMBuildInsertValue(b, half, at(build, origins, word), 1, "");
}

static void return_across(struct zc_build *build, LLVMTypeRef type, LLVMValueRef address,
    LLVMValueRef size, bool is_store)
{
    LLVMValueRef arguments[3] = {address, size, zc_const_i64(build, is_store)};
    LLVMBuildRet(build->builder, zc_call_runtime(build, "zc_shadow_across", type, arguments, 3));
}

// The size is a part of the name, or else the second parameter.
static LLVMValueRef access_size(struct zc_build *build, LLVMValueRef function)
{
    const char *name = zc_name_of(function);
    const char digit = name[strlen(name) - 1];
    return digit == 'n' ? LLVMGetParam(function, 1) : zc_const_i64(build, (uint64_t)(digit - '0'));
}

// { shadow, origins } function(address, size)
static void define_metadata(struct zc_build *build, LLVMValueRef function)
{
    LLVMBuilderRef b = build->builder;
    LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));
    const bool is_store = zc_has_prefix(zc_name_of(function), METADATA "store");
    LLVMBasicBlockRef entry = zc_append_block(build, function);
    LLVMBasicBlockRef across = zc_append_block(build, function);
    LLVMBasicBlockRef within = zc_append_block(build, function);
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMValueRef size = access_size(build, function);
    LLVMValueRef address = LLVMBuildPtrToInt(b, LLVMGetParam(function, 0), build->types.i64, "");
    LLVMValueRef offset = bits(build, address, 0, ZC_SHADOW_REGION - 1);
    LLVMValueRef last = LLVMBuildSub(b, zc_const_i64(build, ZC_SHADOW_REGION), size, "");
    LLVMValueRef is_across = LLVMBuildICmp(b, LLVMIntUGT, offset, last, "");
    zc_set_unlikely(build, LLVMBuildCondBr(b, is_across, across, within));
    LLVMPositionBuilderAtEnd(b, across);
    return_across(build, type, address, size, is_store);
    LLVMPositionBuilderAtEnd(b, within);
    LLVMValueRef region = find_region(build, address);
    if (is_store)
        divert(build, &region, &offset);
    LLVMBuildRet(b, pair(build, type, region, offset));
}

// ---- local memory ----

// MemorySanitizer casts addresses to the generic address space before it asks for their shadow.
static bool is_local_address(LLVMValueRef pointer)
{
    while (LLVMIsAAddrSpaceCastInst(pointer) || LLVMIsABitCastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == ZC_SPACE_LOCAL;
}

static LLVMValueRef local_region(struct zc_build *build, const struct zc_kernel_build *kernel)
{
    LLVMBuilderRef b = build->builder;
    const size_t member = offsetof(struct zc_worker, checking.unwritten.local_region);
    LLVMValueRef word =
        LLVMBuildLoad2(b, build->types.i64, zc_context_word(build, kernel, ZC_CONTEXT_WORKER), "");
    LLVMValueRef worker = LLVMBuildIntToPtr(b, word, build->types.pointer, "");
    return LLVMBuildLoad2(b, build->types.pointer, zc_byte_offset(build, worker, member), "");
}

void zc_shadow_find_local(struct zc_build *build, LLVMValueRef call)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    const struct zc_kernel_build *kernel = zc_kernel_of_wrapper(build, function);
    if (kernel == NULL || !zc_has_prefix(zc_name_of(LLVMGetCalledValue(call)), METADATA "load_") ||
        !is_local_address(LLVMGetOperand(call, 0)))
        return;
    LLVMPositionBuilderBefore(build->builder, call);
    LLVMValueRef address =
        LLVMBuildPtrToInt(build->builder, LLVMGetOperand(call, 0), build->types.i64, "");
    LLVMValueRef offset = bits(build, address, 0, ZC_SHADOW_REGION - 1);
    LLVMReplaceAllUsesWith(
        call, pair(build, LLVMTypeOf(call), local_region(build, kernel), offset));
    LLVMInstructionEraseFromParent(call);
}

// ---- definitions ----

// A value that is stored keeps where it comes from.
static void define_chain(struct zc_build *build, LLVMValueRef function)
{
    LLVMPositionBuilderAtEnd(build->builder, zc_append_block(build, function));
    LLVMBuildRet(build->builder, LLVMGetParam(function, 0));
}

static void define_function(struct zc_build *build, LLVMValueRef function)
{
    const char *name = zc_name_of(function);
    const bool is_chain = strcmp(name, "__msan_chain_origin") == 0;
    if (!LLVMIsDeclaration(function) || !(is_chain || zc_has_prefix(name, METADATA)))
        return;
    if (is_chain)
        define_chain(build, function);
    else
        define_metadata(build, function);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    zc_add_attribute(build->context, function, "alwaysinline");
}

void zc_shadow_define_lookups(struct zc_build *build)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(build->module); f; f = LLVMGetNextFunction(f))
        define_function(build, f);
}
