// SPDX-License-Identifier: MIT
//
// The adaptive kind of queue: in order, and either of two others at a time. It is immediate while few tasks come between two waits,
// and batched while many do (docs/performance.md#which-kind-of-queue). It keeps what both kinds do, and gives each task to one of them.
//
// It changes over only while it is idle and nothing refers to either kind, so that there is no order to keep across the change. Who
// waits without the lock reads which tasks there are before asking which kind has them: if the queue has changed over in between, all
// of them have ended.

#include "base/alloc.h"
#include "lists/batched.h"
#include "queue/slow.h"

// These rest on figures of Intel's driver 26.27, where a batch costs about as much as two immediate launches, launches in it included, and
// each further launch in it half of an immediate one.
#define LONG_BURST 4       // tasks between two waits, from which on batches are tried
#define TASKS_TO_PAY 2     // in a batch, on average, below which an immediate list costs less
#define TREND 3            // bursts in a row that change the kind
#define MOST_PATIENCE 1024 // bursts that are left alone, see below

struct mez_adaptive {
    atomic_bool collects; // it is batched; written with the lock held, which guards the rest
    uint32_t lists_lent;  // to users, who fill them: they are of the kind that the queue is now
    uint64_t burst_start; // the newest task when all had ended last
    uint32_t batches;     // of this burst, that were filled and not repeated
    uint32_t trend;       // bursts in a row for which the other kind would have been better
    // Where the device is quicker than the program, batches stay small. Then they are tried again after more and more long bursts.
    uint32_t rest;     // long bursts until then
    uint32_t patience; // what that is next time; 0: batches have been worth while
};

static bool collects(const mez_queue *queue)
{
    return atomic_load_explicit(&queue->adaptive->collects, memory_order_acquire);
}

static const mez_queue_ops *current(const mez_queue *queue)
{
    return collects(queue) ? &mez_batched_queue : &mez_immediate_queue;
}

// --- Changing over. The caller holds the lock, here and below.

static bool is_over(const mez_queue *queue)
{
    const unsigned over = MEZ_SLOW_ABANDONED | MEZ_SLOW_LOST | MEZ_SLOW_DESTROYED | MEZ_SLOW_CLOSED;
    return (atomic_load_explicit(&queue->slow, memory_order_acquire) & over) != 0 ||
           mez_platform_is_lost(queue->platform);
}

// Does anything that is still to be done depend on the kind? All tasks have ended.
static bool may_change(const mez_queue *queue)
{
    return !queue->batched->oldest && !mez_mailboxes_are_open(&queue->mailboxes) &&
           queue->adaptive->lists_lent == 0 && !is_over(queue);
}

static void set_kind(mez_queue *queue, bool to_batched)
{
    atomic_store_explicit(&queue->adaptive->collects, to_batched, memory_order_release);
    queue->list_count = to_batched ? 0 : 1;
    mez_queue_show_list(queue, to_batched ? NULL : queue->lists[0]);
}

static void change_over(mez_queue *queue)
{
    struct mez_adaptive *adaptive = queue->adaptive;
    const bool to_batched = !collects(queue);
    if (!may_change(queue))
        return;
    adaptive->trend = 0;
    if (!to_batched) {
        adaptive->rest = adaptive->patience;
        adaptive->patience = adaptive->patience ? adaptive->patience * 2 : TREND;
        if (adaptive->patience > MOST_PATIENCE)
            adaptive->patience = MOST_PATIENCE;
    }
    set_kind(queue, to_batched);
}

// Would batches have been better for a burst that was immediate?
static bool is_long(struct mez_adaptive *adaptive, uint64_t tasks)
{
    if (tasks < LONG_BURST)
        return false;
    if (adaptive->rest == 0)
        return true;
    adaptive->rest--;
    return false;
}

// Have they been worth while for one that was batched?
static bool has_paid(struct mez_adaptive *adaptive, uint64_t tasks)
{
    if (tasks < (uint64_t)adaptive->batches * TASKS_TO_PAY)
        return false;
    adaptive->patience = 0;
    return true;
}

static void note_burst(mez_queue *queue, uint64_t tasks)
{
    struct mez_adaptive *adaptive = queue->adaptive;
    const bool other = collects(queue) ? !has_paid(adaptive, tasks) : is_long(adaptive, tasks);
    adaptive->batches = 0;
    adaptive->trend = other ? adaptive->trend + 1 : 0;
    if (adaptive->trend >= TREND)
        change_over(queue);
}

// Where there is more to look at than one event has shown, a later wait completes the tasks.
void mez_adaptive_note_wait(mez_queue *queue)
{
    if (mez_immediate_reads_back(queue))
        return;
    mez_queue_take_up_seen(queue);
    if (collects(queue)) // who has waited for an event has retired nothing
        mez_in_flight_reap(queue);
    const uint64_t newest = mez_queue_last_task(queue);
    const uint64_t tasks = newest - queue->adaptive->burst_start;
    if (queue->completed < newest || tasks == 0)
        return;
    queue->adaptive->burst_start = newest;
    note_burst(queue, tasks);
}

// --- Tasks

// The open batch, if tasks have been appended to it: not one that repeats a list, or is a list by itself.
static const mez_batch *filled_batch(const mez_queue *queue)
{
    const mez_batch *open = queue->batched->open;
    if (!open || open->task_count == 0 || open->goes_at_once || mez_repeat_is_whole(&open->repeat))
        return NULL;
    return open;
}

// `filled` was that before.
static void count_batch(mez_queue *queue, const mez_batch *filled)
{
    if (filled && queue->batched->open != filled)
        queue->adaptive->batches++;
}

static mez_error append(mez_queue *queue, const mez_task *task)
{
    const mez_error error = current(queue)->append(queue, task);
    if (task->command->kind == MEZ_COMMAND_LIST && *task->command->list.taken)
        queue->adaptive->lists_lent--;
    return error;
}

static mez_error appended(mez_queue *queue)
{
    if (!collects(queue)) {
        mez_handling_watch(queue);
        return mez_ok();
    }
    const mez_batch *filled = filled_batch(queue);
    const mez_error error = mez_batched_queue.appended(queue);
    count_batch(queue, filled);
    return error;
}

static mez_error flush(mez_queue *queue, uint64_t task)
{
    if (!collects(queue))
        return mez_ok();
    const mez_batch *filled = filled_batch(queue);
    const mez_error error = mez_batched_queue.flush(queue, task);
    count_batch(queue, filled);
    return error;
}

static uint64_t crowded(mez_queue *queue)
{
    return collects(queue) ? mez_batched_queue.crowded(queue) : 0;
}

static mez_error before_setting(mez_queue *queue)
{
    return collects(queue) ? mez_batched_queue.before_setting(queue) : mez_ok();
}

static void catch_up(mez_queue *queue)
{
    if (!collects(queue))
        mez_immediate_queue.catch_up(queue);
}

static mez_error take_list(mez_queue *queue, mez_batch **batch)
{
    const mez_error error = current(queue)->take_list(queue, batch);
    if (!mez_failed(error))
        queue->adaptive->lists_lent++;
    return error;
}

static void give_list(mez_queue *queue, mez_batch *batch)
{
    queue->adaptive->lists_lent--;
    current(queue)->give_list(queue, batch);
}

static uint64_t look(mez_queue *queue)
{
    return current(queue)->look(queue);
}

static bool find_stuck(mez_queue *queue, mez_stuck *stuck)
{
    return current(queue)->find_stuck(queue, stuck);
}

// --- Waits, without the lock

void mez_adaptive_end_wait(mez_queue *queue)
{
    mez_lock_take(&queue->lock);
    mez_adaptive_note_wait(queue);
    mez_lock_release(&queue->lock);
}

static mez_error wait_for_batches(mez_queue *queue, uint64_t task, mez_deadline deadline)
{
    mez_lock_take(&queue->lock);
    const mez_error error = flush(queue, task);
    mez_lock_release(&queue->lock);
    return mez_failed(error) ? error : mez_batched_queue.wait(queue, task, deadline);
}

// `newest` is read before it is asked which kind the queue is.
static mez_error wait_by_kind(mez_queue *queue, uint64_t task, mez_deadline deadline)
{
    const uint64_t newest = mez_timeline_submitted(&queue->timeline);
    return collects(queue) ? wait_for_batches(queue, task, deadline)
                           : mez_immediate_wait_up_to(queue, newest, deadline);
}

// A look at the queue by the completion thread says nothing of where a burst ends; one at the newest event does (settle).
static mez_error wait_for_task(mez_queue *queue, uint64_t task, mez_deadline deadline)
{
    mez_error error = mez_ok();
    if (mez_timeline_completed(&queue->timeline) < task)
        error = wait_by_kind(queue, task, deadline);
    if (deadline != MEZ_PAST)
        mez_adaptive_end_wait(queue);
    return error;
}

static mez_error settle(mez_queue *queue, uint64_t task, mez_deadline deadline)
{
    const mez_error error = current(queue)->settle(queue, task, deadline);
    if (task == mez_timeline_submitted(&queue->timeline))
        mez_adaptive_end_wait(queue);
    return error;
}

// --- The queue

static mez_error init_kinds(mez_queue *queue)
{
    MEZ_TRY(mez_batched_queue.init(queue));
    const mez_error error = mez_immediate_queue.init(queue);
    if (mez_failed(error))
        mez_batched_queue.finish(queue);
    return error;
}

// Either kind's lists signal its events, so they are not counter-based, which only lists in order could signal.
static mez_error init(mez_queue *queue)
{
    const unsigned sort = queue->event_sort;
    queue->adaptive = mez_new(struct mez_adaptive);
    if (!queue->adaptive)
        return mez_error_no_memory("a queue");
    const mez_error error = init_kinds(queue);
    if (mez_failed(error)) {
        mez_free_memory(queue->adaptive);
        queue->adaptive = NULL;
    }
    queue->event_sort = sort;
    return error;
}

// First what may have tasks, which a lost device leaves.
static void finish(mez_queue *queue)
{
    const mez_queue_ops *first = current(queue);
    const bool batched_first = first == &mez_batched_queue;
    first->finish(queue);
    (batched_first ? &mez_immediate_queue : &mez_batched_queue)->finish(queue);
    mez_free_memory(queue->adaptive);
    queue->adaptive = NULL;
}

const mez_queue_ops mez_adaptive_queue = {
    .name = "adaptive",
    .init = init,
    .finish = finish,
    .crowded = crowded,
    .before_setting = before_setting,
    .append = append,
    .appended = appended,
    .flush = flush,
    .catch_up = catch_up,
    .wait = wait_for_task,
    .settle = settle,
    .take_list = take_list,
    .give_list = give_list,
    .look = look,
    .find_stuck = find_stuck,
};
