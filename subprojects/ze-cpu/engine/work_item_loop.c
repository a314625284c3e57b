// SPDX-License-Identifier: MIT
//
// Loops over work-items. Work-items that do not wait for each other may run in any order, so the loops
// carry no dependence through the memory that they share. This is declared to LLVM
// (llvm.loop.parallel_accesses), which lets it vectorise over work-items.

#include "build.h"

#include <string.h>

#include <llvm-c/DebugInfo.h>

// The distinct node that LLVM wants for an access group comes with the builtins: the C API cannot
// make one. NULL: nothing is to be vectorised.
static LLVMMetadataRef access_group(struct zc_build *build)
{
    LLVMValueRef node = NULL;
    if (!build->optimise || build->mode == ZC_MODE_SCALAR)
        return NULL;
    if (LLVMGetNamedMetadataNumOperands(build->module, "zc.access_group") == 1)
        LLVMGetNamedMetadataOperands(build->module, "zc.access_group", &node);
    return node != NULL ? LLVMValueAsMetadata(node) : NULL;
}

void zc_access_set_independent(struct zc_build *build, LLVMValueRef access)
{
    static const char name[] = "llvm.access.group";
    LLVMMetadataRef group = access_group(build);
    if (group != NULL)
        LLVMSetMetadata(access, LLVMGetMDKindIDInContext(build->context, name, sizeof(name) - 1),
            LLVMMetadataAsValue(build->context, group));
}

static LLVMMetadataRef text(struct zc_build *build, const char *name)
{
    return LLVMMDStringInContext2(build->context, name, strlen(name));
}

static LLVMMetadataRef pair(struct zc_build *build, const char *name, LLVMMetadataRef value)
{
    LLVMMetadataRef operands[2] = {text(build, name), value};
    return LLVMMDNodeInContext2(build->context, operands, 2);
}

// A loop's properties are a node whose first operand is the node itself.
static void set_properties(
    struct zc_build *build, LLVMValueRef branch, const LLVMMetadataRef *properties, size_t count)
{
    LLVMMetadataRef self = LLVMTemporaryMDNode(build->context, NULL, 0);
    LLVMMetadataRef operands[3] = {self};
    for (size_t i = 0; i < count; i++)
        operands[i + 1] = properties[i];
    LLVMMetadataRef loop = LLVMMDNodeInContext2(build->context, operands, count + 1);
    LLVMMetadataReplaceAllUsesWith(self, loop);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(build->context, "llvm.loop", 9),
        LLVMMetadataAsValue(build->context, loop));
}

void zc_loop_set_property(struct zc_build *build, LLVMValueRef branch, const char *name)
{
    LLVMMetadataRef operand = text(build, name);
    LLVMMetadataRef property = LLVMMDNodeInContext2(build->context, &operand, 1);
    set_properties(build, branch, &property, 1);
}

// Groups are often as wide as one vector: interleaved, their loops would never come to the vectors.
static void mark_independent(struct zc_build *build, LLVMValueRef branch)
{
    LLVMMetadataRef group = access_group(build);
    if (group == NULL)
        return;
    const LLVMMetadataRef properties[2] = {pair(build, "llvm.loop.parallel_accesses", group),
        pair(build, "llvm.loop.interleave.count", LLVMValueAsMetadata(zc_const_i32(build, 1)))};
    set_properties(build, branch, properties, 2);
}

struct zc_loop zc_loop_open(struct zc_build *build, LLVMValueRef function, LLVMValueRef first,
    LLVMValueRef end, uint64_t step)
{
    LLVMBasicBlockRef before = LLVMGetInsertBlock(build->builder);
    struct zc_loop loop = {.end = end,
        .step = step,
        .head = LLVMAppendBasicBlockInContext(build->context, function, "work_items")};
    LLVMBuildBr(build->builder, loop.head);
    LLVMPositionBuilderAtEnd(build->builder, loop.head);
    loop.index = LLVMBuildPhi(build->builder, build->types.i64, "local_id");
    LLVMAddIncoming(loop.index, &first, &before, 1);
    return loop;
}

void zc_loop_close(
    struct zc_build *build, LLVMValueRef function, const struct zc_loop *loop, bool is_independent)
{
    LLVMBasicBlockRef latch = LLVMGetInsertBlock(build->builder);
    LLVMBasicBlockRef after =
        LLVMAppendBasicBlockInContext(build->context, function, "after_work_items");
    LLVMValueRef next =
        LLVMBuildAdd(build->builder, loop->index, zc_const_i64(build, loop->step), "next");
    LLVMValueRef again = LLVMBuildICmp(build->builder, LLVMIntULT, next, loop->end, "");
    LLVMValueRef branch = LLVMBuildCondBr(build->builder, again, loop->head, after);
    if (is_independent)
        mark_independent(build, branch);
    LLVMAddIncoming(loop->index, &next, &latch, 1);
    LLVMPositionBuilderAtEnd(build->builder, after);
}
