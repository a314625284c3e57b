// SPDX-License-Identifier: MIT
//
// Integer divisions that have no result. In OpenCL C a division by zero and one of the smallest number
// by -1 give an unspecified value and nothing else happens, as on every GPU. The processor raises
// SIGFPE, which ends the process, and LLVM takes such a division for one that is never reached. So
// the divisor becomes 1 there.

#include "build.h"

#define WIDEST_NUMBER 64

static bool is_signed_division(LLVMOpcode opcode)
{
    return opcode == LLVMSDiv || opcode == LLVMSRem;
}

static bool is_division(LLVMOpcode opcode)
{
    return is_signed_division(opcode) || opcode == LLVMUDiv || opcode == LLVMURem;
}

// Most divisors stand in the code, and need no look while the kernel runs.
static bool is_harmless(LLVMValueRef divisor)
{
    if (!LLVMIsAConstantInt(divisor) || LLVMGetIntTypeWidth(LLVMTypeOf(divisor)) > WIDEST_NUMBER)
        return false;
    const long long value = LLVMConstIntGetSExtValue(divisor);
    return value != 0 && value != -1;
}

static LLVMTypeRef element_of(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

// The same number in all elements of a vector.
static LLVMValueRef splat(LLVMTypeRef type, LLVMValueRef number)
{
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return number;
    LLVMValueRef elements[16]; // the longest vectors of OpenCL C
    const unsigned count = LLVMGetVectorSize(type);
    if (count > 16)
        return NULL;
    for (unsigned i = 0; i < count; i++)
        elements[i] = number;
    return LLVMConstVector(elements, count);
}

static LLVMValueRef smallest_of(LLVMTypeRef element)
{
    const unsigned width = LLVMGetIntTypeWidth(element);
    return LLVMConstInt(element, 1ULL << (width - 1), false);
}

static LLVMValueRef is_equal(struct zc_build *build, LLVMValueRef value, LLVMValueRef number)
{
    return LLVMBuildICmp(build->builder, LLVMIntEQ, value, number, "");
}

static void guard(struct zc_build *build, LLVMValueRef division)
{
    LLVMValueRef dividend = LLVMGetOperand(division, 0);
    LLVMValueRef divisor = LLVMGetOperand(division, 1);
    LLVMTypeRef type = LLVMTypeOf(divisor);
    LLVMTypeRef element = element_of(type);
    LLVMValueRef one = splat(type, LLVMConstInt(element, 1, false));
    if (is_harmless(divisor) || one == NULL || LLVMGetIntTypeWidth(element) > WIDEST_NUMBER)
        return;
    LLVMPositionBuilderBefore(build->builder, division);
    LLVMValueRef has_no_result = is_equal(build, divisor, LLVMConstNull(type));
    if (is_signed_division(LLVMGetInstructionOpcode(division))) {
        LLVMValueRef overflows =
            LLVMBuildAnd(build->builder, is_equal(build, divisor, LLVMConstAllOnes(type)),
                is_equal(build, dividend, splat(type, smallest_of(element))), "");
        has_no_result = LLVMBuildOr(build->builder, has_no_result, overflows, "");
    }
    LLVMSetOperand(division, 1, LLVMBuildSelect(build->builder, has_no_result, one, divisor, ""));
}

static void guard_function(struct zc_build *build, LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != NULL;
             i = LLVMGetNextInstruction(i)) {
            if (is_division(LLVMGetInstructionOpcode(i)))
                guard(build, i);
        }
    }
}

void zc_division_guard(struct zc_build *build)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(build->module); function != NULL;
         function = LLVMGetNextFunction(function))
        guard_function(build, function);
}
