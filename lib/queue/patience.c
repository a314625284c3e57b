// SPDX-License-Identifier: MIT

#include "queue/patience.h"

#include "device/lost.h"
#include "queue/completion.h"

#define SLICE 100000000u // ns

mez_error mez_completion_wait_patiently(mez_platform *platform,
    bool (*is_true)(const void *subject), const void *subject, mez_deadline deadline,
    void (*warn)(void *owner), void *owner)
{
    uint64_t stalled_at = 0; // 0: nobody has waited yet, or the warning is out
    if (deadline != MEZ_PAST && platform->stall_after > 0)
        stalled_at = mez_time_now() + platform->stall_after;
    for (;;) {
        const mez_deadline slice = deadline == MEZ_PAST ? MEZ_PAST : mez_time_now() + SLICE;
        const mez_deadline end = slice < deadline ? slice : deadline;
        const mez_error error = mez_completion_wait(platform->completion, is_true, subject, end);
        if (!mez_error_is(error, MEZ_ERRC_TIMEOUT) || end == deadline)
            return error;
        MEZ_TRY(mez_platform_loss(platform));
        if (stalled_at > 0 && mez_time_now() >= stalled_at) {
            warn(owner);
            stalled_at = 0;
        }
    }
}
