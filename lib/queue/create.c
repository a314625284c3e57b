// SPDX-License-Identifier: MIT
//
// Making and destroying queues: those of the user, those of the library's own, and companions. Where making one fails the rest is
// left to mez_queue_unref.

#include "queue/queue.h"

#include <time.h>

#include "base/alloc.h"
#include "base/process.h"
#include "base/text.h"
#include "base/version.h"
#include "device/assert_policy.h"
#include "device/platform.h"
#include "queue/slow.h"
#include "queue/companion.h"
#include "completion/completion.h"
#include "queue/errors.h"
#include "queue/traced.h"
#include "traced_calls.h"

static mez_error choose_policy(mez_queue *queue, const mez_queue_params *params)
{
    mez_platform *platform = queue->platform;
    const mez_assert_policies *policies = &platform->assert_policies;
    MEZ_TRY(mez_assert_params_resolve(
        &params->asserts, &policies->params, &policies->override, &queue->asserts));
    mez_platform_note_asserts(platform, &queue->asserts);
    return mez_ok();
}

// Its kind has been chosen.
static void describe_events(mez_queue *queue)
{
    queue->events.sort = queue->event_sort;
    queue->device_events.sort = queue->event_sort | MEZ_EVENT_DEVICE;
    queue->events.handed_over = queue->device_events.handed_over = !queue->ops->flush;
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
    mez_mailboxes_init(&queue->mailboxes, queue->platform, queue->asserts.limit > 1);
    MEZ_TRY(queue->ops->init(queue));
    describe_events(queue);
    return mez_ok();
}

static void init_cache(mez_queue *queue, mez_event_cache *cache)
{
    cache->platform = queue->platform;
    cache->source = &mez_queue_source;
    cache->owner = queue;
    cache->device = queue->device;
    mez_event_cache_init(cache);
}

static void init_events(mez_queue *queue)
{
    init_cache(queue, &queue->events);
    init_cache(queue, &queue->device_events);
    mez_task_references_init(&queue->references);
    mez_used_kernels_init(&queue->kernels);
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

// The look that memory took may be over: with the queue's lock held no task comes meanwhile.
static bool let_timeline_doze(mez_timeline *timeline)
{
    mez_queue *queue = queue_of(timeline);
    if (!mez_lock_try(&queue->lock))
        return false;
    const bool idle = !mez_timeline_may_be_busy(timeline);
    if (idle) {
        queue->dozes = true;
        mez_queue_slow_down(queue, MEZ_SLOW_DOZES);
    }
    mez_lock_release(&queue->lock);
    return idle;
}

void mez_queue_wake(mez_queue *queue)
{
    queue->dozes = false;
    mez_queue_speed_up(queue, MEZ_SLOW_DOZES);
    mez_timeline_wake(queue->platform, &queue->timeline);
}

static void drain_timeline(mez_timeline *timeline, const mez_location *where)
{
    mez_queue_wait_and_log(where, queue_of(timeline));
}

static void add_timeline(
    mez_queue *queue, void (*drain)(mez_timeline *timeline, const mez_location *where))
{
    queue->timeline.look = look_at_timeline;
    queue->timeline.drain = drain;
    queue->timeline.doze = let_timeline_doze;
    mez_timeline_add(queue->platform, &queue->timeline);
}

static void be_lost(mez_object *object)
{
    mez_queue_slow_down((mez_queue *)((char *)object - offsetof(mez_queue, object)), MEZ_SLOW_LOST);
}

// In a child of fork() whoever had the lock is not there. Without lists no argument is set.
static void be_closed(mez_object *object)
{
    mez_queue *queue = (mez_queue *)((char *)object - offsetof(mez_queue, object));
    mez_queue_slow_down(queue, MEZ_SLOW_CLOSED);
    if (atomic_load(&mez_process) == MEZ_PROCESS_FORKED)
        queue->lock = (mez_lock){0};
    if (mez_lock_try(&queue->lock)) {
        queue->list_count = 0;
        mez_lock_release(&queue->lock);
    }
}

static void add_to_platform(mez_queue *queue, const mez_location *where)
{
    queue->object.lost = be_lost;
    queue->object.close = be_closed;
    mez_object_add(queue->platform, &queue->object, MEZ_OBJECT_QUEUE, queue->name);
    mez_object_set_place(queue->platform, &queue->object, where);
    if (mez_platform_is_lost(queue->platform)) // before `lost` could be called
        mez_queue_slow_down(queue, MEZ_SLOW_LOST);
    if (mez_process_is_closed()) // the same
        be_closed(&queue->object);
    add_timeline(queue, drain_timeline);
}

// What was chosen, and what the user left to us.
static void log_creation(const mez_queue *queue, const mez_queue_params *params)
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
    queue->hooks = &platform->assert_functions->hooks;
    init_events(queue);
    return queue;
}

// One that the user has not named is distinguished from the context's others by its number.
static char *copy_name(mez_platform *platform, const char *debug_name)
{
    const unsigned number = atomic_fetch_add(&platform->queues->made, 1) + 1;
    return debug_name ? mez_copy_string(debug_name) : mez_print_string("queue #%u", number);
}

static mez_error queue_create(const mez_location *where, mez_context *context,
    const mez_queue_params *params, mez_queue **created)
{
    mez_platform *platform = mez_platform_of(context);
    mez_device *device;
    MEZ_TRY_RESERVED(mez_queue_params, params);
    MEZ_TRY_RESERVED(mez_error_handler, &params->on_error);
    MEZ_TRY(mez_platform_device(platform, params->device, &device));
    mez_queue *queue = new_queue(platform, device);
    if (!queue)
        return mez_error_no_memory("a queue");
    queue->event_sort = params->profiling ? MEZ_EVENT_TIMED : 0;
    queue->discard_events = params->discard_events;
    queue->name = copy_name(platform, params->debug_name);

    if (platform->queues->validates)
        mez_queue_slow_down(queue, MEZ_SLOW_VALIDATED);
    const mez_error error = queue_init(queue, params);
    if (mez_failed(error)) {
        mez_queue_unref(queue);
        return mez_platform_note_loss(platform, error);
    }
    add_to_platform(queue, where);
    log_creation(queue, params);
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

MEZ_TRACED_CALL(mez_queue_create, create)

mez_error mez_queue_create_at(const mez_location *where, mez_context *context,
    const mez_queue_params *params, mez_queue **queue)
{
    MEZ_REQUIRE(queue, where);
    *queue = NULL;
    MEZ_REQUIRE(context, where);
    MEZ_TRACE_CALL(mez_queue_create, where, create, where, context, params, queue);
}

// --- Queues of the library's own

// Its kind has been chosen.
static mez_error hidden_init(mez_queue *queue, const mez_engine *engine, const char *name)
{
    queue->engine = engine;
    queue->name = mez_copy_string(name);
    if (!queue->name)
        return mez_error_no_memory("a queue's name");
    MEZ_TRY(queue->ops->init(queue));
    describe_events(queue);
    return mez_ok();
}

// Takes over a queue that is made to be like another one, or by itself.
static mez_error open_hidden(
    mez_queue *queue, const mez_engine *engine, const char *name, mez_queue **opened)
{
    const mez_error error = hidden_init(queue, engine, name);
    if (mez_failed(error)) {
        mez_queue_unref(queue);
        return error;
    }
    add_timeline(queue, NULL);
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

static mez_error create_companion(const mez_queue *queue, mez_queue **created)
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
    companion->ops = queue->ops;
    mez_error error = mez_handling_share(companion, queue);
    if (mez_failed(error)) {
        mez_queue_unref(companion);
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

// --- The end

// It can't end before the function has returned, and the function not before it has ended.
static bool is_in_own_host_task(mez_queue *queue)
{
    return mez_completion_serves(queue->platform->completion, queue) && queue->deferred.running;
}

// Lets nobody in any more, and waits until all have left. What they wait for has happened, so that they need no more than a few
// instructions, or a look at what has ended: not worth a wake.
static void close_waiters(mez_waiters *waiters)
{
    static const struct timespec moment = {.tv_nsec = 10000};
    atomic_fetch_or_explicit(waiters, MEZ_WAITERS_CLOSED, memory_order_acquire);
    while (atomic_load_explicit(waiters, memory_order_acquire) != MEZ_WAITERS_CLOSED)
        nanosleep(&moment, NULL);
}

// It has been waited for.
static void queue_finish(mez_queue *queue)
{
    const bool lost = mez_platform_is_lost(queue->platform);
    if (!lost)
        mez_timeline_remove(queue->platform, &queue->timeline);
    close_waiters(&queue->waiters);
    if (MEZ_TRACED(queue->traced))
        mez_traced_close(queue);
    queue->ops->finish(queue);
    if (lost)
        mez_timeline_remove(queue->platform, &queue->timeline);
    mez_lock_take(&queue->lock); // another queue may report which of our tasks it waits for
    mez_queue_slow_down(queue, MEZ_SLOW_DESTROYED);
    mez_task_references_finish(&queue->references);
    mez_mailboxes_finish(&queue->mailboxes);
    mez_lock_release(&queue->lock);
    mez_kernel_uses_destroy_of_queue(queue->platform, &queue->kernels.all);
    mez_kernel_uses_destroy_of_queue(queue->platform, &queue->kernels.prepared);
    mez_used_kernels_finish(&queue->kernels);
    mez_event_cache_close(&queue->events);
    mez_event_cache_close(&queue->device_events);
}

static void log_end(
    mez_log_level level, const mez_location *where, const mez_queue *queue, const char *what)
{
    mez_text place = {0};
    mez_place_describe_end(where, &place);
    if (mez_log_shows(MEZ_TOPIC_QUEUE, level))
        mez_log_write(
            MEZ_TOPIC_QUEUE, level, "queue \"%s\" %s%-s", queue->name, what, mez_text_get(&place));
    mez_text_finish(&place);
}

// It keeps its reference of the context, and stays where leak checkers find it.
static void leave_to_the_device(const mez_location *where, mez_queue *queue)
{
    static _Atomic(mez_queue *) left;
    queue->next_left = atomic_load(&left);
    while (!atomic_compare_exchange_weak(&left, &queue->next_left, queue))
        ;
    log_end(MEZ_LOG_WARN, where, queue,
        "hangs: what the device uses for it stays until the process ends");
}

MEZ_TRACE_BODY void destroy(const mez_location *where, mez_queue **destroyed)
{
    mez_queue *queue = *destroyed;
    if (is_in_own_host_task(queue)) {
        log_end(
            MEZ_LOG_ERROR, where, queue, "can't be destroyed by its own host task, and was not");
        return;
    }
    *destroyed = NULL;
    // Says what it waits for, which the next call would not; a host function must not wait here.
    if (mez_timeline_defers(&queue->timeline))
        mez_error_ignore(mez_queue_wait_for_deferred(queue, MEZ_NEVER));
    // Host tasks, where this thread runs them.
    mez_completion_forget(queue->platform->completion, queue);
    do
        mez_queue_wait_and_log(where, queue);
    while (mez_handling_finish_calls(queue));
    if (mez_process_is_closed()) // the program has begun to end meanwhile, and with it the driver
        return;
    mez_handling_end(queue);
    mez_object_remove(queue->platform, &queue->object);
    if (mez_queue_is_abandoned(queue)) {
        leave_to_the_device(where, queue);
        return;
    }
    if (MEZ_TRACED(queue->traced))
        mez_traced_leave_companion(queue);
    if (mez_companion_of(queue))
        mez_queue_destroy_hidden(mez_companion_of(queue));
    MEZ_PROBE(queue__destroy, queue);
    queue_finish(queue);
    mez_queue_unref(queue);
}

MEZ_TRACED_CALL(mez_queue_destroy, destroy)

void mez_queue_destroy_at(const mez_location *where, mez_queue **queue)
{
    MEZ_TRACE_DESTROY(mez_queue_destroy, where, destroy, queue);
}

void mez_queue_destroy_hidden(mez_queue *companion)
{
    queue_finish(companion);
    mez_queue_unref(companion);
}

mez_error mez_companion_make(mez_queue *queue)
{
    if (mez_companion_of(queue))
        return mez_ok();
    mez_queue *made = NULL, *none = NULL;
    MEZ_TRY(create_companion(queue, &made));
    if (!atomic_compare_exchange_strong(&queue->companion, &none, made))
        mez_queue_destroy_hidden(made); // somebody else was faster
    return mez_ok();
}
