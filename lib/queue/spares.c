// SPDX-License-Identifier: MIT

#include "queue/batched.h"

// So many different batches can repeat in turn, though no more than one may be in flight.
#define MOST_REMEMBERED 8

// Takes a spare out of the list.
static mez_batch *take_out(mez_batch **link)
{
    mez_batch *batch = *link;
    *link = batch->next;
    return batch;
}

static void put_in(struct mez_batched *batched, mez_batch *batch)
{
    batch->next = batched->spares;
    batched->spares = batch;
}

static mez_error create(mez_queue *queue, mez_batch **batch)
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
    for (mez_batch **link = &batched->spares; *link; link = &(*link)->next) {
        if ((*link)->repeat.count == 0)
            return link;
        last = link;
    }
    return batched->batch_count < MOST_REMEMBERED ? NULL : last;
}

mez_error mez_spares_take(mez_queue *queue, mez_batch **taken)
{
    mez_batch **link = find_free(queue->batched);
    if (!link)
        return create(queue, taken);
    MEZ_TRY(mez_batch_reuse(*link));
    *taken = take_out(link);
    return mez_ok();
}

static bool may_repeat(const mez_repeat *repeat, const struct mez_batched *batched,
    const uint64_t *settings, uint32_t count, uint32_t tasks)
{
    return repeat->count <= tasks && mez_repeat_starts_with(repeat, settings, count) &&
           (repeat->starts_anywhere || !batched->oldest);
}

mez_batch *mez_spares_take_repeat(
    struct mez_batched *batched, const uint64_t *settings, uint32_t count, uint32_t tasks)
{
    mez_batch **best = NULL;
    for (mez_batch **link = &batched->spares; *link; link = &(*link)->next)
        if (may_repeat(&(*link)->repeat, batched, settings, count, tasks) &&
            (!best || (*link)->repeat.count > (*best)->repeat.count))
            best = link;
    if (!best)
        return NULL;
    mez_batch *batch = take_out(best);
    mez_batch_rewind(batch);
    return batch;
}

// Its list may repeat later.
mez_error mez_spares_take_fence(mez_queue *queue, mez_batch **taken)
{
    struct mez_batched *batched = queue->batched;
    if (!batched->spares)
        return create(queue, taken);
    MEZ_TRY(ZE(zeFenceReset, batched->spares->fence));
    *taken = take_out(&batched->spares);
    mez_batch_rewind(*taken);
    return mez_ok();
}

void mez_batched_unref(struct mez_batched *batched, mez_batch *batch)
{
    if (--batch->ref == 0)
        put_in(batched, batch);
}

void mez_spares_finish(struct mez_batched *batched)
{
    while (batched->spares)
        mez_batch_destroy(take_out(&batched->spares));
}
