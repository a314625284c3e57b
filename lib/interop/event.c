// SPDX-License-Identifier: MIT
//
// Events across the border: ours for the user's commands, the application's for our tasks and waits.

#include "event/event.h"

#include <mezzanine/level_zero.h>

#include "device/lost.h"
#include "traced_calls.h"

static mez_error will_never_happen(const mez_event *event)
{
    const mez_error error =
        mez_error_make(MEZ_ERRC_EVENT, "the event will never happen for Level Zero: %s",
            mez_event_is_of_task(event) ? "its task failed" : "it was signalled with an error");
    return mez_event_add_cause(error, event);
}

static mez_error get_ze(mez_event *event, ze_event_handle_t *ze)
{
    if (mez_event_is_deferred(event))
        return mez_error_make(MEZ_ERRC_NOT_READY, "%s",
            mez_event_is_of_task(event)
                ? "the event's task has not been submitted to the driver yet, because it is a host "
                  "task, or something on the host stands before it: try again when that has ended"
                : "the program has not signalled the event yet: try again when it has");
    MEZ_TRY(event->source->flush(event->owner, event->task)); // else nobody would ever signal it
    if (mez_event_is_complete(event) && mez_failed(event->outcome))
        return will_never_happen(event);
    if (event->of_host && !(event->sort & MEZ_EVENT_COUNTED)) // it has run
        MEZ_TRY(ZE(zeEventHostSignal, event->ze));
    *ze = event->ze;
    return mez_ok();
}

mez_error mez_event_get_ze_at(const mez_location *where, mez_event *event, ze_event_handle_t *ze)
{
    MEZ_REQUIRE(ze, where);
    *ze = NULL;
    MEZ_REQUIRE(event, where);
    return mez_error_add_place(get_ze(event, ze), where);
}

// Nothing of ours stands behind an adopted event: what there is to know, the driver knows.
static mez_error nothing_to_flush(void *owner, uint64_t task)
{
    (void)owner, (void)task;
    return mez_ok();
}

static mez_error nothing_left(void *owner, uint64_t task, mez_deadline deadline)
{
    (void)owner, (void)task, (void)deadline;
    return mez_ok();
}

static mez_error look_at_platform(void *owner, uint64_t now)
{
    (void)now;
    return mez_platform_loss(owner);
}

static mez_error note_loss(void *owner, mez_error error)
{
    return mez_platform_note_loss(owner, error);
}

static const mez_wait_guard guard = {.look = look_at_platform, .failed = note_loss};

static void unref_platform(void *owner)
{
    mez_platform_unref(owner);
}

static const mez_event_source application = {
    .flush = nothing_to_flush,
    .wait = nothing_left, // unused: the host sees the application's events
    .finished = nothing_left,
    .guard = &guard,
    .unref = unref_platform,
};

static mez_error borrow(mez_platform *platform, ze_event_handle_t ze, mez_event **event)
{
    MEZ_TRY(mez_event_borrow(platform, ze, event));
    mez_platform_ref(platform);
    mez_event_set_source(*event, &application, platform, NULL);
    return mez_ok();
}

MEZ_TRACE_BODY mez_error adopt(
    const mez_location *where, mez_context *context, ze_event_handle_t ze, mez_event **event)
{
    return mez_error_add_place(borrow(mez_platform_of(context), ze, event), where);
}

MEZ_TRACED_CALL(mez_event_adopt, adopt)

mez_error mez_event_adopt_at(
    const mez_location *where, mez_context *context, ze_event_handle_t ze, mez_event **event)
{
    MEZ_REQUIRE(event, where);
    *event = NULL;
    MEZ_REQUIRE(context, where);
    MEZ_REQUIRE(ze, where);
    MEZ_TRACE_CALL(mez_event_adopt, where, adopt, where, context, ze, event);
}
