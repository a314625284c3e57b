// SPDX-License-Identifier: MIT
//
// Waits for several events: for all of them, and for any of them.

#include "event/event.h"

#include <time.h>

#include "traced_calls.h"

#define LONGEST_SLEEP 1000000u // ns
#define SHORTEST_SLEEP 10000u  // ns
// Looks at many events take long: a waiter sleeps so many times as long as it has looked.
#define SLEEPS_PER_LOOK 8

// A wait as it was called.
typedef struct several {
    const char *function;
    const mez_location *where;
    mez_event *const *events;
    size_t count;
    uint64_t timeout;
    bool any;
    size_t *index; // of any; never NULL
} several;

static mez_error timed_out(void)
{
    return (mez_error){.value = MEZ_ERRC_TIMEOUT, .origin = MEZ_CATEGORY_RUNTIME};
}

static bool is_late(mez_error error)
{
    return mez_error_is(error, MEZ_ERRC_TIMEOUT);
}

static mez_error check(const several *wait)
{
    mez_event *const *const events = wait->events;
    if (wait->count > 0)
        MEZ_REQUIRE_OF(wait->function, events, wait->where);
    for (size_t i = 0; i < wait->count; i++)
        if (!events[i])
            return mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "%s: event %zu of %zu is NULL",
                wait->function, i, wait->count);
    if (wait->count > 0 || !wait->any)
        return mez_ok();
    return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
        "%s needs an event: of none, none would happen", wait->function);
}

// --- All

// Before the first wait, so that the devices work at the same time. A failure shows in the wait for the event.
static void hand_over_all(const several *wait)
{
    for (size_t i = 0; i < wait->count; i++) {
        const mez_event *event = wait->events[i];
        if (!mez_event_is_complete(event) && !mez_event_is_deferred(event))
            mez_error_ignore(event->source->flush(event->owner, event->task));
    }
}

// A task that has failed is over, and the others are waited for. A wait that fails by itself ends all of it.
static mez_error wait_for_all(const several *wait)
{
    const mez_deadline deadline = mez_deadline_after(wait->timeout);
    mez_event *failed = NULL;
    mez_error first = mez_ok();
    hand_over_all(wait);
    for (size_t i = 0; i < wait->count; i++) {
        mez_event *event = wait->events[i];
        const mez_error error = mez_event_wait_quietly(event, deadline);
        if (!mez_failed(error))
            continue;
        if (!mez_event_is_complete(event))
            return error;
        if (!failed) {
            failed = event;
            first = error;
        }
    }
    return failed ? mez_event_report(failed, first) : mez_ok();
}

// --- Any

// The outcome of the first that has happened, and *index is its number. MEZ_ERRC_TIMEOUT: none has.
static mez_error look_at_each(const several *wait, size_t *index)
{
    for (*index = 0; *index < wait->count; ++*index) {
        const mez_error error = mez_event_wait_quietly(wait->events[*index], MEZ_PAST);
        if (!is_late(error))
            return error;
    }
    return timed_out();
}

// Is one of the queues stuck, or given up? Neighbours in the list are mostly of one queue, which is asked once.
static mez_error look_at_queues(const several *wait, uint64_t now)
{
    const void *owner = NULL;
    for (size_t i = 0; i < wait->count; i++) {
        const mez_event *event = wait->events[i];
        if (mez_event_is_deferred(event) || event->owner == owner)
            continue;
        owner = event->owner;
        MEZ_TRY(event->source->guard->look(event->owner, now));
    }
    return mez_ok();
}

static bool all_are_deferred(const several *wait)
{
    for (size_t i = 0; i < wait->count; i++)
        if (!mez_event_is_deferred(wait->events[i]))
            return false;
    return true;
}

// Where the completion thread has to release every task it also ends the sleep, and fails the wait that is its own.
static mez_error sleep_until(const several *wait, uint64_t now, mez_deadline end)
{
    if (all_are_deferred(wait)) {
        const mez_event *event = wait->events[0];
        const mez_error error = event->source->released(event->owner, event, end);
        return is_late(error) ? mez_ok() : error;
    }
    const struct timespec time = {.tv_sec = (time_t)((end - now) / 1000000000u),
        .tv_nsec = (long)((end - now) % 1000000000u)};
    nanosleep(&time, NULL);
    return mez_ok();
}

// When to look again: `waited` is how long the wait has lasted, `looked` how long the last look did, all in nanoseconds.
static mez_deadline next_look(uint64_t now, uint64_t waited, uint64_t looked, mez_deadline deadline)
{
    uint64_t length = waited / 8 < LONGEST_SLEEP ? waited / 8 : LONGEST_SLEEP;
    if (length < SHORTEST_SLEEP)
        length = SHORTEST_SLEEP;
    if (length < SLEEPS_PER_LOOK * looked)
        length = SLEEPS_PER_LOOK * looked;
    return length < deadline - now ? now + length : deadline;
}

// Of tasks that the device has look_at_queues warns.
static void warn_of_deferred(const several *wait)
{
    const mez_event *event = wait->events[0];
    if (all_are_deferred(wait) && event->source->stalled)
        event->source->stalled(event->owner);
}

static mez_error look_again(const several *wait, mez_deadline deadline, size_t *index)
{
    const uint64_t start = mez_time_now(), patience = wait->events[0]->platform->stall_after;
    uint64_t looked = 0;
    bool warned = patience == 0;
    mez_error error = timed_out();
    while (is_late(error)) {
        const uint64_t now = mez_time_now();
        *index = wait->count;
        MEZ_TRY(look_at_queues(wait, now));
        if (!warned && now - start >= patience) {
            warn_of_deferred(wait);
            warned = true;
        }
        if (now >= deadline)
            return error;
        MEZ_TRY(sleep_until(wait, now, next_look(now, now - start, looked, deadline)));
        const uint64_t before = mez_time_now();
        error = look_at_each(wait, index);
        looked = mez_time_now() - before;
    }
    return error;
}

static mez_error wait_for_any(const several *wait)
{
    const mez_deadline deadline = mez_deadline_after(wait->timeout);
    mez_error error = look_at_each(wait, wait->index);
    if (is_late(error) && deadline != MEZ_PAST)
        error = look_again(wait, deadline, wait->index);
    const bool of_event = mez_failed(error) && *wait->index < wait->count;
    return of_event ? mez_event_report(wait->events[*wait->index], error) : error;
}

// --- Calls

static mez_error wait_for(const several *wait)
{
    mez_error error = check(wait);
    if (!mez_failed(error))
        error = wait->any ? wait_for_any(wait) : wait_for_all(wait);
    return mez_error_add_place(error, wait->where);
}

static mez_error wait_for_one(const char *function, const mez_location *where,
    mez_event *const *events, size_t count, uint64_t timeout, size_t *index)
{
    size_t ignored;
    const several wait = {.function = function,
        .where = where,
        .events = events,
        .count = count,
        .timeout = timeout,
        .any = true,
        .index = index ? index : &ignored};
    *wait.index = count;
    return wait_for(&wait);
}

static mez_error wait_for_each(const char *function, const mez_location *where,
    mez_event *const *events, size_t count, uint64_t timeout)
{
    const several wait = {
        .function = function, .where = where, .events = events, .count = count, .timeout = timeout};
    return wait_for(&wait);
}

// Ends a public function.
#define WAIT(call, body, timeout, where, events, ...)                                            \
    do {                                                                                         \
        MEZ_REFUSE_UNTRACED(#call, where);                                                       \
        MEZ_PROBE_WAIT_BEGIN(call, where, events, timeout);                                      \
        if (mez_trace_on(MEZ_TRACE_TASKS))                                                       \
            return MEZ_PROBE_WAIT_END(#call, events, body##_traced(where, events, __VA_ARGS__)); \
        return MEZ_PROBE_WAIT_END(#call, events, body(where, events, __VA_ARGS__));              \
    } while (0)

MEZ_TRACE_BODY mez_error all(const mez_location *where, mez_event *const *events, size_t count)
{
    return wait_for_each("mez_events_wait_all", where, events, count, MEZ_FOREVER);
}

MEZ_TRACED_SPAN(mez_events_wait_all, all, MEZ_TRACE_WAIT, "events.wait")

mez_error mez_events_wait_all_at(const mez_location *where, mez_event *const *events, size_t count)
{
    WAIT(mez_events_wait_all, all, MEZ_FOREVER, where, events, count);
}

MEZ_TRACE_BODY mez_error all_for(
    const mez_location *where, mez_event *const *events, size_t count, uint64_t timeout)
{
    return wait_for_each("mez_events_wait_all_for", where, events, count, timeout);
}

MEZ_TRACED_SPAN(mez_events_wait_all_for, all_for, MEZ_TRACE_WAIT, "events.wait")

mez_error mez_events_wait_all_for_at(
    const mez_location *where, mez_event *const *events, size_t count, uint64_t timeout)
{
    WAIT(mez_events_wait_all_for, all_for, timeout, where, events, count, timeout);
}

MEZ_TRACE_BODY mez_error any(
    const mez_location *where, mez_event *const *events, size_t count, size_t *index)
{
    return wait_for_one("mez_events_wait_any", where, events, count, MEZ_FOREVER, index);
}

MEZ_TRACED_SPAN(mez_events_wait_any, any, MEZ_TRACE_WAIT, "events.wait")

mez_error mez_events_wait_any_at(
    const mez_location *where, mez_event *const *events, size_t count, size_t *index)
{
    WAIT(mez_events_wait_any, any, MEZ_FOREVER, where, events, count, index);
}

MEZ_TRACE_BODY mez_error any_for(const mez_location *where, mez_event *const *events, size_t count,
    uint64_t timeout, size_t *index)
{
    return wait_for_one("mez_events_wait_any_for", where, events, count, timeout, index);
}

MEZ_TRACED_SPAN(mez_events_wait_any_for, any_for, MEZ_TRACE_WAIT, "events.wait")

mez_error mez_events_wait_any_for_at(const mez_location *where, mez_event *const *events,
    size_t count, uint64_t timeout, size_t *index)
{
    WAIT(mez_events_wait_any_for, any_for, timeout, where, events, count, timeout, index);
}
