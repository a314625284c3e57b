// SPDX-License-Identifier: MIT

#include "lists/batched.h"

// So many different batches can repeat in turn, though no more than one may be in flight.
#define MOST_REMEMBERED 8

mez_error mez_idle_batches_create(mez_queue *queue, mez_batch **batch)
{
    MEZ_TRY(mez_batch_create(queue, queue->batched->ze, batch));
    queue->batched->batch_count++;
    return mez_ok();
}

// The batch to fill anew, by its link: one that can't repeat, else the one that ended longest ago, but a few of those are left
// alone. NULL: none.
static mez_batch **find_free(struct mez_batched *batched)
{
    mez_batch **last = NULL;
    for (mez_batch **link = &batched->idle; *link; link = &(*link)->next) {
        if ((*link)->repeat.count == 0)
            return link;
        last = link;
    }
    return batched->batch_count < MOST_REMEMBERED ? NULL : last;
}

mez_error mez_idle_batches_take(mez_queue *queue, mez_batch **taken)
{
    mez_batch **link = find_free(queue->batched);
    if (!link)
        return mez_idle_batches_create(queue, taken);
    MEZ_TRY(mez_batch_reuse(*link));
    *taken = mez_idle_batches_take_out(link);
    return mez_ok();
}

static bool may_repeat(const mez_repeat *repeat, const struct mez_batched *batched,
    const uint64_t *settings, uint32_t count, uint32_t tasks)
{
    return repeat->count <= tasks && mez_repeat_starts_with(repeat, settings, count) &&
           (repeat->starts_anywhere || !batched->oldest);
}

mez_batch *mez_idle_batches_take_repeat(
    struct mez_batched *batched, const uint64_t *settings, uint32_t count, uint32_t tasks)
{
    mez_batch **best = NULL;
    for (mez_batch **link = &batched->idle; *link; link = &(*link)->next)
        if (may_repeat(&(*link)->repeat, batched, settings, count, tasks) &&
            (!best || (*link)->repeat.count > (*best)->repeat.count))
            best = link;
    if (!best)
        return NULL;
    mez_batch *batch = mez_idle_batches_take_out(best);
    mez_batch_rewind(batch);
    return batch;
}

void mez_idle_batches_finish(struct mez_batched *batched)
{
    while (batched->idle)
        mez_batch_destroy(mez_idle_batches_take_out(&batched->idle));
}
