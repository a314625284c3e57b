// SPDX-License-Identifier: MIT
//
// Making queues: those of the user, those of the library's own, and companions. What goes wrong is left to mez_queue_unref.

#include "queue/queue.h"

#include "base/alloc.h"
#include "base/text.h"
#include "device/assert_policy.h"
#include "device/lost.h"
#include "queue/handler.h"
#include "queue/slow.h"
#include "queue/traced.h"
#include "trace/call.h"

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
    mez_task_references_init(&queue->references);
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

static void drain_timeline(mez_timeline *timeline)
{
    mez_queue_wait_and_log(queue_of(timeline));
}

static void add_timeline(mez_queue *queue)
{
    queue->timeline.look = look_at_timeline;
    queue->timeline.drain = drain_timeline;
    mez_timeline_add(queue->platform, &queue->timeline);
}

static void be_lost(mez_object *object)
{
    mez_queue_slow_down((mez_queue *)((char *)object - offsetof(mez_queue, object)), MEZ_SLOW_LOST);
}

static void add_to_platform(mez_queue *queue, const mez_location *where)
{
    queue->object.lost = be_lost;
    mez_object_add(queue->platform, &queue->object, MEZ_OBJECT_QUEUE, queue->name);
    mez_object_set_place(queue->platform, &queue->object, where);
    if (mez_platform_is_lost(queue->platform)) // before `lost` could be called
        mez_queue_slow_down(queue, MEZ_SLOW_LOST);
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
        mez_queue_unref(queue);
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

// --- Queues of the library's own

// Its kind has been chosen.
static mez_error hidden_init(mez_queue *queue, const mez_engine *engine, const char *name)
{
    queue->engine = engine;
    queue->name = mez_copy_string(name);
    if (!queue->name)
        return mez_error_no_memory("a queue's name");
    MEZ_TRY(queue->ops->init(queue));
    queue->events.sort = queue->event_sort;
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
