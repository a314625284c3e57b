// SPDX-License-Identifier: MIT
//
// Reads a device configuration file. docs/targets.md has the format.

#ifndef MEZ_TARGET_CONFIG_H
#define MEZ_TARGET_CONFIG_H

#include "target/table.h"
#include "target/yaml.h"

// Adds the targets of a file to the table. On failure the table has some of them: to be thrown away. Errors: as mez_targets_load.
mez_error mez_config_read(const char *origin, const void *bytes, size_t size,
    const mez_targets_params *warnings, mez_targets *targets);

// --- Keys

// Most lists of aspects that a file names with `&` to repeat them with `*`.
#define MEZ_MOST_ANCHORS 32

// A file while it is read.
typedef struct mez_config {
    mez_yaml yaml;
    const mez_targets_params *warnings; // NULL: to the log
    mez_targets *targets;
    struct mez_config_anchor {
        const char *name; // the table's
        mez_target holds; // its aspects
    } anchors[MEZ_MOST_ANCHORS];
    uint32_t anchor_count;
} mez_config;

typedef struct mez_config_key {
    const char *name;
    uint32_t bit;                                              // of its own
    mez_error (*read)(mez_config *config, mez_target *target); // at the value; ends at its end
} mez_config_key;

// NULL: there is no such key.
const mez_config_key *mez_config_find_key(const char *name);

// Warns of something odd at the current position.
void mez_config_warn(const mez_config *config, const char *format, ...) MEZ_PRINTF(2, 3);

#endif
