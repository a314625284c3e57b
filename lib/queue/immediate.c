// SPDX-License-Identifier: MIT
//
// The immediate kinds of queue: each task goes to the driver as it is submitted, through one immediate list.
//
//   immediate  the list completes in order and can be waited for: drivers since specification 1.7
//   basic      any driver: order is our barrier between tasks, and waiting is a barrier that signals an event

#include "base/alloc.h"
#include "event/slab.h"
#include "queue/completion.h"
#include "queue/detour.h"
#include "queue/probe.h"

struct mez_immediate {
    ze_command_list_handle_t list;
    bool in_order;       // by the driver
    atomic_bool probing; // there are probes in flight; read without the lock
    mez_probe *oldest;   // in order of their tasks
    mez_probe *newest;
    mez_probe *spare;
    mez_detours detours; // for lists that users fill
    // The newest barrier of a wait that has not ended, and its number: who waits again waits for it and appends no other.
    mez_event *drain; // referenced; NULL: none
    uint64_t drain_task;
};

static mez_error create_list(mez_queue *queue, struct mez_immediate *immediate)
{
    const ze_command_queue_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
        .ordinal = queue->device->compute_ordinal,
        .flags = immediate->in_order ? MEZ_ZE_COMMAND_QUEUE_FLAG_IN_ORDER : 0,
        .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
        .priority = ZE_COMMAND_QUEUE_PRIORITY_NORMAL,
    };
    return ZE(zeCommandListCreateImmediate, queue->platform->ze, queue->device->ze, &description,
        &immediate->list);
}

static mez_error init(mez_queue *queue, bool in_order)
{
    struct mez_immediate *immediate = mez_new(struct mez_immediate);
    if (!immediate)
        return mez_error_no_memory("a queue");
    immediate->in_order = in_order;
    mez_platform_count(queue->platform, MEZ_OBJECT_COMMAND_LIST);
    const mez_error error = create_list(queue, immediate);
    if (mez_failed(error)) {
        mez_platform_uncount(queue->platform, MEZ_OBJECT_COMMAND_LIST);
        mez_free_memory(immediate);
    } else {
        queue->immediate = immediate;
        mez_queue_show_in_order_list(queue, in_order ? immediate->list : NULL);
    }
    return error;
}

static mez_error in_order_init(mez_queue *queue)
{
    return init(queue, true);
}

static mez_error basic_init(mez_queue *queue)
{
    return init(queue, false);
}

static void give_probe(struct mez_immediate *immediate, mez_probe *probe)
{
    probe->next = immediate->spare;
    immediate->spare = probe;
}

// A probe of its own for one task; the batched kind shares one among many. NULL: no memory.
static mez_probe *take_probe(mez_queue *queue)
{
    mez_probe *probe = queue->immediate->spare;
    if (probe)
        queue->immediate->spare = probe->next;
    else
        probe = mez_new(mez_probe);
    if (!probe)
        return NULL;
    probe->next = NULL;
    probe->queue = queue;
    probe->module_count = 0;
    if (!mez_failed(mez_probe_reserve(probe)))
        return probe;
    give_probe(queue->immediate, probe);
    return NULL;
}

static mez_error append_command(mez_queue *queue, const mez_task *task)
{
    const struct mez_immediate *immediate = queue->immediate;
    if (!immediate->in_order && mez_queue_last_task(queue) > queue->completed &&
        mez_task_needs_barrier(queue, task))
        MEZ_TRY(ZE(zeCommandListAppendBarrier, immediate->list, NULL, 0, NULL));
    return mez_command_append(task->command, immediate->list, task->event ? task->event->ze : NULL,
        task->wait_count, task->ze_wait);
}

static void add_probe(struct mez_immediate *immediate, mez_probe *probe, uint64_t task)
{
    probe->last_task = task;
    atomic_store_explicit(&immediate->probing, true, memory_order_relaxed);
    if (immediate->newest)
        immediate->newest->next = probe;
    else
        immediate->oldest = probe;
    immediate->newest = probe;
}

static mez_error append_asserting(mez_queue *queue, const mez_task *task, mez_module *module)
{
    struct mez_immediate *immediate = queue->immediate;
    mez_probe *probe = take_probe(queue);
    if (!probe)
        return mez_error_no_memory("an assert's record");
    mez_probe_add(probe, module);
    mez_error error = append_command(queue, task);
    if (mez_failed(error)) {
        give_probe(immediate, probe);
        return error;
    }
    mez_queue_count_task(queue);
    add_probe(immediate, probe, mez_queue_last_task(queue));
    error = queue->platform->probe_hooks->append(probe, immediate->list);
    if (mez_failed(error)) { // the kernel runs; only its assert will not be heard
        probe->module_count = 0;
        mez_queue_keep_error(queue, error);
    }
    mez_completion_watch(queue->platform->completion, queue, mez_queue_last_task(queue));
    return mez_ok();
}

static mez_error take_list(mez_queue *queue, mez_batch **batch)
{
    return mez_detours_take(queue, &queue->immediate->detours, batch);
}

static void give_list(mez_queue *queue, mez_batch *batch)
{
    mez_detours_give(&queue->immediate->detours, batch);
}

static mez_error append_list(mez_queue *queue, const mez_task *task)
{
    struct mez_immediate *immediate = queue->immediate;
    return mez_detours_run(queue, &immediate->detours, immediate->list, task->command->list.batch,
        task->event ? task->event->ze : NULL, task->command->list.taken);
}

static mez_error append(mez_queue *queue, const mez_task *task)
{
    if (task->command->kind == MEZ_COMMAND_LIST)
        return append_list(queue, task);
    mez_module *module = mez_command_asserting_module(task->command);
    if (module)
        return append_asserting(queue, task, module);
    MEZ_TRY(append_command(queue, task));
    mez_queue_count_task(queue);
    return mez_ok();
}

static void look(mez_queue *queue, mez_probe *probe, mez_error outcome)
{
    if (!mez_failed(outcome) && probe->module_count > 0)
        outcome = queue->platform->probe_hooks->look(probe);
    if (mez_failed(outcome))
        mez_queue_keep_error(queue, outcome);
}

static void forget_drain(struct mez_immediate *immediate)
{
    mez_event_unref(immediate->drain);
    immediate->drain = NULL;
}

// The caller holds the lock.
static void complete(mez_queue *queue, uint64_t task, mez_error outcome)
{
    struct mez_immediate *immediate = queue->immediate;
    while (immediate->oldest && immediate->oldest->last_task <= task) {
        mez_probe *probe = immediate->oldest;
        immediate->oldest = probe->next;
        if (!immediate->oldest)
            immediate->newest = NULL;
        look(queue, probe, outcome);
        give_probe(immediate, probe);
    }
    atomic_store_explicit(&immediate->probing, immediate->oldest != NULL, memory_order_relaxed);
    if (immediate->drain && immediate->drain_task <= task)
        forget_drain(immediate);
    mez_queue_complete(queue, task, outcome);
}

static mez_error wait_for_list(mez_queue *queue, mez_deadline deadline)
{
    return mez_wait_list(&queue->platform->caps.newer, queue->immediate->list, deadline);
}

// Appends a barrier that signals an event when everything before it has ended. It counts as a task, so that the event is kept
// until it has happened. The caller holds the lock.
static mez_error append_drain(mez_queue *queue)
{
    struct mez_immediate *immediate = queue->immediate;
    mez_event *event;
    MEZ_TRY(mez_event_create(queue->platform, false, &event));
    mez_error error = mez_kept_reserve(&queue->kept, 1);
    if (!mez_failed(error))
        error = ZE(zeCommandListAppendBarrier, immediate->list, event->ze, 0, NULL);
    if (mez_failed(error)) {
        mez_event_unref(event);
        return error;
    }
    forget_drain(immediate);
    immediate->drain = event;
    immediate->drain_task = mez_queue_count_task(queue);
    mez_kept_add(&queue->kept, immediate->drain_task, event, true);
    return error;
}

// An event, referenced, that happens when everything up to `task` has ended; `task` becomes the number up to which it tells.
static mez_error take_drain(mez_queue *queue, uint64_t *task, mez_event **event)
{
    struct mez_immediate *immediate = queue->immediate;
    mez_lock_take(&queue->lock);
    const bool covered = immediate->drain && immediate->drain_task >= *task;
    const mez_error error = covered ? mez_ok() : append_drain(queue);
    if (!mez_failed(error)) {
        *event = immediate->drain;
        *task = immediate->drain_task;
        mez_event_ref(*event);
    }
    mez_lock_release(&queue->lock);
    return error;
}

static mez_error wait_by_event(mez_queue *queue, uint64_t *task, mez_deadline deadline)
{
    mez_event *event;
    MEZ_TRY(take_drain(queue, task, &event));
    const mez_error error = mez_wait_event(event->ze, deadline);
    mez_event_unref(event);
    return error;
}

static mez_error wait_for_task(mez_queue *queue, uint64_t task, mez_deadline deadline)
{
    if (mez_timeline_completed(&queue->timeline) >= task)
        return mez_ok();
    const bool in_order = queue->immediate->in_order;
    uint64_t reached = in_order ? mez_timeline_submitted(&queue->timeline) : task;
    const mez_error outcome =
        in_order ? wait_for_list(queue, deadline) : wait_by_event(queue, &reached, deadline);
    if (mez_failed(outcome) && !mez_error_is(outcome, MEZ_ERRC_DEVICE_LOST))
        return outcome;
    mez_lock_take(&queue->lock);
    complete(queue, reached, outcome);
    mez_lock_release(&queue->lock);
    return outcome;
}

static bool is_drained(const struct mez_immediate *immediate)
{
    return immediate->drain && !mez_failed(mez_wait_event(immediate->drain->ze, MEZ_PAST));
}

// A program may wait for nothing but events of other queues, for days. So a barrier now and then tells what has ended.
static void catch_up(mez_queue *queue)
{
    struct mez_immediate *immediate = queue->immediate;
    if (is_drained(immediate))
        complete(queue, immediate->drain_task, mez_ok());
    if (!immediate->drain)
        mez_log_error(MEZ_TOPIC_QUEUE, append_drain(queue));
}

// The event says that its task has ended, and with it all before where there is an order. Without asserts that is all there is to tell.
static mez_error settle(mez_queue *queue, uint64_t task, mez_deadline deadline)
{
    if (atomic_load_explicit(&queue->immediate->probing, memory_order_relaxed))
        return wait_for_task(queue, task, deadline);
    if (queue->in_order && atomic_load_explicit(&queue->seen, memory_order_relaxed) < task)
        atomic_store_explicit(&queue->seen, task, memory_order_release);
    return mez_ok();
}

// The caller holds the lock. Only an in-order list can be asked; of others a barrier may tell.
static uint64_t look_at_list(mez_queue *queue)
{
    const struct mez_immediate *immediate = queue->immediate;
    const mez_ze_newer_functions *newer = &queue->platform->caps.newer;
    if (immediate->in_order && ZE_NEWER_RESULT(newer, zeCommandListHostSynchronize, immediate->list,
                                   0) == ZE_RESULT_SUCCESS)
        return mez_queue_last_task(queue);
    return is_drained(immediate) ? immediate->drain_task : queue->completed;
}

static void abandon(mez_queue *queue)
{
    mez_lock_take(&queue->lock);
    if (queue->completed < mez_queue_last_task(queue)) // only where the device is lost
        complete(queue, mez_queue_last_task(queue),
            mez_error_make(MEZ_ERRC_DEVICE_LOST, "queue \"%s\" was destroyed before its tasks ran",
                queue->name));
    mez_lock_release(&queue->lock);
}

static void finish(mez_queue *queue)
{
    struct mez_immediate *immediate = queue->immediate;
    mez_completion_forget(queue->platform->completion, queue);
    abandon(queue);
    forget_drain(immediate);
    while (immediate->spare) {
        mez_probe *next = immediate->spare->next;
        mez_probe_finish(immediate->spare);
        mez_free_memory(immediate->spare);
        immediate->spare = next;
    }
    ZE_LOGGED(zeCommandListDestroy, immediate->list); // waits for the detours' events
    mez_detours_finish(&immediate->detours);
    mez_platform_uncount(queue->platform, MEZ_OBJECT_COMMAND_LIST);
    mez_free_memory(immediate);
    queue->immediate = NULL;
}

const mez_queue_ops mez_immediate_queue = {
    .name = "immediate",
    .init = in_order_init,
    .finish = finish,
    .append = append,
    .catch_up = catch_up,
    .wait = wait_for_task,
    .settle = settle,
    .take_list = take_list,
    .give_list = give_list,
    .look = look_at_list,
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
    .look = look_at_list,
};
