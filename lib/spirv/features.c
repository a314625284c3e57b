// SPDX-License-Identifier: MIT

#include "spirv/features.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum speaker { COMMON, ASPECT, MODE, NOBODY };

static const struct feature {
    uint32_t number;
    const char *name;
    enum speaker speaker;
} features[] = {
#define CAPABILITY(number, name, speaker) {number, #name, speaker},
#include "spirv/capability_names.def"
#undef CAPABILITY
};

// NULL: one that we do not know.
static const struct feature *find_feature(uint32_t capability)
{
    for (size_t i = 0; i < sizeof features / sizeof features[0]; i++)
        if (features[i].number == capability)
            return &features[i];
    return NULL;
}

const char *mez_spirv_capability_name(uint32_t capability, char room[MEZ_SPIRV_CAPABILITY_ROOM])
{
    const struct feature *feature = find_feature(capability);
    if (feature)
        return feature->name;
    snprintf(room, MEZ_SPIRV_CAPABILITY_ROOM, "capability %" PRIu32, capability);
    return room;
}

bool mez_spirv_capability_is_unmapped(uint32_t capability)
{
    const struct feature *feature = find_feature(capability);
    return !feature || feature->speaker == NOBODY;
}

// Extensions that bring capabilities with an aspect or of every device only, and those that by their
// own words any reader may pass over.
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
