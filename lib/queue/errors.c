// SPDX-License-Identifier: MIT
//
// Errors of tasks on their way to the user: kept by the queue until a wait, mez_queue_take_error or the handler takes them.

#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "base/process.h"
#include "device/platform.h"
#include "memory/memory.h"
#include "queue/companion.h"
#include "completion/completion.h"
#include "queue/slow.h"
#include "task/readback.h"
#include "trace/call.h"

// --- What is kept

static mez_error *failure_at(mez_failures *failures, uint32_t index)
{
    return &failures->kept[(failures->first + index) % MEZ_MOST_FAILURES];
}

// Its index; the count: it is not among them.
static uint32_t find_failure(const mez_failures *failures, mez_error error)
{
    uint32_t i = 0;
    while (i < failures->count &&
           !mez_error_is_same(failures->kept[(failures->first + i) % MEZ_MOST_FAILURES], error))
        i++;
    return i;
}

// Is the very same error, with its story, among them?
static bool failures_have(const mez_failures *failures, mez_error error)
{
    return find_failure(failures, error) < failures->count;
}

// Retains it. Where there is no room it is logged, and counted.
static void failures_add(mez_failures *failures, mez_error error)
{
    if (failures->count == MEZ_MOST_FAILURES) {
        failures->dropped++;
        mez_log_error(MEZ_TOPIC_QUEUE, error);
        return;
    }
    *failure_at(failures, failures->count++) = mez_error_retain(error);
}

mez_error mez_failures_take(mez_failures *failures)
{
    if (failures->count == 0)
        return mez_ok();
    const mez_error error = *failure_at(failures, 0);
    failures->first = (failures->first + 1) % MEZ_MOST_FAILURES;
    if (--failures->count > 0 || failures->dropped == 0)
        return error;
    mez_error_add(error, "dropped",
        "%u later errors of the queue are not listed here: at most %d are kept until a wait "
        "returns them; the log has all",
        (unsigned)failures->dropped, MEZ_MOST_FAILURES);
    failures->dropped = 0;
    return error;
}

// Takes this one out, and gives it up.
static void failures_forget(mez_failures *failures, mez_error error)
{
    const uint32_t index = find_failure(failures, error);
    if (index == failures->count)
        return;
    mez_error_release(error);
    failures->count--;
    for (uint32_t i = index; i < failures->count; i++)
        *failure_at(failures, i) = *failure_at(failures, i + 1);
}

// --- Handlers

struct mez_handling {
    mez_error_handler handler;
    // A lost device is one error for as many tasks and queues as there are: the context's where it has the handler, else
    // the queue's, also for its companion.
    atomic_bool *knows_loss;
    atomic_bool own_knows_loss;

    // --- Guarded by the queue's lock
    uint32_t calls;     // of the handler, on their way
    mez_error for_wait; // the first since the last wait; retained
    mez_error newest;   // retained; an error comes once for each watch and each batch that it hit
    bool over;          // nothing is reported any more
};

// --- Life

static mez_error handling_create(
    mez_queue *queue, const mez_error_handler *handler, atomic_bool *knows_loss)
{
    struct mez_handling *handling = mez_new(struct mez_handling);
    if (!handling)
        return mez_error_no_memory("a queue's error handler");
    handling->handler = *handler;
    handling->knows_loss = knows_loss ? knows_loss : &handling->own_knows_loss;
    queue->handling = handling;
    mez_queue_slow_down(queue, MEZ_SLOW_UNWATCHED);
    return mez_ok();
}

mez_error mez_handling_create(mez_queue *queue, const mez_error_handler *wanted)
{
    mez_queues *queues = queue->platform->queues;
    if (wanted->function)
        return handling_create(queue, wanted, NULL);
    if (queues->on_error.function)
        return handling_create(queue, &queues->on_error, &queues->loss_reported);
    return mez_ok();
}

mez_error mez_handling_share(mez_queue *companion, const mez_queue *queue)
{
    const struct mez_handling *handling = queue->handling;
    return handling ? handling_create(companion, &handling->handler, handling->knows_loss)
                    : mez_ok();
}

void mez_handling_destroy(mez_queue *queue)
{
    struct mez_handling *handling = queue->handling;
    if (!handling)
        return;
    mez_error_release(handling->for_wait);
    mez_error_release(handling->newest);
    mez_free_memory(handling);
}

// --- The handler

// Has the handler received this error, or will it? That of a lost device it will receive from then on. The caller holds the queue's
// lock, here and below, and the queue has a handler.
static bool handling_knows(mez_queue *queue, mez_error error)
{
    const struct mez_handling *handling = queue->handling;
    if (mez_error_says_lost(error))
        return atomic_exchange(handling->knows_loss, true);
    return mez_error_is_same(error, handling->newest) ||
           mez_error_is_same(error, handling->for_wait) || failures_have(&queue->failures, error);
}

// Asserts were reported when they failed.
static void notify_tools(mez_error error)
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
    notify_tools(error);
    handling->handler.function(handling->handler.user, error);
    mez_error_release(error);
}

// The queue has kept the error: has the handler called with it, and notes it for the next wait.
static void handling_keep(mez_queue *queue, mez_error error)
{
    struct mez_handling *handling = queue->handling;
    mez_error_release(handling->newest);
    handling->newest = mez_error_retain(error);
    if (!mez_failed(handling->for_wait))
        handling->for_wait = mez_error_retain(error);
    while (handling->calls < queue->failures.count && !handling->over &&
           mez_completion_call(
               queue->platform->completion, queue->events.source, queue, deliver, queue))
        handling->calls++;
}

// How many of the queue's errors no call of a handler is on its way for: all of them where it has none, else those that no
// call could be made for, as there was no memory or no thread. The queue may be one without a handler.
static uint32_t handling_left_over(const mez_queue *queue)
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

static bool handling_has_for_wait(const mez_queue *queue)
{
    return mez_failed(queue->handling->for_wait);
}

// What the next wait returns, with its reference, and no other wait does.
static mez_error handling_take_for_wait(mez_queue *queue)
{
    const mez_error error = queue->handling->for_wait;
    queue->handling->for_wait = mez_ok();
    return error;
}

// The user has received it by other means than the handler: no wait returns it.
static void handling_forget_for_wait(mez_queue *queue, mez_error error)
{
    if (mez_error_is_same(queue->handling->for_wait, error))
        mez_error_release(handling_take_for_wait(queue));
}

// --- The queue's

// What the next wait has to return has changed. The caller holds the lock.
static void note_failed(mez_queue *queue, bool failed)
{
    atomic_store_explicit(&queue->failed, failed, memory_order_release);
}

void mez_queue_keep_error(mez_queue *queue, mez_error error)
{
    if (queue->handling ? handling_knows(queue, error) : failures_have(&queue->failures, error))
        return;
    failures_add(&queue->failures, error);
    if (queue->handling)
        handling_keep(queue, error);
    note_failed(queue, true);
}

void mez_queue_report(mez_queue *queue, mez_error error)
{
    if (!queue->handling)
        return;
    mez_lock_take(&queue->lock);
    mez_queue_keep_error(queue, error);
    mez_lock_release(&queue->lock);
}

// The caller holds the lock.
static void forget_for_wait(mez_queue *queue, mez_error error)
{
    if (queue->handling)
        handling_forget_for_wait(queue, error);
    else
        failures_forget(&queue->failures, error);
}

static bool has_for_wait(const mez_queue *queue)
{
    return queue->handling ? handling_has_for_wait(queue) : queue->failures.count > 0;
}

void mez_queue_take_back_error(mez_queue *queue, mez_error error)
{
    failures_forget(&queue->failures, error);
    forget_for_wait(queue, error);
    note_failed(queue, has_for_wait(queue));
}

void mez_queue_forget_error(mez_queue *queue, mez_error error)
{
    mez_lock_take(&queue->lock);
    forget_for_wait(queue, error);
    note_failed(queue, has_for_wait(queue));
    mez_lock_release(&queue->lock);
}

// What the driver returned to the wait itself comes behind what is kept, unless the driver returns it to every wait.
static bool comes_behind(const mez_queue *queue, mez_error failure)
{
    return mez_queue_has_failed(queue) && mez_failed(failure) && !mez_queue_is_abandoned(queue) &&
           mez_error_get_category(failure) == MEZ_CATEGORY_LEVEL_ZERO &&
           !mez_error_says_lost(failure);
}

static mez_error take_for_wait(mez_queue *queue, mez_error failure)
{
    mez_lock_take(&queue->lock);
    if (comes_behind(queue, failure))
        mez_queue_keep_error(queue, failure);
    const mez_error error =
        queue->handling ? handling_take_for_wait(queue) : mez_failures_take(&queue->failures);
    note_failed(queue, has_for_wait(queue));
    mez_lock_release(&queue->lock);
    return mez_failed(error) ? mez_error_hand_over(error) : error;
}

mez_error mez_queue_report_kept(mez_queue *queue, mez_error failure)
{
    const mez_error error = take_for_wait(queue, failure);
    queue->platform->assert_functions->settle(queue->platform);
    return mez_failed(error) ? error : failure;
}

void mez_queue_sweep_now(mez_queue *queue)
{
    mez_error finding;
    mez_memory_sweep_now(queue->platform);
    if (!queue->timeline.drain) // the library's own: what is found there is no failure of its tasks
        return;
    while (mez_failed(finding = mez_checked_take(queue->platform))) {
        mez_lock_take(&queue->lock);
        mez_queue_keep_error(queue, finding);
        mez_lock_release(&queue->lock);
        mez_error_release(finding);
    }
}

static mez_error take_next(mez_queue *queue)
{
    mez_lock_take(&queue->lock);
    const bool some = handling_left_over(queue) > 0;
    const mez_error error = some ? mez_failures_take(&queue->failures) : mez_ok();
    note_failed(queue, has_for_wait(queue));
    mez_lock_release(&queue->lock);
    return mez_failed(error) ? mez_error_hand_over(error) : error;
}

bool mez_queue_take_error(mez_queue *queue, mez_error *error)
{
    if (!error)
        return false;
    *error = mez_ok();
    if (!queue || mez_process_is_closed())
        return false;
    *error = take_next(queue);
    if (!mez_failed(*error) && mez_companion_of(queue))
        *error = take_next(mez_companion_of(queue));
    if (!mez_failed(*error))
        return false;
    queue->platform->assert_functions->settle(queue->platform);
    return true;
}

void mez_queue_log_unreported(const mez_queue *queue, mez_error error)
{
    if (!mez_platform_has_noted(queue->platform, error))
        mez_log_error(MEZ_TOPIC_QUEUE, error);
}

mez_error mez_queue_add_task_facts(
    mez_error error, const mez_location *where, const mez_queue *queue, const char *debug_name)
{
    if (!mez_failed(error))
        return error;
    if (!mez_error_says_lost(error)) // which names the queue by itself
        error = mez_error_add(error, "queue", "\"%s\"", queue->name);
    if (debug_name)
        error = mez_error_add(error, "task", "\"%s\"", debug_name);
    return mez_error_add_place(error, where);
}

// --- Queues that are abandoned

void mez_queue_abandon(mez_queue *queue, mez_error error)
{
    mez_lock_take(&queue->lock);
    if (!mez_queue_is_abandoned(queue)) {
        queue->why_abandoned = mez_error_retain(mez_error_seal(error));
        mez_queue_slow_down(queue, MEZ_SLOW_ABANDONED);
    }
    mez_lock_release(&queue->lock);
}
