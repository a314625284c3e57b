// SPDX-License-Identifier: MIT

#include "queue/queue.h"

#include "base/alloc.h"
#include "base/process.h"
#include "device/platform.h"
#include "queue/companion.h"
#include "completion/completion.h"
#include "queue/quick_path.h"
#include "queue/slow.h"
#include "queue/errors.h"
#include "queue/stall.h"
#include "queue/traced.h"
#include "traced_calls.h"

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
    mez_event_cache_finish(&queue->device_events);
    mez_handling_destroy(queue);
    mez_free_memory(queue->name);
    mez_deferred_finish(&queue->deferred);
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

ze_command_queue_desc_t mez_queue_description(const mez_queue *queue)
{
    return (ze_command_queue_desc_t){
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
        .ordinal = queue->engine->ordinal,
        .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
        .priority = queue->priority,
    };
}

// --- Waits by the queue's kind

static mez_error report_ends(mez_queue *queue, mez_error outcome)
{
    if (queue->hooks->ended) {
        mez_lock_take(&queue->lock);
        queue->hooks->ended(queue);
        mez_lock_release(&queue->lock);
    }
    return outcome;
}

mez_error mez_queue_wait_for_task(mez_queue *queue, uint64_t task, mez_deadline deadline)
{
    return report_ends(queue, queue->ops->wait(queue, task, deadline));
}

// The same by the kind's `settle`.
static mez_error settle_task(mez_queue *queue, uint64_t task, mez_deadline deadline)
{
    return report_ends(queue, queue->ops->settle(queue, task, deadline));
}

// --- How events reach their queue

// A closed queue has waited for its tasks: what its visitor came for is over.
static mez_error source_flush(void *owner, uint64_t task)
{
    mez_queue *queue = owner;
    if (!queue->ops->flush || !mez_waiters_enter(&queue->waiters))
        return mez_ok();
    mez_lock_take(&queue->lock);
    const mez_error error = queue->ops->flush(queue, task);
    mez_lock_release(&queue->lock);
    mez_waiters_leave(&queue->waiters);
    return mez_failed(error) ? mez_queue_note_loss(queue, error) : error;
}

// A wait for an event is over. In a checked context that is when to look at fences: what is found there is the error of the queue's next
// wait, as an event has the outcome of its task alone. The last call of those who use it, so that others need not save registers.
__attribute__((cold, noinline)) static mez_error look_and_leave(mez_queue *queue, mez_error outcome)
{
    if (!mez_failed(outcome))
        mez_queue_sweep(queue);
    mez_waiters_leave(&queue->waiters);
    return outcome;
}

// Not inlined: compilers would take the error apart, and put it together again.
__attribute__((noinline)) static mez_error leave(mez_queue *queue, mez_error outcome)
{
    if (mez_queue_is(queue, MEZ_SLOW_VALIDATED))
        return look_and_leave(queue, outcome);
    mez_waiters_leave(&queue->waiters);
    return outcome;
}

// A failed assert is found when the whole batch is retired; where none can be, the event alone is enough.
static mez_error source_finished(void *owner, uint64_t task, mez_deadline deadline)
{
    mez_queue *queue = owner;
    if (!mez_waiters_enter(&queue->waiters))
        return mez_ok();
    return leave(queue, settle_task(queue, task, deadline));
}

static mez_error source_wait(void *owner, uint64_t task, mez_deadline deadline)
{
    mez_queue *queue = owner;
    if (!mez_waiters_enter(&queue->waiters))
        return mez_ok();
    return leave(queue, mez_queue_wait_for_task(queue, task, deadline));
}

// The queue keeps a failed assert for whoever comes first.
static void source_reported(void *owner, mez_error failure)
{
    mez_queue *queue = owner;
    mez_queue_forget_error(queue, failure);
    queue->platform->assert_functions->settle(queue->platform);
}

static void source_ref(void *owner, unsigned count)
{
    mez_queue *queue = owner;
    mez_ref_get_many(&queue->ref, count);
}

static void source_unref(void *owner)
{
    mez_queue_unref(owner);
}

static bool is_released(const void *event)
{
    return !mez_event_is_deferred(event);
}

static mez_error source_released(void *owner, const mez_event *event, mez_deadline deadline)
{
    mez_queue *queue = owner;
    return mez_completion_wait_patiently(
        queue->platform, is_released, event, deadline, mez_queue_warn_of_stall, queue);
}

void mez_queue_describe_task(const mez_queue *queue, uint64_t task, mez_text *text)
{
    if (task > queue->completed)
        mez_history_describe(&queue->history, task, text);
    else
        mez_history_describe_ended(&queue->history, task, text);
}

static void source_describe(void *owner, const mez_event *event, mez_text *text)
{
    mez_queue *queue = owner;
    mez_lock_take(&queue->lock);
    if (event->task > 0)
        mez_history_describe_ended(&queue->history, event->task, text);
    else
        mez_text_add(text, "a task that the device was not given");
    mez_lock_release(&queue->lock);
    mez_text_add(text, " of queue \"%s\"", queue->name);
}

const mez_event_source mez_queue_source = {
    .describe = source_describe,
    .flush = source_flush,
    .wait = source_wait,
    .finished = source_finished,
    .reported = source_reported,
    .guard = &mez_queue_guard,
    .ref = source_ref,
    .released = source_released,
    .stalled = mez_queue_warn_of_stall,
    .unref = source_unref,
};

// --- What the completion thread looks at

// Nothing yet: perhaps there never will be. What is wrong shows at the next look.
static mez_turn look_for_stall(const mez_watch *watch)
{
    if (watch->owner)
        watch->source->guard->look(watch->owner, mez_time_now());
    return MEZ_TURN_IDLE;
}

// A failed task's error is kept by its queue.
static mez_turn look_at_task(const mez_watch *watch)
{
    mez_queue *queue = watch->owner;
    const mez_error outcome = mez_queue_wait_for_task(queue, watch->task, MEZ_PAST);
    queue->platform->assert_functions->settle(queue->platform);
    if (mez_error_is(outcome, MEZ_ERRC_TIMEOUT))
        return look_for_stall(watch);
    if (mez_failed(outcome))
        mez_queue_report(queue, outcome);
    return MEZ_TURN_OVER;
}

static void warn_of_missing_thread(void)
{
    mez_log(QUEUE, WARN, "no completion thread: errors of tasks are reported by waits only");
}

void mez_queue_watch(mez_queue *queue, uint64_t task)
{
    struct mez_completion *completion = queue->platform->completion;
    const mez_watch watch = {
        .look = look_at_task, .source = &mez_queue_source, .owner = queue, .task = task};
    if (!mez_completion_extend(completion, &watch) && !mez_completion_add(completion, &watch))
        warn_of_missing_thread();
}

// The caller holds the lock.
static void stop_watching(mez_queue *queue)
{
    queue->watched = false;
    if (queue->handling)
        mez_queue_slow_down(queue, MEZ_SLOW_UNWATCHED);
}

// An adaptive queue that is batched now watches its batches, and all that was in its list has ended.
static bool has_left_its_list(mez_queue *queue)
{
    if (!queue->adaptive)
        return false;
    mez_lock_take(&queue->lock);
    const bool left = queue->list_count == 0;
    if (left)
        stop_watching(queue);
    mez_lock_release(&queue->lock);
    return left;
}

// The newest task that a queue has when the turn begins. Where another has come since, the next turn sees to that.
static mez_turn look_at_newest(const mez_watch *watch)
{
    mez_queue *queue = watch->owner;
    const uint64_t task = mez_timeline_submitted(&queue->timeline);
    if (has_left_its_list(queue))
        return MEZ_TURN_OVER;
    const mez_error outcome = mez_queue_wait_for_task(queue, task, MEZ_PAST);
    queue->platform->assert_functions->settle(queue->platform);
    if (mez_error_is(outcome, MEZ_ERRC_TIMEOUT))
        return look_for_stall(watch);
    if (mez_failed(outcome))
        mez_queue_report(queue, outcome);
    mez_lock_take(&queue->lock);
    const bool over = mez_queue_last_task(queue) == task;
    if (over)
        stop_watching(queue);
    mez_lock_release(&queue->lock);
    return over ? MEZ_TURN_OVER : MEZ_TURN_MORE;
}

void mez_queue_watch_newest(mez_queue *queue)
{
    const mez_watch watch = {.look = look_at_newest, .source = &mez_queue_source, .owner = queue};
    if (queue->watched)
        return;
    if (queue->list_count == 0) {
        mez_queue_watch(queue, mez_queue_last_task(queue));
        return;
    }
    queue->watched = mez_completion_add(queue->platform->completion, &watch);
    if (!queue->watched)
        warn_of_missing_thread();
    else if (queue->handling)
        mez_queue_speed_up(queue, MEZ_SLOW_UNWATCHED);
}

static mez_turn look_at_event(const mez_watch *watch)
{
    const mez_error outcome =
        mez_event_get_status_at(NULL, watch->event); // no call of the program's
    if (mez_error_is(outcome, MEZ_ERRC_NOT_READY))
        return look_for_stall(watch);
    if (mez_process_is_closed()) // that is the outcome, and not the event's
        return MEZ_TURN_IDLE;
    watch->function(watch->user, outcome);
    return MEZ_TURN_OVER;
}

MEZ_TRACE_BODY mez_error set_callback(
    const mez_location *where, mez_event *event, mez_event_function function, void *user)
{
    const mez_watch watch = {
        .look = look_at_event,
        .source = event->source,
        .owner = mez_event_is_of_queue(event) ? event->owner : NULL,
        .event = event,
        .function = function,
        .user = user,
    };
    if (mez_completion_add(event->platform->completion, &watch))
        return mez_ok();
    return mez_error_add_place(
        mez_error_no_memory("a callback, or the thread that calls it"), where);
}

MEZ_TRACED_CALL(mez_event_set_callback, set_callback)

mez_error mez_event_set_callback_at(
    const mez_location *where, mez_event *event, mez_event_function function, void *user)
{
    MEZ_REQUIRE(event, where);
    MEZ_REQUIRE(function, where);
    MEZ_TRACE_CALL(mez_event_set_callback, where, set_callback, where, event, function, user);
}
