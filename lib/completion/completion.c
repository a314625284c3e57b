// SPDX-License-Identifier: MIT

#include "completion/completion.h"

#include <time.h>

#include "base/alloc.h"
#include "base/list.h"
#include "base/process.h"
#include "device/platform.h"

#define SHORTEST_SLEEP 10000u  // ns
#define LONGEST_SLEEP 1000000u // ns
#define PATIENCE 100000000u    // ns, between two looks whether the device is lost

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
    bool orphaned;    // the thread itself destroyed the context, and frees this at its end
    mez_watch *first; // in turn
    mez_watch *last;
    uint32_t count; // of these
    // Its turn is now; then the one in whose function this one's turn was given, and so on.
    mez_watch *current;
    mez_watch *unused;
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
    mez_watch *watch;
    while (mez_list_pop(&completion->unused, watch, next))
        mez_free_memory(watch);
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

static void append(struct mez_completion *completion, mez_watch *watch)
{
    mez_fifo_append(&completion->first, &completion->last, watch, next);
    completion->count++;
}

// NULL: nobody waits for one. The caller holds the lock.
static mez_watch *begin_turn(struct mez_completion *completion)
{
    mez_watch *watch;
    if (!mez_fifo_pop(&completion->first, &completion->last, watch, next))
        return NULL;
    completion->count--;
    watch->begun = true;
    mez_list_push(&completion->current, watch, next);
    return watch;
}

// When the program ends, the driver does, so that no watch can look any more.
static bool may_look(const struct mez_completion *completion)
{
    return completion->first && !mez_process_is_closed();
}

// The next watch to give a turn; NULL: stop.
static mez_watch *next_turn(struct mez_completion *completion)
{
    pthread_mutex_lock(&completion->lock);
    while (!may_look(completion) && !completion->stopping)
        pthread_cond_wait(&completion->changed, &completion->lock);
    mez_watch *watch = begin_turn(completion);
    pthread_mutex_unlock(&completion->lock);
    return watch;
}

static void end_turn(struct mez_completion *completion, mez_watch *watch, mez_turn turn)
{
    // Before the destroyer of the queue, who waits for us, goes on: the last reference would free this thread's own context.
    if (turn == MEZ_TURN_OVER) {
        mez_event_unref(watch->event);
        if (watch->owner)
            watch->source->unref(watch->owner);
    }
    pthread_mutex_lock(&completion->lock);
    completion->current = watch->next;
    if (turn == MEZ_TURN_OVER)
        mez_list_push(&completion->unused, watch, next);
    else
        append(completion, watch);
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

static void give_turn(struct mez_completion *completion, mez_watch *watch, struct pace *pace)
{
    const mez_turn turn = watch->look(watch);
    end_turn(completion, watch, turn);
    keep_pace(completion, pace, turn);
}

static void *run(void *argument)
{
    struct mez_completion *completion = argument;
    struct pace pace = {0};
    for (mez_watch *watch; (watch = next_turn(completion));)
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

bool mez_completion_add(struct mez_completion *completion, const mez_watch *wanted)
{
    pthread_mutex_lock(&completion->lock);
    const bool running = start(completion);
    mez_watch *watch = NULL;
    if (running && !mez_list_pop(&completion->unused, watch, next))
        watch = mez_new(mez_watch);
    const bool added = running && watch;
    if (added) {
        *watch = *wanted;
        if (watch->owner)
            watch->source->ref(watch->owner, 1);
        if (watch->event)
            mez_event_ref(watch->event);
        append(completion, watch);
        pthread_cond_broadcast(&completion->changed);
    }
    pthread_mutex_unlock(&completion->lock);
    return added;
}

static mez_turn call_now(const mez_watch *watch)
{
    watch->call(watch->user);
    return MEZ_TURN_OVER;
}

bool mez_completion_call(struct mez_completion *completion, const mez_event_source *source,
    void *owner, void (*function)(void *data), void *data)
{
    const mez_watch watch = {
        .look = call_now, .source = source, .owner = owner, .call = function, .user = data};
    return mez_completion_add(completion, &watch);
}

bool mez_completion_extend(struct mez_completion *completion, const mez_watch *wanted)
{
    pthread_mutex_lock(&completion->lock);
    mez_watch *last = completion->last;
    const bool fits =
        last && last->look == wanted->look && last->owner == wanted->owner && !last->begun;
    if (fits)
        last->task = wanted->task;
    pthread_mutex_unlock(&completion->lock);
    return fits;
}

// --- Waiting for the thread

static mez_error waits_for_itself(void)
{
    return mez_error_make(MEZ_ERRC_WRONG_STATE,
        "a host task or callback waits for a task that is deferred behind a host task: both run on "
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

mez_error mez_completion_wait_patiently(mez_platform *platform,
    bool (*is_true)(const void *subject), const void *subject, mez_deadline deadline,
    void (*warn)(void *owner), void *owner)
{
    uint64_t stalled_at = 0; // 0: nobody has waited yet, or the warning is out
    if (deadline != MEZ_PAST && platform->stall_after > 0)
        stalled_at = mez_time_now() + platform->stall_after;
    for (;;) {
        const mez_deadline slice = deadline == MEZ_PAST ? MEZ_PAST : mez_time_now() + PATIENCE;
        const mez_deadline end = slice < deadline ? slice : deadline;
        const mez_error error = mez_completion_wait(platform->completion, is_true, subject, end);
        if (!mez_error_is(error, MEZ_ERRC_TIMEOUT) || end == deadline)
            return error;
        MEZ_TRY(mez_platform_loss(platform));
        if (stalled_at > 0 && mez_time_now() >= stalled_at) {
            warn(owner);
            stalled_at = 0;
        }
    }
}

void mez_completion_wake(struct mez_completion *completion)
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
        mez_completion_wake(waker->completion);
    pthread_mutex_unlock(&waker->lock);
    mez_waker_unref(waker);
}

static bool is_in(const mez_watch *list, const void *owner)
{
    while (list && list->owner != owner)
        list = list->next;
    return list != NULL;
}

bool mez_completion_serves(struct mez_completion *completion, const void *owner)
{
    pthread_mutex_lock(&completion->lock);
    const bool serves = is_inside(completion) && is_in(completion->current, owner);
    pthread_mutex_unlock(&completion->lock);
    return serves;
}

// Turns in the middle of another's function, which destroys the queue: nobody else could give them. The caller holds the lock,
// which is let go meanwhile.
static void give_turn_inside(struct mez_completion *completion, struct pace *pace)
{
    mez_watch *watch = begin_turn(completion);
    pthread_mutex_unlock(&completion->lock);
    give_turn(completion, watch, pace);
    pthread_mutex_lock(&completion->lock);
}

void mez_completion_forget(struct mez_completion *completion, const void *owner)
{
    struct pace pace = {0};
    pthread_mutex_lock(&completion->lock);
    if (is_inside(completion))
        while (is_in(completion->first, owner))
            give_turn_inside(completion, &pace);
    else
        while (is_in(completion->first, owner) || is_in(completion->current, owner))
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
