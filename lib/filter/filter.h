// SPDX-License-Identifier: MIT
//
// Which device images a target can run, by their property sets alone: so that a compiler for that target is not given what it
// would refuse.
//
// Thread-safety: safe for tables of one's own.

#ifndef MEZ_FILTER_FILTER_H
#define MEZ_FILTER_FILTER_H

#include <mezzanine/filter.h>

#include "base/text.h"
#include "container/device_requirements.h"
#include "container/table.h"
#include "target/target.h"

// Does the target have every aspect and sub-group size that is asked for, and is it one of the fixed targets, if there are any?
// Requirements that are not stated ask for nothing. False: `why`, where it is not NULL, gets the first reason, "aspect fp64".
bool mez_filter_fits(const mez_device_requirements *requirements, mez_aspect_numbering numbering,
    const mez_target *target, mez_text *why);

// Takes out the rows of a file table that the target can't run, as mezzanine/filter.h says; `params` has targets. `params->text` is not
// looked at: the table has been read. Errors: as mez_filter_create; the table is then half filtered, to be thrown away.
mez_error mez_filter_table(const mez_filter_params *params, mez_table *table);

#endif
