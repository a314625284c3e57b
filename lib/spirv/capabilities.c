// SPDX-License-Identifier: MIT
//
// Capabilities and extensions by feature.

#include "spirv/capabilities.h"

#include <string.h>

#include "spirv/code_features.h"

#define CAPABILITY_KERNEL 6

static const struct capability {
    uint32_t number;
    uint32_t feature;
    uint32_t also; // 0: none
} capabilities[] = {
#define CAPABILITY(number, feature, also) {number, FEATURE_##feature, also},
#include "spirv/capabilities.def"
};

static const struct {
    const char *name;
    uint32_t feature;
} extensions[] = {
#define EXTENSION(name, feature) {name, FEATURE_##feature},
#include "spirv/capabilities.def"
};

static bool has(const struct mez_spirv_code_use *use, uint32_t feature)
{
    return use->words[feature / 64] >> (feature % 64) & 1;
}

// NULL: code can't tell.
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
static bool can_tell(const struct mez_spirv_module *module, const struct mez_spirv_code_use *use)
{
    return !use->unknown && declares(module, CAPABILITY_KERNEL);
}

bool mez_spirv_needs_capability(const struct mez_spirv_module *module,
    const struct mez_spirv_code_use *use, uint32_t capability)
{
    const struct capability *known = find_capability(capability);
    if (!known || !can_tell(module, use) || has(use, known->feature))
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
    return !known || !can_tell(module, use);
}
