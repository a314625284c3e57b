// SPDX-License-Identifier: MIT
//
// Computes cheap values again where they are used, so that they need not be kept from one region to
// another: addresses and indices made of ids, sizes and arguments. Vectorising depends on it: an address
// that is computed from the index of the work-item's loop is seen to be consecutive, one that was kept is
// not.

#include "analysis.h"
#include "fission.h"

// Instructions that one value may cost.
#define BUDGET 24
#define MAX_OPERANDS 8

static bool is_cheap(LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMICmp:
    case LLVMSelect:
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMIntToPtr:
    case LLVMPtrToInt:
        return LLVMGetNumOperands(instruction) <= MAX_OPERANDS;
    default:
        return false;
    }
}

static bool can_repeat(struct zc_build *build, LLVMValueRef value, int *budget)
{
    unsigned word;
    if (!LLVMIsAInstruction(value) || zc_is_context_call(value))
        return true;
    if (--*budget < 0)
        return false;
    if (zc_is_context_load(build, value, &word) && word < ZC_CONTEXT_WORDS)
        return true;
    if (!is_cheap(value))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(value); i++) {
        if (!can_repeat(build, LLVMGetOperand(value, (unsigned)i), budget))
            return false;
    }
    return true;
}

static LLVMValueRef repeat(struct zc_build *build, LLVMValueRef value)
{
    LLVMValueRef operands[MAX_OPERANDS];
    if (!LLVMIsAInstruction(value))
        return value;
    const int count = zc_is_context_call(value) ? 0 : LLVMGetNumOperands(value);
    for (int i = 0; i < count; i++)
        operands[i] = repeat(build, LLVMGetOperand(value, (unsigned)i));
    LLVMValueRef copy = LLVMInstructionClone(value);
    for (int i = 0; i < count; i++)
        LLVMSetOperand(copy, (unsigned)i, operands[i]);
    LLVMInsertIntoBuilder(build->builder, copy);
    return copy;
}

static void repeat_operand(struct zc_build *build, LLVMValueRef user, unsigned index)
{
    LLVMValueRef value = LLVMGetOperand(user, index);
    if (value == NULL || LLVMValueIsBasicBlock(value) || !LLVMIsAInstruction(value) ||
        LLVMIsAAllocaInst(value))
        return;
    const bool is_phi = LLVMIsAPHINode(user) != NULL;
    LLVMBasicBlockRef place =
        is_phi ? LLVMGetIncomingBlock(user, index) : LLVMGetInstructionParent(user);
    int budget = BUDGET;
    if (LLVMGetInstructionParent(value) == place || !can_repeat(build, value, &budget))
        return;
    if (is_phi && LLVMCountIncoming(user) > 2) // a block may be there twice, with one value
        return;
    LLVMPositionBuilderBefore(build->builder, is_phi ? LLVMGetBasicBlockTerminator(place) : user);
    LLVMSetOperand(user, index, repeat(build, value));
}

void zc_rematerialise(struct zc_build *build, LLVMValueRef body)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(body); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            for (int n = 0; n < LLVMGetNumOperands(i); n++)
                repeat_operand(build, i, (unsigned)n);
        }
    }
}
