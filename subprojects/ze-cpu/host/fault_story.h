// SPDX-License-Identifier: MIT
//
// What a kernel did when it was left, in words.
#ifndef ZE_CPU_FAULT_STORY_H
#define ZE_CPU_FAULT_STORY_H

#include "fault.h"
#include "worker.h"

// Writes a text of one line: the kernel, what happened, where, and what is known of the address. The worker is that of the
// thread, which nobody has used since.
void zc_fault_describe(const struct zc_job *job, const struct zc_worker *worker,
    const struct zc_fault *fault, char *text, size_t size);

// Likewise for what a check has found.
void zc_finding_describe(
    const struct zc_job *job, const struct zc_finding *finding, char *text, size_t size);

#endif
