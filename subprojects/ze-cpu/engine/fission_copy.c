// SPDX-License-Identifier: MIT
//
// Copies of a region's instructions, with the wrapper's values in place of the body's.

#include "emission.h"

LLVMBasicBlockRef zc_emit_block(const struct zc_emission *e, const char *name)
{
    return LLVMAppendBasicBlockInContext(e->build->context, e->kernel->wrapper, name);
}

LLVMValueRef zc_emit_address(const struct zc_emission *e, LLVMValueRef array, LLVMValueRef bytes)
{
    return LLVMBuildInBoundsGEP2(zc_builder_of(e), e->build->types.i8, array, &bytes, 1, "");
}

// The storage of the array that an access is to; NULL: it is to something else.
static const struct zc_storage *array_of(const struct zc_emission *e, LLVMValueRef address)
{
    const struct zc_slot *slot = zc_slot_of(e->regions, address);
    const struct zc_storage *storage = slot != NULL ? &e->storages[slot - e->regions->slots] : NULL;
    return storage != NULL && storage->array != NULL ? storage : NULL;
}

static LLVMValueRef mapped(const struct zc_copy *copy, LLVMValueRef value)
{
    LLVMValueRef other = zc_map_get(&copy->values, value);
    return other != NULL ? other : value;
}

// LLVM does not vectorise memory of single bits.
static LLVMValueRef copy_access_of_bit(struct zc_copy *copy, LLVMValueRef access)
{
    LLVMBuilderRef b = zc_builder_of(copy->e);
    const struct zc_types *types = &copy->e->build->types;
    if (LLVMIsALoadInst(access)) {
        LLVMValueRef byte =
            LLVMBuildLoad2(b, types->i8, mapped(copy, LLVMGetOperand(access, 0)), "");
        zc_access_set_independent(copy->e->build, byte);
        return LLVMBuildTrunc(b, byte, types->i1, "");
    }
    LLVMValueRef byte = LLVMBuildZExt(b, mapped(copy, LLVMGetOperand(access, 0)), types->i8, "");
    LLVMValueRef store = LLVMBuildStore(b, byte, mapped(copy, LLVMGetOperand(access, 1)));
    zc_access_set_independent(copy->e->build, store);
    return store;
}

static bool is_access_of_bit(const struct zc_copy *copy, LLVMValueRef i)
{
    LLVMTypeRef i1 = copy->e->build->types.i1;
    if (LLVMIsALoadInst(i))
        return LLVMTypeOf(i) == i1 && array_of(copy->e, LLVMGetOperand(i, 0)) != NULL;
    return LLVMIsAStoreInst(i) && LLVMTypeOf(LLVMGetOperand(i, 0)) == i1 &&
           array_of(copy->e, LLVMGetOperand(i, 1)) != NULL;
}

static bool is_access_of_array(const struct zc_copy *copy, LLVMValueRef i)
{
    if (LLVMIsALoadInst(i))
        return array_of(copy->e, LLVMGetOperand(i, 0)) != NULL;
    return LLVMIsAStoreInst(i) && array_of(copy->e, LLVMGetOperand(i, 1)) != NULL;
}

LLVMValueRef zc_copy_clone(struct zc_copy *copy, LLVMValueRef instruction)
{
    LLVMValueRef result = LLVMInstructionClone(instruction);
    for (int n = 0; n < LLVMGetNumOperands(instruction); n++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)n);
        if (operand != NULL && !LLVMValueIsBasicBlock(operand))
            LLVMSetOperand(result, (unsigned)n, mapped(copy, operand));
    }
    LLVMInsertIntoBuilder(zc_builder_of(copy->e), result);
    return result;
}

void zc_copy_instruction(struct zc_copy *copy, LLVMValueRef instruction)
{
    LLVMValueRef result;
    if (LLVMIsAAllocaInst(instruction))
        return;
    if (zc_is_context_call(instruction)) {
        result = LLVMBuildAddrSpaceCast(
            zc_builder_of(copy->e), copy->e->kernel->context, LLVMTypeOf(instruction), "");
    } else if (is_access_of_bit(copy, instruction)) {
        result = copy_access_of_bit(copy, instruction);
    } else {
        result = zc_copy_clone(copy, instruction);
        if (is_access_of_array(copy, instruction))
            zc_access_set_independent(copy->e->build, result);
    }
    zc_map_put(&copy->values, instruction, result);
}

void zc_copy_start(struct zc_copy *copy, struct zc_emission *e, const struct zc_region *region)
{
    *copy = (struct zc_copy){.e = e, .region = region};
    for (unsigned i = 0; i < e->kernel->info->argument_count; i++)
        zc_map_put(&copy->values, LLVMGetParam(e->kernel->body, i), e->arguments[i]);
}

void zc_copy_finish(struct zc_copy *copy)
{
    copy->e->failed |= copy->values.failed || copy->blocks.failed || copy->leaves.failed;
    zc_map_finish(&copy->values);
    zc_map_finish(&copy->blocks);
    zc_map_finish(&copy->leaves);
}

// The copy of a block of this region, which may have to be filled later.
LLVMBasicBlockRef zc_copy_block(struct zc_copy *copy, uint32_t number)
{
    LLVMBasicBlockRef original = copy->e->analysis->flow.blocks[number];
    LLVMBasicBlockRef block = zc_map_get(&copy->blocks, original);
    if (block != NULL)
        return block;
    block = zc_emit_block(copy->e, "");
    zc_map_put(&copy->blocks, original, block);
    copy->pending[copy->pending_count++] = number;
    return block;
}
