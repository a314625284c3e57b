// SPDX-License-Identifier: MIT
//
// Judging single instructions: the doubles, halves, images and matrices that they touch, then all else.

#include "spirv/aspects.h"

// --- What types hold: bits of enum mez_spirv_holds

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

// The type of the value that an operand is; NULL: it is none.
static const struct mez_spirv_type *operand_type(
    const struct mez_spirv_module *module, const struct mez_spirv_operand *operand)
{
    if (operand->kind == MEZ_OPERAND_TYPE)
        return mez_spirv_find_type(module, operand->value);
    return operand->kind == MEZ_OPERAND_ID ? mez_spirv_value_type(module, operand->value) : NULL;
}

// --- Mode `values`

// clang-format off
// Where the generations of Intel's compiler differ. Each line was seen in what they build and refuse (tests/oracle).
static const struct rules {
    bool loses_variables;     // variables of functions are replaced by the values in them before it looks
    bool loses_calls;         // calls of functions that stay functions are not looked at
    bool folds_operations;    // what arithmetic and conversions make of constants is a constant when it looks
    bool folds_atomic_stores; // a constant that is stored atomically is not a double any more
    bool folds_printf;        // nor is one that is printed
} all_rules[] = {
    //                              variables  calls  operations  atomic stores  printf
    [MEZ_SURVEY_VALUES]          = {true,      true,  false,      true,          true},
    [MEZ_SURVEY_VALUES_OF_IGC_2] = {false,     false, true,       false,         false},
};

// Handing a value over uses it only if the other side does.
static bool hands_over(struct mez_spirv_instruction in)
{
    switch (in.opcode) {
    case MEZ_OP_Function:
    case MEZ_OP_FunctionParameter:
    case MEZ_OP_FunctionCall:
    case MEZ_OP_FunctionPointerCallINTEL:
    case MEZ_OP_Variable:
        return true;
    default:
        return false;
    }
}

// For OpenCL C from 2.0 on Intel's compiler puts the values of variables in their place before it
// judges; for all else it leaves them.
static bool loses_variables(const struct mez_spirv_module *module)
{
    const bool opencl = module->source_language == MEZ_SOURCE_OPENCL_C ||
                        module->source_language == MEZ_SOURCE_OPENCL_CPP;
    return opencl && module->source_version >= 200000;
}

// A variable that is only loaded and stored whole stands for the values in it, as compilers make
// them without optimisation.
static bool is_kept_in_variable(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    if ((in.opcode != MEZ_OP_Load && in.opcode != MEZ_OP_Store) || !loses_variables(module))
        return false;
    const struct mez_spirv_def *pointer =
        mez_spirv_find_def(module, in.words[in.opcode == MEZ_OP_Load ? 3 : 1]);
    return pointer && pointer->function != MEZ_SPIRV_NO_INDEX && !pointer->escapes &&
           mez_spirv_instruction_at(module, pointer->word).opcode == MEZ_OP_Variable;
}

static bool calls_opencl(const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    return in.opcode == MEZ_OP_ExtInst &&
           mez_spirv_ext_set(module, in.words[3]) == MEZ_EXT_SET_OPENCL;
}

// Moving vectors and structs about takes no arithmetic of what is in them; the sign is a bit.
static bool only_moves(const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    switch (in.opcode) {
    case MEZ_OP_Load:
    case MEZ_OP_Store:
    case MEZ_OP_CopyObject:
    case MEZ_OP_CopyLogical:
    case MEZ_OP_Bitcast:
    case MEZ_OP_FNegate:
    case MEZ_OP_Select:
    case MEZ_OP_Phi:
    case MEZ_OP_Undef:
    case MEZ_OP_VectorShuffle:
    case MEZ_OP_CompositeConstruct:
    case MEZ_OP_CompositeExtract:
    case MEZ_OP_CompositeInsert:
    case MEZ_OP_ReturnValue:
        return true;
    default:
        return calls_opencl(module, in) &&
               (in.words[4] == MEZ_OPENCL_VLOADN || in.words[4] == MEZ_OPENCL_VSTOREN);
    }
}

// Intel's compiler moves structs one member at a time, and then looks at the members. What is loaded
// from one and not used is gone before.
static bool moves_members(struct mez_spirv_instruction in)
{
    return in.opcode != MEZ_OP_Load && in.opcode != MEZ_OP_CompositeExtract;
}

static bool is_operation(uint16_t opcode)
{
    return opcode == MEZ_OP_CompositeConstruct ||
           (opcode >= MEZ_OP_ConvertFToU && opcode <= MEZ_OP_Bitcast) ||
           (opcode >= MEZ_OP_SNegate && opcode <= MEZ_OP_Dot) ||
           (opcode >= MEZ_OP_IsNan && opcode <= MEZ_OP_FUnordGreaterThanEqual);
}

// What a library function makes of constants alone is a constant when Intel's compiler looks.
static bool folds_constants(const struct mez_spirv_module *module, const struct rules *rules,
    struct mez_spirv_instruction in)
{
    if (in.opcode == MEZ_OP_AtomicStore)
        return rules->folds_atomic_stores;
    if (calls_opencl(module, in))
        return rules->folds_printf || in.words[4] != MEZ_OPENCL_PRINTF;
    return rules->folds_operations && is_operation(in.opcode);
}

static bool is_constant(
    const struct mez_spirv_module *module, const struct mez_spirv_operand *operand)
{
    const struct mez_spirv_def *def =
        operand->kind == MEZ_OPERAND_ID ? mez_spirv_find_def(module, operand->value) : NULL;
    return def && def->type && def->function == MEZ_SPIRV_NO_INDEX &&
           mez_spirv_instruction_at(module, def->word).opcode != MEZ_OP_Variable;
}

// Intel's compiler copies one element at a time, and then looks at the elements.
static uint32_t copied_by_group(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    const struct mez_spirv_type *pointer = mez_spirv_value_type(module, in.words[4]);
    const struct mez_spirv_type *element = mez_spirv_component(module, pointer);
    return element && element->opcode == MEZ_OP_TypeFloat ? element->holds : 0;
}

struct touched {
    uint32_t scalars, others;
    bool by_variables; // an operand is not a constant
};

// What vectors of constants make is a constant in the end, too, and nobody looks at them before.
static void drop_constants(struct touched *touched, bool folds)
{
    const uint32_t floats = MEZ_HOLDS_HALF | MEZ_HOLDS_DOUBLE;
    if (folds)
        touched->scalars = 0;
    if (folds || !(touched->others & MEZ_HOLDS_LONE_DOUBLE))
        touched->others &= ~floats;
}

static struct touched collect_touched(const struct mez_spirv_module *module,
    const struct rules *rules, struct mez_spirv_instruction in)
{
    const bool folds = folds_constants(module, rules, in);
    struct touched touched = {0};
    struct mez_spirv_operand_iter iter = mez_spirv_operands(module, in);
    struct mez_spirv_operand operand;
    while (mez_spirv_next_operand(&iter, &operand)) {
        const struct mez_spirv_type *type = operand_type(module, &operand);
        if (!type)
            continue;
        const bool constant = is_constant(module, &operand);
        touched.by_variables |= operand.kind == MEZ_OPERAND_ID && !constant;
        if (folds && constant)
            continue;
        *(type->opcode == MEZ_OP_TypeFloat ? &touched.scalars : &touched.others) |= type->holds;
    }
    if (in.opcode == MEZ_OP_GroupAsyncCopy)
        touched.scalars |= copied_by_group(module, in);
    if (!touched.by_variables)
        drop_constants(&touched, folds);
    return touched;
}

static bool calls(const struct mez_spirv_module *module, const struct mez_spirv_function *function,
    uint32_t callee)
{
    mez_spirv_each_instruction(module, in, function->first, function->end)
    {
        if (in.opcode == MEZ_OP_FunctionCall && in.words[3] == callee)
            return true;
    }
    return false;
}

// Whether a function stays one: it is another module's, is not to be inlined, or calls itself.
static bool stays_a_function(const struct mez_spirv_module *module, uint32_t id)
{
    const struct mez_spirv_function *function = mez_spirv_find_function(module, id);
    if (!function || !function->has_body)
        return true;
    const struct mez_spirv_instruction head = mez_spirv_instruction_at(module, function->first);
    return head.words[3] & MEZ_FUNCTION_DONT_INLINE || calls(module, function, id);
}

// What the compiler sees of scalars that are handed over, or kept in a variable.
static uint32_t seen_on_the_way(const struct mez_spirv_module *module, const struct rules *rules,
    struct mez_spirv_instruction in, uint32_t scalars)
{
    const bool sees = in.opcode == MEZ_OP_FunctionCall
                          ? !rules->loses_calls && stays_a_function(module, in.words[3])
                          : !rules->loses_variables && !hands_over(in);
    return sees ? scalars & MEZ_HOLDS_DOUBLE : 0;
}

// A scalar counts wherever it is; what only moves, or is kept in a variable, does so only for what
// has no other use than to be there.
static uint32_t touched_values(const struct mez_spirv_module *module, const struct rules *rules,
    struct mez_spirv_instruction in)
{
    const struct touched touched = collect_touched(module, rules, in);
    const uint32_t all = touched.scalars | touched.others;
    if (all && (hands_over(in) || is_kept_in_variable(module, in)))
        return (all & (MEZ_HOLDS_IMAGE | MEZ_HOLDS_MATRIX)) |
               seen_on_the_way(module, rules, in, touched.scalars);
    const bool passes = touched.others & MEZ_HOLDS_DOUBLE && only_moves(module, in) &&
                        !(touched.others & MEZ_HOLDS_LONE_DOUBLE && moves_members(in));
    return passes ? touched.scalars | (touched.others & ~(uint32_t)MEZ_HOLDS_DOUBLE) : all;
}

// --- Mode `types`

static bool is_global_variable(const struct mez_spirv_module *module, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(module, id);
    return def && def->function == MEZ_SPIRV_NO_INDEX &&
           mez_spirv_instruction_at(module, def->word).opcode == MEZ_OP_Variable;
}

// What stands behind the pointers that give a variable, or an address in something, its type.
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

static uint32_t touched_types(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    uint32_t touched = held_behind_pointer(module, in);
    struct mez_spirv_operand_iter iter = mez_spirv_operands(module, in);
    struct mez_spirv_operand operand;
    while (mez_spirv_next_operand(&iter, &operand)) {
        const struct mez_spirv_type *type = operand_type(module, &operand);
        touched |= held_by_type(type);
        if (operand.kind == MEZ_OPERAND_ID && is_global_variable(module, operand.value))
            touched |= held_by_pointee(module, type);
    }
    return touched;
}

// Bits of enum mez_spirv_holds. `in` is not debug information.
static uint32_t find_touched(const struct mez_spirv_module *module, enum mez_spirv_survey_mode mode,
    struct mez_spirv_instruction in)
{
    return mode == MEZ_SURVEY_TYPES ? touched_types(module, in)
                                    : touched_values(module, &all_rules[mode], in);
}

// --- Atomics

static void add_atomic(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in, mez_aspects *aspects)
{
    const struct mez_spirv_type *type = mez_spirv_atomic_type(module, in);
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
    const uint32_t touched = find_touched(module, mode, in);
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
