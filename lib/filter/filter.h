// SPDX-License-Identifier: MIT
//
// Which device images a target can run, by their property sets alone: so that a compiler for that target is not given what it
// would refuse.
//
// Thread-safety: safe for tables of one's own.

#ifndef MEZ_FILTER_FILTER_H
#define MEZ_FILTER_FILTER_H

#include "base/text.h"
#include "container/device_requirements.h"
#include "container/table.h"
#include "target/target.h"

// Does the target have every aspect and sub-group size that is asked for, and is it one of the fixed targets, if there are any?
// Requirements that are not stated ask for nothing. False: `why`, where it is not NULL, gets the first reason, "aspect fp64".
bool mez_filter_fits(const mez_device_requirements *requirements, mez_aspect_numbering numbering,
    const mez_target *target, mez_text *why);

typedef struct mez_filter_params {
    const mez_targets *targets;
    const char *target;             // by any name that mez_targets_find knows
    mez_aspect_numbering numbering; // of aspects in property files
    bool doc_forms;                 // see mez_requirements_reading

    // Called for each row that is taken out, with its first cell and the reason. NULL: nothing is called.
    void (*tell)(void *user, const char *first_cell, const char *why);
    void *user;
} mez_filter_params;

// Takes out the rows of a file table that the target can't run; the others keep their order. `path` is where the table was read
// from, and property files are looked for beside it. A table without the column "Properties" stays as it is, whatever the target.
// Rows without a property file, or whose files state no device requirements, stay.
//
// MEZ_ERRC_INVALID_PARAMETER: the target is not known. MEZ_ERRC_FILE, MEZ_ERRC_INVALID_IMAGE: a property file can't be read, or is
// none. MEZ_ERRC_OUT_OF_HOST_MEMORY. The table is then half filtered: to be thrown away.
mez_error mez_filter_table(const mez_filter_params *params, const char *path, mez_table *table);

#endif
