// SPDX-License-Identifier: MIT
//
// Capabilities and extensions that a module names, and whether anything else speaks for them. They
// hold for the whole module, so they can warn and never refuse.
//
// Thread-safety: safe, everything here is constant.

#ifndef MEZ_SPIRV_FEATURES_H
#define MEZ_SPIRV_FEATURES_H

#include <stdbool.h>
#include <stdint.h>

#define MEZ_SPIRV_CAPABILITY_ROOM 24

// "SplitBarrierINTEL", or "capability 6123" written into `room`.
const char *mez_spirv_capability_name(uint32_t capability, char room[MEZ_SPIRV_CAPABILITY_ROOM]);

// Whether no aspect (see survey.h), execution mode or rule of Level Zero's SPIR-V environment says
// that a device has it: then only the driver knows, and a check should warn.
bool mez_spirv_capability_is_unmapped(uint32_t capability);
bool mez_spirv_extension_is_unmapped(const char *name);

#endif
