// SPDX-License-Identifier: MIT
//
// Variables in local memory (address space 3) have no storage of their own: each kernel gets a
// layout of those it uses, and every mention becomes an offset into the block that the running
// group has been given. Mentions may hide in constant expressions, which are taken apart into
// instructions for that.

#include "build.h"
#include "grow.h"

#include <stdlib.h>

#define LOCAL_ADDRESS_SPACE 3
#define MINIMUM_ALIGNMENT 16
#define BLOCK_ALIGNMENT 64

struct place {
    LLVMValueRef variable;
    uint32_t offset;
};

struct layout {
    struct place *places;
    uint32_t count;
    uint32_t size;
    bool failed;
};

static bool is_local_variable(LLVMValueRef value)
{
    return LLVMIsAGlobalVariable(value) &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(value)) == LOCAL_ADDRESS_SPACE;
}

static bool mentions_local(LLVMValueRef value)
{
    if (is_local_variable(value))
        return true;
    if (!LLVMIsAConstantExpr(value))
        return false;
    for (int i = 0, n = LLVMGetNumOperands(value); i < n; i++) {
        if (mentions_local(LLVMGetOperand(value, (unsigned)i)))
            return true;
    }
    return false;
}

static uint32_t align_up(uint32_t value, uint32_t alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

static uint32_t offset_of(struct zc_build *build, struct layout *layout, LLVMValueRef variable)
{
    for (uint32_t i = 0; i < layout->count; i++) {
        if (layout->places[i].variable == variable)
            return layout->places[i].offset;
    }
    struct place *places = zc_grow(layout->places, layout->count, sizeof(*places));
    if (places == NULL) {
        layout->failed = true;
        return 0;
    }
    layout->places = places;
    uint32_t alignment = LLVMGetAlignment(variable);
    if (alignment < MINIMUM_ALIGNMENT)
        alignment = MINIMUM_ALIGNMENT;
    const uint32_t offset = align_up(layout->size, alignment);
    places[layout->count++] = (struct place){variable, offset};
    layout->size =
        offset + (uint32_t)LLVMABISizeOfType(build->layout, LLVMGlobalGetValueType(variable));
    return offset;
}

static LLVMValueRef address_of(struct zc_build *build, struct zc_kernel_build *kernel,
    struct layout *layout, LLVMValueRef variable)
{
    LLVMValueRef offset = zc_const_i64(build, offset_of(build, layout, variable));
    return zc_local_pointer(build, kernel, offset, LLVMTypeOf(variable));
}

static LLVMValueRef rebuild_binary(
    struct zc_build *build, LLVMOpcode opcode, LLVMValueRef *operands)
{
    switch (opcode) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
        return LLVMBuildBinOp(build->builder, opcode, operands[0], operands[1], "");
    default:
        return NULL;
    }
}

// The constant expression as an instruction on new operands; NULL for a kind that no local variable
// can be in.
static LLVMValueRef rebuild(struct zc_build *build, LLVMValueRef value, LLVMValueRef *operands)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    const LLVMOpcode opcode = LLVMGetConstOpcode(value);
    switch (opcode) {
    case LLVMGetElementPtr:
        return LLVMBuildGEP2(build->builder, LLVMGetGEPSourceElementType(value), operands[0],
            operands + 1, (unsigned)LLVMGetNumOperands(value) - 1, "");
    case LLVMAddrSpaceCast:
    case LLVMBitCast:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMTrunc:
    case LLVMZExt:
        return LLVMBuildCast(build->builder, opcode, operands[0], type, "");
    case LLVMICmp:
        return LLVMBuildICmp(
            build->builder, LLVMGetICmpPredicate(value), operands[0], operands[1], "");
    case LLVMSelect:
        return LLVMBuildSelect(build->builder, operands[0], operands[1], operands[2], "");
    default:
        return rebuild_binary(build, opcode, operands);
    }
}

static LLVMValueRef expand(struct zc_build *build, struct zc_kernel_build *kernel,
    struct layout *layout, LLVMValueRef value)
{
    if (is_local_variable(value))
        return address_of(build, kernel, layout, value);
    if (!mentions_local(value))
        return value;
    const int count = LLVMGetNumOperands(value);
    LLVMValueRef *operands = calloc((size_t)count + 1, sizeof(*operands));
    LLVMValueRef result = NULL;
    if (operands != NULL) {
        for (int i = 0; i < count; i++)
            operands[i] = expand(build, kernel, layout, LLVMGetOperand(value, (unsigned)i));
        result = rebuild(build, value, operands);
    }
    free(operands);
    if (result != NULL)
        return result;
    layout->failed = true;
    return value;
}

// A phi must give one value to all its entries from the same block.
static LLVMValueRef value_from_same_block(LLVMValueRef phi, unsigned index)
{
    for (unsigned i = 0; i < index; i++) {
        if (LLVMGetIncomingBlock(phi, i) == LLVMGetIncomingBlock(phi, index))
            return LLVMGetOperand(phi, i);
    }
    return NULL;
}

static void expand_operands(struct zc_build *build, struct zc_kernel_build *kernel,
    struct layout *layout, LLVMValueRef instruction)
{
    const bool is_phi = LLVMGetInstructionOpcode(instruction) == LLVMPHI;
    for (int i = 0, n = LLVMGetNumOperands(instruction); i < n; i++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
        if (operand == NULL || !LLVMIsAConstant(operand) || !mentions_local(operand))
            continue;
        LLVMValueRef before = instruction;
        if (is_phi)
            before = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(instruction, (unsigned)i));
        LLVMPositionBuilderBefore(build->builder, before);
        LLVMValueRef value = is_phi ? value_from_same_block(instruction, (unsigned)i) : NULL;
        if (value == NULL)
            value = expand(build, kernel, layout, operand);
        LLVMSetOperand(instruction, (unsigned)i, value);
    }
}

bool zc_local_memory_lower(struct zc_build *build, struct zc_kernel_build *kernel)
{
    struct layout layout = {0};
    LLVMValueRef wrapper = kernel->wrapper;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(wrapper); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            expand_operands(build, kernel, &layout, i);
    }
    free(layout.places);
    kernel->info->static_local_size = align_up(layout.size, BLOCK_ALIGNMENT);
    if (layout.failed)
        zc_log_add(&build->log, "error: function '%s': local memory cannot be laid out",
            kernel->info->name);
    return !layout.failed;
}
