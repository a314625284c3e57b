// SPDX-License-Identifier: MIT
//
// Long waits for the completion thread: they end where the device is lost, and warn once where nothing has come of them for
// platform->stall_after.

#ifndef MEZ_QUEUE_PATIENCE_H
#define MEZ_QUEUE_PATIENCE_H

#include "device/platform.h"
#include "ze/wait.h"

// As mez_completion_wait. `warn` is called without locks. Errors: also that of a lost device.
mez_error mez_completion_wait_patiently(mez_platform *platform,
    bool (*is_true)(const void *subject), const void *subject, mez_deadline deadline,
    void (*warn)(void *owner), void *owner);

#endif
