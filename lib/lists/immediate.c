// SPDX-License-Identifier: MIT
//
// The immediate kinds of queue: each task goes to the driver as it is submitted, through an immediate list.
//
//   immediate  the list completes in order and can be waited for: drivers since specification 1.7. A queue out of order has
//              several of them and takes them in turn; a barrier ties them together by events
//   basic      the list has no order, and waiting is a barrier that signals an event. For queues out of order, and not on old
//              drivers: see kind.c

#include "base/alloc.h"
#include "base/list.h"
#include "completion/completion.h"
#include "lists/side_list.h"
#include "lists/crossing.h"
#include "lists/store.h"
#include "queue/quick_path.h"
#include "queue/traced.h"
#include "queue/slow.h"
#include "queue/stall.h"

struct mez_immediate {
    ze_command_list_handle_t lists[MEZ_CROSSED_LISTS]; // of a queue out of order as many, else one
    uint32_t list_count;
    bool ordered; // each list, by the driver
    // Something is to be done when its tasks have ended, as always where the queue is adaptive.
    bool unread;
    // Something is to be looked at then. For those without the lock: with it, the other is cheaper.
    atomic_bool reads_back;
    mez_readback *oldest; // in order of their tasks
    mez_readback *newest;
    mez_readback *spare;
    mez_side_lists side_lists; // for lists that users fill
    // Of the basic kind: happens when all tasks up to this one have ended. NULL: nobody waited lately.
    mez_event *end;
    uint64_t end_task;
    // Of the last barrier across several lists, which may still wait for it. NULL: there was none.
    mez_event *joined;
};

// The driver keeps the order of copies that run on another engine as well.
static bool offloads_copies(const mez_queue *queue)
{
    return queue->any_engine && queue->platform->caps.copy_offload &&
           queue->platform->queues->offloads_copies;
}

static ze_command_queue_desc_t describe_list(const mez_queue *queue, bool ordered)
{
    ze_command_queue_desc_t description = mez_queue_description(queue);
    if (ordered)
        description.flags =
            ZE_NEWER_COMMAND_QUEUE_FLAG_IN_ORDER |
            (offloads_copies(queue) ? ZE_NEWER_COMMAND_QUEUE_FLAG_COPY_OFFLOAD_HINT : 0);
    return description;
}

static mez_error take_lists(mez_queue *queue, struct mez_immediate *immediate, uint32_t count)
{
    const ze_command_queue_desc_t description = describe_list(queue, immediate->ordered);
    while (immediate->list_count < count) {
        MEZ_TRY(mez_list_store_take(queue, &description, &immediate->lists[immediate->list_count]));
        immediate->list_count++;
    }
    return mez_ok();
}

static void give_lists(mez_queue *queue, struct mez_immediate *immediate, bool are_idle)
{
    const ze_command_queue_desc_t description = describe_list(queue, immediate->ordered);
    for (uint32_t i = 0; i < immediate->list_count; i++)
        mez_list_store_give(queue, &description, immediate->lists[i], are_idle);
}

static mez_error init(mez_queue *queue, bool ordered)
{
    struct mez_immediate *immediate = mez_new(struct mez_immediate);
    if (!immediate)
        return mez_error_no_memory("a queue");
    immediate->ordered = ordered;
    immediate->unread = queue->adaptive != NULL;
    const mez_error error =
        take_lists(queue, immediate, ordered && !queue->in_order ? MEZ_CROSSED_LISTS : 1);
    if (mez_failed(error)) {
        give_lists(queue, immediate, true);
        mez_free_memory(immediate);
    } else {
        queue->immediate = immediate;
        queue->several_lists = immediate->list_count > 1;
        queue->lists = ordered ? immediate->lists : NULL;
        queue->list_count = ordered ? immediate->list_count : 0;
        mez_queue_show_list(queue, queue->in_order ? immediate->lists[0] : NULL);
        if (ordered && queue->platform->caps.counter_events)
            queue->event_sort |= MEZ_EVENT_COUNTED;
    }
    return error;
}

static mez_error immediate_init(mez_queue *queue)
{
    return init(queue, true);
}

static mez_error basic_init(mez_queue *queue)
{
    return init(queue, false);
}

void mez_immediate_give_readback(mez_queue *queue, mez_readback *readback)
{
    mez_list_push(&queue->immediate->spare, readback, next);
}

// A readback of its own for one task; the batched kind shares one among many. NULL: no memory.
static mez_readback *take_readback(mez_queue *queue)
{
    mez_readback *readback;
    if (!mez_list_pop(&queue->immediate->spare, readback, next) &&
        !(readback = mez_new(mez_readback)))
        return NULL;
    readback->platform = queue->platform;
    mez_readback_empty(readback);
    if (!mez_failed(mez_readback_reserve(readback)))
        return readback;
    mez_immediate_give_readback(queue, readback);
    return NULL;
}

static ze_command_list_handle_t take_turn(mez_queue *queue)
{
    const struct mez_immediate *immediate = queue->immediate;
    return immediate->lists[queue->turn++ & (immediate->list_count - 1)];
}

static mez_error append_command(
    mez_queue *queue, ze_command_list_handle_t list, const mez_task *task)
{
    const struct mez_immediate *immediate = queue->immediate;
    if (!immediate->ordered && mez_queue_last_task(queue) > queue->completed &&
        mez_task_needs_barrier(queue, task))
        MEZ_TRY(ZE(zeCommandListAppendBarrier, list, NULL, 0, NULL));
    return mez_command_append(
        task->command, list, task->event ? task->event->ze : NULL, task->wait_count, task->ze_wait);
}

// The caller holds the lock.
static inline void expect_reading(struct mez_immediate *immediate)
{
    immediate->unread = true;
    atomic_store_explicit(&immediate->reads_back, true, memory_order_relaxed);
}

static void add_readback(struct mez_immediate *immediate, mez_readback *readback, uint64_t task)
{
    readback->last_task = task;
    expect_reading(immediate);
    mez_fifo_append(&immediate->oldest, &immediate->newest, readback, next);
}

mez_readback *mez_immediate_take_readback(mez_queue *queue, mez_module *module)
{
    mez_readback *readback = take_readback(queue);
    if (readback)
        mez_readback_add(readback, module);
    return readback;
}

void mez_immediate_read_back(
    mez_queue *queue, mez_readback *readback, ze_command_list_handle_t list)
{
    mez_error error = mez_ok();
    if (readback->modules.count > 0)
        error = queue->hooks->append(readback, queue, list);
    if (mez_failed(error)) { // the kernel runs; only its assert will not be reported
        readback->modules.count = 0;
        mez_queue_keep_error(queue, error);
    }
    add_readback(queue->immediate, readback, mez_queue_last_task(queue) + 1);
    mez_queue_watch_newest(queue);
}

void mez_immediate_watch_posts(mez_queue *queue)
{
    struct mez_immediate *immediate = queue->immediate;
    expect_reading(immediate);
    if (!queue->watched)
        mez_queue_watch_newest(queue);
}

static mez_error append_posting(mez_queue *queue, const mez_task *task)
{
    MEZ_TRY(mez_mailboxes_aim(
        &queue->mailboxes, task->command->launch.use, mez_queue_last_task(queue) + 1));
    MEZ_TRY(append_command(queue, take_turn(queue), task));
    mez_immediate_watch_posts(queue);
    mez_queue_count_task(queue);
    return mez_ok();
}

static mez_error append_asserting(mez_queue *queue, const mez_task *task, mez_module *module)
{
    if (task->command->launch.use->posts)
        return append_posting(queue, task);
    mez_readback *readback = mez_immediate_take_readback(queue, module);
    if (!readback)
        return mez_error_no_memory("an assert's record");
    const ze_command_list_handle_t list = take_turn(queue);
    const mez_error error = append_command(queue, list, task);
    if (mez_failed(error)) {
        mez_immediate_give_readback(queue, readback);
        return error;
    }
    mez_immediate_read_back(queue, readback, list);
    mez_queue_count_task(queue);
    return mez_ok();
}

static mez_error take_list(mez_queue *queue, mez_batch **batch)
{
    return mez_side_lists_take(queue, &queue->immediate->side_lists, batch);
}

static void give_list(mez_queue *queue, mez_batch *batch)
{
    mez_side_lists_give(&queue->immediate->side_lists, batch);
}

static mez_error append_list(mez_queue *queue, const mez_task *task)
{
    struct mez_immediate *immediate = queue->immediate;
    return mez_side_lists_run(queue, &immediate->side_lists, take_turn(queue),
        task->command->list.batch, task->event ? task->event->ze : NULL, task->command->list.taken);
}

// Closed lists run in the middle of an immediate one on newer drivers, beside it on others.
static mez_error run_recorded(mez_queue *queue, const mez_task *task)
{
    struct mez_immediate *immediate = queue->immediate;
    const mez_ze_newer_functions *newer = &queue->platform->caps.newer;
    const ze_command_list_handle_t list = take_turn(queue);
    if (!queue->platform->caps.immediate_append)
        return mez_side_lists_replay(queue, &immediate->side_lists, list, task);
    // The recorded list's own barrier is for what stands in it, not for what stands before it here.
    if (!immediate->ordered)
        MEZ_TRY(ZE(zeCommandListAppendBarrier, list, NULL, 0, NULL));
    MEZ_TRY(ZE_NEWER(newer, zeCommandListImmediateAppendCommandListsExp, list, 1,
        &task->command->replay->list, task->event ? task->event->ze : NULL, task->wait_count,
        task->ze_wait));
    mez_queue_count_task(queue);
    return mez_ok();
}

static mez_error append_replay(mez_queue *queue, const mez_task *task)
{
    mez_readback *readback = &task->command->replay->readback;
    MEZ_TRY(run_recorded(queue, task));
    if (mez_readback_wants_watch(readback)) {
        add_readback(queue->immediate, readback, mez_queue_last_task(queue));
        mez_queue_watch_newest(queue);
    }
    return mez_ok();
}

static mez_error append(mez_queue *queue, const mez_task *task)
{
    if (task->command->kind == MEZ_COMMAND_LIST)
        return append_list(queue, task);
    if (task->command->kind == MEZ_COMMAND_REPLAY)
        return append_replay(queue, task);
    mez_module *module = mez_command_asserting_module(task->command);
    if (module)
        return append_asserting(queue, task, module);
    struct mez_immediate *immediate = queue->immediate;
    if (task->command->kind == MEZ_COMMAND_NOTHING && immediate->list_count > 1)
        return mez_crossing_append(queue, task, immediate->lists, &immediate->joined);
    MEZ_TRY(append_command(queue, take_turn(queue), task));
    mez_queue_count_task(queue);
    return mez_ok();
}

// What was posted is there even if the device is lost.
static void look(mez_queue *queue, mez_readback *readback, mez_error outcome)
{
    if (mez_failed(outcome) ? readback->posts : mez_readback_can_fail(readback))
        queue->hooks->look(readback, queue, readback->last_task, readback->last_task);
    if (mez_failed(outcome))
        mez_queue_keep_error(queue, outcome);
}

static void look_at_posts(mez_queue *queue, uint64_t task)
{
    mez_mailboxes *mailboxes = &queue->mailboxes;
    if (mez_mailboxes_are_open(mailboxes))
        queue->hooks->look(&mailboxes->readback, queue, mailboxes->looked + 1, task);
    mez_mailboxes_note_looked(mailboxes, task);
}

static void drop_end(struct mez_immediate *immediate)
{
    mez_event_unref(immediate->end);
    immediate->end = NULL;
}

bool mez_immediate_reads_back(const mez_queue *queue)
{
    return queue->immediate->oldest || mez_mailboxes_are_open(&queue->mailboxes);
}

__attribute__((cold)) static void complete_readbacks(
    mez_queue *queue, uint64_t task, mez_error outcome)
{
    struct mez_immediate *immediate = queue->immediate;
    look_at_posts(queue, task);
    while (immediate->oldest && immediate->oldest->last_task <= task) {
        mez_readback *readback;
        mez_fifo_pop(&immediate->oldest, &immediate->newest, readback, next);
        look(queue, readback, outcome);
        if (!readback->lent)
            mez_immediate_give_readback(queue, readback);
    }
    const bool reads_back = mez_immediate_reads_back(queue);
    immediate->unread = reads_back || queue->adaptive;
    atomic_store_explicit(&immediate->reads_back, reads_back, memory_order_relaxed);
}

// The caller holds the lock.
static inline void complete_in_order(mez_queue *queue, uint64_t task, mez_error outcome)
{
    if (__builtin_expect(queue->immediate->unread, 0))
        complete_readbacks(queue, task, outcome);
    mez_queue_complete_now(queue, task, outcome);
}

// The caller holds the lock.
static void complete(mez_queue *queue, uint64_t task, mez_error outcome)
{
    struct mez_immediate *immediate = queue->immediate;
    if (immediate->end_task <= task)
        drop_end(immediate);
    complete_in_order(queue, task, outcome);
}

static mez_error wait_for_lists(mez_queue *queue, mez_deadline deadline)
{
    const struct mez_immediate *immediate = queue->immediate;
    for (uint32_t i = 0; i < immediate->list_count; i++)
        MEZ_TRY(mez_wait_list(
            &queue->platform->caps.newer, immediate->lists[i], deadline, &mez_queue_guard, queue));
    return mez_ok();
}

// Appends a barrier that signals an event when everything before it has ended. It counts as a task, so that the event is kept
// until it has happened. The caller holds the lock.
static mez_error append_end(mez_queue *queue)
{
    struct mez_immediate *immediate = queue->immediate;
    mez_command nothing = {.kind = MEZ_COMMAND_NOTHING};
    mez_task task = {.command = &nothing};
    MEZ_TRY(mez_event_create(queue->platform, 0, &task.event));
    const mez_error error = append(queue, &task);
    if (mez_failed(error)) {
        mez_event_unref(task.event);
        return error;
    }
    drop_end(immediate);
    immediate->end = task.event;
    immediate->end_task = task.event->task = mez_queue_last_task(queue);
    mez_event_ref(task.event);
    mez_task_references_add_signalled(&queue->references, task.event);
    return error;
}

// An event behind the task, referenced, and how far it reaches. Who looks again and again gets the same one.
static mez_error find_end(mez_queue *queue, uint64_t task, mez_event **event, uint64_t *reached)
{
    const struct mez_immediate *immediate = queue->immediate;
    mez_lock_take(&queue->lock);
    const bool known = immediate->end && immediate->end_task >= task;
    const mez_error error = known ? mez_ok() : append_end(queue);
    if (!mez_failed(error)) {
        *event = immediate->end;
        *reached = immediate->end_task;
        mez_event_ref(*event);
    }
    mez_lock_release(&queue->lock);
    return error;
}

static mez_error wait_by_event(
    mez_queue *queue, uint64_t task, mez_deadline deadline, uint64_t *reached)
{
    mez_event *event;
    MEZ_TRY(find_end(queue, task, &event, reached));
    const mez_error error = mez_wait_event(event->ze, deadline, &mez_queue_guard, queue);
    mez_event_unref(event);
    return error;
}

// A wait for everything up to `newest` is over, unless it failed.
static mez_error end_wait(mez_queue *queue, uint64_t newest, mez_error outcome)
{
    if (mez_failed(outcome) && !mez_error_is(outcome, MEZ_ERRC_DEVICE_LOST))
        return outcome;
    mez_lock_take(&queue->lock);
    complete(queue, newest, outcome);
    mez_lock_release(&queue->lock);
    return outcome;
}

mez_error mez_immediate_wait_up_to(mez_queue *queue, uint64_t newest, mez_deadline deadline)
{
    return end_wait(queue, newest, wait_for_lists(queue, deadline));
}

static mez_error wait_for_task(mez_queue *queue, uint64_t task, mez_deadline deadline)
{
    if (mez_timeline_completed(&queue->timeline) >= task)
        return mez_ok();
    uint64_t newest = mez_timeline_submitted(&queue->timeline); // the wait will have reached it
    if (queue->immediate->ordered)
        return mez_immediate_wait_up_to(queue, newest, deadline);
    const mez_error outcome = wait_by_event(queue, task, deadline, &newest);
    return end_wait(queue, newest, outcome);
}

__attribute__((cold)) static mez_error wait_on(
    const mez_location *where, mez_queue *queue, uint64_t newest, ze_result_t result)
{
    const mez_error outcome = end_wait(queue, newest,
        mez_wait_list_on(&queue->platform->caps.newer, queue->immediate->lists[0], MEZ_NEVER,
            result, &mez_queue_guard, queue));
    if (queue->adaptive)
        mez_adaptive_end_wait(queue);
    return mez_error_add_place(mez_queue_waited(queue, outcome), where);
}

// The caller holds the lock.
__attribute__((cold)) static void complete_unread(mez_queue *queue, uint64_t newest)
{
    complete_readbacks(queue, newest, mez_ok());
    mez_queue_complete(queue, newest, mez_ok());
    if (queue->adaptive)
        mez_adaptive_note_wait(queue);
}

// All has ended, and a failure is kept. Not inlined: its error would take a register of every wait.
__attribute__((cold, noinline)) static mez_error wait_failed(
    const mez_location *where, mez_queue *queue)
{
    return mez_error_add_place(mez_queue_waited(queue, mez_ok()), where);
}

mez_error mez_immediate_wait(const mez_location *where, mez_queue *queue, uint64_t newest)
{
    const ze_result_t result = ZE_NEWER_RESULT(&queue->platform->caps.newer,
        zeCommandListHostSynchronize, queue->immediate->lists[0], MEZ_FIRST_LOOK);
    if (__builtin_expect(result != ZE_RESULT_SUCCESS, 0))
        return wait_on(where, queue, newest, result);
    mez_lock_take(&queue->lock);
    if (__builtin_expect(queue->immediate->unread, 0))
        complete_unread(queue, newest);
    mez_queue_complete_now(queue, newest, mez_ok());
    mez_lock_release(&queue->lock);
    if (__builtin_expect(mez_queue_has_failed(queue), 0))
        return wait_failed(where, queue);
    // The driver has ended this wait well: that a device is lost since is reported by the next one.
    mez_memory_sweep(queue->platform);
    return mez_ok();
}

// The task has ended. False: more may be on its way than it can have posted.
static bool look_at_post(mez_queue *queue, uint64_t task)
{
    mez_lock_take(&queue->lock);
    // For tools, a look is the end of all tasks before it.
    const bool is_all = !queue->immediate->oldest && !MEZ_TRACED(queue->traced);
    if (is_all && task > queue->mailboxes.looked)
        queue->hooks->look(&queue->mailboxes.readback, queue, task, task);
    mez_lock_release(&queue->lock);
    return is_all;
}

static inline void note_seen(mez_queue *queue, uint64_t task)
{
    if (queue->in_order && atomic_load_explicit(&queue->seen, memory_order_relaxed) < task)
        atomic_store_explicit(&queue->seen, task, memory_order_release);
}

__attribute__((noinline)) static mez_error settle_read(
    mez_queue *queue, uint64_t task, mez_deadline deadline)
{
    if (!look_at_post(queue, task))
        return queue->ops->wait(queue, task, deadline);
    note_seen(queue, task);
    return mez_ok();
}

// The event says that its task has ended, and with it all before where there is an order. Without asserts that is all there is to report.
static mez_error settle(mez_queue *queue, uint64_t task, mez_deadline deadline)
{
    if (atomic_load_explicit(&queue->immediate->reads_back, memory_order_relaxed))
        return settle_read(queue, task, deadline);
    note_seen(queue, task);
    return mez_ok();
}

static bool is_at_end(const struct mez_immediate *immediate)
{
    return immediate->end &&
           ZE_RESULT(zeEventHostSynchronize, immediate->end->ze, 0) == ZE_RESULT_SUCCESS;
}

static ze_result_t look_at_list(mez_queue *queue, ze_command_list_handle_t list)
{
    const ze_result_t answer =
        ZE_NEWER_RESULT(&queue->platform->caps.newer, zeCommandListHostSynchronize, list, 0);
    return mez_queue_check_answer(queue, answer, queue->completed + 1, mez_queue_last_task(queue));
}

// The caller holds the lock. Lists in order can be asked; a barrier may show it of all of them.
static uint64_t look_at_lists(mez_queue *queue)
{
    const struct mez_immediate *immediate = queue->immediate;
    for (uint32_t i = 0; i < immediate->list_count; i++)
        if (!immediate->ordered || look_at_list(queue, immediate->lists[i]) != ZE_RESULT_SUCCESS)
            return is_at_end(immediate) ? immediate->end_task : queue->completed;
    return mez_queue_last_task(queue);
}

// Of several lists it may be another task that does not end: then there is nothing in the record, and nothing is reported. What is known
// to have ended, by its event alone perhaps, is none of it: its failure is that of any task.
static bool find_stuck(mez_queue *queue, mez_stuck *stuck)
{
    complete(queue, mez_progress_look(queue), mez_ok());
    mez_readback *readback = queue->immediate->oldest;
    mez_mailboxes *mailboxes = &queue->mailboxes;
    if (readback && mez_readback_wants_watch(readback))
        *stuck = (mez_stuck){readback, readback->last_task, readback->last_task};
    else if (mez_mailboxes_are_open(mailboxes))
        *stuck =
            (mez_stuck){&mailboxes->readback, mailboxes->looked + 1, mez_queue_last_task(queue)};
    else
        return false;
    return true;
}

// A program may wait for nothing but events of other queues, for days. So a barrier now and then shows what has ended.
static void catch_up(mez_queue *queue)
{
    const uint64_t before = queue->completed;
    complete(queue, look_at_lists(queue), mez_ok());
    if (queue->completed == before && !queue->immediate->end)
        mez_log_error(MEZ_TOPIC_QUEUE, append_end(queue));
}

static void abandon(mez_queue *queue)
{
    mez_lock_take(&queue->lock);
    if (queue->completed < mez_queue_last_task(queue)) // only where the device is lost
        complete(queue, mez_queue_last_task(queue), mez_queue_destroyed_early(queue));
    mez_lock_release(&queue->lock);
}

// All tasks have ended; of several lists some may still be in the last barrier.
static void leave_barrier(mez_queue *queue)
{
    struct mez_immediate *immediate = queue->immediate;
    if (immediate->joined && !mez_platform_is_lost(queue->platform))
        mez_log_error(MEZ_TOPIC_QUEUE, wait_for_lists(queue, MEZ_NEVER));
    mez_event_unref(immediate->joined);
    immediate->joined = NULL;
}

static bool are_idle(const mez_queue *queue)
{
    return !mez_platform_is_lost(queue->platform) &&
           mez_timeline_completed(&queue->timeline) >= mez_timeline_submitted(&queue->timeline);
}

static void finish(mez_queue *queue)
{
    struct mez_immediate *immediate = queue->immediate;
    mez_completion_forget(queue->platform->completion, queue);
    abandon(queue);
    drop_end(immediate);
    leave_barrier(queue);
    mez_readback *readback;
    while (mez_list_pop(&immediate->spare, readback, next)) {
        mez_readback_finish(readback);
        mez_free_memory(readback);
    }
    queue->list_count = 0;
    queue->lists = NULL;
    give_lists(queue, immediate, are_idle(queue)); // they wait for the side lists' events
    mez_side_lists_finish(queue, &immediate->side_lists);
    mez_free_memory(immediate);
    queue->immediate = NULL;
}

const mez_queue_ops mez_immediate_queue = {
    .name = "immediate",
    .init = immediate_init,
    .finish = finish,
    .append = append,
    .catch_up = catch_up,
    .wait = wait_for_task,
    .settle = settle,
    .take_list = take_list,
    .give_list = give_list,
    .look = look_at_lists,
    .find_stuck = find_stuck,
};

const mez_queue_ops mez_basic_immediate_queue = {
    .name = "basic immediate",
    .init = basic_init,
    .finish = finish,
    .append = append,
    .catch_up = catch_up,
    .wait = wait_for_task,
    .settle = settle,
    .take_list = take_list,
    .give_list = give_list,
    .look = look_at_lists,
    .find_stuck = find_stuck,
};
