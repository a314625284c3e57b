// SPDX-License-Identifier: MIT
//
// Fixed targets: a promise that code runs on these targets and no others. Whoever checks, splits or builds hears what a function
// uses that one of them lacks.
//
// Thread-safety: safe.

#ifndef MEZ_CHECK_FIXED_H
#define MEZ_CHECK_FIXED_H

#include "check/check.h"
#include "spirv/warnings.h"

// The target of that name. MEZ_ERRC_INVALID_PARAMETER: there is none; the story has the nearest name.
mez_error mez_find_target(const mez_targets *table, const char *name, const mez_target **target);

// Targets by their names, "intel_gpu_tgllp,intel_gpu_pvc", as on a command line.
typedef struct mez_fixed_targets {
    mez_check_device *devices; // ours
    uint32_t count;
} mez_fixed_targets;

// `table` must outlive them; *targets is to be given back to mez_fixed_targets_finish. An empty list is none.
// MEZ_ERRC_INVALID_PARAMETER: a name that the table does not have; the story has the nearest. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_fixed_targets_read(
    const char *list, const mez_targets *table, mez_fixed_targets *targets);

// Frees them and leaves none.
void mez_fixed_targets_finish(mez_fixed_targets *targets);

// Tells of every function whose own code or declaration asks for an aspect that one of the targets lacks, and of every kernel whose
// required sub-group or work-group size one does not support:
//
//     hw.cl:27:4: warning: function 'boo' uses aspect 'fp64' not supported by fixed target 'intel_gpu_tgllp'
//
// MEZ_ERRC_OUT_OF_HOST_MEMORY; some may then have been told already.
mez_error mez_fixed_targets_warn(const mez_fixed_targets *targets,
    const struct mez_spirv_survey *survey, mez_spirv_hear_warning *hear, void *context);

#endif
