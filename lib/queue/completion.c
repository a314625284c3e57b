// SPDX-License-Identifier: MIT

#include "queue/completion.h"

#include "base/alloc.h"

#define TURN 2000000u // ns that one task is waited for before the next has its turn

struct watch {
    mez_queue *queue; // referenced
    uint64_t task;
    mez_event *event;            // referenced; NULL: nothing is called
    mez_event_function function; // to call when it has happened
    void *user;
    struct watch *next;
};

struct mez_completion {
    pthread_mutex_t lock; // guards all below; never held in a wait for a device
    pthread_cond_t changed;
    pthread_t thread;
    bool running;
    bool stopping;
    bool orphaned;       // the thread itself destroyed the context, and frees this at its end
    struct watch *first; // in turn
    struct watch *last;
    struct watch *
        current; // its turn is now; then the one in whose function this one's queue is destroyed, and so on
    struct watch *unused;
};

struct mez_completion *mez_completion_create(void)
{
    struct mez_completion *completion = mez_new(struct mez_completion);
    if (!completion)
        return NULL;
    pthread_mutex_init(&completion->lock, NULL);
    pthread_cond_init(&completion->changed, NULL);
    return completion;
}

static void append(struct mez_completion *completion, struct watch *watch)
{
    watch->next = NULL;
    if (completion->last)
        completion->last->next = watch;
    else
        completion->first = watch;
    completion->last = watch;
}

static struct watch *take_first(struct mez_completion *completion)
{
    struct watch *watch = completion->first;
    completion->first = watch->next;
    if (!completion->first)
        completion->last = NULL;
    return watch;
}

// The caller holds the lock.
static void begin_turn(struct mez_completion *completion, struct watch *watch)
{
    watch->next = completion->current;
    completion->current = watch;
}

// The next watch to give a turn; NULL: stop.
static struct watch *next_turn(struct mez_completion *completion)
{
    pthread_mutex_lock(&completion->lock);
    while (!completion->first && !completion->stopping)
        pthread_cond_wait(&completion->changed, &completion->lock);
    struct watch *watch = completion->first ? take_first(completion) : NULL;
    if (watch)
        begin_turn(completion, watch);
    pthread_mutex_unlock(&completion->lock);
    return watch;
}

// True when the watch is over.
static bool give_turn(const struct watch *watch)
{
    const mez_error outcome =
        watch->event ? mez_event_wait(watch->event, TURN)
                     : watch->queue->ops->wait(watch->queue, watch->task, mez_deadline_after(TURN));
    if (mez_error_is(outcome, MEZ_ERRC_TIMEOUT))
        return false;
    if (watch->function)
        watch->function(watch->user, outcome);
    return true;
}

static void end_turn(struct mez_completion *completion, struct watch *watch, bool over)
{
    // Before the destroyer of the queue, who waits for us, goes on: the last reference would free this thread's own context.
    if (over) {
        mez_event_unref(watch->event);
        mez_queue_unref(watch->queue);
    }
    pthread_mutex_lock(&completion->lock);
    completion->current = watch->next;
    if (over) {
        watch->next = completion->unused;
        completion->unused = watch;
    } else {
        append(completion, watch);
    }
    pthread_cond_broadcast(&completion->changed);
    pthread_mutex_unlock(&completion->lock);
}

static void free_completion(struct mez_completion *completion)
{
    while (completion->unused) {
        struct watch *next = completion->unused->next;
        mez_free_memory(completion->unused);
        completion->unused = next;
    }
    pthread_cond_destroy(&completion->changed);
    pthread_mutex_destroy(&completion->lock);
    mez_free_memory(completion);
}

static void *run(void *argument)
{
    struct mez_completion *completion = argument;
    for (struct watch *watch; (watch = next_turn(completion));)
        end_turn(completion, watch, give_turn(watch));
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
        mez_queue_ref(watch->queue);
        if (watch->event)
            mez_event_ref(watch->event);
        append(completion, watch);
        pthread_cond_broadcast(&completion->changed);
    }
    pthread_mutex_unlock(&completion->lock);
    return added;
}

void mez_completion_watch(struct mez_completion *completion, mez_queue *queue, uint64_t task)
{
    if (!add(completion, &(struct watch){.queue = queue, .task = task}))
        mez_log(QUEUE, WARN, "no completion thread: asserts are reported by waits only");
}

mez_error mez_event_set_callback(mez_event *event, mez_event_function function, void *user)
{
    MEZ_REQUIRE(event, NULL);
    MEZ_REQUIRE(function, NULL);
    const struct watch watch = {
        .queue = event->owner, .event = event, .function = function, .user = user};
    return add(event->platform->completion, &watch)
               ? mez_ok()
               : mez_error_no_memory("a callback, or the thread that calls it");
}

static bool is_in(const struct watch *list, const mez_queue *queue)
{
    while (list && list->queue != queue)
        list = list->next;
    return list != NULL;
}

// The caller holds the lock.
static bool is_inside(const struct mez_completion *completion)
{
    return completion->running && pthread_equal(completion->thread, pthread_self());
}

// Turns in the middle of another's function, which destroys the queue: nobody else could give them. The caller holds the lock,
// which is let go meanwhile.
static void give_turn_inside(struct mez_completion *completion)
{
    struct watch *watch = take_first(completion);
    begin_turn(completion, watch);
    pthread_mutex_unlock(&completion->lock);
    end_turn(completion, watch, give_turn(watch));
    pthread_mutex_lock(&completion->lock);
}

void mez_completion_forget(struct mez_completion *completion, mez_queue *queue)
{
    pthread_mutex_lock(&completion->lock);
    if (is_inside(completion))
        while (is_in(completion->first, queue))
            give_turn_inside(completion);
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
