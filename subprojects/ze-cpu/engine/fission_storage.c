// SPDX-License-Identifier: MIT
//
// Slots and flags of work-items: variables, or arrays with a place for each work-item.

#include "emission.h"

// Memory for each work-item, `size` bytes apart.
static LLVMValueRef add_array(struct zc_emission *e, uint64_t size, const char *name)
{
    LLVMBuilderRef b = zc_builder_of(e);
    e->item_size += size;
    if (e->in_strips) {
        LLVMTypeRef type = LLVMArrayType(e->build->types.i8, (unsigned)(size * ZC_STRIP));
        LLVMValueRef array = LLVMBuildAlloca(b, type, name);
        LLVMSetAlignment(array, ZC_ITEM_ALIGNMENT);
        return array;
    }
    LLVMValueRef array =
        zc_emit_address(e, LLVMGetParam(e->kernel->wrapper, ZC_WRAPPER_ITEMS), e->used);
    LLVMValueRef bytes = LLVMBuildMul(b, e->places, zc_const_i64(e->build, size), "");
    e->used = LLVMBuildAdd(b, e->used, bytes, "");
    return array;
}

static void clear(const struct zc_emission *e, const struct zc_flags *flags)
{
    if (flags->array != NULL)
        LLVMBuildMemSet(zc_builder_of(e), flags->array, LLVMConstInt(e->build->types.i8, 0, false),
            e->places, ZC_ITEM_ALIGNMENT);
}

void zc_flag_set(
    const struct zc_emission *e, const struct zc_flags *flags, LLVMValueRef index, unsigned value)
{
    LLVMValueRef byte = LLVMConstInt(e->build->types.i8, value, false);
    zc_access_set_independent(
        e->build, LLVMBuildStore(zc_builder_of(e), byte, zc_emit_address(e, flags->array, index)));
}

LLVMValueRef zc_flag_get(
    const struct zc_emission *e, const struct zc_flags *flags, LLVMValueRef index)
{
    LLVMValueRef load = LLVMBuildLoad2(
        zc_builder_of(e), e->build->types.i8, zc_emit_address(e, flags->array, index), "");
    zc_access_set_independent(e->build, load);
    return load;
}

// Is a flag set? Looks at eight at a time.
LLVMValueRef zc_flag_any(struct zc_emission *e, const struct zc_flags *flags)
{
    LLVMBuilderRef b = zc_builder_of(e);
    LLVMTypeRef i64 = e->build->types.i64;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b);
    LLVMBasicBlockRef loop = zc_emit_block(e, "any"), after = zc_emit_block(e, "any_known");
    LLVMValueRef zero = zc_const_i64(e->build, 0), step = zc_const_i64(e->build, 8);
    LLVMBuildBr(b, loop);
    LLVMPositionBuilderAtEnd(b, loop);
    LLVMValueRef place = LLVMBuildPhi(b, i64, "");
    LLVMValueRef sum = LLVMBuildPhi(b, i64, "");
    LLVMValueRef all = LLVMBuildOr(
        b, sum, LLVMBuildLoad2(b, i64, zc_emit_address(e, flags->array, place), ""), "");
    LLVMValueRef next = LLVMBuildAdd(b, place, step, "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULT, next, e->places, ""), loop, after);
    LLVMAddIncoming(place, (LLVMValueRef[]){zero, next}, (LLVMBasicBlockRef[]){before, loop}, 2);
    LLVMAddIncoming(sum, (LLVMValueRef[]){zero, all}, (LLVMBasicBlockRef[]){before, loop}, 2);
    LLVMPositionBuilderAtEnd(b, after);
    return LLVMBuildICmp(b, LLVMIntNE, all, zero, "any");
}

static LLVMValueRef add_variable(const struct zc_emission *e, const struct zc_slot *slot)
{
    LLVMValueRef variable =
        LLVMBuildAlloca(zc_builder_of(e), LLVMGetAllocatedType(slot->variable), "");
    LLVMSetAlignment(variable, LLVMGetAlignment(slot->variable));
    return variable;
}

void zc_storages_add(struct zc_emission *e)
{
    for (uint32_t n = 0; n < e->regions->slot_count; n++) {
        const struct zc_slot *slot = &e->regions->slots[n];
        struct zc_storage *storage = &e->storages[n];
        if (!slot->is_varying)
            storage->shared = add_variable(e, slot);
        if (slot->is_varying && slot->is_kept)
            storage->array = add_array(e, slot->size, "kept");
        else
            storage->own = add_variable(e, slot);
    }
}

// Does an operation of the kernel's leave out those that have ended?
static bool asks_for_active(const struct zc_flow *flow)
{
    for (uint32_t b = 0; b < flow->count; b++) {
        LLVMValueRef wait = zc_wait_of(flow->blocks[b]);
        LLVMValueRef whom = wait != NULL ? LLVMGetOperand(wait, 0) : NULL;
        if (whom != NULL && (!LLVMIsAConstantInt(whom) ||
                                (LLVMConstIntGetZExtValue(whom) & ZC_WAITS_FOR_ACTIVE) != 0))
            return true;
    }
    return false;
}

// Here all are active (run.c), so that where some end before the others it is left to coroutines.
void zc_flags_add(struct zc_emission *e)
{
    if (e->regions->ends_early) {
        e->failed |= asks_for_active(&e->analysis->flow);
        e->active.array = add_array(e, 1, "active");
    }
    for (uint32_t m = 0; m < e->analysis->meeting_count; m++) {
        const struct zc_meeting *meeting = &e->analysis->meetings[m];
        if (meeting->is_dropped || !meeting->leaves_apart)
            continue;
        e->inside[m].array = add_array(e, 1, "inside");
        e->exits[m].array = add_array(e, 1, "exit");
    }
}

void zc_flags_clear(const struct zc_emission *e)
{
    clear(e, &e->active);
    for (uint32_t m = 0; m < e->analysis->meeting_count; m++)
        clear(e, &e->inside[m]);
}
