// SPDX-License-Identifier: MIT
//
// Waiting on the host. No call into a driver lasts long, so that a wait can end for a reason that the driver does not know,
// and an unlimited one never hangs inside a driver that lost its batch. Between the calls the thread sleeps: waiting in
// driver 22.43 is a loop that takes a whole core (docs/internals/drivers.md#waiting). A sleep is at most an eighth of what
// has been waited already, and a millisecond.

#ifndef MEZ_ZE_WAIT_H
#define MEZ_ZE_WAIT_H

#include "base/process.h"
#include "ze/call.h"

// A point in time, in nanoseconds of CLOCK_MONOTONIC; MEZ_NEVER has no end, MEZ_PAST is over: only look.
typedef uint64_t mez_deadline;
#define MEZ_PAST 0
#define MEZ_NEVER UINT64_MAX

mez_deadline mez_deadline_from_now(uint64_t nanoseconds);

static inline mez_deadline mez_deadline_after(uint64_t nanoseconds)
{
    return nanoseconds == MEZ_NEVER ? MEZ_NEVER : mez_deadline_from_now(nanoseconds);
}

// What a waiter knows beside the driver. Called without locks, with what the wait was given for it.
typedef struct mez_wait_guard {
    // What is waited for has not happened by `now` (nanoseconds of CLOCK_MONOTONIC; 0: somebody only looks). Anything but
    // success ends the wait and is its error. Called before the first sleep, and after each.
    mez_error (*look)(void *owner, uint64_t now);
    // The driver's call failed: the error to return instead of this one.
    mez_error (*failed)(void *owner, mez_error error);
} mez_wait_guard;

// MEZ_ERRC_TIMEOUT (without a story, for polls are frequent) when the deadline passes first; what the guard or the driver says
// otherwise.
mez_error mez_wait_fence(
    ze_fence_handle_t fence, mez_deadline deadline, const mez_wait_guard *guard, void *owner);
mez_error mez_wait_event(
    ze_event_handle_t event, mez_deadline deadline, const mez_wait_guard *guard, void *owner);
// For everything in an immediate list, on drivers that have the function.
mez_error mez_wait_list(const mez_ze_newer_functions *newer, ze_command_list_handle_t list,
    mez_deadline deadline, const mez_wait_guard *guard, void *owner);

// How long the driver itself waits at first: short tasks end in that time.
#define MEZ_FIRST_LOOK 50000u // ns

// Goes on after a first look, which said `result`.
mez_error mez_wait_list_on(const mez_ze_newer_functions *newer, ze_command_list_handle_t list,
    mez_deadline deadline, ze_result_t result, const mez_wait_guard *guard, void *owner);

#endif
