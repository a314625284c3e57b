// SPDX-License-Identifier: MIT
//
// Errors of a queue's tasks that nobody has been told of yet, in the order in which they were noticed. They need no memory of their
// own, so that none is lost for lack of it.

#ifndef MEZ_QUEUE_FAILURES_H
#define MEZ_QUEUE_FAILURES_H

#include <mezzanine/error.h>

#define MEZ_MOST_FAILURES 64

typedef struct mez_failures {
    mez_error kept[MEZ_MOST_FAILURES]; // retained, in a ring
    uint32_t first;                    // the oldest
    uint32_t count;
    uint32_t dropped; // there was no room for them
} mez_failures;

// Is the very same error, with its story, among them?
bool mez_failures_have(const mez_failures *failures, mez_error error);

// Retains it. Where there is no room it is logged, and counted.
void mez_failures_add(mez_failures *failures, mez_error error);

// Takes the oldest out, whose reference is the caller's now; success: there is none. The story of the newest, which is taken last,
// says how many more there were.
mez_error mez_failures_take(mez_failures *failures);

// Takes this one out, and gives it up.
void mez_failures_forget(mez_failures *failures, mez_error error);

// Of two failures without a story, as when there was no memory, nobody knows whether they are one.
static inline bool mez_error_is_same(mez_error a, mez_error b)
{
    return a.value == b.value && a.origin == b.origin && a.origin >> 8 != 0;
}

#endif
