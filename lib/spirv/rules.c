// SPDX-License-Identifier: MIT
//
// Judging single instructions.

#include "spirv/rules.h"

#include <string.h>

// --- What the values hold that an instruction takes and gives

// A parameter that is put into a variable, as compilers do without optimisation. If it is used, a
// load tells.
static bool spills_parameter(const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    if (in.opcode != MEZ_OP_Store)
        return false;
    const struct mez_spirv_def *variable = mez_spirv_find_def(module, in.words[1]);
    const struct mez_spirv_def *value = mez_spirv_find_def(module, in.words[2]);
    return variable && value &&
           mez_spirv_instruction_at(module, variable->word).opcode == MEZ_OP_Variable &&
           mez_spirv_instruction_at(module, value->word).opcode == MEZ_OP_FunctionParameter;
}

// Handing a value to a function of this module uses it only if that function does.
static bool calls_known_function(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    if (in.opcode != MEZ_OP_FunctionCall)
        return false;
    const struct mez_spirv_function *callee = mez_spirv_find_function(module, in.words[3]);
    return callee && callee->has_body;
}

static uint32_t held_by_type(const struct mez_spirv_type *type)
{
    return type ? type->holds : 0;
}

static uint32_t held_by_pointee(
    const struct mez_spirv_module *module, const struct mez_spirv_type *pointer)
{
    return pointer && pointer->opcode == MEZ_OP_TypePointer
               ? held_by_type(mez_spirv_find_type(module, pointer->component))
               : 0;
}

static bool is_global_variable(const struct mez_spirv_module *module, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(module, id);
    return def && def->function == MEZ_SPIRV_NO_INDEX &&
           mez_spirv_instruction_at(module, def->word).opcode == MEZ_OP_Variable;
}

static uint32_t held_by_operand(const struct mez_spirv_module *module,
    enum mez_spirv_survey_mode mode, const struct mez_spirv_operand *operand)
{
    if (operand->kind == MEZ_OPERAND_TYPE)
        return held_by_type(mez_spirv_find_type(module, operand->value));
    if (operand->kind != MEZ_OPERAND_ID)
        return 0;
    const struct mez_spirv_type *type = mez_spirv_value_type(module, operand->value);
    if (mode == MEZ_SURVEY_TYPES && is_global_variable(module, operand->value))
        return held_by_pointee(module, type);
    return held_by_type(type);
}

static bool passes_on(const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    return in.opcode == MEZ_OP_Function || in.opcode == MEZ_OP_FunctionParameter ||
           spills_parameter(module, in) || calls_known_function(module, in);
}

// What mode `types` counts beside values: the type of a variable, and what an address is computed in.
static uint32_t held_behind_pointer(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    switch (in.opcode) {
    case MEZ_OP_Variable:
        return held_by_pointee(module, mez_spirv_find_type(module, in.words[1]));
    case MEZ_OP_AccessChain:
    case MEZ_OP_InBoundsAccessChain:
    case MEZ_OP_PtrAccessChain:
    case MEZ_OP_InBoundsPtrAccessChain:
        return held_by_pointee(module, mez_spirv_value_type(module, in.words[3]));
    default:
        return 0;
    }
}

// Bits of enum mez_spirv_holds.
static uint32_t touched_by(const struct mez_spirv_module *module, enum mez_spirv_survey_mode mode,
    struct mez_spirv_instruction in)
{
    uint32_t touched = 0;
    struct mez_spirv_operand_iter iter = mez_spirv_operands(module, in);
    struct mez_spirv_operand operand;
    while (mez_spirv_next_operand(&iter, &operand))
        touched |= held_by_operand(module, mode, &operand);

    if (mode == MEZ_SURVEY_TYPES)
        return touched | held_behind_pointer(module, in);
    // Images and matrices have no use but their own, so that having one is using it.
    const uint32_t opaque = MEZ_HOLDS_IMAGE | MEZ_HOLDS_MATRIX;
    return touched && passes_on(module, in) ? touched & opaque : touched;
}

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
    const uint32_t touched = touched_by(module, mode, in);
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
    if (strcmp(function->name, "__devicelib_assert_fail") == 0)
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
