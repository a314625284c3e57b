// SPDX-License-Identifier: MIT
//
// Ids and sizes of dimensions that are not there. In OpenCL C get_group_id(3) is 0, and get_local_size(3) is 1. llvm-spirv makes
// of the question an element of a vector of three, which LLVM takes for something that never happens: what depends on it is
// removed. The builtins know the answer.

#include "build.h"

#include <string.h>

enum { DIMENSIONS = 3 };

// The builtin that one element of a vector was asked from; NULL where the vector is another one.
static LLVMValueRef asked_builtin(LLVMValueRef vector)
{
    if (!LLVMIsAInsertElementInst(vector))
        return NULL;
    LLVMValueRef call = LLVMGetOperand(vector, 1);
    if (!LLVMIsACallInst(call) || LLVMGetNumArgOperands(call) != 1)
        return NULL;
    size_t length;
    LLVMValueRef function = LLVMGetCalledValue(call);
    return strstr(LLVMGetValueName2(function, &length), "__spirv_BuiltIn") != NULL ? call : NULL;
}

// For a call that asks for one dimension: the answer for those beyond the last one.
static LLVMValueRef ask_beyond(struct zc_build *build, LLVMValueRef call)
{
    LLVMValueRef index = LLVMConstInt(LLVMTypeOf(LLVMGetOperand(call, 0)), DIMENSIONS, false);
    LLVMValueRef answer = LLVMBuildCall2(
        build->builder, LLVMGetCalledFunctionType(call), LLVMGetCalledValue(call), &index, 1, "");
    LLVMSetInstructionCallConv(answer, LLVMGetInstructionCallConv(call));
    return answer;
}

static bool is_there(LLVMValueRef index)
{
    return LLVMIsAConstantInt(index) && LLVMConstIntGetZExtValue(index) < DIMENSIONS;
}

// Where the index is known when the kernel runs.
static void choose(struct zc_build *build, LLVMValueRef extraction, LLVMValueRef beyond)
{
    LLVMValueRef index = LLVMGetOperand(extraction, 1);
    LLVMValueRef end = LLVMConstInt(LLVMTypeOf(index), DIMENSIONS, false);
    LLVMValueRef exists = LLVMBuildICmp(build->builder, LLVMIntULT, index, end, "");
    LLVMValueRef chosen = LLVMBuildSelect(build->builder, exists, extraction, beyond, "");
    LLVMReplaceAllUsesWith(extraction, chosen);
    LLVMSetOperand(chosen, 1, extraction); // which has been replaced there, too
}

static void answer(struct zc_build *build, LLVMValueRef extraction)
{
    LLVMValueRef vector = LLVMGetOperand(extraction, 0), index = LLVMGetOperand(extraction, 1);
    LLVMValueRef call = asked_builtin(vector);
    if (call == NULL || is_there(index) || LLVMGetVectorSize(LLVMTypeOf(vector)) != DIMENSIONS)
        return;
    LLVMPositionBuilderBefore(build->builder, LLVMGetNextInstruction(extraction));
    LLVMValueRef beyond = ask_beyond(build, call);
    if (LLVMIsAConstantInt(index))
        LLVMReplaceAllUsesWith(extraction, beyond);
    else
        choose(build, extraction, beyond);
}

static void answer_in(struct zc_build *build, LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != NULL;
             i = LLVMGetNextInstruction(i)) {
            if (LLVMGetInstructionOpcode(i) == LLVMExtractElement)
                answer(build, i);
        }
    }
}

void zc_dimensions_answer(struct zc_build *build)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(build->module); function != NULL;
         function = LLVMGetNextFunction(function))
        answer_in(build, function);
}
