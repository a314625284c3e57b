// SPDX-License-Identifier: MIT
//
// Fixed targets: a promise that code runs on these targets and no others. Checking, splitting and building warn of what a function
// uses that one of them lacks.
//
// Thread-safety: safe.

#ifndef MEZ_CHECK_FIXED_H
#define MEZ_CHECK_FIXED_H

#include "check/check.h"
#include "spirv/survey.h"

typedef struct mez_fixed_targets {
    mez_check_device *devices; // ours
    uint32_t count;
} mez_fixed_targets;

// Of targets that must outlive them; *targets is to be given back to mez_fixed_targets_finish. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_fixed_targets_of(
    const mez_target *const *list, uint32_t count, mez_fixed_targets *targets);

// Frees them and leaves none.
void mez_fixed_targets_finish(mez_fixed_targets *targets);

// Warns of every function whose own code or declaration asks for an aspect that one of the targets lacks, and of every kernel whose
// required sub-group or work-group size one does not support:
//
//     hw.cl:27:4: warning: function 'boo' uses aspect 'fp64' not supported by fixed target 'intel_gpu_tgllp'
//
// MEZ_ERRC_OUT_OF_HOST_MEMORY; some warnings may then have been given already.
mez_error mez_fixed_targets_warn(const mez_fixed_targets *targets,
    const struct mez_spirv_survey *survey, mez_spirv_report_warning *report, void *context);

#endif
