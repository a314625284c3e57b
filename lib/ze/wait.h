// SPDX-License-Identifier: MIT
//
// Waiting on the host, in slices: no call into a driver lasts longer than a slice, so that a wait can end for a reason
// that the driver does not know, and an unlimited one never hangs inside a driver that lost its batch.

#ifndef MEZ_ZE_WAIT_H
#define MEZ_ZE_WAIT_H

#include "ze/call.h"

// A point in time, in nanoseconds of CLOCK_MONOTONIC; MEZ_NEVER has no end.
typedef uint64_t mez_deadline;
#define MEZ_NEVER UINT64_MAX

mez_deadline mez_deadline_after(uint64_t nanoseconds);

// MEZ_ERRC_TIMEOUT (without a story: polling is no event) when the deadline passes first; what the driver says otherwise.
mez_error mez_wait_fence(ze_fence_handle_t fence, mez_deadline deadline);
mez_error mez_wait_event(ze_event_handle_t event, mez_deadline deadline);

#endif
