// SPDX-License-Identifier: MIT

#include "queue/completion.h"

#include <time.h>

#include "base/alloc.h"
#include "queue/deferred.h"
#include "task/readback.h"
#include "queue/stall.h"
#include "trace/call.h"

#define SHORTEST_SLEEP 10000u  // ns
#define LONGEST_SLEEP 1000000u // ns

// Something that the thread looks at until it is over.
struct watch {
    mez_turn (*look)(const struct watch *watch);
    mez_queue *queue; // referenced; NULL: of no queue
    uint64_t task;
    bool begun;                  // it has had a turn
    mez_event *event;            // referenced
    mez_event_function function; // to call when it has happened
    void (*call)(void *data);    // to call as soon as may be
    void *user;
    struct watch *next;
};

// How long nothing has ended.
struct pace {
    uint32_t idle_turns; // in a row
    uint64_t idle_since; // ns; 0: a round has not gone by
};

struct mez_waker {
    mez_ref ref;                       // the completion's, and one for each wake to come
    pthread_mutex_t lock;              // guards the next
    struct mez_completion *completion; // NULL: gone
};

struct mez_completion {
    struct mez_waker *waker;
    // Guards all below; never held in a look at a device or in a function of the user's.
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    bool running;
    bool stopping;
    bool orphaned;       // the thread itself destroyed the context, and frees this at its end
    struct watch *first; // in turn
    struct watch *last;
    uint32_t count; // of these
    // Its turn is now; then the one in whose function this one's turn was given, and so on.
    struct watch *current;
    struct watch *unused;
};

// --- Life

static void init_condition(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

static struct mez_waker *waker_create(struct mez_completion *completion)
{
    struct mez_waker *waker = mez_new(struct mez_waker);
    if (!waker)
        return NULL;
    mez_ref_init(&waker->ref);
    pthread_mutex_init(&waker->lock, NULL);
    waker->completion = completion;
    return waker;
}

void mez_waker_unref(struct mez_waker *waker)
{
    if (!mez_ref_put(&waker->ref))
        return;
    pthread_mutex_destroy(&waker->lock);
    mez_free_memory(waker);
}

// Nobody is woken any more.
static void waker_retire(struct mez_waker *waker)
{
    pthread_mutex_lock(&waker->lock);
    waker->completion = NULL;
    pthread_mutex_unlock(&waker->lock);
    mez_waker_unref(waker);
}

struct mez_completion *mez_completion_create(void)
{
    struct mez_completion *completion = mez_new(struct mez_completion);
    if (!completion)
        return NULL;
    completion->waker = waker_create(completion);
    if (!completion->waker) {
        mez_free_memory(completion);
        return NULL;
    }
    pthread_mutex_init(&completion->lock, NULL);
    init_condition(&completion->changed);
    return completion;
}

static void free_completion(struct mez_completion *completion)
{
    waker_retire(completion->waker);
    while (completion->unused) {
        struct watch *next = completion->unused->next;
        mez_free_memory(completion->unused);
        completion->unused = next;
    }
    pthread_cond_destroy(&completion->changed);
    pthread_mutex_destroy(&completion->lock);
    mez_free_memory(completion);
}

// The caller holds the lock.
static bool is_inside(const struct mez_completion *completion)
{
    return completion->running && pthread_equal(completion->thread, pthread_self());
}

// --- Turns

static void append(struct mez_completion *completion, struct watch *watch)
{
    watch->next = NULL;
    if (completion->last)
        completion->last->next = watch;
    else
        completion->first = watch;
    completion->last = watch;
    completion->count++;
}

// The caller holds the lock.
static struct watch *begin_turn(struct mez_completion *completion)
{
    struct watch *watch = completion->first;
    completion->first = watch->next;
    if (!completion->first)
        completion->last = NULL;
    completion->count--;
    watch->begun = true;
    watch->next = completion->current;
    completion->current = watch;
    return watch;
}

// The next watch to give a turn; NULL: stop.
static struct watch *next_turn(struct mez_completion *completion)
{
    pthread_mutex_lock(&completion->lock);
    while (!completion->first && !completion->stopping)
        pthread_cond_wait(&completion->changed, &completion->lock);
    struct watch *watch = completion->first ? begin_turn(completion) : NULL;
    pthread_mutex_unlock(&completion->lock);
    return watch;
}

static void end_turn(struct mez_completion *completion, struct watch *watch, mez_turn turn)
{
    // Before the destroyer of the queue, who waits for us, goes on: the last reference would free this thread's own context.
    if (turn == MEZ_TURN_OVER) {
        mez_event_unref(watch->event);
        if (watch->queue)
            mez_queue_unref(watch->queue);
    }
    pthread_mutex_lock(&completion->lock);
    completion->current = watch->next;
    if (turn == MEZ_TURN_OVER) {
        watch->next = completion->unused;
        completion->unused = watch;
    } else {
        append(completion, watch);
    }
    if (turn != MEZ_TURN_IDLE)
        pthread_cond_broadcast(&completion->changed);
    pthread_mutex_unlock(&completion->lock);
}

// The caller holds the lock, which is let go meanwhile. Whoever adds a watch ends the sleep.
static void sleep_for(struct mez_completion *completion, uint64_t nanoseconds)
{
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_nsec += (long)nanoseconds;
    end.tv_sec += end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&completion->changed, &completion->lock, &end);
}

static uint64_t length_of_sleep(struct pace *pace)
{
    const uint64_t now = mez_time_now();
    if (pace->idle_since == 0)
        pace->idle_since = now;
    const uint64_t length = (now - pace->idle_since) / 8;
    return length < SHORTEST_SLEEP ? SHORTEST_SLEEP
                                   : (length > LONGEST_SLEEP ? LONGEST_SLEEP : length);
}

// A turn is over: sleeps when nothing has come of a whole round.
static void keep_pace(struct mez_completion *completion, struct pace *pace, mez_turn turn)
{
    if (turn != MEZ_TURN_IDLE) {
        *pace = (struct pace){0};
        return;
    }
    pthread_mutex_lock(&completion->lock);
    if (++pace->idle_turns >= completion->count) {
        pace->idle_turns = 0;
        sleep_for(completion, length_of_sleep(pace));
    }
    pthread_mutex_unlock(&completion->lock);
}

static void give_turn(struct mez_completion *completion, struct watch *watch, struct pace *pace)
{
    const mez_turn turn = watch->look(watch);
    end_turn(completion, watch, turn);
    keep_pace(completion, pace, turn);
}

static void *run(void *argument)
{
    struct mez_completion *completion = argument;
    struct pace pace = {0};
    for (struct watch *watch; (watch = next_turn(completion));)
        give_turn(completion, watch, &pace);
    if (completion->orphaned)
        free_completion(completion);
    return NULL;
}

// The caller holds the lock.
static bool start(struct mez_completion *completion)
{
    if (!completion->running)
        completion->running = pthread_create(&completion->thread, NULL, run, completion) == 0;
    return completion->running;
}

// Adds a watch like this one; the references are its own. False: no memory, or no thread.
static bool add(struct mez_completion *completion, const struct watch *wanted)
{
    pthread_mutex_lock(&completion->lock);
    const bool running = start(completion);
    struct watch *watch = completion->unused;
    if (running && watch)
        completion->unused = watch->next;
    else if (running)
        watch = mez_new(struct watch);
    const bool added = running && watch;
    if (added) {
        *watch = *wanted;
        if (watch->queue)
            mez_queue_ref(watch->queue);
        if (watch->event)
            mez_event_ref(watch->event);
        append(completion, watch);
        pthread_cond_broadcast(&completion->changed);
    }
    pthread_mutex_unlock(&completion->lock);
    return added;
}

// --- What is watched

// Nothing yet: perhaps there never will be. What is wrong shows at the next look.
static mez_turn look_for_stall(const struct watch *watch)
{
    if (watch->queue)
        mez_queue_guard.look(watch->queue, mez_time_now());
    return MEZ_TURN_IDLE;
}

// A failed task's error is kept by its queue.
static mez_turn look_at_task(const struct watch *watch)
{
    const mez_error outcome = mez_queue_wait_for_task(watch->queue, watch->task, MEZ_PAST);
    watch->queue->platform->assert_functions->settle(watch->queue->platform);
    if (mez_error_is(outcome, MEZ_ERRC_TIMEOUT))
        return look_for_stall(watch);
    if (mez_failed(outcome))
        mez_queue_report(watch->queue, outcome);
    return MEZ_TURN_OVER;
}

// Lets the newest watch see to a later task of the same queue, so that a fast producer makes one and not many. Not one that has
// had a turn: what it waits for must not move on for ever. False: there is none.
static bool extend_last(struct mez_completion *completion, const mez_queue *queue, uint64_t task)
{
    pthread_mutex_lock(&completion->lock);
    struct watch *last = completion->last;
    const bool fits = last && last->look == look_at_task && last->queue == queue && !last->begun;
    if (fits)
        last->task = task;
    pthread_mutex_unlock(&completion->lock);
    return fits;
}

void mez_completion_watch(struct mez_completion *completion, mez_queue *queue, uint64_t task)
{
    if (extend_last(completion, queue, task))
        return;
    if (!add(completion, &(struct watch){.look = look_at_task, .queue = queue, .task = task}))
        mez_log(QUEUE, WARN, "no completion thread: errors of tasks are reported by waits only");
}

static mez_turn call_now(const struct watch *watch)
{
    watch->call(watch->user);
    return MEZ_TURN_OVER;
}

bool mez_completion_call(
    struct mez_completion *completion, mez_queue *queue, void (*function)(void *data), void *data)
{
    return add(completion,
        &(struct watch){.look = call_now, .queue = queue, .call = function, .user = data});
}

static mez_turn look_at_held(const struct watch *watch)
{
    return mez_queue_release_deferred(watch->queue);
}

bool mez_completion_watch_deferred(struct mez_completion *completion, mez_queue *queue)
{
    return add(completion, &(struct watch){.look = look_at_held, .queue = queue});
}

static mez_turn look_at_event(const struct watch *watch)
{
    const mez_error outcome = mez_event_status(watch->event); // no call of the program's
    if (mez_error_is(outcome, MEZ_ERRC_NOT_READY))
        return look_for_stall(watch);
    watch->function(watch->user, outcome);
    return MEZ_TURN_OVER;
}

MEZ_TRACE_BODY mez_error set_callback(mez_event *event, mez_event_function function, void *user)
{
    const struct watch watch = {
        .look = look_at_event,
        .queue = event->source == &mez_queue_source ? event->owner : NULL,
        .event = event,
        .function = function,
        .user = user,
    };
    return add(event->platform->completion, &watch)
               ? mez_ok()
               : mez_error_no_memory("a callback, or the thread that calls it");
}

MEZ_TRACE_COLD mez_error set_callback_traced(
    mez_event *event, mez_event_function function, void *user)
{
    MEZ_TRACE_TELL(
        mez_event_set_callback, NULL, set_callback(event, function, user), event, function, user);
}

mez_error mez_event_set_callback(mez_event *event, mez_event_function function, void *user)
{
    MEZ_REQUIRE(event, NULL);
    MEZ_REQUIRE(function, NULL);
    MEZ_TRACE_CALL(mez_event_set_callback, NULL, set_callback, event, function, user);
}

// --- Waiting for the thread

static mez_error waits_for_itself(void)
{
    return mez_error_make(MEZ_ERRC_WRONG_STATE,
        "a host task or callback waits for a task that is held behind a host task: both run on "
        "this thread, so the wait would never end. Submit what comes next with the event in its "
        "wait_for instead");
}

static mez_error timed_out(void)
{
    return (mez_error){.value = MEZ_ERRC_TIMEOUT, .origin = MEZ_CATEGORY_RUNTIME};
}

// The caller holds the lock. False: the deadline has passed.
static bool wait_for_change(struct mez_completion *completion, mez_deadline deadline)
{
    if (deadline == MEZ_NEVER)
        return pthread_cond_wait(&completion->changed, &completion->lock) == 0;
    const struct timespec end = {
        .tv_sec = (time_t)(deadline / 1000000000u), .tv_nsec = (long)(deadline % 1000000000u)};
    return pthread_cond_timedwait(&completion->changed, &completion->lock, &end) == 0;
}

mez_error mez_completion_wait(struct mez_completion *completion,
    bool (*is_true)(const void *subject), const void *subject, mez_deadline deadline)
{
    mez_error error = mez_ok();
    pthread_mutex_lock(&completion->lock);
    while (!mez_failed(error) && !is_true(subject)) {
        if (deadline == MEZ_PAST)
            error = timed_out();
        else if (is_inside(completion))
            error = waits_for_itself();
        else if (!wait_for_change(completion, deadline) && !is_true(subject))
            error = timed_out();
    }
    pthread_mutex_unlock(&completion->lock);
    return error;
}

void mez_completion_tell(struct mez_completion *completion)
{
    pthread_mutex_lock(&completion->lock);
    pthread_cond_broadcast(&completion->changed);
    pthread_mutex_unlock(&completion->lock);
}

struct mez_waker *mez_completion_waker(struct mez_completion *completion)
{
    mez_ref_get(&completion->waker->ref);
    return completion->waker;
}

void mez_waker_wake(void *data)
{
    struct mez_waker *waker = data;
    pthread_mutex_lock(&waker->lock);
    if (waker->completion)
        mez_completion_tell(waker->completion);
    pthread_mutex_unlock(&waker->lock);
    mez_waker_unref(waker);
}

static bool is_in(const struct watch *list, const mez_queue *queue)
{
    while (list && list->queue != queue)
        list = list->next;
    return list != NULL;
}

bool mez_completion_serves(struct mez_completion *completion, const mez_queue *queue)
{
    pthread_mutex_lock(&completion->lock);
    const bool serves = is_inside(completion) && is_in(completion->current, queue);
    pthread_mutex_unlock(&completion->lock);
    return serves;
}

// Turns in the middle of another's function, which destroys the queue: nobody else could give them. The caller holds the lock,
// which is let go meanwhile.
static void give_turn_inside(struct mez_completion *completion, struct pace *pace)
{
    struct watch *watch = begin_turn(completion);
    pthread_mutex_unlock(&completion->lock);
    give_turn(completion, watch, pace);
    pthread_mutex_lock(&completion->lock);
}

void mez_completion_forget(struct mez_completion *completion, mez_queue *queue)
{
    struct pace pace = {0};
    pthread_mutex_lock(&completion->lock);
    if (is_inside(completion))
        while (is_in(completion->first, queue))
            give_turn_inside(completion, &pace);
    else
        while (is_in(completion->first, queue) || is_in(completion->current, queue))
            pthread_cond_wait(&completion->changed, &completion->lock);
    pthread_mutex_unlock(&completion->lock);
}

// True where the thread has ended.
static bool stop(struct mez_completion *completion)
{
    pthread_mutex_lock(&completion->lock);
    completion->stopping = true;
    completion->orphaned = is_inside(completion);
    const bool inside = completion->orphaned, running = completion->running;
    pthread_cond_broadcast(&completion->changed);
    pthread_mutex_unlock(&completion->lock);
    if (inside)
        pthread_detach(pthread_self());
    else if (running)
        pthread_join(completion->thread, NULL);
    return !inside;
}

void mez_completion_destroy(struct mez_completion *completion)
{
    if (completion && stop(completion))
        free_completion(completion);
}
