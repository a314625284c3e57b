// SPDX-License-Identifier: MIT
//
// The wrapper of a kernel that never waits: three nested loops run the body for each work-item of
// the group.
//
//     void wrapper(const struct zc_context *group, const void *blob, void *local_memory)
//
// Nothing else points to what these three point to, which is declared to LLVM (noalias): what is read
// of the first two is loaded once for a group, not again after each store, and local memory is known to
// be apart from global memory.
//
// Work-items of one group may run in any order, so the loops carry no dependence through global,
// constant or local memory. This is declared to LLVM (llvm.loop.parallel_accesses), which lets it vectorise
// over work-items.

#include "build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>

// What run.c promises.
#define LOCAL_MEMORY_ALIGNMENT 64

LLVMValueRef zc_context_word(
    struct zc_build *build, const struct zc_kernel_build *kernel, unsigned index)
{
    return zc_byte_offset(build, kernel->context, index * sizeof(zc_word));
}

LLVMValueRef zc_local_pointer(struct zc_build *build, const struct zc_kernel_build *kernel,
    LLVMValueRef offset, LLVMTypeRef type)
{
    LLVMValueRef block = LLVMGetParam(kernel->wrapper, ZC_WRAPPER_LOCAL_MEMORY);
    LLVMValueRef place =
        LLVMBuildInBoundsGEP2(build->builder, build->types.i8, block, &offset, 1, "local");
    return LLVMBuildAddrSpaceCast(build->builder, place, type, "");
}

static LLVMBasicBlockRef append_block(
    struct zc_build *build, const struct zc_kernel_build *kernel, const char *name)
{
    return LLVMAppendBasicBlockInContext(build->context, kernel->wrapper, name);
}

// A work-group size that the kernel demands is a constant, which helps the vectoriser.
static LLVMValueRef group_size(
    struct zc_build *build, const struct zc_kernel_build *kernel, unsigned dimension)
{
    const uint32_t required = kernel->info->required_group_size[dimension];
    if (required != 0)
        return zc_const_i64(build, required);
    return LLVMBuildLoad2(build->builder, build->types.i64,
        zc_context_word(build, kernel, ZC_CONTEXT_LOCAL_SIZE + dimension), "local_size");
}

// The distinct node that LLVM wants for an access group comes with the builtins: the C API cannot
// make one.
static LLVMMetadataRef access_group(struct zc_build *build)
{
    LLVMValueRef node = NULL;
    if (LLVMGetNamedMetadataNumOperands(build->module, "zc.access_group") == 1)
        LLVMGetNamedMetadataOperands(build->module, "zc.access_group", &node);
    return node != NULL ? LLVMValueAsMetadata(node) : NULL;
}

static void mark_loop_parallel(struct zc_build *build, LLVMValueRef branch)
{
    LLVMMetadataRef group = access_group(build);
    if (group == NULL || !build->optimise)
        return;
    static const char name[] = "llvm.loop.parallel_accesses";
    LLVMMetadataRef property[2] = {
        LLVMMDStringInContext2(build->context, name, sizeof(name) - 1), group};
    LLVMMetadataRef self = LLVMTemporaryMDNode(build->context, NULL, 0);
    LLVMMetadataRef operands[2] = {self, LLVMMDNodeInContext2(build->context, property, 2)};
    LLVMMetadataRef loop = LLVMMDNodeInContext2(build->context, operands, 2);
    LLVMMetadataReplaceAllUsesWith(self, loop);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(build->context, "llvm.loop", 9),
        LLVMMetadataAsValue(build->context, loop));
}

struct loop {
    LLVMBasicBlockRef head;
    LLVMValueRef index;
    LLVMValueRef size;
};

static struct loop open_loop(
    struct zc_build *build, struct zc_kernel_build *kernel, unsigned dimension)
{
    LLVMBasicBlockRef before = LLVMGetInsertBlock(build->builder);
    struct loop loop = {.size = group_size(build, kernel, dimension),
        .head = append_block(build, kernel, "work_items")};
    LLVMBuildBr(build->builder, loop.head);
    LLVMPositionBuilderAtEnd(build->builder, loop.head);
    loop.index = LLVMBuildPhi(build->builder, build->types.i64, "local_id");
    LLVMValueRef zero = zc_const_i64(build, 0);
    LLVMAddIncoming(loop.index, &zero, &before, 1);
    LLVMBuildStore(build->builder, loop.index,
        zc_context_word(build, kernel, ZC_CONTEXT_LOCAL_ID + dimension));
    return loop;
}

static void close_loop(
    struct zc_build *build, struct zc_kernel_build *kernel, const struct loop *loop)
{
    LLVMBasicBlockRef latch = LLVMGetInsertBlock(build->builder);
    LLVMBasicBlockRef after = append_block(build, kernel, "after_work_items");
    LLVMValueRef next = LLVMBuildAdd(build->builder, loop->index, zc_const_i64(build, 1), "next");
    LLVMValueRef again = LLVMBuildICmp(build->builder, LLVMIntULT, next, loop->size, "");
    mark_loop_parallel(build, LLVMBuildCondBr(build->builder, again, loop->head, after));
    LLVMAddIncoming(loop->index, &next, &latch, 1);
    LLVMPositionBuilderAtEnd(build->builder, after);
}

static void describe_parameters(struct zc_build *build, LLVMValueRef wrapper)
{
    for (unsigned i = 0; i < ZC_WRAPPER_PARAMETERS; i++) {
        zc_add_parameter_attribute(build->context, wrapper, i, "noalias", 0);
        if (i != ZC_WRAPPER_LOCAL_MEMORY)
            zc_add_parameter_attribute(build->context, wrapper, i, "readonly", 0);
    }
    zc_add_parameter_attribute(
        build->context, wrapper, ZC_WRAPPER_LOCAL_MEMORY, "align", LOCAL_MEMORY_ALIGNMENT);
}

LLVMValueRef zc_wrapper_add(
    struct zc_build *build, const struct zc_kernel_build *kernel, LLVMTypeRef result)
{
    LLVMTypeRef parameters[ZC_WRAPPER_PARAMETERS] = {
        build->types.pointer, build->types.pointer, build->types.pointer};
    LLVMTypeRef type = LLVMFunctionType(result, parameters, ZC_WRAPPER_PARAMETERS, false);
    char *name = NULL;
    if (asprintf(&name, ZC_KERNEL_PREFIX "%s", kernel->info->name) < 0)
        return NULL;
    LLVMValueRef wrapper = LLVMAddFunction(build->module, name, type);
    free(name);
    zc_add_attribute(build->context, wrapper, "nounwind");
    describe_parameters(build, wrapper);
    return wrapper;
}

void zc_wrapper_create(struct zc_build *build, struct zc_kernel_build *kernel)
{
    LLVMValueRef *arguments = calloc(kernel->info->argument_count + 1, sizeof(*arguments));
    kernel->wrapper = zc_wrapper_add(build, kernel, build->types.void_type);
    if (kernel->wrapper == NULL || arguments == NULL) {
        free(arguments);
        return;
    }
    LLVMPositionBuilderAtEnd(build->builder, append_block(build, kernel, "entry"));
    LLVMTypeRef type = LLVMArrayType(build->types.i64, ZC_CONTEXT_WORDS);
    kernel->context = LLVMBuildAlloca(build->builder, type, "context");
    LLVMBuildMemCpy(build->builder, kernel->context, sizeof(zc_word),
        LLVMGetParam(kernel->wrapper, 0), sizeof(zc_word),
        zc_const_i64(build, sizeof(struct zc_context)));
    zc_arguments_load(build, kernel, arguments);
    struct loop loops[3];
    for (unsigned d = 3; d-- > 0;)
        loops[d] = open_loop(build, kernel, d);
    zc_arguments_call_body(build, kernel, arguments);
    free(arguments);
    for (unsigned d = 0; d < 3; d++)
        close_loop(build, kernel, &loops[d]);
    LLVMBuildRetVoid(build->builder);
}

// Global, constant and local memory: what work-items share. Private memory is reused by the next
// work-item.
static bool is_shared_access(LLVMValueRef instruction)
{
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    if (opcode != LLVMLoad && opcode != LLVMStore)
        return false;
    LLVMValueRef pointer = LLVMGetOperand(instruction, opcode == LLVMStore ? 1 : 0);
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
    return space >= 1 && space <= 3;
}

void zc_wrapper_mark_parallel(struct zc_build *build, struct zc_kernel_build *kernel)
{
    LLVMMetadataRef group = access_group(build);
    if (group == NULL || !build->optimise)
        return;
    LLVMValueRef value = LLVMMetadataAsValue(build->context, group);
    const unsigned kind = LLVMGetMDKindIDInContext(build->context, "llvm.access.group", 17);
    LLVMValueRef wrapper = kernel->wrapper;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(wrapper); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (is_shared_access(i))
                LLVMSetMetadata(i, kind, value);
        }
    }
}
