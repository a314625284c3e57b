// SPDX-License-Identifier: MIT
//
// The wrapper of a kernel that never waits: three nested loops run the body for each work-item of
// the group.
//
//     void wrapper(const struct zc_context *group, const void *blob, void *local_memory, void *items)
//
// Nothing else points to what these point to, which is declared to LLVM (noalias): what is read
// of the first two is loaded once for a group, not again after each store, and local memory is known to
// be apart from global memory.
//
// Work-items of one group may run in any order, so the loops carry no dependence through global,
// constant or local memory (work_item_loop.c declares this).

#include "build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

LLVMValueRef zc_context_word(
    struct zc_build *build, const struct zc_kernel_build *kernel, unsigned index)
{
    return zc_byte_offset(build, kernel->context, index * sizeof(zc_word));
}

struct zc_kernel_build *zc_kernel_of_wrapper(const struct zc_build *build, LLVMValueRef function)
{
    for (uint32_t i = 0; i < build->kernel_count; i++) {
        if (build->kernels[i].wrapper == function)
            return &build->kernels[i];
    }
    return NULL;
}

LLVMValueRef zc_local_pointer(struct zc_build *build, const struct zc_kernel_build *kernel,
    LLVMValueRef offset, LLVMTypeRef type)
{
    LLVMValueRef block = LLVMGetParam(kernel->wrapper, ZC_WRAPPER_LOCAL_MEMORY);
    LLVMValueRef place =
        LLVMBuildInBoundsGEP2(build->builder, build->types.i8, block, &offset, 1, "local");
    return LLVMBuildAddrSpaceCast(build->builder, place, type, "");
}

// A work-group size that the kernel demands is a constant, which helps the vectoriser.
LLVMValueRef zc_group_size(
    struct zc_build *build, const struct zc_kernel_build *kernel, unsigned dimension)
{
    const uint32_t required = kernel->info->required_group_size[dimension];
    if (required != 0)
        return zc_const_i64(build, required);
    return LLVMBuildLoad2(build->builder, build->types.i64,
        zc_context_word(build, kernel, ZC_CONTEXT_LOCAL_SIZE + dimension), "local_size");
}

// Writes the id where whoever is interested in a fault finds it (run.c): LLVM keeps it in a register.
static void note_id(struct zc_build *build, const struct zc_kernel_build *kernel,
    unsigned dimension, LLVMValueRef id)
{
    LLVMValueRef context = LLVMGetParam(kernel->wrapper, ZC_WRAPPER_CONTEXT);
    const uint64_t offset = (ZC_CONTEXT_LOCAL_ID + dimension) * sizeof(zc_word);
    LLVMValueRef store = LLVMBuildStore(build->builder, id, zc_byte_offset(build, context, offset));
    LLVMSetVolatile(store, true);
}

static bool notes_ids(const struct zc_build *build)
{
    return build->has_debug_info || build->checks != 0;
}

static struct zc_loop open_dimension(
    struct zc_build *build, struct zc_kernel_build *kernel, unsigned dimension)
{
    const struct zc_loop loop = zc_loop_open(
        build, kernel->wrapper, zc_const_i64(build, 0), zc_group_size(build, kernel, dimension), 1);
    LLVMBuildStore(build->builder, loop.index,
        zc_context_word(build, kernel, ZC_CONTEXT_LOCAL_ID + dimension));
    if (notes_ids(build))
        note_id(build, kernel, dimension, loop.index);
    return loop;
}

static void describe_parameters(struct zc_build *build, LLVMValueRef wrapper)
{
    for (unsigned i = 0; i < ZC_WRAPPER_PARAMETERS; i++) {
        zc_add_parameter_attribute(build->context, wrapper, i, "noalias", 0);
        const bool is_written_to = i == ZC_WRAPPER_CONTEXT && notes_ids(build);
        if ((i == ZC_WRAPPER_CONTEXT || i == ZC_WRAPPER_BLOB) && !is_written_to)
            zc_add_parameter_attribute(build->context, wrapper, i, "readonly", 0);
    }
    for (unsigned i = ZC_WRAPPER_LOCAL_MEMORY; i < ZC_WRAPPER_PARAMETERS; i++)
        zc_add_parameter_attribute(build->context, wrapper, i, "align", ZC_ITEM_ALIGNMENT);
}

LLVMValueRef zc_wrapper_add(
    struct zc_build *build, const struct zc_kernel_build *kernel, LLVMTypeRef result)
{
    LLVMTypeRef parameters[ZC_WRAPPER_PARAMETERS] = {
        build->types.pointer, build->types.pointer, build->types.pointer, build->types.pointer};
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

void zc_wrapper_copy_context(struct zc_build *build, struct zc_kernel_build *kernel)
{
    LLVMTypeRef type = LLVMArrayType(build->types.i64, ZC_CONTEXT_WORDS);
    kernel->context = LLVMBuildAlloca(build->builder, type, "context");
    LLVMBuildMemCpy(build->builder, kernel->context, sizeof(zc_word),
        LLVMGetParam(kernel->wrapper, ZC_WRAPPER_CONTEXT), sizeof(zc_word),
        zc_const_i64(build, sizeof(struct zc_context)));
}

void zc_wrapper_create(struct zc_build *build, struct zc_kernel_build *kernel)
{
    LLVMValueRef *arguments = calloc(kernel->info->argument_count + 1, sizeof(*arguments));
    kernel->wrapper = zc_wrapper_add(build, kernel, build->types.void_type);
    if (kernel->wrapper == NULL || arguments == NULL) {
        free(arguments);
        return;
    }
    LLVMBasicBlockRef entry =
        LLVMAppendBasicBlockInContext(build->context, kernel->wrapper, "entry");
    LLVMPositionBuilderAtEnd(build->builder, entry);
    LLVMSetCurrentDebugLocation2(build->builder, NULL); // that of the kernel before
    zc_wrapper_copy_context(build, kernel);
    zc_arguments_load(build, kernel, arguments);
    struct zc_loop loops[3];
    for (unsigned d = 3; d-- > 0;)
        loops[d] = open_dimension(build, kernel, d);
    zc_arguments_call_body(build, kernel, arguments);
    free(arguments);
    for (unsigned d = 0; d < 3; d++)
        zc_loop_close(build, kernel->wrapper, &loops[d], true);
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
    LLVMValueRef wrapper = kernel->wrapper;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(wrapper); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (is_shared_access(i))
                zc_access_set_independent(build, i);
        }
    }
}
