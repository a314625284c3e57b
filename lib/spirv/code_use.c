// SPDX-License-Identifier: MIT
//
// Features by instruction.

#include "spirv/code_features.h"

static const struct {
    uint16_t first, last;
    uint16_t feature;
} operations[] = {
#define OPS(first, last, feature) {first, last, FEATURE_##feature},
#include "spirv/capabilities.def"
};

static void add(struct mez_spirv_code_use *use, enum feature feature)
{
    use->words[feature / 64] |= UINT64_C(1) << (feature % 64);
}

static enum feature feature_of_operation(uint16_t opcode)
{
    size_t low = 0, high = sizeof operations / sizeof operations[0];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (opcode > operations[middle].last)
            low = middle + 1;
        else if (opcode < operations[middle].first)
            high = middle;
        else
            return (enum feature)operations[middle].feature;
    }
    return FEATURE_NONE;
}

static enum feature feature_of_int(uint32_t width)
{
    switch (width) {
    case 8:
        return FEATURE_INT8;
    case 16:
        return FEATURE_INT16;
    case 64:
        return FEATURE_INT64;
    default:
        return FEATURE_NONE;
    }
}

static enum feature feature_of_float(uint32_t width)
{
    switch (width) {
    case 16:
        return FEATURE_HALF;
    case 64:
        return FEATURE_DOUBLE;
    default:
        return FEATURE_NONE;
    }
}

static enum feature feature_of_storage(uint32_t storage)
{
    switch (storage) {
    case MEZ_STORAGE_GENERIC:
        return FEATURE_GENERIC_POINTER;
    case MEZ_STORAGE_CODE_SECTION:
        return FEATURE_FUNCTION_POINTERS;
    case MEZ_STORAGE_DEVICE_ONLY:
    case MEZ_STORAGE_HOST_ONLY:
        return FEATURE_USM_STORAGE;
    default:
        return FEATURE_NONE;
    }
}

#define DIMENSION_1D 0
#define DIMENSION_BUFFER 5
#define ACCESS_READ_WRITE 2

static void add_image(struct mez_spirv_instruction in, struct mez_spirv_code_use *use)
{
    if (in.words[3] == DIMENSION_1D)
        add(use, FEATURE_IMAGE_1D);
    if (in.words[3] == DIMENSION_BUFFER)
        add(use, FEATURE_IMAGE_BUFFER);
    if (in.length > 9 && in.words[9] == ACCESS_READ_WRITE)
        add(use, FEATURE_IMAGE_READ_WRITE);
}

static void add_linkage(const struct mez_spirv_module *module, struct mez_spirv_instruction in,
    struct mez_spirv_code_use *use)
{
    add(use, FEATURE_LINKAGE);
    const struct mez_spirv_def *def = mez_spirv_find_def(module, in.words[1]);
    if (def && def->linkage == MEZ_LINKAGE_LINK_ONCE_ODR)
        add(use, FEATURE_LINK_ONCE);
}

// The masks of a sub-group, SubgroupEqMask to SubgroupLtMask.
#define BUILT_IN_FIRST_MASK 4416
#define BUILT_IN_LAST_MASK 4420

static void add_decoration(const struct mez_spirv_module *module, struct mez_spirv_instruction in,
    struct mez_spirv_code_use *use)
{
    switch (in.words[2]) {
    case MEZ_DECORATION_LINKAGE_ATTRIBUTES:
        add_linkage(module, in, use);
        break;
    case MEZ_DECORATION_REFERENCED_INDIRECTLY:
        add(use, FEATURE_INDIRECT_REFERENCES);
        break;
    case MEZ_DECORATION_ARGUMENT_ATTRIBUTE:
        add(use, FEATURE_FUNCTION_POINTERS);
        break;
    case MEZ_DECORATION_BUILT_IN:
        if (in.length > 3 && in.words[3] >= BUILT_IN_FIRST_MASK &&
            in.words[3] <= BUILT_IN_LAST_MASK) {
            add(use, FEATURE_BALLOT);
            add(use, FEATURE_NON_UNIFORM_BALLOT);
        }
        break;
    }
}

// The type of the value that an atomic instruction changes memory by.
static const struct mez_spirv_type *atomic_type(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    return in.opcode == MEZ_OP_AtomicStore ? mez_spirv_value_type(module, in.words[4])
                                           : mez_spirv_find_type(module, in.words[1]);
}

static void add_atomic(const struct mez_spirv_module *module, struct mez_spirv_instruction in,
    struct mez_spirv_code_use *use)
{
    const struct mez_spirv_type *type = atomic_type(module, in);
    const uint32_t width = type ? type->width : 0;
    if (in.opcode == MEZ_OP_AtomicFAddEXT)
        add(use, width == 64   ? FEATURE_ATOMIC_ADD_DOUBLE
                 : width == 16 ? FEATURE_ATOMIC_ADD_HALF
                               : FEATURE_ATOMIC_ADD_FLOAT);
    else if (in.opcode == MEZ_OP_AtomicFMinEXT || in.opcode == MEZ_OP_AtomicFMaxEXT)
        add(use, width == 64   ? FEATURE_ATOMIC_MIN_MAX_DOUBLE
                 : width == 16 ? FEATURE_ATOMIC_MIN_MAX_HALF
                               : FEATURE_ATOMIC_MIN_MAX_FLOAT);
    else if (width == 64)
        add(use, FEATURE_ATOMIC_INT64);
}

static bool is_atomic(uint16_t opcode)
{
    return (opcode >= MEZ_OP_AtomicLoad && opcode <= MEZ_OP_AtomicXor) ||
           opcode == MEZ_OP_AtomicFMinEXT || opcode == MEZ_OP_AtomicFMaxEXT ||
           opcode == MEZ_OP_AtomicFAddEXT;
}

static void add_mode(uint32_t mode, struct mez_spirv_code_use *use)
{
    if (mode == MEZ_MODE_SUBGROUP_SIZE || mode == MEZ_MODE_SUBGROUPS_PER_WORKGROUP ||
        mode == MEZ_MODE_SUBGROUPS_PER_WORKGROUP_ID)
        add(use, FEATURE_SUBGROUP_DISPATCH);
}

void mez_spirv_use_instruction(const struct mez_spirv_module *module,
    struct mez_spirv_instruction in, struct mez_spirv_code_use *use)
{
    const enum feature feature = feature_of_operation(in.opcode);
    add(use, feature);
    if (feature == FEATURE_NONE && !mez_spirv_opcode_info(in.opcode))
        use->unknown = true;

    switch (in.opcode) {
    case MEZ_OP_TypeInt:
        add(use, feature_of_int(in.words[2]));
        break;
    case MEZ_OP_TypeFloat:
        add(use, feature_of_float(in.words[2]));
        break;
    case MEZ_OP_TypeVector:
        add(use, in.words[3] > 4 ? FEATURE_VECTOR_16 : FEATURE_NONE);
        break;
    case MEZ_OP_TypeImage:
        add_image(in, use);
        break;
    case MEZ_OP_TypePointer:
    case MEZ_OP_TypeForwardPointer:
        add(use, feature_of_storage(in.words[2]));
        break;
    case MEZ_OP_ExecutionMode:
    case MEZ_OP_ExecutionModeId:
        add_mode(in.words[2], use);
        break;
    case MEZ_OP_Decorate:
    case MEZ_OP_DecorateId:
    case MEZ_OP_DecorateString:
        add_decoration(module, in, use);
        break;
    default:
        if (is_atomic(in.opcode))
            add_atomic(module, in, use);
        break;
    }
}

void mez_spirv_use_linkage(struct mez_spirv_code_use *use)
{
    add(use, FEATURE_LINKAGE);
}
