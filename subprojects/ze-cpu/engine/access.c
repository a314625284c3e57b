// SPDX-License-Identifier: MIT
//
// Offsets are computed from the indices, not from addresses: a variable whose address nobody takes may stay in a register.

#include "access.h"

#include <string.h>

static LLVMValueRef size_of(struct zc_build *build, LLVMTypeRef type)
{
    return zc_const_i64(build, LLVMABISizeOfType(build->layout, type));
}

// Bytes that a load or a store touches: a vector of three has three elements.
static LLVMValueRef bytes_of(struct zc_build *build, LLVMTypeRef type)
{
    return zc_const_i64(build, LLVMStoreSizeOfType(build->layout, type));
}

static unsigned set_one(struct zc_build *build, struct zc_access *access, LLVMValueRef pointer,
    LLVMTypeRef type, enum zc_access_kind kind)
{
    access->pointer = pointer;
    access->size = bytes_of(build, type);
    access->kind = kind;
    return 1;
}

static LLVMValueRef as_i64(struct zc_build *build, LLVMValueRef value, bool is_signed)
{
    return LLVMBuildIntCast2(build->builder, value, build->types.i64, is_signed, "");
}

// The builtins of images access no other memory, whatever they are given (builtins/prepare.c).
static bool is_right(struct zc_build *build, LLVMValueRef instruction)
{
    const unsigned kind =
        LLVMGetMDKindIDInContext(build->context, ZC_RIGHT_ACCESS, strlen(ZC_RIGHT_ACCESS));
    return LLVMGetMetadata(instruction, kind) != NULL;
}

static unsigned find_in_call(
    struct zc_build *build, LLVMValueRef call, struct zc_access accesses[2])
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const char *name = LLVMIsAFunction(callee) ? zc_name_of(callee) : "";
    const bool copies = zc_has_prefix(name, "llvm.memcpy.") || zc_has_prefix(name, "llvm.memmove.");
    if (!copies && !zc_has_prefix(name, "llvm.memset."))
        return 0;
    LLVMPositionBuilderBefore(build->builder, call);
    LLVMValueRef size = as_i64(build, LLVMGetOperand(call, 2), false);
    if (copies)
        accesses[0] = (struct zc_access){call, LLVMGetOperand(call, 1), size, ZC_ACCESS_READ};
    accesses[copies] = (struct zc_access){call, LLVMGetOperand(call, 0), size, ZC_ACCESS_WRITE};
    return copies ? 2 : 1;
}

unsigned zc_access_find(
    struct zc_build *build, LLVMValueRef instruction, struct zc_access accesses[2])
{
    struct zc_access *first = &accesses[0];
    first->instruction = instruction;
    if (is_right(build, instruction))
        return 0;
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad:
        return set_one(build, first, LLVMGetOperand(instruction, 0), LLVMTypeOf(instruction),
            LLVMGetOrdering(instruction) ? ZC_ACCESS_ATOMIC_READ : ZC_ACCESS_READ);
    case LLVMStore:
        return set_one(build, first, LLVMGetOperand(instruction, 1),
            LLVMTypeOf(LLVMGetOperand(instruction, 0)),
            LLVMGetOrdering(instruction) ? ZC_ACCESS_ATOMIC : ZC_ACCESS_WRITE);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return set_one(build, first, LLVMGetOperand(instruction, 0),
            LLVMTypeOf(LLVMGetOperand(instruction, 1)), ZC_ACCESS_ATOMIC);
    case LLVMCall:
        return find_in_call(build, instruction, accesses);
    default:
        return 0;
    }
}

// ---- objects ----

static bool has_opcode(LLVMValueRef value, LLVMOpcode opcode)
{
    if (LLVMIsAConstantExpr(value))
        return LLVMGetConstOpcode(value) == opcode;
    return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == opcode;
}

// The pointer that this one is computed from; NULL: it can't be said.
static LLVMValueRef step_back(LLVMValueRef pointer)
{
    const bool is_step = has_opcode(pointer, LLVMGetElementPtr) ||
                         has_opcode(pointer, LLVMBitCast) || has_opcode(pointer, LLVMAddrSpaceCast);
    return is_step ? LLVMGetOperand(pointer, 0) : NULL;
}

static const struct zc_local_argument *find_argument(
    const struct zc_kernel_build *kernel, LLVMValueRef pointer)
{
    for (uint32_t i = 0; kernel != NULL && i < kernel->local_argument_count; i++) {
        if (kernel->local_arguments[i].pointer == pointer)
            return &kernel->local_arguments[i];
    }
    return NULL;
}

static struct zc_object describe_variable(struct zc_build *build, LLVMValueRef variable)
{
    const char *name = zc_name_of(variable);
    const bool is_local = zc_address_space(variable) == 3;
    return (struct zc_object){.kind = is_local ? ZC_OBJECT_LOCAL : ZC_OBJECT_PROGRAM,
        .base = variable,
        .size = size_of(build, LLVMGlobalGetValueType(variable)),
        .name = zc_has_prefix(name, ZC_USER_PREFIX) ? name + strlen(ZC_USER_PREFIX) : name};
}

static struct zc_object describe_private(struct zc_build *build, LLVMValueRef variable)
{
    struct zc_object object = {.kind = ZC_OBJECT_PRIVATE, .base = variable};
    LLVMValueRef count = LLVMGetOperand(variable, 0);
    if (!LLVMIsAConstantInt(count))
        return (struct zc_object){.kind = ZC_OBJECT_UNKNOWN};
    object.size =
        zc_const_i64(build, LLVMABISizeOfType(build->layout, LLVMGetAllocatedType(variable)) *
                                LLVMConstIntGetZExtValue(count));
    object.name = zc_name_of(variable);
    return object;
}

static bool is_parameter_of_wrapper(const struct zc_kernel_build *kernel, LLVMValueRef value)
{
    for (unsigned i = 0; kernel != NULL && i < ZC_WRAPPER_PARAMETERS; i++) {
        if (LLVMGetParam(kernel->wrapper, i) == value)
            return true;
    }
    return false;
}

struct zc_object zc_object_of(
    struct zc_build *build, const struct zc_kernel_build *kernel, LLVMValueRef pointer)
{
    LLVMValueRef base = pointer;
    const struct zc_local_argument *argument;
    while ((argument = find_argument(kernel, base)) == NULL && step_back(base) != NULL)
        base = step_back(base);
    if (argument != NULL)
        return (struct zc_object){
            ZC_OBJECT_LOCAL_ARGUMENT, base, argument->size, "", argument->index, false};
    if (is_parameter_of_wrapper(kernel, base))
        return (struct zc_object){.kind = ZC_OBJECT_UNKNOWN, .is_ours = true};
    if (LLVMIsAGlobalVariable(base))
        return describe_variable(build, base);
    if (LLVMIsAAllocaInst(base))
        return describe_private(build, base);
    return (struct zc_object){.kind = ZC_OBJECT_UNKNOWN};
}

// Bytes that one index of a GEP adds; *type becomes that of the element.
static LLVMValueRef index_bytes(
    struct zc_build *build, LLVMTypeRef *type, LLVMValueRef index, bool is_first)
{
    if (!is_first && LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
        const unsigned element = (unsigned)LLVMConstIntGetZExtValue(index);
        const uint64_t offset = LLVMOffsetOfElement(build->layout, *type, element);
        *type = LLVMStructGetTypeAtIndex(*type, element);
        return zc_const_i64(build, offset);
    }
    if (!is_first)
        *type = LLVMGetElementType(*type);
    return LLVMBuildMul(build->builder, as_i64(build, index, true), size_of(build, *type), "");
}

static LLVMValueRef step_bytes(struct zc_build *build, LLVMValueRef step)
{
    LLVMValueRef sum = zc_const_i64(build, 0);
    if (!has_opcode(step, LLVMGetElementPtr))
        return sum;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(step);
    for (int i = 1; i < LLVMGetNumOperands(step); i++) {
        LLVMValueRef bytes = index_bytes(build, &type, LLVMGetOperand(step, (unsigned)i), i == 1);
        sum = LLVMBuildAdd(build->builder, sum, bytes, "");
    }
    return sum;
}

LLVMValueRef zc_object_offset(struct zc_build *build, LLVMValueRef base, LLVMValueRef pointer)
{
    LLVMValueRef sum = zc_const_i64(build, 0);
    for (; pointer != base; pointer = step_back(pointer))
        sum = LLVMBuildAdd(build->builder, sum, step_bytes(build, pointer), "");
    return sum;
}

LLVMValueRef zc_access_describe(struct zc_build *build, const struct zc_access *access,
    const struct zc_object *object, LLVMValueRef variables)
{
    uint64_t line;
    LLVMValueRef file = zc_source_place(build, access->instruction, &line);
    const bool is_local = LLVMGetPointerAddressSpace(LLVMTypeOf(access->pointer)) == 3;
    const char *name = object->name != NULL ? object->name : "";
    LLVMValueRef words[ZC_ACCESS_SITE_WORDS] = {file, zc_const_i64(build, line),
        zc_const_i64(build, access->kind), zc_const_i64(build, is_local),
        zc_const_i64(build, object->kind), zc_add_text(build, name, strlen(name)),
        zc_const_i64(build, object->index), variables};
    return LLVMConstStructInContext(build->context, words, ZC_ACCESS_SITE_WORDS, false);
}

bool zc_is_always_there(LLVMValueRef pointer)
{
    while (LLVMIsAInstruction(pointer) || LLVMIsAConstantExpr(pointer)) {
        if (LLVMIsASelectInst(pointer) || LLVMIsAPHINode(pointer))
            return true;
        if (LLVMIsAInstruction(pointer) && !LLVMIsAGetElementPtrInst(pointer) &&
            !LLVMIsACastInst(pointer))
            return false;
        for (int i = 1; i < LLVMGetNumOperands(pointer); i++) {
            if (!LLVMIsAConstant(LLVMGetOperand(pointer, (unsigned)i)))
                return false;
        }
        pointer = LLVMGetOperand(pointer, 0);
    }
    return LLVMIsAGlobalVariable(pointer) != NULL;
}
