// SPDX-License-Identifier: MIT

#include "queue/queue.h"

#include "base/alloc.h"
#include "base/text.h"
#include "device/assert_policy.h"
#include "device/lost.h"
#include "memory/memory.h"
#include "queue/companion.h"
#include "queue/completion.h"
#include "queue/give_up.h"
#include "queue/handling.h"
#include "queue/quick.h"
#include "queue/replay.h"
#include "queue/stall.h"
#include "queue/traced.h"
#include "trace/call.h"
#include "trace/span.h"

// That the device is lost has been logged when it was noticed.
static void log_untold(const mez_queue *queue, mez_error error)
{
    if (!mez_platform_has_noted(queue->platform, error))
        mez_log_error(MEZ_TOPIC_QUEUE, error);
}

// What has been noticed since the queue was waited for.
static void log_rest(mez_queue *queue)
{
    for (mez_error error; mez_failed(error = mez_failures_take(&queue->failures));) {
        log_untold(queue, error);
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

void mez_queue_let_go(mez_queue *queue, uint64_t task, mez_error outcome)
{
    mez_kept *kept = &queue->kept;
    if (kept->signalled || kept->count > 0)
        mez_kept_complete(kept, task, outcome);
    mez_replays_complete(queue, task);
    kept->any = kept->signalled || kept->count > 0 || queue->oldest_replay;
}

void mez_queue_complete(mez_queue *queue, uint64_t task, mez_error outcome)
{
    mez_queue_complete_now(queue, task, outcome);
}

void mez_queue_lose(mez_queue *queue, uint64_t first, uint64_t last, mez_error outcome)
{
    if (queue->completed + 1 >= first) // nothing older is in flight
        mez_queue_complete(queue, last, outcome);
    else
        mez_kept_lose(&queue->kept, first, last, outcome);
}

static mez_error choose_policy(mez_queue *queue, const mez_queue_params *params)
{
    mez_platform *platform = queue->platform;
    MEZ_TRY(mez_assert_params_resolve(
        &params->asserts, &platform->assert_params, &platform->assert_override, &queue->asserts));
    mez_platform_note_asserts(platform, &queue->asserts);
    return mez_ok();
}

static mez_error queue_init(mez_queue *queue, const mez_queue_params *params)
{
    if (!queue->name)
        return mez_error_no_memory("a queue's name");
    if (params->order > MEZ_OUT_OF_ORDER)
        return mez_error_make(
            MEZ_ERRC_INVALID_PARAMETER, "queue order %d does not exist", (int)params->order);
    queue->in_order = params->order == MEZ_IN_ORDER;
    MEZ_TRY(choose_policy(queue, params));
    MEZ_TRY(mez_queue_choose_engine(queue, params));
    MEZ_TRY(
        mez_queue_choose_kind(&queue->platform->caps, params->kind, queue->in_order, &queue->ops));
    MEZ_TRY(mez_handling_create(queue, &params->on_error));
    MEZ_TRY(queue->ops->init(queue));
    mez_handling_begin(queue);
    queue->events.sort = queue->event_sort;
    return mez_ok();
}

static void init_events(mez_queue *queue)
{
    queue->events.platform = queue->platform;
    queue->events.source = &mez_queue_source;
    queue->events.owner = queue;
    queue->events.device = queue->device;
    mez_event_cache_init(&queue->events);
    mez_kept_init(&queue->kept);
}

static mez_queue *queue_of(mez_timeline *timeline)
{
    return (mez_queue *)((char *)timeline - offsetof(mez_queue, timeline));
}

static uint64_t look_at_timeline(mez_timeline *timeline)
{
    mez_queue *queue = queue_of(timeline);
    if (mez_platform_is_lost(queue->platform) || !mez_lock_try(&queue->lock))
        return mez_timeline_completed(timeline);
    const uint64_t task = queue->ops->look(queue);
    mez_lock_release(&queue->lock);
    return task;
}

// First what has no number yet.
static mez_error wait_until(mez_queue *queue, mez_deadline deadline)
{
    if (mez_timeline_holds(&queue->timeline))
        MEZ_TRY(mez_queue_wait_for_held(queue, deadline));
    return queue->ops->wait(queue, mez_timeline_submitted(&queue->timeline), deadline);
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

// The program's thread waits, but the program has not called for that.
static void wait_and_log(mez_queue *queue)
{
    if (mez_queue_is_given_up(queue))
        return;
    MEZ_PROBE(wait__begin, queue, MEZ_FOREVER);
    mez_error error =
        mez_trace_on(MEZ_TRACE_TASKS) ? wait_for_nobody_traced(queue) : wait_for_nobody(queue);
    MEZ_PROBE(wait__end, queue, error.value);
    do
        log_untold(queue, error);
    while (mez_queue_next_error(queue, &error));
}

static void drain_timeline(mez_timeline *timeline)
{
    wait_and_log(queue_of(timeline));
}

static void add_timeline(mez_queue *queue)
{
    queue->timeline.look = look_at_timeline;
    queue->timeline.drain = drain_timeline;
    mez_timeline_add(queue->platform, &queue->timeline);
}

static void be_lost(mez_object *object)
{
    mez_queue_hide_when_lost((mez_queue *)((char *)object - offsetof(mez_queue, object)));
}

static void add_to_platform(mez_queue *queue, const mez_location *where)
{
    queue->object.lost = be_lost;
    mez_object_add(queue->platform, &queue->object, MEZ_OBJECT_QUEUE, queue->name);
    mez_object_set_place(queue->platform, &queue->object, where);
    mez_queue_hide_when_lost(queue);
    add_timeline(queue);
}

// What was chosen, and what the user left to us.
static void tell_about(const mez_queue *queue, const mez_queue_params *params)
{
    static const char *const priorities[] = {"normal", "low", "high"};
    mez_log(QUEUE, DEBUG, "\"%s\": %s, %s%s, on the %s engine of device \"%s\", priority %s",
        queue->name, queue->in_order ? "in order" : "out of order", queue->ops->name,
        params->kind == MEZ_QUEUE_ANY ? " (chosen)" : "", queue->engine->name,
        queue->device->info.name, priorities[params->priority]);
}

// NULL: no memory.
static mez_queue *new_queue(mez_platform *platform, mez_device *device)
{
    mez_queue *queue = mez_new(mez_queue);
    if (!queue)
        return NULL;
    mez_ref_init(&queue->ref);
    queue->platform = platform;
    mez_platform_ref(platform);
    queue->device = device;
    init_events(queue);
    return queue;
}

// One that the user has not named is told from the context's others by its number.
static char *copy_name(mez_platform *platform, const char *debug_name)
{
    const unsigned number = atomic_fetch_add(&platform->queues_made, 1) + 1;
    return debug_name ? mez_copy_string(debug_name) : mez_print_string("queue #%u", number);
}

static mez_error queue_create(const mez_location *where, mez_context *context,
    const mez_queue_params *params, mez_queue **created)
{
    mez_platform *platform = mez_platform_of(context);
    mez_device *device;
    MEZ_TRY(mez_platform_device(platform, params->device, &device));
    mez_queue *queue = new_queue(platform, device);
    if (!queue)
        return mez_error_no_memory("a queue");
    queue->event_sort = params->profiling ? MEZ_EVENT_TIMED : 0;
    queue->discard_events = params->discard_events;
    queue->name = copy_name(platform, params->debug_name);

    const mez_error error = queue_init(queue, params);
    if (mez_failed(error)) {
        queue_free(queue);
        return mez_platform_note_loss(platform, error);
    }
    add_to_platform(queue, where);
    tell_about(queue, params);
    MEZ_PROBE(queue__create, queue, queue->name, queue->in_order);
    if (mez_trace_on(MEZ_TRACE_TASKS))
        mez_traced_open(queue, where);
    *created = queue;
    return error;
}

MEZ_TRACE_BODY mez_error create(const mez_location *where, mez_context *context,
    const mez_queue_params *params, mez_queue **queue)
{
    static const mez_queue_params defaults;
    return mez_error_add_place(
        queue_create(where, context, params ? params : &defaults, queue), where);
}

MEZ_TRACE_COLD mez_error create_traced(const mez_location *where, mez_context *context,
    const mez_queue_params *params, mez_queue **queue)
{
    MEZ_TRACE_TELL(
        mez_queue_create, where, create(where, context, params, queue), context, params, queue);
}

mez_error mez_queue_create_at(const mez_location *where, mez_context *context,
    const mez_queue_params *params, mez_queue **queue)
{
    MEZ_REQUIRE(queue, where);
    *queue = NULL;
    MEZ_REQUIRE(context, where);
    MEZ_TRACE_CALL(mez_queue_create, where, create, where, context, params, queue);
}

// Its kind has been chosen.
static mez_error hidden_init(mez_queue *queue, const mez_engine *engine, const char *name)
{
    queue->engine = engine;
    queue->name = mez_copy_string(name);
    if (!queue->name)
        return mez_error_no_memory("a queue's name");
    MEZ_TRY(queue->ops->init(queue));
    mez_handling_begin(queue);
    queue->events.sort = queue->event_sort;
    return mez_ok();
}

// Takes over a queue that is made to be like another one, or by itself.
static mez_error open_hidden(
    mez_queue *queue, const mez_engine *engine, const char *name, mez_queue **opened)
{
    const mez_error error = hidden_init(queue, engine, name);
    if (mez_failed(error)) {
        queue_free(queue);
        return error;
    }
    add_timeline(queue);
    *opened = queue;
    return error;
}

mez_error mez_queue_create_hidden(mez_platform *platform, mez_device *device,
    const mez_engine *engine, const char *name, mez_queue **created)
{
    mez_queue *queue = new_queue(platform, device);
    if (!queue)
        return mez_error_no_memory("a queue");
    queue->in_order = true;
    queue->ops = &mez_basic_queue;
    return open_hidden(queue, engine, name, created);
}

mez_error mez_queue_create_companion(const mez_queue *queue, mez_queue **created)
{
    const mez_device *device = queue->device;
    const mez_engine *engine = queue->engine->computes ? &device->copy : &device->compute;
    mez_queue *companion = new_queue(queue->platform, queue->device);
    if (!companion)
        return mez_error_no_memory("a queue");
    companion->priority = queue->priority;
    companion->in_order = queue->in_order;
    companion->asserts = queue->asserts;
    companion->event_sort = queue->event_sort & MEZ_EVENT_TIMED;
    mez_error error = mez_handling_share(companion, queue);
    if (mez_failed(error)) {
        queue_free(companion);
        return error;
    }
    mez_text name = {0};
    mez_text_add(&name, "%s, %s engine", queue->name, engine->name);
    error = open_hidden(companion, engine, mez_text_get(&name), created);
    if (!mez_failed(error))
        mez_log(QUEUE, DEBUG, "\"%s\" is made for \"%s\"", (*created)->name, queue->name);
    mez_text_finish(&name);
    return error;
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

// It can't end before the function has returned, and the function not before it has ended.
static bool is_in_own_host_task(mez_queue *queue)
{
    return mez_completion_serves(queue->platform->completion, queue) && queue->holds.running;
}

// It has been waited for.
static void queue_finish(mez_queue *queue)
{
    const bool lost = mez_platform_is_lost(queue->platform);
    if (!lost)
        mez_timeline_remove(queue->platform, &queue->timeline);
    mez_visitors_close(&queue->visitors);
    if (MEZ_TRACED(queue->traced))
        mez_traced_close(queue);
    queue->ops->finish(queue);
    mez_replays_complete(queue, UINT64_MAX); // those that were lost behind others
    if (lost)
        mez_timeline_remove(queue->platform, &queue->timeline);
    mez_lock_take(&queue->lock); // another queue may tell which of our tasks it waits for
    queue->destroyed = true;
    mez_queue_hide_in_order_list(queue);
    mez_kept_finish(&queue->kept);
    mez_lock_release(&queue->lock);
    mez_kernel_uses_destroy_of_queue(queue->platform, &queue->uses.all);
    mez_kernel_uses_destroy_of_queue(queue->platform, &queue->uses.prepared);
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
    // Host tasks, where this thread runs them.
    mez_completion_forget(queue->platform->completion, queue);
    do
        wait_and_log(queue);
    while (mez_handling_finish_calls(queue));
    mez_handling_end(queue);
    mez_object_remove(queue->platform, &queue->object);
    if (mez_queue_is_given_up(queue)) {
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
    mez_trace_call call;
    mez_trace_call_begin(&call, "mez_queue_destroy", NULL, MEZ_TRACE_ARGUMENTS(queue));
    destroy(destroyed);
    mez_trace_call_end(&call, mez_ok());
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

// Inlined, so that a wait without a timeout pays for none.
static inline mez_error wait_for(mez_queue *queue, uint64_t timeout)
{
    MEZ_REQUIRE(queue, NULL);
    const uint64_t task = mez_timeline_submitted(&queue->timeline);
    const bool quick = mez_quick_fits(queue, NULL); // then it holds nothing
    if (mez_timeline_completed(&queue->timeline) >= task && !mez_queue_has_failed(queue) &&
        !mez_companion_of(queue) && (quick || !mez_timeline_holds(&queue->timeline)))
        return mez_platform_loss(queue->platform);
    const bool alone = timeout == MEZ_FOREVER && quick && !mez_companion_of(queue);
    return alone ? mez_immediate_wait(queue) : wait_for_all(queue, timeout);
}

mez_error mez_queue_wait_quietly(mez_queue *queue, uint64_t timeout)
{
    return wait_for(queue, timeout);
}

static mez_error wait_and_look(mez_queue *queue, uint64_t timeout)
{
    const mez_error error = wait_for(queue, timeout);
    if (!queue || !MEZ_TRACED(queue->traced))
        return error;
    mez_lock_take(&queue->lock);
    mez_traced_look(queue);
    mez_lock_release(&queue->lock);
    return error;
}

MEZ_TRACE_COLD mez_error wait_in_span(mez_queue *queue, uint64_t timeout)
{
    mez_trace_span span;
    mez_trace_span_begin(&span, MEZ_TRACE_WAIT, NULL, "queue.wait", queue);
    const mez_error error = wait_and_look(queue, timeout);
    mez_trace_span_end(&span);
    return error;
}

MEZ_TRACE_COLD mez_error wait_for_traced(mez_queue *queue, uint64_t timeout)
{
    MEZ_TRACE_TELL(mez_queue_wait_for, NULL, wait_in_span(queue, timeout), queue, timeout);
}

MEZ_TRACE_COLD mez_error wait_traced(mez_queue *queue)
{
    MEZ_TRACE_TELL(mez_queue_wait, NULL, wait_in_span(queue, MEZ_FOREVER), queue);
}

mez_error mez_queue_wait_for(mez_queue *queue, uint64_t timeout)
{
    MEZ_PROBE_WAIT_BEGIN(mez_queue_wait_for, queue, timeout);
    if (mez_trace_on(MEZ_TRACE_TASKS))
        return MEZ_PROBE_WAIT_END("mez_queue_wait_for", queue, wait_for_traced(queue, timeout));
    return MEZ_PROBE_WAIT_END("mez_queue_wait_for", queue, wait_for(queue, timeout));
}

mez_error mez_queue_wait(mez_queue *queue)
{
    MEZ_PROBE_WAIT_BEGIN(mez_queue_wait, queue, MEZ_FOREVER);
    if (mez_trace_on(MEZ_TRACE_TASKS))
        return MEZ_PROBE_WAIT_END("mez_queue_wait", queue, wait_traced(queue));
    return MEZ_PROBE_WAIT_END("mez_queue_wait", queue, wait_for(queue, MEZ_FOREVER));
}
