// SPDX-License-Identifier: MIT
//
// Which of a module's capabilities and extensions a part of its code still needs. What the table in capabilities.def can't
// tell from code stays.
//
// Thread-safety: safe.

#ifndef MEZ_SPIRV_CAPABILITIES_H
#define MEZ_SPIRV_CAPABILITIES_H

#include "spirv/module.h"

// What code uses of the features in capabilities.def. Zeroed memory: nothing.
struct mez_spirv_code_use {
    uint64_t words[2];
    bool unknown; // an instruction we do not know is among them: then nothing may be dropped
};

// Adds what one instruction uses.
void mez_spirv_use_instruction(const struct mez_spirv_module *module,
    struct mez_spirv_instruction in, struct mez_spirv_code_use *use);

// A module without entry points is a library and has to say so.
void mez_spirv_use_linkage(struct mez_spirv_code_use *use);

// Whether a capability or extension that the module declares has to be declared for code with these features.
bool mez_spirv_needs_capability(const struct mez_spirv_module *module,
    const struct mez_spirv_code_use *use, uint32_t capability);
bool mez_spirv_needs_extension(const struct mez_spirv_module *module,
    const struct mez_spirv_code_use *use, const char *extension);

#endif
