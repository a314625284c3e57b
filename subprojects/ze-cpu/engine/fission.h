// SPDX-License-Identifier: MIT
//
// Kernels as loops over work-items, cut where all work-items meet. fission.c explains it.

#ifndef ZC_ENGINE_FISSION_H
#define ZC_ENGINE_FISSION_H

#include "analysis.h"
#include "regions.h"

// rematerialise.c: values that are cheap are computed again in each block that uses them.
void zc_rematerialise(struct zc_build *build, LLVMValueRef body);

// meetings.c: loops at which work-items might meet; none unless wanted. Short ones are marked to be unrolled.
bool zc_meetings_choose(struct zc_build *build, LLVMValueRef body, bool wanted,
    struct zc_meeting **meetings, uint32_t *meeting_count);

// fission_emit.c: makes the wrapper of the regions. False: no memory.
bool zc_fission_emit(
    struct zc_build *build, struct zc_kernel_build *kernel, const struct zc_regions *regions);

#endif
