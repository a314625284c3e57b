// SPDX-License-Identifier: MIT

#include "lists/batch_size.h"

#include <errno.h>
#include <stdlib.h>

#include "base/environment.h"

#define LARGEST_FIXED_BATCH 4096 // base/environment.def tells users
#define TREND 3                  // alike batches in a row that change the size

mez_error mez_batch_size_init(mez_batch_size *size)
{
    *size = (mez_batch_size){.tasks = MEZ_SMALLEST_BATCH};
    const char *text = mez_setting(MEZ_VARIABLE_BATCH);
    if (!text)
        return mez_ok();
    char *end;
    errno = 0;
    const long tasks = strtol(text, &end, 10);
    if (errno || *end || tasks < 1 || tasks > LARGEST_FIXED_BATCH)
        return mez_setting_refused(MEZ_VARIABLE_BATCH);
    size->tasks = (uint32_t)tasks;
    size->fixed = true;
    return mez_ok();
}

void mez_batch_size_fix_one(mez_batch_size *size)
{
    *size = (mez_batch_size){.tasks = 1, .fixed = true};
}

// What happens now and then, in between, changes nothing.
static bool is_trend(mez_batch_size *size, int direction)
{
    size->trend = size->trend * direction > 0 ? size->trend + direction : direction;
    if (size->trend * direction < TREND)
        return false;
    size->trend = 0;
    return true;
}

void mez_batch_size_full(mez_batch_size *size, bool busy)
{
    if (size->fixed || !busy || !is_trend(size, 1))
        return;
    if (size->tasks < MEZ_LARGEST_ADAPTED_BATCH)
        size->tasks *= 2;
}

// Just one task short is as good as full.
void mez_batch_size_early(mez_batch_size *size, uint32_t tasks)
{
    if (size->fixed || tasks > size->tasks / 2 || !is_trend(size, -1))
        return;
    if (size->tasks > MEZ_SMALLEST_BATCH)
        size->tasks /= 2;
}
