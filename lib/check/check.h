// SPDX-License-Identifier: MIT
//
// Does a device have what a kernel requires? This is decided before a driver's compiler sees the code, because a compiler may refuse
// the whole module, end the process, or report nothing. All reasons are given at once, in the published order and words (texts.def).
//
// Thread-safety: safe; nothing here is kept.

#ifndef MEZ_CHECK_CHECK_H
#define MEZ_CHECK_CHECK_H

#include <mezzanine/code.h>

#include "check/requirements.h"
#include "spirv/survey.h"
#include "target/target.h"

struct mez_matrix_combination;

// A device, or a target in its place.
typedef struct mez_check_device {
    const char *name;         // shown in messages
    const mez_target *target; // what it has
    mez_igc compiler;         // that makes code for it
    uint32_t spirv_version;   // newest that it promises: major << 16 | minor; 0: not known
    // What it can do with joint matrices; see matrix.h.
    const struct mez_matrix_combination *matrices;
    uint32_t matrix_count; // 0: nothing is known
} mez_check_device;

// The device that a target describes; its joint matrices are looked up by the target's name. Both must outlive the result.
mez_check_device mez_check_device_of(const char *name, const mez_target *target);

// Devices that an error may recommend.
typedef struct mez_check_devices {
    const mez_check_device *items;
    uint32_t count;
} mez_check_devices;

// One thing that a device lacks, or may lack.
typedef struct mez_reason {
    mez_answer answer;                  // not MEZ_HAS
    const mez_requirement *requirement; // of the list that was checked
    char *text;                         // the published sentence; ours
    char *has;                          // what the device has instead: "sub-groups of 16, 32"; ours
} mez_reason;

typedef struct mez_verdict {
    mez_answer answer; // the worst of all
    mez_reason *reasons;
    uint32_t count;
    size_t capacity;
} mez_verdict;

// Judges every requirement. The caller has to finish the verdict, also after a failure, which can only be
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_check(
    const mez_requirements *requirements, const mez_check_device *device, mez_verdict *verdict);

void mez_verdict_finish(mez_verdict *verdict);

// One requirement, without words and without memory.
mez_answer mez_check_one(const mez_requirement *requirement, mez_aspect_numbering numbering,
    const mez_check_device *device);

// Does the device have all, as far as is known? Without words and without memory.
bool mez_check_passes(const mez_requirements *requirements, const mez_check_device *device);

// Success, or MEZ_ERRC_KERNEL_NOT_SUPPORTED with every reason, each with the code that asks for it and what the device has, and
// with which of the `others` (NULL: none to name) have it all. MEZ_ERRC_OUT_OF_HOST_MEMORY. What the device only may lack does not
// count.
mez_error mez_check_refuse(const mez_requirements *requirements, const mez_check_device *device,
    const mez_check_devices *others);

// Does a launch fit the work-group size that is required? `dimensions` is that of its range, `local` its work-group size, x first,
// NULL: left to us. MEZ_ERRC_ND_RANGE: another number of dimensions, or another size.
mez_error mez_check_range(
    const mez_requirements *requirements, uint32_t dimensions, const size_t *local);

// --- Fixed targets
//
// A promise that code runs on these targets and no others. Checking, splitting and building warn of what a function uses that one of
// them lacks.

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
