// SPDX-License-Identifier: MIT
//
// A kernel that hangs behind a failed assert brings its record to nobody: the copy stands behind it. So when a queue stalls
// (queue/stall.h) the record is read beside it.

#ifndef MEZ_ASSERT_HANG_H
#define MEZ_ASSERT_HANG_H

#include "queue/queue.h"

// See mez_assert_functions, for both.
mez_error mez_assert_look_beside(mez_queue *queue);

mez_error mez_assert_reported_by_driver(mez_queue *queue, uint64_t first_task, uint64_t last_task);

#endif
