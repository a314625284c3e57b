// SPDX-License-Identifier: MIT

#include "queue/handler.h"

#include "base/alloc.h"
#include "device/lost.h"
#include "queue/companion.h"
#include "queue/completion.h"
#include "task/readback.h"
#include "queue/slow.h"
#include "trace/call.h"

struct mez_handling {
    mez_error_handler handler;
    // A lost device is one error for as many tasks and queues as there are: the context's where it has the handler, else
    // the queue's, also for its companion.
    atomic_bool *knows_loss;
    atomic_bool own_knows_loss;

    // --- Guarded by the queue's lock
    uint32_t calls;     // of the handler, on their way
    mez_error for_wait; // the first since the last wait; retained
    mez_error newest;   // an error comes once for each watch and each batch that it hit
    bool over;          // nothing is told any more
};

// --- Life

static mez_error create(mez_queue *queue, const mez_error_handler *handler, atomic_bool *knows_loss)
{
    struct mez_handling *handling = mez_new(struct mez_handling);
    if (!handling)
        return mez_error_no_memory("a queue's error handler");
    handling->handler = *handler;
    handling->knows_loss = knows_loss ? knows_loss : &handling->own_knows_loss;
    queue->handling = handling;
    mez_queue_slow_down(queue, MEZ_SLOW_HANDLED);
    return mez_ok();
}

mez_error mez_handling_create(mez_queue *queue, const mez_error_handler *wanted)
{
    mez_platform *platform = queue->platform;
    if (wanted->function)
        return create(queue, wanted, NULL);
    if (platform->on_error.function)
        return create(queue, &platform->on_error, &platform->loss_reported);
    return mez_ok();
}

mez_error mez_handling_share(mez_queue *companion, const mez_queue *queue)
{
    const struct mez_handling *handling = queue->handling;
    return handling ? create(companion, &handling->handler, handling->knows_loss) : mez_ok();
}

void mez_handling_watch_newest(mez_queue *queue)
{
    mez_completion_watch(queue->platform->completion, queue, mez_queue_last_task(queue));
}

void mez_handling_destroy(mez_queue *queue)
{
    if (queue->handling)
        mez_error_release(queue->handling->for_wait);
    mez_free_memory(queue->handling);
}

// --- The handler

bool mez_handling_knows(mez_queue *queue, mez_error error)
{
    const struct mez_handling *handling = queue->handling;
    if (mez_error_says_lost(error))
        return atomic_exchange(handling->knows_loss, true);
    return mez_error_is_same(error, handling->newest) ||
           mez_error_is_same(error, handling->for_wait) ||
           mez_failures_have(&queue->failures, error);
}

// Asserts have been told of when they failed.
static void tell_tools(mez_error error)
{
    if (mez_error_is(error, MEZ_ERRC_ASSERT))
        return;
    MEZ_PROBE_FAILURE(NULL, error);
    if (mez_trace_on(MEZ_TRACE_TASKS))
        mez_trace_failure(error);
}

// On the completion thread. The error may have been taken back meanwhile.
static void deliver(void *data)
{
    mez_queue *queue = data;
    struct mez_handling *handling = queue->handling;
    mez_lock_take(&queue->lock);
    handling->calls--;
    const mez_error error = mez_failures_take(&queue->failures);
    mez_lock_release(&queue->lock);
    if (!mez_failed(error))
        return;
    queue->platform->assert_functions->settle(queue->platform);
    tell_tools(error);
    handling->handler.function(handling->handler.user, error);
    mez_error_release(error);
}

void mez_handling_keep(mez_queue *queue, mez_error error)
{
    struct mez_handling *handling = queue->handling;
    handling->newest = error;
    if (!mez_failed(handling->for_wait))
        handling->for_wait = mez_error_retain(error);
    while (handling->calls < queue->failures.count && !handling->over &&
           mez_completion_call(queue->platform->completion, queue, deliver, queue))
        handling->calls++;
}

uint32_t mez_handling_left_over(const mez_queue *queue)
{
    const uint32_t calls = queue->handling ? queue->handling->calls : 0;
    return queue->failures.count > calls ? queue->failures.count - calls : 0;
}

bool mez_handling_finish_calls(mez_queue *queue)
{
    if (!queue->handling)
        return false;
    const uint64_t before = mez_timeline_submitted(&queue->timeline);
    mez_completion_forget(queue->platform->completion, queue);
    if (mez_companion_of(queue))
        mez_completion_forget(queue->platform->completion, mez_companion_of(queue));
    return mez_timeline_submitted(&queue->timeline) != before;
}

void mez_handling_end(mez_queue *queue)
{
    if (!queue->handling)
        return;
    mez_lock_take(&queue->lock);
    queue->handling->over = true;
    mez_lock_release(&queue->lock);
}

// --- Waits

bool mez_handling_has_for_wait(const mez_queue *queue)
{
    return mez_failed(queue->handling->for_wait);
}

mez_error mez_handling_take_for_wait(mez_queue *queue)
{
    const mez_error error = queue->handling->for_wait;
    queue->handling->for_wait = mez_ok();
    return error;
}

void mez_handling_forget_for_wait(mez_queue *queue, mez_error error)
{
    if (mez_error_is_same(queue->handling->for_wait, error))
        mez_error_release(mez_handling_take_for_wait(queue));
}
