// SPDX-License-Identifier: MIT
//
// Waits for everything that a queue was given, by the user and by the library itself, and flushes.

#include "queue/queue.h"

#include "queue/companion.h"
#include "queue/errors.h"
#include "queue/quick_path.h"
#include "queue/slow.h"
#include "queue/stall.h"
#include "queue/traced.h"
#include "trace/call.h"
#include "traced_calls.h"

// First what has no number yet.
static mez_error wait_until(mez_queue *queue, mez_deadline deadline)
{
    if (mez_timeline_defers(&queue->timeline))
        MEZ_TRY(mez_queue_wait_for_deferred(queue, deadline));
    return mez_queue_wait_for_task(queue, mez_timeline_submitted(&queue->timeline), deadline);
}

// Both errors are the user's, one after the other.
static mez_error wait_for_both(mez_queue *queue, mez_queue *companion, uint64_t timeout)
{
    const mez_deadline deadline = mez_deadline_after(timeout);
    const mez_error failure = wait_until(queue, deadline);
    const mez_error other = wait_until(companion, deadline);
    mez_queue_sweep(queue); // the companion keeps no findings
    return mez_queue_waited(
        mez_queue_has_failed(queue) ? queue : companion, mez_failed(failure) ? failure : other);
}

// Not inlined: its frame would be paid for where there is nothing to wait for.
__attribute__((noinline)) static mez_error wait_for_all(
    const mez_location *where, mez_queue *queue, uint64_t timeout)
{
    mez_queue *companion = mez_companion_of(queue);
    const mez_error error =
        companion ? wait_for_both(queue, companion, timeout)
                  : mez_queue_waited(queue, wait_until(queue, mez_deadline_after(timeout)));
    return mez_error_add_place(error, where);
}

// Are there tasks of one in-order list to wait for, and nothing else? *newest is the last of them, which is read before the list is
// looked for: of an adaptive queue, later ones may be elsewhere.
static inline bool is_simple(const mez_queue *queue, uint64_t *newest)
{
    return queue &&
           mez_timeline_completed(&queue->timeline) <
               (*newest = mez_timeline_submitted(&queue->timeline)) &&
           mez_fast_fits(queue, NULL) && !mez_companion_of(queue);
}

// Is there nothing to wait for, and nothing to report or to note? Another thread may have seen the last task end, so that no wait has come
// to its end since: in a checked context each wait looks at fences, and an adaptive queue counts the tasks between waits. Deferred tasks
// are asked for first: one that the driver gets meanwhile counts as submitted then.
static inline bool is_idle(const mez_queue *queue)
{
    return !mez_queue_is(queue, MEZ_SLOW_DEFERS | MEZ_SLOW_VALIDATED) && !queue->adaptive &&
           mez_timeline_completed(&queue->timeline) >= mez_timeline_submitted(&queue->timeline) &&
           !mez_queue_has_failed(queue) && !mez_companion_of(queue);
}

// `function`: what was called. Not inlined: a wait without a timeout looks at the two frequent cases itself.
__attribute__((noinline)) static mez_error wait_for(
    const mez_location *where, mez_queue *queue, uint64_t timeout, const char *function)
{
    MEZ_REQUIRE_OF(function, queue, where);
    if (is_idle(queue))
        return mez_platform_loss(queue->platform);
    uint64_t newest;
    return timeout == MEZ_FOREVER && is_simple(queue, &newest)
               ? mez_immediate_wait(where, queue, newest)
               : wait_for_all(where, queue, timeout);
}

mez_error mez_queue_wait_quietly(mez_queue *queue, uint64_t timeout)
{
    return wait_for(NULL, queue, timeout, __func__);
}

// The wait while tools listen: it also reports which tasks have ended. The public functions take their quick paths instead.
static mez_error wait_and_look(
    const mez_location *where, mez_queue *queue, uint64_t timeout, const char *function)
{
    const mez_error error = wait_for(where, queue, timeout, function);
    if (!queue || !queue->hooks->ended)
        return error;
    mez_lock_take(&queue->lock);
    queue->hooks->ended(queue);
    mez_lock_release(&queue->lock);
    return error;
}

MEZ_TRACE_COLD mez_error look_for(const mez_location *where, mez_queue *queue, uint64_t timeout)
{
    return wait_and_look(where, queue, timeout, "mez_queue_wait_for");
}

MEZ_TRACED_SPAN(mez_queue_wait_for, look_for, MEZ_TRACE_WAIT, "queue.wait")

MEZ_TRACE_COLD mez_error look_forever(const mez_location *where, mez_queue *queue)
{
    return wait_and_look(where, queue, MEZ_FOREVER, "mez_queue_wait");
}

MEZ_TRACED_SPAN(mez_queue_wait, look_forever, MEZ_TRACE_WAIT, "queue.wait")

mez_error mez_queue_wait_for_at(const mez_location *where, mez_queue *queue, uint64_t timeout)
{
    MEZ_REFUSE_UNTRACED(__func__, where);
    MEZ_PROBE_WAIT_BEGIN(mez_queue_wait_for, where, queue, timeout);
    if (mez_trace_on(MEZ_TRACE_TASKS))
        return MEZ_PROBE_WAIT_END(
            "mez_queue_wait_for", queue, look_for_traced(where, queue, timeout));
    return MEZ_PROBE_WAIT_END(
        "mez_queue_wait_for", queue, wait_for(where, queue, timeout, "mez_queue_wait_for"));
}

mez_error mez_queue_wait_at(const mez_location *where, mez_queue *queue)
{
    MEZ_REFUSE_UNTRACED(__func__, where);
    MEZ_PROBE_WAIT_BEGIN(mez_queue_wait, where, queue, MEZ_FOREVER);
    if (mez_trace_on(MEZ_TRACE_TASKS))
        return MEZ_PROBE_WAIT_END("mez_queue_wait", queue, look_forever_traced(where, queue));
    uint64_t newest;
    if (is_simple(queue, &newest))
        return MEZ_PROBE_WAIT_END(
            "mez_queue_wait", queue, mez_immediate_wait(where, queue, newest));
    if (queue && is_idle(queue) && !mez_platform_is_lost(queue->platform))
        return MEZ_PROBE_WAIT_END("mez_queue_wait", queue, mez_ok());
    return MEZ_PROBE_WAIT_END(
        "mez_queue_wait", queue, wait_for(where, queue, MEZ_FOREVER, "mez_queue_wait"));
}

// --- Where nobody would receive an error

// Nobody waits: what goes wrong is for the handler.
static void wait_for_handler(mez_queue *queue)
{
    mez_queue *companion = mez_companion_of(queue);
    mez_queue_report(queue, wait_until(queue, MEZ_NEVER));
    if (companion)
        mez_queue_report(companion, wait_until(companion, MEZ_NEVER));
    mez_queue_sweep(queue);
}

// For a caller that does not receive errors.
static mez_error wait_for_nobody(const mez_location *where, mez_queue *queue)
{
    if (!queue->handling)
        return wait_for(where, queue, MEZ_FOREVER, __func__);
    wait_for_handler(queue);
    return mez_ok();
}

void mez_queue_wait_and_log(const mez_location *where, mez_queue *queue)
{
    if (mez_queue_is_abandoned(queue))
        return;
    MEZ_PROBE(wait__begin, queue, MEZ_FOREVER);
    const bool traced = mez_trace_on(MEZ_TRACE_TASKS);
    mez_trace_span span;
    if (traced)
        mez_trace_span_begin(&span, MEZ_TRACE_WAIT, where, "queue.wait", queue);
    mez_error error = wait_for_nobody(where, queue);
    if (traced)
        mez_trace_span_end(&span);
    MEZ_PROBE(wait__end, queue, error.value);
    do
        mez_queue_log_unreported(queue, error);
    while (mez_queue_take_error(queue, &error));
}

// --- Flushes

MEZ_TRACE_BODY mez_error flush(const mez_location *where, mez_queue *queue)
{
    if (!queue->ops->flush)
        return mez_ok();
    mez_lock_take(&queue->lock);
    const mez_error failure = queue->ops->flush(queue, mez_queue_last_task(queue));
    mez_lock_release(&queue->lock);
    if (!mez_failed(failure))
        return failure;
    return mez_error_add_place(
        mez_queue_note_loss(queue, mez_queue_report_kept(queue, failure)), where);
}

MEZ_TRACED_CALL(mez_queue_flush, flush)

mez_error mez_queue_flush_at(const mez_location *where, mez_queue *queue)
{
    MEZ_REQUIRE(queue, where);
    MEZ_TRACE_CALL(mez_queue_flush, where, flush, where, queue);
}
