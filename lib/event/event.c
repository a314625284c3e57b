// SPDX-License-Identifier: MIT

#include "event/event.h"

#include "base/alloc.h"
#include "base/process.h"
#include "device/platform.h"
#include "event/pool.h"
#include "trace/graph.h"
#include "traced_calls.h"

static void init(mez_event *event)
{
    event->cache = NULL;
    event->handed_over = false;
    atomic_store_explicit(&event->source, NULL, memory_order_relaxed);
    event->owner = NULL;
    event->device = NULL;
    event->task = 0;
    event->outcome = mez_ok();
    atomic_init(&event->complete, false);
    atomic_init(&event->deferred, false);
    event->of_host = false;
    event->node = NULL;
    atomic_store_explicit(&event->ref, 1, memory_order_release); // what follows it sees the rest
    mez_platform_count(event->platform, MEZ_OBJECT_EVENT);
}

mez_error mez_event_create(mez_platform *platform, unsigned sort, mez_event **created)
{
    mez_event *event;
    MEZ_TRY(mez_event_slabs_take(platform, sort, NULL, 1, &event));
    init(event);
    *created = event;
    return mez_ok();
}

mez_error mez_event_borrow(mez_platform *platform, ze_event_handle_t ze, mez_event **created)
{
    mez_event *event = mez_new(mez_event);
    if (!event)
        return mez_error_no_memory("an event");
    event->platform = platform;
    event->ze = ze;
    event->borrowed = true;
    init(event);
    *created = event;
    return mez_ok();
}

void mez_event_set_source(
    mez_event *event, const mez_event_source *source, void *owner, const mez_device *device)
{
    event->owner = owner;
    event->device = device;
    atomic_store_explicit(&event->source, source, memory_order_release);
}

static void give_back(mez_event *event)
{
    if (event->borrowed)
        mez_free_memory(event);
    else if (mez_event_slabs_rewind(event))
        mez_event_slabs_give(event);
}

// An event that no cache has lent.
static void finish(mez_event *event)
{
    const mez_event_source *source = event->source;
    void *owner = event->owner;
    mez_error_release(event->outcome);
    if (MEZ_TRACED(event->node))
        mez_trace_node_drop(&event->node);
    mez_platform_uncount(event->platform, MEZ_OBJECT_EVENT);
    give_back(event);
    if (source)
        source->unref(owner);
}

void mez_event_let_go(mez_event *event)
{
    if (event->cache)
        mez_event_cache_give(event);
    else
        finish(event);
}

void mez_event_complete(mez_event *event, mez_error outcome)
{
    event->outcome = mez_error_retain(outcome);
    atomic_store_explicit(&event->complete, true, memory_order_release);
}

mez_error mez_event_add_cause(mez_error error, const mez_event *event)
{
    char headline[256];
    const mez_error cause = event->outcome;
    error = mez_error_add(error, mez_event_is_of_task(event) ? "its task" : "its outcome", "%s: %s",
        mez_error_get_name(cause), mez_error_get_message(cause));
    if (mez_error_get_headline(cause, headline, sizeof headline) > 0)
        error = mez_error_add(error, "because", "%s", headline);
    return error;
}

static mez_error wait_for_task(mez_event *event, mez_deadline deadline)
{
    if (event->sort & MEZ_EVENT_DEVICE)
        return event->source->wait(event->owner, event->task, deadline);
    MEZ_TRY(mez_wait_event(event->ze, deadline, event->source->guard, event->owner));
    return event->source->finished(event->owner, event->task, deadline);
}

static mez_error wait_until(mez_event *event, mez_deadline deadline)
{
    if (mez_event_is_deferred(event))
        MEZ_TRY(event->source->released(event->owner, event, deadline));
    MEZ_TRY(event->source->flush(event->owner, event->task));
    if (mez_event_is_complete(event)) // lost meanwhile: the driver will never signal it
        return event->outcome;
    MEZ_TRY(wait_for_task(event, deadline));
    return mez_event_is_complete(event) ? event->outcome : mez_ok();
}

mez_error mez_event_wait_quietly(mez_event *event, mez_deadline deadline)
{
    return mez_event_is_complete(event) ? event->outcome : wait_until(event, deadline);
}

__attribute__((cold, noinline)) mez_error mez_event_report(mez_event *event, mez_error failure)
{
    if (mez_event_is_complete(event) && mez_error_is(failure, MEZ_ERRC_ASSERT))
        event->source->reported(event->owner, failure);
    return failure;
}

__attribute__((cold, noinline)) static mez_error fail(
    const mez_location *where, mez_event *event, mez_error failure)
{
    return mez_error_add_place(mez_event_report(event, failure), where);
}

// Not inlined: its frame would be paid for by waits for what has happened.
__attribute__((noinline)) static mez_error wait_and_report(
    const mez_location *where, mez_event *event, uint64_t timeout)
{
    const mez_error error = wait_until(event, mez_deadline_after(timeout));
    return mez_failed(error) ? fail(where, event, error) : error;
}

static inline mez_error wait_for(const mez_location *where, mez_event *event, uint64_t timeout)
{
    if (!mez_event_is_complete(event))
        return wait_and_report(where, event, timeout);
    return __builtin_expect(mez_failed(event->outcome), 0) ? fail(where, event, event->outcome)
                                                           : event->outcome;
}

// For tools alone: compilers end the public function by a jump only where it calls wait_for itself.
MEZ_TRACE_COLD mez_error wait_forever(const mez_location *where, mez_event *event)
{
    return wait_for(where, event, MEZ_FOREVER);
}

MEZ_TRACED_SPAN(mez_event_wait, wait_forever, MEZ_TRACE_WAIT, "event.wait")

mez_error mez_event_wait_at(const mez_location *where, mez_event *event)
{
    MEZ_REQUIRE(event, where);
    MEZ_REFUSE_UNTRACED(__func__, where);
    MEZ_PROBE_WAIT_BEGIN(mez_event_wait, where, event, MEZ_FOREVER);
    if (mez_trace_on(MEZ_TRACE_TASKS))
        return MEZ_PROBE_WAIT_END("mez_event_wait", event, wait_forever_traced(where, event));
    return MEZ_PROBE_WAIT_END("mez_event_wait", event, wait_for(where, event, MEZ_FOREVER));
}

MEZ_TRACED_SPAN(mez_event_wait_for, wait_for, MEZ_TRACE_WAIT, "event.wait")

mez_error mez_event_wait_for_at(const mez_location *where, mez_event *event, uint64_t timeout)
{
    MEZ_REQUIRE(event, where);
    MEZ_REFUSE_UNTRACED(__func__, where);
    MEZ_PROBE_WAIT_BEGIN(mez_event_wait_for, where, event, timeout);
    if (mez_trace_on(MEZ_TRACE_TASKS))
        return MEZ_PROBE_WAIT_END(
            "mez_event_wait_for", event, wait_for_traced(where, event, timeout));
    return MEZ_PROBE_WAIT_END("mez_event_wait_for", event, wait_for(where, event, timeout));
}

mez_error mez_event_get_status_at(const mez_location *where, mez_event *event)
{
    MEZ_REQUIRE(event, where);
    MEZ_REFUSE_CLOSED(__func__, where);
    const mez_error error = wait_for(where, event, 0);
    if (!mez_error_is(error, MEZ_ERRC_TIMEOUT))
        return error;
    return (mez_error){.value = MEZ_ERRC_NOT_READY, .origin = MEZ_CATEGORY_DEVICE};
}

// Tools are not notified of it: it is part of most tasks with an event, and does nothing that they would show.
void mez_event_destroy_at(const mez_location *where, mez_event **event)
{
    if (!event || !*event)
        return;
    if (mez_process_is_closed()) {
        *event = NULL;
        return;
    }
    const mez_event_source *source = (*event)->source;
    if (source && source->abandoned)
        source->abandoned((*event)->owner, *event, where);
    mez_event_unref(*event);
    *event = NULL;
}

// --- Times

static mez_error check(const mez_event *event)
{
    if (event->of_host)
        return mez_error_make(MEZ_ERRC_PROFILING, "the event has no times: %s",
            mez_event_is_of_task(event) ? "its task is none of the device's"
                                        : "the program signals it, and no task");
    if (!(event->sort & MEZ_EVENT_TIMED))
        return mez_error_make(MEZ_ERRC_PROFILING,
            "the event has no times: its queue was created without mez_queue_params.profiling");
    const mez_device *device = event->device;
    if (device->clock.resolution == 0)
        return mez_error_make(MEZ_ERRC_PROFILING,
            "device \"%s\" does not say how fast its clock runs", device->info.name);
    return mez_ok();
}

static mez_error get_profile(
    const mez_location *where, mez_event *event, mez_event_profile *profile)
{
    MEZ_TRY(check(event));
    MEZ_TRY(mez_event_get_status_at(where, event));
    ze_kernel_timestamp_result_t times;
    MEZ_TRY(mez_platform_note_loss(
        event->platform, ZE(zeEventQueryKernelTimestamp, event->ze, &times)));
    *profile =
        (mez_event_profile){.start = times.global.kernelStart, .end = times.global.kernelEnd};
    mez_clock_convert(&event->device->clock, &profile->start, &profile->end);
    return mez_ok();
}

mez_error mez_event_get_profile_at(
    const mez_location *where, mez_event *event, mez_event_profile *profile)
{
    MEZ_REQUIRE(event, where);
    MEZ_REQUIRE(profile, where);
    *profile = (mez_event_profile){0};
    MEZ_REFUSE_CLOSED(__func__, where);
    return mez_error_add_place(get_profile(where, event, profile), where);
}

// --- Events without a task

mez_error mez_event_nothing_to_flush(void *owner, uint64_t task)
{
    (void)owner, (void)task;
    return mez_ok();
}

mez_error mez_event_nothing_left(void *owner, uint64_t task, mez_deadline deadline)
{
    (void)owner, (void)task, (void)deadline;
    return mez_ok();
}
