// SPDX-License-Identifier: MIT
//
// The wrapper of a kernel that waits at barriers: an LLVM coroutine, of which run.c keeps one for
// each work-item.
//
//     void *wrapper(const struct zc_context *work_item, const void *blob, void *local_memory)
//
// A call starts the work-item and runs it to its first barrier; the result is the coroutine's
// handle, NULL when there is no memory for its frame. Resuming the handle runs to the next barrier,
// and at the end the handle is "done". The frame, laid out by LLVM's CoroSplit pass, holds exactly
// what lives across barriers.
//
// A barrier is `call i1 zc_suspend(whom); br resumed, dead` until everything is inlined: a call
// that ends its block can be exchanged for llvm.coro.suspend and its three-way switch, where a call
// amid a block would have to be split out, which the C API cannot do.

#include "build.h"
#include "llvm_versions.h"

#include <stdlib.h>
#include <string.h>

#define FRAME_ALIGNMENT 64
#define NEVER "zc_never"

static LLVMBasicBlockRef append_block(
    struct zc_build *build, LLVMValueRef function, const char *name)
{
    return LLVMAppendBasicBlockInContext(build->context, function, name);
}

// The body of zc_wait, which the builtins call. What never happens has an effect nevertheless, or LLVM would
// take the suspension for a thing that always succeeds.
void zc_coroutine_define_wait(struct zc_build *build)
{
    LLVMValueRef wait = LLVMGetNamedFunction(build->module, "zc_wait");
    if (wait == NULL || !LLVMIsDeclaration(wait))
        return;
    LLVMTypeRef type = LLVMFunctionType(build->types.i1, &build->types.i64, 1, false);
    LLVMTypeRef never_type = LLVMFunctionType(build->types.void_type, NULL, 0, false);
    LLVMValueRef suspend = LLVMAddFunction(build->module, "zc_suspend", type);
    LLVMValueRef never = LLVMAddFunction(build->module, NEVER, never_type);
    LLVMBasicBlockRef entry = append_block(build, wait, "entry");
    LLVMBasicBlockRef resumed = append_block(build, wait, "resumed");
    LLVMBasicBlockRef dead = append_block(build, wait, "dead");
    LLVMPositionBuilderAtEnd(build->builder, entry);
    LLVMValueRef whom = LLVMGetParam(wait, 0);
    LLVMValueRef call = LLVMBuildCall2(build->builder, type, suspend, &whom, 1, "");
    LLVMBuildCondBr(build->builder, call, resumed, dead);
    LLVMPositionBuilderAtEnd(build->builder, dead);
    LLVMBuildCall2(build->builder, never_type, never, NULL, 0, "");
    LLVMBuildRetVoid(build->builder);
    LLVMPositionBuilderAtEnd(build->builder, resumed);
    LLVMBuildRetVoid(build->builder);
    LLVMSetLinkage(wait, LLVMInternalLinkage);
}

static LLVMValueRef frame_allocator(struct zc_build *build, LLVMTypeRef *type)
{
    LLVMTypeRef parameters[2] = {build->types.pointer, build->types.i64};
    *type = LLVMFunctionType(build->types.pointer, parameters, 2, false);
    LLVMValueRef function = LLVMGetNamedFunction(build->module, "zc_frame_allocate");
    return function != NULL ? function : LLVMAddFunction(build->module, "zc_frame_allocate", *type);
}

// Leaves the builder where the frame's memory is there; returns it.
static LLVMValueRef allocate_frame(struct zc_build *build, struct zc_kernel_build *kernel)
{
    LLVMTypeRef type;
    LLVMValueRef allocator = frame_allocator(build, &type);
    LLVMValueRef size = zc_call_intrinsic(build, "llvm.coro.size", &build->types.i64, 1, NULL, 0);
    LLVMValueRef arguments[2] = {LLVMGetParam(kernel->wrapper, 0), size};
    LLVMValueRef memory = LLVMBuildCall2(build->builder, type, allocator, arguments, 2, "memory");
    LLVMBasicBlockRef none = append_block(build, kernel->wrapper, "no_memory");
    LLVMBasicBlockRef begin = append_block(build, kernel->wrapper, "begin");
    LLVMBuildCondBr(build->builder, LLVMBuildIsNull(build->builder, memory, ""), none, begin);
    LLVMPositionBuilderAtEnd(build->builder, none);
    LLVMBuildRet(build->builder, LLVMConstNull(build->types.pointer));
    LLVMPositionBuilderAtEnd(build->builder, begin);
    return memory;
}

static LLVMValueRef begin_coroutine(struct zc_build *build, struct zc_kernel_build *kernel)
{
    LLVMValueRef null = LLVMConstNull(build->types.pointer);
    LLVMValueRef arguments[4] = {zc_const_i32(build, FRAME_ALIGNMENT), null, null, null};
    LLVMValueRef id = zc_call_intrinsic(build, "llvm.coro.id", NULL, 0, arguments, 4);
    LLVMValueRef begin[2] = {id, allocate_frame(build, kernel)};
    return zc_call_intrinsic(build, "llvm.coro.begin", NULL, 0, begin, 2);
}

static LLVMValueRef suspend_point(struct zc_build *build, bool final)
{
    LLVMValueRef none = LLVMConstNull(LLVMTokenTypeInContext(build->context));
    LLVMValueRef arguments[2] = {none, LLVMConstInt(build->types.i1, final, false)};
    return zc_call_intrinsic(build, "llvm.coro.suspend", NULL, 0, arguments, 2);
}

// What llvm.coro.suspend returns: 0 resumed, 1 destroyed, else suspended.
static void branch_after_suspend(struct zc_build *build, LLVMValueRef state,
    LLVMBasicBlockRef resumed, LLVMBasicBlockRef destroyed, LLVMBasicBlockRef suspended)
{
    LLVMTypeRef i8 = build->types.i8;
    LLVMValueRef branch = LLVMBuildSwitch(build->builder, state, suspended, 2);
    LLVMAddCase(branch, LLVMConstInt(i8, 0, false), resumed);
    LLVMAddCase(branch, LLVMConstInt(i8, 1, false), destroyed);
}

static void end_coroutine(
    struct zc_build *build, struct zc_kernel_build *kernel, LLVMValueRef handle)
{
    LLVMBasicBlockRef resumed = append_block(build, kernel->wrapper, "resumed_after_end");
    LLVMBasicBlockRef destroyed = append_block(build, kernel->wrapper, "destroyed");
    LLVMBasicBlockRef suspended = append_block(build, kernel->wrapper, "suspended");
    branch_after_suspend(build, suspend_point(build, true), resumed, destroyed, suspended);
    LLVMPositionBuilderAtEnd(build->builder, resumed);
    LLVMBuildUnreachable(build->builder);
    LLVMPositionBuilderAtEnd(build->builder, destroyed);
    LLVMBuildBr(build->builder, suspended);
    LLVMPositionBuilderAtEnd(build->builder, suspended);
    LLVMValueRef arguments[3] = {handle, LLVMConstInt(build->types.i1, 0, false),
        LLVMConstNull(LLVMTokenTypeInContext(build->context))};
    zc_call_intrinsic(build, "llvm.coro.end", NULL, 0, arguments, ZC_COROUTINE_END_ARGUMENTS);
    LLVMBuildRet(build->builder, handle);
}

void zc_coroutine_create(struct zc_build *build, struct zc_kernel_build *kernel)
{
    LLVMValueRef *arguments = calloc(kernel->info->argument_count + 1, sizeof(*arguments));
    kernel->wrapper = zc_wrapper_add(build, kernel, build->types.pointer);
    if (kernel->wrapper == NULL || arguments == NULL) {
        free(arguments);
        return;
    }
    zc_add_attribute(build->context, kernel->wrapper, "presplitcoroutine");
    LLVMPositionBuilderAtEnd(build->builder, append_block(build, kernel->wrapper, "entry"));
    LLVMSetCurrentDebugLocation2(build->builder, NULL); // that of the kernel before
    LLVMTypeRef type = LLVMArrayType(build->types.i64, ZC_CONTEXT_WORDS);
    kernel->context = LLVMBuildAlloca(build->builder, type, "context");
    LLVMValueRef handle = begin_coroutine(build, kernel);
    LLVMBuildMemCpy(build->builder, kernel->context, sizeof(zc_word),
        LLVMGetParam(kernel->wrapper, 0), sizeof(zc_word),
        zc_const_i64(build, sizeof(struct zc_context)));
    zc_arguments_load(build, kernel, arguments);
    zc_arguments_call_body(build, kernel, arguments);
    free(arguments);
    end_coroutine(build, kernel, handle);
}

static LLVMBasicBlockRef find_block(LLVMValueRef function, const char *name)
{
    LLVMBasicBlockRef block = LLVMGetLastBasicBlock(function);
    while (block != NULL && strcmp(LLVMGetBasicBlockName(block), name) != 0)
        block = LLVMGetPreviousBasicBlock(block);
    return block;
}

// A struct zc_barrier_site.
static LLVMValueRef describe_barrier(struct zc_build *build, LLVMValueRef call)
{
    uint64_t line;
    LLVMValueRef words[2] = {zc_source_place(build, call, &line)};
    words[1] = zc_const_i64(build, line);
    return zc_add_constant(build, LLVMConstStructInContext(build->context, words, 2, false));
}

// The work-item says whom it waits for, and where, if somebody wants to know it.
static void note_wait(struct zc_build *build, struct zc_kernel_build *kernel, LLVMValueRef call)
{
    LLVMValueRef address = LLVMBuildLoad2(build->builder, build->types.i64,
        zc_context_word(build, kernel, ZC_CONTEXT_WAITS_FOR), "waits_for");
    LLVMValueRef wait = LLVMBuildIntToPtr(build->builder, address, build->types.pointer, "");
    LLVMBuildStore(build->builder, LLVMGetOperand(call, 0), wait);
    if (build->checks & ZC_CHECK_DIVERGENCE)
        LLVMBuildStore(build->builder, describe_barrier(build, call),
            zc_byte_offset(build, wait, sizeof(zc_word)));
}

static void lower_wait(struct zc_build *build, struct zc_kernel_build *kernel, LLVMValueRef call)
{
    LLVMValueRef wrapper = kernel->wrapper;
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(call));
    LLVMPositionBuilderBefore(build->builder, branch);
    note_wait(build, kernel, call);
    branch_after_suspend(build, suspend_point(build, false), LLVMGetSuccessor(branch, 0),
        find_block(wrapper, "destroyed"), find_block(wrapper, "suspended"));
    LLVMInstructionEraseFromParent(branch);
    LLVMInstructionEraseFromParent(call);
}

static LLVMValueRef first_wait_in(LLVMValueRef suspend, LLVMValueRef wrapper)
{
    for (LLVMUseRef use = LLVMGetFirstUse(suspend); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        if (LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)) == wrapper)
            return call;
    }
    return NULL;
}

void zc_coroutine_lower_waits(struct zc_build *build, struct zc_kernel_build *kernel)
{
    LLVMValueRef suspend = LLVMGetNamedFunction(build->module, "zc_suspend");
    LLVMValueRef call;
    if (suspend != NULL)
        zc_wait_order_write(build, kernel->wrapper);
    while (suspend != NULL && (call = first_wait_in(suspend, kernel->wrapper)) != NULL)
        lower_wait(build, kernel, call);
}

void zc_coroutine_forget_never(struct zc_build *build)
{
    LLVMValueRef never = LLVMGetNamedFunction(build->module, NEVER);
    LLVMUseRef use;
    while (never != NULL && (use = LLVMGetFirstUse(never)) != NULL)
        LLVMInstructionEraseFromParent(LLVMGetUser(use));
}

// After CoroSplit the frame's size is a constant in the call of the allocator.
void zc_coroutine_note_frame_size(struct zc_build *build, struct zc_kernel_build *kernel)
{
    LLVMValueRef allocator = LLVMGetNamedFunction(build->module, "zc_frame_allocate");
    LLVMUseRef use = allocator != NULL ? LLVMGetFirstUse(allocator) : NULL;
    for (; use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        if (!LLVMIsACallInst(call) ||
            LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)) != kernel->wrapper)
            continue;
        LLVMValueRef size = LLVMGetOperand(call, 1);
        if (LLVMIsAConstantInt(size))
            kernel->info->private_size = (uint32_t)LLVMConstIntGetZExtValue(size);
    }
}
