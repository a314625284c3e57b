// SPDX-License-Identifier: MIT

#include "queue/completion.h"

#include "base/alloc.h"

#define TURN 2000000u // ns that one task is waited for before the next has its turn

struct watch {
    mez_queue *queue; // referenced
    uint64_t task;
    struct watch *next;
};

struct mez_completion {
    pthread_mutex_t lock; // guards all below; never held in a wait for a device
    pthread_cond_t changed;
    pthread_t thread;
    bool running;
    bool stopping;
    struct watch *first; // in turn
    struct watch *last;
    struct watch *current; // its turn is now; in no list
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

// The next watch to give a turn; NULL: stop.
static struct watch *next_turn(struct mez_completion *completion)
{
    pthread_mutex_lock(&completion->lock);
    while (!completion->first && !completion->stopping)
        pthread_cond_wait(&completion->changed, &completion->lock);
    completion->current = completion->first ? take_first(completion) : NULL;
    struct watch *current = completion->current;
    pthread_mutex_unlock(&completion->lock);
    return current;
}

static void end_turn(struct mez_completion *completion, struct watch *watch, bool over)
{
    // Before the destroyer of the queue, who waits for us, goes on: the last reference would free this thread's own context.
    if (over)
        mez_queue_unref(watch->queue);
    pthread_mutex_lock(&completion->lock);
    completion->current = NULL;
    if (over) {
        watch->next = completion->unused;
        completion->unused = watch;
    } else {
        append(completion, watch);
    }
    pthread_cond_broadcast(&completion->changed);
    pthread_mutex_unlock(&completion->lock);
}

static void *run(void *argument)
{
    struct mez_completion *completion = argument;
    for (struct watch *watch; (watch = next_turn(completion));) {
        const mez_error error =
            watch->queue->ops->wait(watch->queue, watch->task, mez_deadline_after(TURN));
        end_turn(completion, watch, !mez_error_is(error, MEZ_ERRC_TIMEOUT));
    }
    return NULL;
}

// The caller holds the lock.
static bool start(struct mez_completion *completion)
{
    if (!completion->running)
        completion->running = pthread_create(&completion->thread, NULL, run, completion) == 0;
    if (!completion->running)
        mez_log(QUEUE, WARN, "no completion thread: asserts are reported by waits only");
    return completion->running;
}

void mez_completion_watch(struct mez_completion *completion, mez_queue *queue, uint64_t task)
{
    pthread_mutex_lock(&completion->lock);
    struct watch *watch = completion->unused;
    if (watch)
        completion->unused = watch->next;
    else
        watch = mez_new(struct watch);
    if (watch && start(completion)) {
        *watch = (struct watch){.queue = queue, .task = task};
        mez_queue_ref(queue);
        append(completion, watch);
        pthread_cond_broadcast(&completion->changed);
    } else {
        mez_free_memory(watch);
    }
    pthread_mutex_unlock(&completion->lock);
}

// The caller holds the lock.
static bool watches(const struct mez_completion *completion, const mez_queue *queue)
{
    if (completion->current && completion->current->queue == queue)
        return true;
    for (const struct watch *watch = completion->first; watch; watch = watch->next)
        if (watch->queue == queue)
            return true;
    return false;
}

void mez_completion_forget(struct mez_completion *completion, mez_queue *queue)
{
    pthread_mutex_lock(&completion->lock);
    while (watches(completion, queue))
        pthread_cond_wait(&completion->changed, &completion->lock);
    pthread_mutex_unlock(&completion->lock);
}

static void stop(struct mez_completion *completion)
{
    pthread_mutex_lock(&completion->lock);
    completion->stopping = true;
    const bool running = completion->running;
    pthread_cond_broadcast(&completion->changed);
    pthread_mutex_unlock(&completion->lock);
    if (running)
        pthread_join(completion->thread, NULL);
}

void mez_completion_destroy(struct mez_completion *completion)
{
    if (!completion)
        return;
    stop(completion);
    while (completion->unused) {
        struct watch *next = completion->unused->next;
        mez_free_memory(completion->unused);
        completion->unused = next;
    }
    pthread_cond_destroy(&completion->changed);
    pthread_mutex_destroy(&completion->lock);
    mez_free_memory(completion);
}
