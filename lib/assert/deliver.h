// SPDX-License-Identifier: MIT
//
// What becomes of a failed assert, by the queue's policy.

#ifndef MEZ_ASSERT_DELIVER_H
#define MEZ_ASSERT_DELIVER_H

#include "assert/report.h"

// Prints and aborts; or prints, or has the user's function called, and returns the error for whoever waits. The caller holds the
// queue's lock.
mez_error mez_assert_deliver(const mez_failed_assert *failed);

#endif
