// SPDX-License-Identifier: MIT

#include "queue/queue.h"

#include "base/alloc.h"
#include "device/lost.h"
#include "queue/companion.h"
#include "queue/completion.h"
#include "queue/abandon.h"
#include "queue/handler.h"
#include "queue/slow.h"
#include "queue/traced.h"
#include "trace/call.h"

// What has been noticed since the queue was waited for.
static void log_rest(mez_queue *queue)
{
    for (mez_error error; mez_failed(error = mez_failures_take(&queue->failures));) {
        mez_queue_log_unreported(queue, error);
        mez_error_release(error);
    }
}

static void queue_free(mez_queue *queue)
{
    mez_platform *platform = queue->platform;
    log_rest(queue);
    mez_event_cache_finish(&queue->events);
    mez_handling_destroy(queue);
    mez_free_memory(queue->name);
    mez_free_memory(queue);
    mez_platform_unref(platform);
}

void mez_queue_ref(mez_queue *queue)
{
    mez_ref_get(&queue->ref);
}

void mez_queue_unref(mez_queue *queue)
{
    if (mez_ref_put(&queue->ref))
        queue_free(queue);
}

// --- Tasks that have ended

void mez_queue_complete(mez_queue *queue, uint64_t task, mez_error outcome)
{
    mez_queue_complete_now(queue, task, outcome);
}

void mez_queue_lose(mez_queue *queue, uint64_t first, uint64_t last, mez_error outcome)
{
    if (queue->completed + 1 >= first) // nothing older is in flight
        mez_queue_complete(queue, last, outcome);
    else
        mez_task_references_lose(&queue->references, first, last, outcome);
}

// --- Waits by the queue's kind

static mez_error report_ends(mez_queue *queue, mez_error outcome)
{
    if (MEZ_TRACED(queue->traced)) {
        mez_lock_take(&queue->lock);
        mez_traced_look(queue);
        mez_lock_release(&queue->lock);
    }
    return outcome;
}

mez_error mez_queue_wait_for_task(mez_queue *queue, uint64_t task, mez_deadline deadline)
{
    return report_ends(queue, queue->ops->wait(queue, task, deadline));
}

mez_error mez_queue_settle_task(mez_queue *queue, uint64_t task, mez_deadline deadline)
{
    return report_ends(queue, queue->ops->settle(queue, task, deadline));
}

// --- The end

// It can't end before the function has returned, and the function not before it has ended.
static bool is_in_own_host_task(mez_queue *queue)
{
    return mez_completion_serves(queue->platform->completion, queue) && queue->deferred.running;
}

// It has been waited for.
static void queue_finish(mez_queue *queue)
{
    const bool lost = mez_platform_is_lost(queue->platform);
    if (!lost)
        mez_timeline_remove(queue->platform, &queue->timeline);
    mez_waiters_close(&queue->waiters);
    if (MEZ_TRACED(queue->traced))
        mez_traced_close(queue);
    queue->ops->finish(queue);
    if (lost)
        mez_timeline_remove(queue->platform, &queue->timeline);
    mez_lock_take(&queue->lock); // another queue may tell which of our tasks it waits for
    mez_queue_slow_down(queue, MEZ_SLOW_DESTROYED);
    mez_task_references_finish(&queue->references);
    mez_lock_release(&queue->lock);
    mez_kernel_uses_destroy_of_queue(queue->platform, &queue->kernels.all);
    mez_kernel_uses_destroy_of_queue(queue->platform, &queue->kernels.prepared);
    mez_event_cache_close(&queue->events);
}

// It keeps its reference of the context, and stays where leak checkers find it.
static void leave_to_the_device(mez_queue *queue)
{
    static _Atomic(mez_queue *) left;
    queue->next_left = atomic_load(&left);
    while (!atomic_compare_exchange_weak(&left, &queue->next_left, queue))
        ;
    mez_log(QUEUE, WARN,
        "queue \"%s\" hangs: what the device uses for it stays until the process ends",
        queue->name);
}

MEZ_TRACE_BODY void destroy(mez_queue **destroyed)
{
    mez_queue *queue = *destroyed;
    if (is_in_own_host_task(queue)) {
        mez_log(QUEUE, ERROR, "queue \"%s\" can't be destroyed by its own host task, and was not",
            queue->name);
        return;
    }
    *destroyed = NULL;
    // Says what it waits for, which the next call would not; a host function must not wait here.
    if (mez_timeline_holds(&queue->timeline))
        mez_error_ignore(mez_queue_wait_for_deferred(queue, MEZ_NEVER));
    // Host tasks, where this thread runs them.
    mez_completion_forget(queue->platform->completion, queue);
    do
        mez_queue_wait_and_log(queue);
    while (mez_handling_finish_calls(queue));
    mez_handling_end(queue);
    mez_object_remove(queue->platform, &queue->object);
    if (mez_queue_is_abandoned(queue)) {
        leave_to_the_device(queue);
        return;
    }
    if (MEZ_TRACED(queue->traced))
        mez_traced_leave_companion(queue);
    if (mez_companion_of(queue))
        mez_queue_destroy_companion(mez_companion_of(queue));
    MEZ_PROBE(queue__destroy, queue);
    queue_finish(queue);
    mez_queue_unref(queue);
}

MEZ_TRACE_COLD void destroy_traced(mez_queue **destroyed)
{
    const mez_queue *queue = *destroyed;
    MEZ_TRACE_TELL_VOID(mez_queue_destroy, NULL, destroy(destroyed), queue);
}

void mez_queue_destroy(mez_queue **destroyed)
{
    if (!destroyed || !*destroyed)
        return;
    if (mez_trace_on(MEZ_TRACE_CALLS))
        destroy_traced(destroyed);
    else
        destroy(destroyed);
}

void mez_queue_destroy_companion(mez_queue *companion)
{
    queue_finish(companion);
    mez_queue_unref(companion);
}
