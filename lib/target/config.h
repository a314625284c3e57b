// SPDX-License-Identifier: MIT
//
// Reads a device configuration file. docs/targets.md has the format.

#ifndef MEZ_TARGET_CONFIG_H
#define MEZ_TARGET_CONFIG_H

#include "target/table.h"

// Adds the targets of a file to the table. On failure the table has some of them: to be thrown away. Errors: as mez_targets_load.
mez_error mez_config_read(const char *origin, const void *bytes, size_t size,
    const mez_targets_params *warnings, mez_targets *targets);

#endif
