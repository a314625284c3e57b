// SPDX-License-Identifier: MIT
//
// What kernels do themselves to find data races, before they call the run-time functions: LLVM inlines these guards.

#include "race_guard.h"

#include "context.h"

#include <stddef.h>
#include <string.h>

static LLVMBasicBlockRef append_block(struct zc_build *build, LLVMValueRef function)
{
    return LLVMAppendBasicBlockInContext(build->context, function, "");
}

// Leaves the builder in it.
static LLVMValueRef begin_guard(struct zc_build *build, LLVMTypeRef type, const char *name)
{
    LLVMValueRef guard = LLVMAddFunction(build->module, name, type);
    LLVMSetLinkage(guard, LLVMInternalLinkage);
    zc_add_attribute(build->context, guard, "alwaysinline");
    LLVMSetCurrentDebugLocation2(build->builder, NULL); // it has no lines
    LLVMPositionBuilderAtEnd(build->builder, append_block(build, guard));
    return guard;
}

static LLVMValueRef declare(struct zc_build *build, const char *name, LLVMTypeRef type)
{
    LLVMValueRef function = zc_declare_runtime(build, name, type);
    zc_add_attribute(build->context, function, "nounwind");
    return function;
}

// ---- what is left to do behind an access ----

// void done(flag): if (flag) zc_race_done();
static void define_done(struct zc_race_guards *guards)
{
    struct zc_build *build = guards->build;
    LLVMTypeRef type = LLVMFunctionType(build->types.void_type, &build->types.i32, 1, false);
    LLVMTypeRef plain = LLVMFunctionType(build->types.void_type, NULL, 0, false);
    LLVMValueRef done = begin_guard(build, type, "zc.check_race_done");
    LLVMBasicBlockRef call = append_block(build, done), end = append_block(build, done);
    LLVMValueRef flag = LLVMBuildIsNotNull(build->builder, LLVMGetParam(done, 0), "");
    LLVMBuildCondBr(build->builder, flag, call, end);
    LLVMPositionBuilderAtEnd(build->builder, call);
    LLVMBuildCall2(build->builder, plain, declare(build, "zc_race_done", plain), NULL, 0, "");
    LLVMBuildBr(build->builder, end);
    LLVMPositionBuilderAtEnd(build->builder, end);
    LLVMBuildRetVoid(build->builder);
    guards->done = done;
}

// ---- reads of local memory ----

#define ACCESS_PARAMETERS 5 // address, size, object, sites, number
#define READ_PARAMETERS 7   // besides: the struct zc_race_view, the group's local memory

static LLVMValueRef member(struct zc_build *build, LLVMValueRef guard, LLVMTypeRef type, size_t at)
{
    LLVMValueRef view = LLVMGetParam(guard, ACCESS_PARAMETERS);
    return LLVMBuildLoad2(build->builder, type, zc_byte_offset(build, view, at), "");
}

static LLVMValueRef offset_of(struct zc_build *build, LLVMValueRef guard)
{
    LLVMTypeRef i64 = build->types.i64;
    LLVMValueRef address = LLVMBuildPtrToInt(build->builder, LLVMGetParam(guard, 0), i64, "");
    LLVMValueRef begin =
        LLVMBuildPtrToInt(build->builder, LLVMGetParam(guard, ACCESS_PARAMETERS + 1), i64, "");
    return LLVMBuildSub(build->builder, address, begin, "");
}

// Have several read all the words in this moment, and has nobody written?
static LLVMValueRef is_read_by_several(
    struct zc_build *build, LLVMValueRef guard, LLVMValueRef offset, unsigned words)
{
    LLVMBuilderRef b = build->builder;
    LLVMTypeRef i32 = build->types.i32;
    LLVMValueRef list =
        member(build, guard, build->types.pointer, offsetof(struct zc_race_view, read_by_several));
    LLVMValueRef moment = member(build, guard, i32, offsetof(struct zc_race_view, moment));
    LLVMValueRef index = LLVMBuildLShr(b, offset, zc_const_i64(build, 2), "");
    LLVMValueRef first = LLVMBuildGEP2(b, i32, list, &index, 1, "");
    LLVMValueRef differs = zc_const_i32(build, 0);
    for (unsigned i = 0; i < words; i++) {
        LLVMValueRef word =
            LLVMBuildLoad2(b, i32, zc_byte_offset(build, first, i * sizeof(uint32_t)), "");
        differs = LLVMBuildOr(b, differs, LLVMBuildXor(b, word, moment, ""), "");
    }
    return LLVMBuildIsNull(b, differs, "");
}

static void call_access(struct zc_race_guards *guards, LLVMValueRef guard)
{
    LLVMValueRef parameters[READ_PARAMETERS];
    LLVMGetParams(guard, parameters);
    LLVMBuildCall2(guards->build->builder, guards->access_type, guards->access, parameters,
        ACCESS_PARAMETERS, "");
}

// void read(parameters): if (offset >= local_size || !is_read_by_several) zc_race_access(parameters);
static LLVMValueRef create_read(struct zc_race_guards *guards, unsigned words)
{
    struct zc_build *build = guards->build;
    const struct zc_types *t = &build->types;
    LLVMTypeRef parameters[READ_PARAMETERS] = {
        t->pointer, t->i64, t->pointer, t->pointer, t->i64, t->pointer, t->pointer};
    LLVMTypeRef type = LLVMFunctionType(t->void_type, parameters, READ_PARAMETERS, false);
    LLVMValueRef guard = begin_guard(build, type, "zc.check_race_read");
    LLVMBasicBlockRef look = append_block(build, guard), call = append_block(build, guard);
    LLVMBasicBlockRef end = append_block(build, guard);
    LLVMValueRef offset = offset_of(build, guard);
    LLVMValueRef size = member(build, guard, t->i64, offsetof(struct zc_race_view, local_size));
    LLVMValueRef is_outside = LLVMBuildICmp(build->builder, LLVMIntUGE, offset, size, "");
    zc_set_unlikely(build, LLVMBuildCondBr(build->builder, is_outside, call, look));
    LLVMPositionBuilderAtEnd(build->builder, look);
    LLVMValueRef is_simple = is_read_by_several(build, guard, offset, words);
    zc_set_unlikely(build,
        LLVMBuildCondBr(build->builder, LLVMBuildNot(build->builder, is_simple, ""), call, end));
    LLVMPositionBuilderAtEnd(build->builder, call);
    call_access(guards, guard);
    LLVMBuildBr(build->builder, end);
    LLVMPositionBuilderAtEnd(build->builder, end);
    LLVMBuildRetVoid(build->builder);
    return guard;
}

// Words that the access reads as a whole; 0: there is no guard for it.
static unsigned words_of(const struct zc_access *access)
{
    const uint64_t size =
        LLVMIsAConstantInt(access->size) ? LLVMConstIntGetZExtValue(access->size) : 0;
    const bool is_simple =
        access->kind == ZC_ACCESS_READ && LLVMIsALoadInst(access->instruction) &&
        LLVMGetPointerAddressSpace(LLVMTypeOf(access->pointer)) == ZC_SPACE_LOCAL &&
        LLVMGetAlignment(access->instruction) >= 4 && size % 4 == 0;
    return is_simple && size <= ZC_SIMPLE_BYTES ? (unsigned)size / 4 : 0;
}

static LLVMValueRef call_read(struct zc_race_guards *guards, const struct zc_kernel_build *kernel,
    unsigned words, LLVMValueRef arguments[ACCESS_PARAMETERS])
{
    struct zc_build *build = guards->build;
    LLVMValueRef guard = guards->reads[words - 1];
    LLVMValueRef all[READ_PARAMETERS];
    memcpy(all, arguments, ACCESS_PARAMETERS * sizeof(*all));
    LLVMValueRef view = LLVMBuildLoad2(build->builder, build->types.i64,
        zc_context_word(build, kernel, ZC_CONTEXT_RACES), "races");
    all[ACCESS_PARAMETERS] = LLVMBuildIntToPtr(build->builder, view, build->types.pointer, "");
    all[ACCESS_PARAMETERS + 1] = LLVMGetParam(kernel->wrapper, ZC_WRAPPER_LOCAL_MEMORY);
    return LLVMBuildCall2(
        build->builder, LLVMGlobalGetValueType(guard), guard, all, READ_PARAMETERS, "");
}

void zc_race_guard_access(struct zc_race_guards *guards, const struct zc_kernel_build *kernel,
    const struct zc_access *access, LLVMValueRef arguments[5])
{
    struct zc_build *build = guards->build;
    const unsigned words = kernel != NULL ? words_of(access) : 0;
    if (words > 0) {
        call_read(guards, kernel, words, arguments);
        return;
    }
    LLVMValueRef flag = LLVMBuildCall2(
        build->builder, guards->access_type, guards->access, arguments, ACCESS_PARAMETERS, "");
    if (access->kind == ZC_ACCESS_READ)
        return;
    LLVMPositionBuilderBefore(build->builder, LLVMGetNextInstruction(access->instruction));
    LLVMBuildCall2(
        build->builder, LLVMGlobalGetValueType(guards->done), guards->done, &flag, 1, "");
}

void zc_race_guards_define(struct zc_race_guards *guards, struct zc_build *build)
{
    const struct zc_types *t = &build->types;
    LLVMTypeRef parameters[ACCESS_PARAMETERS] = {
        t->pointer, t->i64, t->pointer, t->pointer, t->i64};
    *guards = (struct zc_race_guards){.build = build,
        .access_type = LLVMFunctionType(t->i32, parameters, ACCESS_PARAMETERS, false)};
    guards->access = declare(build, "zc_race_access", guards->access_type);
    define_done(guards);
    for (unsigned i = 0; i < ZC_RACE_READ_GUARDS; i++)
        guards->reads[i] = create_read(guards, i + 1);
}
