// SPDX-License-Identifier: MIT
//
// Refuses programs that use what the simulated device lacks, as Intel's compiler does.
//
// The rule was found by trying: an instruction whose result or operand is a *value* of the type
// counts; a pointer to the type, or a struct that contains it and is only reached by pointer, does
// not. vload_half and vstore_half work on floats and need no fp16.

#include "images.h"

#include <string.h>

enum use { USES_FP16 = 1, USES_FP64 = 2, USES_INT64_ATOMICS = 4 };

static unsigned uses_of_type(LLVMTypeRef type)
{
    const LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMVectorTypeKind)
        return uses_of_type(LLVMGetElementType(type));
    return kind == LLVMDoubleTypeKind ? USES_FP64 : kind == LLVMHalfTypeKind ? USES_FP16 : 0;
}

static bool is_int64(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 64;
}

// All operands but pointers are looked at: the value of an atomic store is its last.
static bool is_int64_atomic(LLVMValueRef instruction)
{
    char name[64];
    if (!LLVMIsACallInst(instruction) || !LLVMIsAFunction(LLVMGetCalledValue(instruction)))
        return false;
    size_t length;
    const char *mangled = LLVMGetValueName2(LLVMGetCalledValue(instruction), &length);
    if (!zc_builtin_name(mangled, name, sizeof(name)) || !zc_has_prefix(name, "__spirv_Atomic"))
        return false;
    const unsigned count = LLVMGetNumArgOperands(instruction);
    return is_int64(instruction) || (count > 0 && is_int64(LLVMGetOperand(instruction, count - 1)));
}

static unsigned uses_of_instruction(LLVMValueRef instruction)
{
    unsigned uses = uses_of_type(LLVMTypeOf(instruction));
    for (int i = 0, n = LLVMGetNumOperands(instruction); i < n; i++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
        if (operand != NULL)
            uses |= uses_of_type(LLVMTypeOf(operand));
    }
    return uses | (is_int64_atomic(instruction) ? USES_INT64_ATOMICS : 0);
}

static unsigned uses_of_function(LLVMValueRef function)
{
    unsigned uses = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            uses |= uses_of_instruction(i);
    }
    return uses;
}

static bool check_use(
    struct zc_build *build, LLVMValueRef function, bool used, bool offered, const char *feature)
{
    if (!used || offered)
        return true;
    size_t length;
    zc_log_add(&build->log, "error: function '%s': %s not supported by device '%s'",
        LLVMGetValueName2(function, &length), feature, build->features->device_name);
    return false;
}

// All reasons are logged, not only the first.
static bool check_function(struct zc_build *build, LLVMValueRef function)
{
    const struct zc_features *features = build->features;
    const unsigned uses = uses_of_function(function);
    bool ok =
        check_use(build, function, uses & USES_FP64, features->fp64, "double precision (fp64) is");
    ok &= check_use(build, function, uses & USES_FP16, features->fp16, "half precision (fp16) is");
    ok &= check_use(build, function, zc_uses_images(function), features->images, "images are");
    ok &= check_use(build, function, uses & USES_INT64_ATOMICS, features->int64_atomics,
        "64-bit atomics (int64_atomics) is");
    return ok;
}

bool zc_features_check(struct zc_build *build, LLVMModuleRef module)
{
    bool ok = true;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        ok &= check_function(build, f);
    return ok;
}
