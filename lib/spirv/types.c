// SPDX-License-Identifier: MIT
//
// Sizes of types as OpenCL C lays them out, and what their values hold. Components stand before
// what they make up, so one walk in file order does, whatever the depth; a component that stands
// behind counts as unknown.

#include "spirv/reader.h"

#define LARGEST_ALIGNMENT 128u // of OpenCL C: double16, long16

static void set_size(struct mez_spirv_type *type, uint64_t size, uint64_t alignment)
{
    type->size = size;
    type->alignment = size ? alignment : 0;
}

static void fill_scalar(struct mez_spirv_type *type, struct mez_spirv_instruction in)
{
    type->width = in.words[2];
    // A float with one operand more is of another encoding than IEEE 754's, as bfloat16 is.
    if (in.opcode == MEZ_OP_TypeFloat && type->width == 16 && in.length == 3)
        type->holds = MEZ_HOLDS_HALF;
    if (in.opcode == MEZ_OP_TypeFloat && type->width == 64)
        type->holds = MEZ_HOLDS_DOUBLE | MEZ_HOLDS_LONE_DOUBLE;
    if (type->width == 8 || type->width == 16 || type->width == 32 || type->width == 64)
        set_size(type, type->width / 8, type->width / 8);
}

// A vector of three takes the room of four.
static void fill_vector(struct mez_spirv_type *type, struct mez_spirv_instruction in,
    const struct mez_spirv_type *component)
{
    type->component = in.words[2];
    type->count = in.words[3];
    if (!component)
        return;

    type->holds = component->holds & ~(uint32_t)MEZ_HOLDS_LONE_DOUBLE;
    const uint64_t room = type->count == 3 ? 4 : type->count;
    if (room >= 2 && room <= 16)
        set_size(type, component->size * room, component->size * room);
    if (type->alignment > LARGEST_ALIGNMENT)
        type->alignment = LARGEST_ALIGNMENT;
}

static void fill_array(const struct mez_spirv_module *module, struct mez_spirv_type *type,
    struct mez_spirv_instruction in, const struct mez_spirv_type *component)
{
    type->component = in.words[2];
    if (!component || !mez_spirv_constant(module, in.words[3], &type->count))
        return;

    uint64_t size;
    type->holds = component->holds;
    if (!__builtin_mul_overflow(component->size, type->count, &size))
        set_size(type, size, component->alignment);
}

// Puts a member of `size` behind `*end` bytes; false when that does not fit 64 bits.
static bool place_member(uint64_t size, uint64_t alignment, uint64_t *end)
{
    const uint64_t padding = (alignment - *end % alignment) % alignment;
    return !__builtin_add_overflow(*end, padding, end) && !__builtin_add_overflow(*end, size, end);
}

static void fill_struct(const struct mez_spirv_module *module, struct mez_spirv_type *type,
    struct mez_spirv_instruction in)
{
    const bool packed = mez_spirv_is_decorated(module, type->id, MEZ_DECORATION_C_PACKED);
    uint64_t end = 0, largest = 1;
    bool sized = true;

    for (uint32_t i = 2; i < in.length; i++) {
        const struct mez_spirv_type *member = mez_spirv_find_type(module, in.words[i]);
        if (member)
            type->holds |= member->holds;
        if (!member || member->size == 0) {
            sized = false;
            continue;
        }
        const uint64_t alignment = packed ? 1 : member->alignment;
        largest = alignment > largest ? alignment : largest;
        sized = sized && place_member(member->size, alignment, &end);
    }
    if (sized && place_member(0, largest, &end))
        set_size(type, end, largest);
}

static void fill_pointer(const struct mez_spirv_module *module, struct mez_spirv_type *type,
    struct mez_spirv_instruction in)
{
    type->storage = in.words[2];
    type->component = in.words[3];
    type->width = module->addressing_model == MEZ_ADDRESSING_PHYSICAL32 ? 32 : 64;
    set_size(type, type->width / 8, type->width / 8);
}

static void fill_type(const struct mez_spirv_module *module, struct mez_spirv_type *type,
    struct mez_spirv_instruction in)
{
    const struct mez_spirv_type *component =
        in.length > 2 ? mez_spirv_find_type(module, in.words[2]) : NULL;
    switch (in.opcode) {
    case MEZ_OP_TypeBool:
        set_size(type, 1, 1);
        break;
    case MEZ_OP_TypeInt:
    case MEZ_OP_TypeFloat:
        fill_scalar(type, in);
        break;
    case MEZ_OP_TypeVector:
        fill_vector(type, in, component);
        break;
    case MEZ_OP_TypeArray:
        fill_array(module, type, in, component);
        break;
    case MEZ_OP_TypeStruct:
        fill_struct(module, type, in);
        break;
    case MEZ_OP_TypePointer:
        fill_pointer(module, type, in);
        break;
    case MEZ_OP_TypeImage:
    case MEZ_OP_TypeSampledImage:
        type->holds = MEZ_HOLDS_IMAGE;
        type->component = in.words[2];
        break;
    case MEZ_OP_TypeMatrix:
        type->holds = component ? component->holds : 0;
        type->component = in.words[2];
        break;
    case MEZ_OP_TypeCooperativeMatrixKHR:
    case MEZ_OP_TypeJointMatrixINTEL:
    case MEZ_OP_TypeJointMatrixINTELv2:
        type->holds = MEZ_HOLDS_MATRIX | (component ? component->holds : 0);
        type->component = in.words[2];
        break;
    case MEZ_OP_TypeFunction:
        type->component = in.words[2];
        break;
    }
}

static uint32_t count_types(const struct mez_spirv_module *module)
{
    uint32_t count = 0;
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count) count +=
        mez_spirv_is_type(in.opcode);
    return count;
}

enum mez_spirv_status mez_spirv_collect_types(
    struct mez_spirv_module *module, struct mez_spirv_problem *problem)
{
    if (!mez_spirv_make_list(&module->types, count_types(module), sizeof *module->types))
        return mez_spirv_fail(problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory for the module's types");

    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count)
    {
        if (!mez_spirv_is_type(in.opcode))
            continue;
        struct mez_spirv_type type = {.id = in.words[1], .word = in.at, .opcode = in.opcode};
        fill_type(module, &type, in);
        module->types[module->type_count] = type;
        mez_spirv_edit_def(module, type.id)->index = module->type_count++;
    }
    return MEZ_SPIRV_OK;
}

const struct mez_spirv_type *mez_spirv_find_type(const struct mez_spirv_module *module, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(module, id);
    if (!def || def->index >= module->type_count || module->types[def->index].id != id)
        return NULL;
    return &module->types[def->index];
}

const struct mez_spirv_type *mez_spirv_value_type(
    const struct mez_spirv_module *module, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(module, id);
    return def && def->type ? mez_spirv_find_type(module, def->type) : NULL;
}

const struct mez_spirv_type *mez_spirv_component(
    const struct mez_spirv_module *module, const struct mez_spirv_type *type)
{
    return type ? mez_spirv_find_type(module, type->component) : NULL;
}

const struct mez_spirv_type *mez_spirv_atomic_type(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    if (in.opcode == MEZ_OP_AtomicStore)
        return mez_spirv_value_type(module, in.words[4]);
    const bool gives_value = (in.opcode >= MEZ_OP_AtomicLoad && in.opcode <= MEZ_OP_AtomicXor) ||
                             in.opcode == MEZ_OP_AtomicFMinEXT ||
                             in.opcode == MEZ_OP_AtomicFMaxEXT || in.opcode == MEZ_OP_AtomicFAddEXT;
    return gives_value ? mez_spirv_find_type(module, in.words[1]) : NULL;
}
