// SPDX-License-Identifier: MIT

#include "queue/user_event.h"

#include <stdio.h>

#include "base/alloc.h"
#include "device/lost.h"
#include "event/event.h"
#include "queue/completion.h"
#include "queue/patience.h"
#include "trace/call.h"

#define MOST_DESCRIBED 8

// What stands behind such an event, which owns it.
typedef struct user_event {
    mez_platform *platform; // referenced
    char name[64];          // "": none
    mez_location where;     // of its creation
    bool signalled;         // guarded by the list's lock, as is its place there
    struct user_event *next;
} user_event;

// Those that nobody has signalled, of all contexts.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards the list
static user_event *unsignalled;

static void enlist(user_event *user)
{
    pthread_mutex_lock(&lock);
    user->next = unsignalled;
    unsignalled = user;
    pthread_mutex_unlock(&lock);
}

// True once.
static bool take_from_list(user_event *user)
{
    pthread_mutex_lock(&lock);
    const bool first = !user->signalled;
    user_event **link = &unsignalled;
    while (first && *link != user)
        link = &(*link)->next;
    if (first)
        *link = user->next;
    user->signalled = true;
    pthread_mutex_unlock(&lock);
    return first;
}

// --- Words

static void describe(const user_event *user, mez_text *text)
{
    mez_text_add(
        text, "user event%s%s%s", *user->name ? " \"" : "", user->name, *user->name ? "\"" : "");
    if (user->where.file)
        mez_text_add(text, ", created at %s:%d", user->where.file, user->where.line);
}

void mez_user_events_describe(const mez_platform *platform, mez_text *text)
{
    uint32_t count = 0;
    pthread_mutex_lock(&lock);
    for (const user_event *user = unsignalled; user; user = user->next) {
        if (user->platform != platform || ++count > MOST_DESCRIBED)
            continue;
        mez_text_add(text, "\n    ");
        describe(user, text);
        mez_text_add(text, ", has not been signalled");
    }
    pthread_mutex_unlock(&lock);
    if (count > MOST_DESCRIBED)
        mez_text_add(text, "\n    and %u more", (unsigned)(count - MOST_DESCRIBED));
}

static void warn(void *owner)
{
    const user_event *user = owner;
    mez_text text = {0};
    describe(user, &text);
    mez_log_write(MEZ_TOPIC_EVENT, MEZ_LOG_WARN,
        "no progress for %.1f s: a thread waits for %s, which has not been signalled",
        (double)user->platform->stall_after / 1000000000.0, mez_text_get(&text));
    mez_text_finish(&text);
}

// --- As events see it

static mez_error nothing_to_flush(void *owner, uint64_t task)
{
    (void)owner, (void)task;
    return mez_ok();
}

// Unused: the event is complete when it is held no more.
static mez_error nothing_left(void *owner, uint64_t task, mez_deadline deadline)
{
    (void)owner, (void)task, (void)deadline;
    return mez_ok();
}

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
    return !mez_event_is_held(event);
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
    mez_event_set_held(event, false);
    mez_completion_tell(event->platform->completion);
}

// The program gives it up: nobody can signal it any more.
static void abandoned(void *owner, mez_event *event)
{
    user_event *user = owner;
    mez_text text = {0};
    if (!take_from_list(user))
        return;
    describe(user, &text);
    settle(event, mez_error_make(MEZ_ERRC_EVENT, "%s, was destroyed before it was signalled",
                      mez_text_get(&text)));
    mez_text_finish(&text);
}

static const mez_event_source user_source = {
    .flush = nothing_to_flush,
    .wait = nothing_left,
    .finished = nothing_left,
    .reported = nothing_kept,
    .guard = &guard,
    .released = released,
    .stalled = warn,
    .abandoned = abandoned,
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

static mez_error check_members(const mez_user_event_params *params)
{
    const size_t room = sizeof params->reserved / sizeof *params->reserved;
    for (size_t i = 0; params && i < room; i++)
        if (params->reserved[i])
            return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
                "mez_user_event_params.reserved is not zero: the struct was not initialised, or "
                "the program was compiled for a newer Mezzanine");
    return mez_ok();
}

static mez_error create_event(const mez_location *where, mez_platform *platform,
    const mez_user_event_params *params, mez_event **event)
{
    MEZ_TRY(check_members(params));
    user_event *user = user_event_create(where, platform, params);
    if (!user)
        return mez_error_no_memory("an event");
    const mez_error error = mez_event_create(platform, 0, event);
    if (mez_failed(error)) {
        mez_free_memory(user);
        return error;
    }
    (*event)->source = &user_source;
    (*event)->owner = user;
    (*event)->of_host = true;
    mez_event_set_held(*event, true);
    mez_platform_ref(platform);
    enlist(user);
    return error;
}

MEZ_TRACE_BODY mez_error create(const mez_location *where, mez_context *context,
    const mez_user_event_params *params, mez_event **event)
{
    mez_platform *platform = mez_platform_of(context);
    const mez_error error = create_event(where, platform, params, event);
    return mez_platform_note_loss(platform, mez_error_add_place(error, where));
}

MEZ_TRACE_COLD mez_error create_traced(const mez_location *where, mez_context *context,
    const mez_user_event_params *params, mez_event **event)
{
    MEZ_TRACE_TELL(mez_user_event_create, where, create(where, context, params, event), context,
        params, event);
}

mez_error mez_user_event_create_at(const mez_location *where, mez_context *context,
    const mez_user_event_params *params, mez_event **event)
{
    MEZ_REQUIRE(event, where);
    *event = NULL;
    MEZ_REQUIRE(context, where);
    MEZ_TRACE_CALL(mez_user_event_create, where, create, where, context, params, event);
}

static mez_error signal_event(mez_event *event, mez_error outcome)
{
    if (event->source != &user_source)
        return mez_error_make(MEZ_ERRC_EVENT,
            "only events of mez_user_event_create can be signalled: this one is a task's, or is "
            "signalled by Level Zero");
    if (!take_from_list(event->owner))
        return mez_error_make(MEZ_ERRC_WRONG_STATE, "the event has been signalled already");
    settle(event, outcome);
    return mez_ok();
}

MEZ_TRACE_BODY mez_error signal_one(const mez_location *where, mez_event *event, mez_error outcome)
{
    return mez_error_add_place(signal_event(event, outcome), where);
}

MEZ_TRACE_COLD mez_error signal_one_traced(
    const mez_location *where, mez_event *event, mez_error outcome)
{
    MEZ_TRACE_TELL(
        mez_user_event_signal, where, signal_one(where, event, outcome), event, outcome.value);
}

mez_error mez_user_event_signal_at(const mez_location *where, mez_event *event, mez_error outcome)
{
    MEZ_REQUIRE(event, where);
    MEZ_TRACE_CALL(mez_user_event_signal, where, signal_one, where, event, outcome);
}
