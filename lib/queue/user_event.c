// SPDX-License-Identifier: MIT
//
// Events that the program signals. Such an event counts as deferred from the start, as that of a host task which has not run: tasks
// that wait for it stay in the library, so that no command list ever waits for the host.

#include <stdatomic.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/version.h"
#include "device/platform.h"
#include "event/event.h"
#include "completion/completion.h"
#include "traced_calls.h"

// What stands behind such an event, which owns it.
typedef struct user_event {
    mez_platform *platform; // referenced
    char name[64];          // "": none
    mez_location where;     // of its creation
    atomic_bool signalled;  // or given up
} user_event;

// True once.
static bool take(user_event *user)
{
    return !atomic_exchange(&user->signalled, true);
}

// --- Words

static void describe(const user_event *user, mez_text *text)
{
    mez_text_add(
        text, "user event%s%s%s", *user->name ? " \"" : "", user->name, *user->name ? "\"" : "");
    if (user->where.file)
        mez_text_add(text, ", created at %s:%d", user->where.file, user->where.line);
}

// An error whose headline is the event, a comma, and what became of it.
static mez_error event_error(const user_event *user, mez_condition condition, const char *what)
{
    mez_text text = {0};
    describe(user, &text);
    const mez_error error = mez_error_make(condition, "%-s, %s", mez_text_get(&text), what);
    mez_text_finish(&text);
    return error;
}

static void describe_event(void *owner, const mez_event *event, mez_text *text)
{
    describe(owner, text);
    if (!mez_event_is_complete(event))
        mez_text_add(text, ", which nobody has signalled");
}

static void warn(void *owner)
{
    const user_event *user = owner;
    mez_text text = {0};
    describe(user, &text);
    mez_log_write(MEZ_TOPIC_EVENT, MEZ_LOG_WARN,
        "no progress for %.1f s: a thread waits for %-s, which has not been signalled",
        (double)user->platform->stall_after / 1000000000.0, mez_text_get(&text));
    mez_text_finish(&text);
}

// --- As events see it

// The outcome is the program's own, whatever its condition.
static void nothing_kept(void *owner, mez_error failure)
{
    (void)owner, (void)failure;
}

static mez_error look(void *owner, uint64_t now)
{
    (void)now;
    const user_event *user = owner;
    return mez_platform_loss(user->platform);
}

static mez_error failed(void *owner, mez_error error)
{
    user_event *user = owner;
    return mez_platform_note_loss(user->platform, error);
}

static const mez_wait_guard guard = {.look = look, .failed = failed};

static bool is_released(const void *event)
{
    return !mez_event_is_deferred(event);
}

static mez_error released(void *owner, const mez_event *event, mez_deadline deadline)
{
    user_event *user = owner;
    return mez_completion_wait_patiently(user->platform, is_released, event, deadline, warn, user);
}

static void unref(void *owner)
{
    user_event *user = owner;
    mez_platform *platform = user->platform;
    mez_free_memory(user);
    mez_platform_unref(platform);
}

static void settle(mez_event *event, mez_error outcome)
{
    mez_event_complete(event, outcome);
    mez_event_set_deferred(event, false);
    mez_completion_wake(event->platform->completion);
}

// The program gives it up: nobody can signal it any more.
static void abandoned(void *owner, mez_event *event, const mez_location *where)
{
    user_event *user = owner;
    if (!take(user))
        return;
    mez_text text = {0};
    mez_text_add(&text, "was destroyed");
    if (where && where->file)
        mez_text_add(&text, " at %s:%d", where->file, where->line);
    mez_text_add(&text, " before it was signalled");
    settle(event, event_error(user, MEZ_ERRC_EVENT, mez_text_get(&text)));
    mez_text_finish(&text);
}

static const mez_event_source user_source = {
    .flush = mez_event_nothing_to_flush,
    .wait = mez_event_nothing_left, // unused: it is complete when it is deferred no more
    .finished = mez_event_nothing_left,
    .reported = nothing_kept,
    .guard = &guard,
    .released = released,
    .stalled = warn,
    .abandoned = abandoned,
    .describe = describe_event,
    .by_program = true,
    .unref = unref,
};

// --- Calls

static user_event *user_event_create(
    const mez_location *where, mez_platform *platform, const mez_user_event_params *params)
{
    user_event *user = mez_new(user_event);
    if (!user)
        return NULL;
    user->platform = platform;
    if (params && params->debug_name)
        snprintf(user->name, sizeof user->name, "%s", params->debug_name);
    if (where)
        user->where = *where;
    return user;
}

static mez_error create_event(const mez_location *where, mez_platform *platform,
    const mez_user_event_params *params, mez_event **event)
{
    if (params)
        MEZ_TRY_RESERVED(mez_user_event_params, params);
    user_event *user = user_event_create(where, platform, params);
    if (!user)
        return mez_error_no_memory("an event");
    const mez_error error = mez_event_create(platform, 0, event);
    if (mez_failed(error)) {
        mez_free_memory(user);
        return error;
    }
    (*event)->of_host = true;
    mez_event_set_deferred(*event, true);
    mez_platform_ref(platform);
    mez_event_set_source(*event, &user_source, user, NULL);
    return error;
}

MEZ_TRACE_BODY mez_error create(const mez_location *where, mez_context *context,
    const mez_user_event_params *params, mez_event **event)
{
    mez_platform *platform = mez_platform_of(context);
    const mez_error error = create_event(where, platform, params, event);
    return mez_platform_note_loss(platform, mez_error_add_place(error, where));
}

MEZ_TRACED_CALL(mez_user_event_create, create)

mez_error mez_user_event_create_at(const mez_location *where, mez_context *context,
    const mez_user_event_params *params, mez_event **event)
{
    MEZ_REQUIRE(event, where);
    *event = NULL;
    MEZ_REQUIRE(context, where);
    MEZ_TRACE_CALL(mez_user_event_create, where, create, where, context, params, event);
}

// What waits and tasks see. Some conditions say something else to them: that a wait has not ended, or that a task has run though its
// assert failed.
static mez_error outcome_of(const user_event *user, mez_error given)
{
    if (!mez_error_is(given, MEZ_ERRC_TIMEOUT) && !mez_error_is(given, MEZ_ERRC_NOT_READY) &&
        !mez_error_is(given, MEZ_ERRC_ASSERT))
        return given;
    char headline[256];
    mez_error_get_headline(given, headline, sizeof headline);
    return mez_error_add(event_error(user, MEZ_ERRC_EVENT, "was signalled with an error"),
        "the error", "%s: %s", mez_error_get_name(given), headline);
}

static mez_error signal_event(mez_event *event, mez_error outcome)
{
    if (event->source != &user_source)
        return mez_error_make(MEZ_ERRC_EVENT,
            "only events of mez_user_event_create can be signalled: this one is a task's, or is "
            "signalled by Level Zero");
    user_event *user = event->owner;
    if (!take(user))
        return event_error(user, MEZ_ERRC_WRONG_STATE, "has been signalled already");
    settle(event, outcome_of(user, outcome));
    return mez_ok();
}

// With a reference of its own: whoever waits may destroy the event, and the context, as soon as it has happened.
MEZ_TRACE_BODY mez_error signal_one(const mez_location *where, mez_event *event, mez_error outcome)
{
    mez_event_ref(event);
    const mez_error error = signal_event(event, outcome);
    mez_event_unref(event);
    return mez_error_add_place(error, where);
}

MEZ_TRACED_CALL(mez_user_event_signal, signal_one)

mez_error mez_user_event_signal_at(const mez_location *where, mez_event *event, mez_error outcome)
{
    MEZ_REQUIRE(event, where);
    MEZ_TRACE_CALL(mez_user_event_signal, where, signal_one, where, event, outcome);
}
