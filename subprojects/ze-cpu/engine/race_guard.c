// SPDX-License-Identifier: MIT
//
// What kernels do themselves to find data races, before they call the run-time functions: LLVM inlines these guards.

#include "race_guard.h"

#include "context.h"
#include "worker.h"

#include <stddef.h>
#include <string.h>

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
    LLVMValueRef done = zc_begin_inlined(build, type, "zc.check_race_done");
    LLVMBasicBlockRef call = zc_append_block(build, done), end = zc_append_block(build, done);
    LLVMValueRef flag = LLVMBuildIsNotNull(build->builder, LLVMGetParam(done, 0), "");
    LLVMBuildCondBr(build->builder, flag, call, end);
    LLVMPositionBuilderAtEnd(build->builder, call);
    LLVMBuildCall2(build->builder, plain, declare(build, "zc_race_done", plain), NULL, 0, "");
    LLVMBuildBr(build->builder, end);
    LLVMPositionBuilderAtEnd(build->builder, end);
    LLVMBuildRetVoid(build->builder);
    guards->done = done;
}

// ---- simple accesses to local memory ----

#define ACCESS_PARAMETERS 5 // address, size, object, sites, number
#define WORKER 5            // besides
#define LOCAL_MEMORY 6      // the group's
#define RECORD 7            // who, and what a record says of the access; without either: 0
#define GUARD_PARAMETERS 8

static LLVMValueRef view_of(
    struct zc_build *build, LLVMValueRef guard, LLVMTypeRef type, size_t member)
{
    const size_t at = offsetof(struct zc_worker, races.view) + member;
    LLVMValueRef worker = LLVMGetParam(guard, WORKER);
    return LLVMBuildLoad2(build->builder, type, zc_byte_offset(build, worker, at), "");
}

static LLVMValueRef offset_of(struct zc_build *build, LLVMValueRef guard)
{
    LLVMTypeRef i64 = build->types.i64;
    LLVMValueRef address = LLVMBuildPtrToInt(build->builder, LLVMGetParam(guard, 0), i64, "");
    LLVMValueRef begin =
        LLVMBuildPtrToInt(build->builder, LLVMGetParam(guard, LOCAL_MEMORY), i64, "");
    return LLVMBuildSub(build->builder, address, begin, "");
}

// Have several read all the words in this moment, and has nobody written?
static LLVMValueRef is_read_by_several(
    struct zc_build *build, LLVMValueRef guard, LLVMValueRef word, unsigned words)
{
    LLVMBuilderRef b = build->builder;
    LLVMTypeRef i32 = build->types.i32;
    LLVMValueRef list =
        view_of(build, guard, build->types.pointer, offsetof(struct zc_race_view, read_by_several));
    LLVMValueRef moment = view_of(build, guard, i32, offsetof(struct zc_race_view, moment));
    LLVMValueRef first = LLVMBuildGEP2(b, i32, list, &word, 1, "");
    LLVMValueRef differs = zc_const_i32(build, 0);
    for (unsigned i = 0; i < words; i++) {
        LLVMValueRef found =
            LLVMBuildLoad2(b, i32, zc_byte_offset(build, first, i * sizeof(uint32_t)), "");
        differs = LLVMBuildOr(b, differs, LLVMBuildXor(b, found, moment, ""), "");
    }
    return LLVMBuildIsNull(b, differs, "");
}

static LLVMValueRef first_record(struct zc_build *build, LLVMValueRef guard, LLVMValueRef word)
{
    LLVMValueRef cells =
        view_of(build, guard, build->types.pointer, offsetof(struct zc_race_view, cells));
    LLVMTypeRef cell = LLVMArrayType(build->types.i64, ZC_LOCAL_CELL);
    return LLVMBuildGEP2(build->builder, cell, cells, &word, 1, "");
}

// Is the record of another epoch? Nobody has been there in this one, then.
static LLVMValueRef is_gone(struct zc_build *build, LLVMValueRef first, LLVMValueRef stamp)
{
    const uint64_t epoch = ZC_LOCAL_MAX_EPOCH << ZC_LOCAL_EPOCH_SHIFT;
    LLVMBuilderRef b = build->builder;
    LLVMValueRef found = LLVMBuildLoad2(b, build->types.i64, first, "");
    LLVMValueRef differs = LLVMBuildXor(b, found, stamp, "");
    return LLVMBuildIsNotNull(b, LLVMBuildAnd(b, differs, zc_const_i64(build, epoch), ""), "");
}

static LLVMTypeRef guard_type(struct zc_build *build)
{
    const struct zc_types *t = &build->types;
    LLVMTypeRef parameters[GUARD_PARAMETERS] = {
        t->pointer, t->i64, t->pointer, t->pointer, t->i64, t->pointer, t->pointer, t->i64};
    return LLVMFunctionType(t->i32, parameters, GUARD_PARAMETERS, false);
}

struct guard_blocks {
    LLVMBasicBlockRef look, first, note, call, end;
};

static struct guard_blocks append_blocks(struct zc_build *build, LLVMValueRef guard)
{
    struct guard_blocks blocks = {.look = zc_append_block(build, guard)};
    blocks.first = zc_append_block(build, guard);
    blocks.note = zc_append_block(build, guard);
    blocks.call = zc_append_block(build, guard);
    blocks.end = zc_append_block(build, guard);
    return blocks;
}

// Nobody has been there in this epoch: the record is written down.
static void note_first(struct zc_build *build, LLVMValueRef guard, LLVMValueRef word,
    const struct guard_blocks *blocks)
{
    LLVMBuilderRef b = build->builder;
    LLVMValueRef stamp =
        view_of(build, guard, build->types.i64, offsetof(struct zc_race_view, local_stamp));
    LLVMValueRef first = first_record(build, guard, word);
    LLVMBuildCondBr(b, is_gone(build, first, stamp), blocks->note, blocks->call);
    LLVMPositionBuilderAtEnd(b, blocks->note);
    LLVMBuildStore(b, LLVMBuildOr(b, LLVMGetParam(guard, RECORD), stamp, ""), first);
    LLVMBuildBr(b, blocks->end);
}

static void end_guard(
    struct zc_race_guards *guards, LLVMValueRef guard, const struct guard_blocks *blocks)
{
    struct zc_build *build = guards->build;
    LLVMValueRef parameters[GUARD_PARAMETERS];
    LLVMGetParams(guard, parameters);
    LLVMPositionBuilderAtEnd(build->builder, blocks->call);
    LLVMValueRef flag = LLVMBuildCall2(
        build->builder, guards->access_type, guards->access, parameters, ACCESS_PARAMETERS, "");
    LLVMBuildRet(build->builder, flag);
    LLVMPositionBuilderAtEnd(build->builder, blocks->end);
    LLVMBuildRet(build->builder, zc_const_i32(build, 0));
}

// i32 guard(parameters): if (offset < local_size && (is_read_by_several || (record != 0 && is_gone))) return 0;
//     return zc_race_access(parameters);
static LLVMValueRef create_guard(struct zc_race_guards *guards, unsigned words, bool reads)
{
    struct zc_build *build = guards->build;
    LLVMBuilderRef b = build->builder;
    LLVMValueRef guard = zc_begin_inlined(build, guard_type(build), "zc.check_race");
    const struct guard_blocks blocks = append_blocks(build, guard);
    LLVMValueRef offset = offset_of(build, guard);
    LLVMValueRef word = LLVMBuildLShr(b, offset, zc_const_i64(build, 2), "");
    LLVMValueRef size =
        view_of(build, guard, build->types.i64, offsetof(struct zc_race_view, local_size));
    LLVMValueRef is_outside = LLVMBuildICmp(b, LLVMIntUGE, offset, size, "");
    zc_set_unlikely(build, LLVMBuildCondBr(b, is_outside, blocks.call, blocks.look));
    LLVMPositionBuilderAtEnd(b, blocks.look);
    LLVMValueRef has_record = LLVMBuildIsNotNull(b, LLVMGetParam(guard, RECORD), "");
    if (reads) {
        LLVMBasicBlockRef more = zc_append_block(build, guard);
        LLVMBuildCondBr(b, is_read_by_several(build, guard, word, words), blocks.end, more);
        LLVMPositionBuilderAtEnd(b, more);
    }
    LLVMBuildCondBr(b, has_record, blocks.first, blocks.call);
    LLVMPositionBuilderAtEnd(b, blocks.first);
    note_first(build, guard, word, &blocks);
    end_guard(guards, guard, &blocks);
    return guard;
}

// Words of local memory that the access touches as a whole; 0: there is no guard for it.
static unsigned words_of(const struct zc_access *access)
{
    const uint64_t size =
        LLVMIsAConstantInt(access->size) ? LLVMConstIntGetZExtValue(access->size) : 0;
    const bool is_plain = LLVMIsALoadInst(access->instruction)    ? access->kind == ZC_ACCESS_READ
                          : LLVMIsAStoreInst(access->instruction) ? access->kind == ZC_ACCESS_WRITE
                                                                  : false;
    const bool is_simple =
        is_plain && LLVMGetPointerAddressSpace(LLVMTypeOf(access->pointer)) == ZC_SPACE_LOCAL &&
        LLVMGetAlignment(access->instruction) >= 4 && size % 4 == 0;
    return is_simple && size <= ZC_SIMPLE_BYTES ? (unsigned)size / 4 : 0;
}

// Who runs is known of coroutines, and records are made here of single words.
static LLVMValueRef record_of(struct zc_build *build, const struct zc_kernel_build *kernel,
    const struct zc_access *access, LLVMValueRef worker, uint64_t number)
{
    if (!kernel->info->runs_coroutines)
        return zc_const_i64(build, 0);
    LLVMValueRef item = LLVMBuildLoad2(build->builder, build->types.i64,
        zc_byte_offset(build, worker, offsetof(struct zc_worker, item)), "");
    LLVMValueRef who =
        LLVMBuildShl(build->builder, item, zc_const_i64(build, ZC_LOCAL_WHO_SHIFT), "");
    return LLVMBuildOr(build->builder, who,
        zc_const_i64(build, zc_local_access(number, access->kind, ZC_RECORD_MASK)), "");
}

static LLVMValueRef call_guard(struct zc_race_guards *guards, const struct zc_kernel_build *kernel,
    const struct zc_access *access, LLVMValueRef arguments[ACCESS_PARAMETERS])
{
    struct zc_build *build = guards->build;
    const unsigned words = words_of(access);
    const bool reads = access->kind == ZC_ACCESS_READ;
    LLVMValueRef guard = reads ? guards->reads[words - 1] : guards->write;
    LLVMValueRef all[GUARD_PARAMETERS];
    memcpy(all, arguments, ACCESS_PARAMETERS * sizeof(*all));
    LLVMValueRef worker = LLVMBuildLoad2(
        build->builder, build->types.i64, zc_context_word(build, kernel, ZC_CONTEXT_WORKER), "");
    all[WORKER] = LLVMBuildIntToPtr(build->builder, worker, build->types.pointer, "");
    all[LOCAL_MEMORY] = LLVMGetParam(kernel->wrapper, ZC_WRAPPER_LOCAL_MEMORY);
    const bool always = LLVMIsAConstantInt(arguments[1]); // and under no condition
    all[RECORD] = words == 1 && always
                      ? record_of(build, kernel, access, all[WORKER],
                            LLVMConstIntGetZExtValue(arguments[ACCESS_PARAMETERS - 1]))
                      : zc_const_i64(build, 0);
    return LLVMBuildCall2(
        build->builder, LLVMGlobalGetValueType(guard), guard, all, GUARD_PARAMETERS, "");
}

static bool has_guard(const struct zc_kernel_build *kernel, const struct zc_access *access)
{
    const unsigned words = words_of(access);
    return kernel != NULL && (access->kind == ZC_ACCESS_READ ? words > 0 : words == 1);
}

void zc_race_guard_access(struct zc_race_guards *guards, const struct zc_kernel_build *kernel,
    const struct zc_access *access, LLVMValueRef arguments[5])
{
    struct zc_build *build = guards->build;
    LLVMValueRef flag = has_guard(kernel, access)
                            ? call_guard(guards, kernel, access, arguments)
                            : LLVMBuildCall2(build->builder, guards->access_type, guards->access,
                                  arguments, ACCESS_PARAMETERS, "");
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
        guards->reads[i] = create_guard(guards, i + 1, true);
    guards->write = create_guard(guards, 1, false);
}
