// SPDX-License-Identifier: MIT

#include "spirv/capabilities.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// --- Features

// What code uses, a bit each: capabilities.def.
enum feature {
    FEATURE_NONE,
#define FEATURE(name) FEATURE_##name,
#include "spirv/grammar.def"
    FEATURE_COUNT,
};

_Static_assert(
    FEATURE_COUNT <= 8 * sizeof((struct mez_spirv_code_use){0}.words), "features have a bit each");

// --- Features by instruction

static const uint8_t feature_of_operation[] = {
#define OP(number, name, layout, feature) [number] = FEATURE_##feature,
#include "spirv/grammar.def"
};

static void add(struct mez_spirv_code_use *use, enum feature feature)
{
    use->words[feature / 64] |= UINT64_C(1) << (feature % 64);
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

static void add_atomic(const struct mez_spirv_module *module, struct mez_spirv_instruction in,
    struct mez_spirv_code_use *use)
{
    const struct mez_spirv_type *type = mez_spirv_atomic_type(module, in);
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

static void add_mode(uint32_t mode, struct mez_spirv_code_use *use)
{
    if (mode == MEZ_MODE_SUBGROUP_SIZE || mode == MEZ_MODE_SUBGROUPS_PER_WORKGROUP ||
        mode == MEZ_MODE_SUBGROUPS_PER_WORKGROUP_ID)
        add(use, FEATURE_SUBGROUP_DISPATCH);
}

void mez_spirv_use_instruction(const struct mez_spirv_module *module,
    struct mez_spirv_instruction in, struct mez_spirv_code_use *use)
{
    if (mez_spirv_opcode_info(in.opcode))
        add(use, feature_of_operation[in.opcode]);
    else
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
        add_atomic(module, in, use);
        break;
    }
}

void mez_spirv_use_linkage(struct mez_spirv_code_use *use)
{
    add(use, FEATURE_LINKAGE);
}

// --- Capabilities and extensions by feature

#define CAPABILITY_KERNEL 6

enum speaker { COMMON, ASPECT, MODE, NOBODY };

static const struct capability {
    uint32_t number;
    const char *name;
    enum speaker speaker;
    uint32_t feature; // FEATURE_NONE: code does not show it
    uint32_t also;    // 0: none
} capabilities[] = {
#define CAPABILITY(number, name, speaker, feature, also) \
    {number, #name, speaker, FEATURE_##feature, also},
#include "spirv/grammar.def"
};

static const struct {
    const char *name;
    uint32_t feature;
} extensions[] = {
#define EXTENSION(name, feature) {name, FEATURE_##feature},
#include "spirv/grammar.def"
};

static bool has(const struct mez_spirv_code_use *use, uint32_t feature)
{
    return use->words[feature / 64] >> (feature % 64) & 1;
}

// NULL: one that we do not know.
static const struct capability *find_capability(uint32_t number)
{
    for (size_t i = 0; i < sizeof capabilities / sizeof capabilities[0]; i++) {
        if (capabilities[i].number == number)
            return &capabilities[i];
    }
    return NULL;
}

static bool declares(const struct mez_spirv_module *module, uint32_t capability)
{
    for (uint32_t i = 0; i < module->capability_count; i++) {
        if (module->capabilities[i] == capability)
            return true;
    }
    return false;
}

// The table is for kernels: in graphics code other things ask for the same capabilities.
static bool table_applies(
    const struct mez_spirv_module *module, const struct mez_spirv_code_use *use)
{
    return !use->unknown && declares(module, CAPABILITY_KERNEL);
}

bool mez_spirv_needs_capability(const struct mez_spirv_module *module,
    const struct mez_spirv_code_use *use, uint32_t capability)
{
    const struct capability *known = find_capability(capability);
    if (!known || known->feature == FEATURE_NONE || !table_applies(module, use) ||
        has(use, known->feature))
        return true;
    // A module may count on what a capability brings with it.
    return known->also && !declares(module, known->also) &&
           mez_spirv_needs_capability(module, use, known->also);
}

bool mez_spirv_needs_extension(const struct mez_spirv_module *module,
    const struct mez_spirv_code_use *use, const char *extension)
{
    bool known = false;
    for (size_t i = 0; i < sizeof extensions / sizeof extensions[0]; i++) {
        if (strcmp(extensions[i].name, extension) != 0)
            continue;
        known = true;
        if (has(use, extensions[i].feature))
            return true;
    }
    return !known || !table_applies(module, use);
}

// --- Who speaks for them

const char *mez_spirv_capability_name(uint32_t capability, char room[MEZ_SPIRV_CAPABILITY_ROOM])
{
    const struct capability *known = find_capability(capability);
    if (known)
        return known->name;
    snprintf(room, MEZ_SPIRV_CAPABILITY_ROOM, "capability %" PRIu32, capability);
    return room;
}

bool mez_spirv_capability_is_unmapped(uint32_t capability)
{
    const struct capability *known = find_capability(capability);
    return !known || known->speaker == NOBODY;
}

// Extensions that bring capabilities with an aspect or of every device only, and those that by their
// own words any reader may ignore.
bool mez_spirv_extension_is_unmapped(const char *name)
{
    static const char *const mapped[] = {
        "SPV_EXT_shader_atomic_float16_add",
        "SPV_INTEL_joint_matrix",
        "SPV_INTEL_subgroups",
        "SPV_INTEL_variable_length_array",
        "SPV_INTEL_vector_compute",
        "SPV_KHR_cooperative_matrix",
        "SPV_KHR_non_semantic_info",
    };
    for (size_t i = 0; i < sizeof mapped / sizeof mapped[0]; i++)
        if (strcmp(name, mapped[i]) == 0)
            return false;
    return true;
}
