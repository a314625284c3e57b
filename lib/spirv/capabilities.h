// SPDX-License-Identifier: MIT
//
// Capabilities and extensions: which of a module's a part of its code still needs, and whether anything else speaks for
// them.
//
// Thread-safety: safe.

#ifndef MEZ_SPIRV_CAPABILITIES_H
#define MEZ_SPIRV_CAPABILITIES_H

#include <stdbool.h>
#include <stdint.h>

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

// --- Who speaks for them
//
// Capabilities and extensions that a module names, and whether anything else speaks for them. They
// hold for the whole module, so they can warn and never refuse.
//
// Thread-safety: safe, everything here is constant.

#define MEZ_SPIRV_CAPABILITY_ROOM 24

// "SplitBarrierINTEL", or "capability 6123" written into `room`.
const char *mez_spirv_capability_name(uint32_t capability, char room[MEZ_SPIRV_CAPABILITY_ROOM]);

// Whether no aspect (see survey.h), execution mode or rule of Level Zero's SPIR-V environment says
// that a device has it: then only the driver knows, and a check should warn.
bool mez_spirv_capability_is_unmapped(uint32_t capability);
bool mez_spirv_extension_is_unmapped(const char *name);

#endif
