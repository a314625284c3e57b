// SPDX-License-Identifier: MIT
//
// Cooperative launches: groups that may wait for each other.
#ifndef ZE_CPU_COOPERATIVE_H
#define ZE_CPU_COOPERATIVE_H

#include "device.h"
#include "worker.h"

// So many groups can run at the same time.
uint32_t zc_cooperative_limit(ze_device_handle_t device);

// Like zc_job_run, with a thread for each group. False also when there are not enough threads.
bool zc_job_run_cooperatively(const struct zc_job *job, struct zc_runner *runner);

#endif
