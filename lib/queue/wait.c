// SPDX-License-Identifier: MIT
//
// Waits for everything that a queue was given, by the user and by the library itself, and flushes.

#include "queue/queue.h"

#include "queue/companion.h"
#include "queue/abandon.h"
#include "queue/handler.h"
#include "queue/fast_path.h"
#include "queue/stall.h"
#include "queue/traced.h"
#include "trace/call.h"
#include "trace/span.h"

// First what has no number yet.
static mez_error wait_until(mez_queue *queue, mez_deadline deadline)
{
    if (mez_timeline_holds(&queue->timeline))
        MEZ_TRY(mez_queue_wait_for_deferred(queue, deadline));
    return mez_queue_wait_for_task(queue, mez_timeline_submitted(&queue->timeline), deadline);
}

// Both errors are the user's, one after the other.
static mez_error wait_for_both(mez_queue *queue, mez_queue *companion, uint64_t timeout)
{
    const mez_deadline deadline = mez_deadline_after(timeout);
    const mez_error failure = wait_until(queue, deadline);
    const mez_error other = wait_until(companion, deadline);
    return mez_queue_waited(
        mez_queue_has_failed(queue) ? queue : companion, mez_failed(failure) ? failure : other);
}

// Not inlined: its frame would be paid for where there is nothing to wait for.
__attribute__((noinline)) static mez_error wait_for_all(mez_queue *queue, uint64_t timeout)
{
    mez_queue *companion = mez_companion_of(queue);
    if (companion)
        return wait_for_both(queue, companion, timeout);
    return mez_queue_waited(queue, wait_until(queue, mez_deadline_after(timeout)));
}

// Inlined, so that a wait without a timeout pays for none. `function`: what was called.
static inline mez_error wait_for(mez_queue *queue, uint64_t timeout, const char *function)
{
    MEZ_REQUIRE_OF(function, queue, NULL);
    const uint64_t task = mez_timeline_submitted(&queue->timeline);
    const bool quick = mez_fast_fits(queue, NULL); // then it holds nothing
    if (mez_timeline_completed(&queue->timeline) >= task && !mez_queue_has_failed(queue) &&
        !mez_companion_of(queue) && (quick || !mez_timeline_holds(&queue->timeline)))
        return mez_platform_loss(queue->platform);
    const bool alone = timeout == MEZ_FOREVER && quick && !mez_companion_of(queue);
    return alone ? mez_immediate_wait(queue) : wait_for_all(queue, timeout);
}

mez_error mez_queue_wait_quietly(mez_queue *queue, uint64_t timeout)
{
    return wait_for(queue, timeout, __func__);
}

static mez_error wait_and_look(mez_queue *queue, uint64_t timeout, const char *function)
{
    const mez_error error = wait_for(queue, timeout, function);
    if (!queue || !MEZ_TRACED(queue->traced))
        return error;
    mez_lock_take(&queue->lock);
    mez_traced_look(queue);
    mez_lock_release(&queue->lock);
    return error;
}

MEZ_TRACE_COLD mez_error wait_in_span(mez_queue *queue, uint64_t timeout, const char *function)
{
    mez_trace_span span;
    mez_trace_span_begin(&span, MEZ_TRACE_WAIT, NULL, "queue.wait", queue);
    const mez_error error = wait_and_look(queue, timeout, function);
    mez_trace_span_end(&span);
    return error;
}

MEZ_TRACE_COLD mez_error wait_for_traced(mez_queue *queue, uint64_t timeout)
{
    MEZ_TRACE_TELL(mez_queue_wait_for, NULL, wait_in_span(queue, timeout, "mez_queue_wait_for"),
        queue, timeout);
}

MEZ_TRACE_COLD mez_error wait_traced(mez_queue *queue)
{
    MEZ_TRACE_TELL(mez_queue_wait, NULL, wait_in_span(queue, MEZ_FOREVER, "mez_queue_wait"), queue);
}

mez_error mez_queue_wait_for(mez_queue *queue, uint64_t timeout)
{
    MEZ_PROBE_WAIT_BEGIN(mez_queue_wait_for, queue, timeout);
    if (mez_trace_on(MEZ_TRACE_TASKS))
        return MEZ_PROBE_WAIT_END("mez_queue_wait_for", queue, wait_for_traced(queue, timeout));
    return MEZ_PROBE_WAIT_END("mez_queue_wait_for", queue, wait_for(queue, timeout, __func__));
}

mez_error mez_queue_wait(mez_queue *queue)
{
    MEZ_PROBE_WAIT_BEGIN(mez_queue_wait, queue, MEZ_FOREVER);
    if (mez_trace_on(MEZ_TRACE_TASKS))
        return MEZ_PROBE_WAIT_END("mez_queue_wait", queue, wait_traced(queue));
    return MEZ_PROBE_WAIT_END("mez_queue_wait", queue, wait_for(queue, MEZ_FOREVER, __func__));
}

// --- Where nobody could be told

void mez_queue_log_unreported(const mez_queue *queue, mez_error error)
{
    if (!mez_platform_has_noted(queue->platform, error))
        mez_log_error(MEZ_TOPIC_QUEUE, error);
}

// Nobody waits: what goes wrong is for the handler.
static void wait_for_handler(mez_queue *queue)
{
    mez_queue *companion = mez_companion_of(queue);
    mez_queue_report(queue, wait_until(queue, MEZ_NEVER));
    if (companion)
        mez_queue_report(companion, wait_until(companion, MEZ_NEVER));
    mez_memory_sweep(queue->platform);
}

// For nobody who could be told.
MEZ_TRACE_BODY mez_error wait_for_nobody(mez_queue *queue)
{
    if (!queue->handling)
        return mez_queue_wait_quietly(queue, MEZ_FOREVER);
    wait_for_handler(queue);
    return mez_ok();
}

MEZ_TRACE_COLD mez_error wait_for_nobody_traced(mez_queue *queue)
{
    mez_trace_span span;
    mez_trace_span_begin(&span, MEZ_TRACE_WAIT, NULL, "queue.wait", queue);
    const mez_error error = wait_for_nobody(queue);
    mez_trace_span_end(&span);
    return error;
}

void mez_queue_wait_and_log(mez_queue *queue)
{
    if (mez_queue_is_abandoned(queue))
        return;
    MEZ_PROBE(wait__begin, queue, MEZ_FOREVER);
    mez_error error =
        mez_trace_on(MEZ_TRACE_TASKS) ? wait_for_nobody_traced(queue) : wait_for_nobody(queue);
    MEZ_PROBE(wait__end, queue, error.value);
    do
        mez_queue_log_unreported(queue, error);
    while (mez_queue_next_error(queue, &error));
}

// --- Flushes

MEZ_TRACE_BODY mez_error flush(mez_queue *queue)
{
    if (!queue->ops->flush)
        return mez_ok();
    mez_lock_take(&queue->lock);
    const mez_error failure = queue->ops->flush(queue, mez_queue_last_task(queue));
    mez_lock_release(&queue->lock);
    return mez_failed(failure) ? mez_queue_note_loss(queue, mez_queue_tell_kept(queue, failure))
                               : failure;
}

MEZ_TRACE_COLD mez_error flush_traced(mez_queue *queue)
{
    MEZ_TRACE_TELL(mez_queue_flush, NULL, flush(queue), queue);
}

mez_error mez_queue_flush(mez_queue *queue)
{
    MEZ_REQUIRE(queue, NULL);
    MEZ_TRACE_CALL(mez_queue_flush, NULL, flush, queue);
}
