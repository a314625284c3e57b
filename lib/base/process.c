// SPDX-License-Identifier: MIT
//
// Whether the process has had a driver, and still has one.

#include "base/process.h"

static atomic_bool has_driver;

atomic_uchar mez_process;

void mez_process_note_driver(void)
{
    atomic_store(&has_driver, true);
}

bool mez_process_note_fork(void)
{
    if (atomic_load(&has_driver))
        atomic_store(&mez_process, MEZ_PROCESS_FORKED);
    return mez_process_is_closed();
}
