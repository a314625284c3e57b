// SPDX-License-Identifier: MIT

#include "queue/failures.h"

#include "base/log.h"
#include "base/story.h"

static mez_error *at(mez_failures *failures, uint32_t index)
{
    return &failures->kept[(failures->first + index) % MEZ_MOST_FAILURES];
}

// Its index; the count: it is not among them.
static uint32_t find(const mez_failures *failures, mez_error error)
{
    uint32_t i = 0;
    while (i < failures->count &&
           !mez_error_is_same(failures->kept[(failures->first + i) % MEZ_MOST_FAILURES], error))
        i++;
    return i;
}

bool mez_failures_have(const mez_failures *failures, mez_error error)
{
    return find(failures, error) < failures->count;
}

void mez_failures_add(mez_failures *failures, mez_error error)
{
    if (failures->count == MEZ_MOST_FAILURES) {
        failures->dropped++;
        mez_log_error(MEZ_TOPIC_QUEUE, error);
        return;
    }
    *at(failures, failures->count++) = mez_error_retain(error);
}

mez_error mez_failures_take(mez_failures *failures)
{
    if (failures->count == 0)
        return mez_ok();
    const mez_error error = *at(failures, 0);
    failures->first = (failures->first + 1) % MEZ_MOST_FAILURES;
    if (--failures->count > 0 || failures->dropped == 0)
        return error;
    mez_error_add(error, "dropped",
        "%u later errors of the queue: no more than %d are kept until "
        "somebody asks; the log has the others",
        (unsigned)failures->dropped, MEZ_MOST_FAILURES);
    failures->dropped = 0;
    return error;
}

void mez_failures_forget(mez_failures *failures, mez_error error)
{
    const uint32_t index = find(failures, error);
    if (index == failures->count)
        return;
    mez_error_release(error);
    failures->count--;
    for (uint32_t i = index; i < failures->count; i++)
        *at(failures, i) = *at(failures, i + 1);
}
