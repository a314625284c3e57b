// SPDX-License-Identifier: MIT
//
// Judging single instructions.

#include "spirv/rules.h"

#include <string.h>

#include "spirv/assert_function.h"
#include "spirv/touched.h"

// --- Atomics

// The type that an atomic instruction works on; NULL: no atomic instruction.
static const struct mez_spirv_type *atomic_type(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    if (in.opcode == MEZ_OP_AtomicStore)
        return mez_spirv_value_type(module, in.words[4]);
    const bool gives_value = (in.opcode >= MEZ_OP_AtomicLoad && in.opcode <= MEZ_OP_AtomicXor) ||
                             in.opcode == MEZ_OP_AtomicFMinEXT ||
                             in.opcode == MEZ_OP_AtomicFMaxEXT || in.opcode == MEZ_OP_AtomicFAddEXT;
    return gives_value ? mez_spirv_find_type(module, in.words[1]) : NULL;
}

static void add_atomic(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in, mez_aspects *aspects)
{
    const struct mez_spirv_type *type = atomic_type(module, in);
    if (type && type->width == 64)
        mez_aspects_add(aspects, MEZ_ASPECT_atomic64);
    if (type && type->width == 16)
        mez_aspects_add(aspects, MEZ_ASPECT_ext_oneapi_atomic16);
}

// --- All of it

mez_aspects mez_spirv_instruction_aspects(const struct mez_spirv_module *module,
    enum mez_spirv_survey_mode mode, struct mez_spirv_instruction in)
{
    static const struct {
        uint32_t bit;
        mez_aspect aspect;
    } held[] = {
        {MEZ_HOLDS_DOUBLE, MEZ_ASPECT_fp64},
        {MEZ_HOLDS_HALF, MEZ_ASPECT_fp16},
        {MEZ_HOLDS_IMAGE, MEZ_ASPECT_ext_intel_legacy_image},
        {MEZ_HOLDS_MATRIX, MEZ_ASPECT_ext_intel_matrix},
    };
    mez_aspects aspects = {0};
    if (mez_spirv_is_debug(module, in))
        return aspects;
    const uint32_t touched = mez_spirv_touched(module, mode, in);
    for (size_t i = 0; touched && i < sizeof held / sizeof held[0]; i++)
        if (touched & held[i].bit)
            mez_aspects_add(&aspects, held[i].aspect);
    add_atomic(module, in, &aspects);
    if (in.opcode == MEZ_OP_VariableLengthArrayINTEL)
        mez_aspects_add(&aspects, MEZ_ASPECT_ext_oneapi_private_alloca);
    return aspects;
}

uint32_t mez_spirv_vector_compute_word(
    const struct mez_spirv_module *module, const struct mez_spirv_function *function)
{
    struct mez_spirv_decoration_iter iter = mez_spirv_decorations(module, function->id);
    struct mez_spirv_decoration decoration;
    while (mez_spirv_next_decoration(&iter, &decoration)) {
        if (decoration.kind == MEZ_DECORATION_VECTOR_COMPUTE_FUNCTION)
            return decoration.word - 3; // behind opcode, target and kind
    }
    return 0;
}

// --- Asserts

bool mez_spirv_function_asserts(const struct mez_spirv_function *function)
{
    if (strcmp(function->name, MEZ_ASSERT_FUNCTION) == 0)
        return true;
    return !function->has_body && (strcmp(function->name, "__assert_fail") == 0 ||
                                      strcmp(function->name, "__assertfail") == 0);
}

// The variable that a device library fills, where a toolchain has linked one: its function may have
// been put into its callers.
bool mez_spirv_symbol_asserts(const struct mez_spirv_symbol *symbol)
{
    return !symbol->is_function && (strcmp(symbol->name, "__SYCL_AssertHappenedMem") == 0 ||
                                       strcmp(symbol->name, "SPIR_AssertHappenedMem") == 0);
}
