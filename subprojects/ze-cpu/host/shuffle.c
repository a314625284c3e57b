// SPDX-License-Identifier: MIT
//
// Out-of-order execution.
#include "shuffle.h"

#include "executor.h"
#include "random.h"
#include "recording.h"
#include "settings.h"

#include <time.h>

#define MAX_FLIGHTS 16
// A command that takes longer than this is left to its thread while others go on.
#define PATIENCE_NS UINT64_C(20000000)
// How long the queue sleeps between two looks at what it waits for.
#define NAP_NS 50000
// Work may be held back for so many naps, for more to come that it could be shuffled with.
#define MAX_NAPS 6u

// A command that has started and is not complete.
struct flight {
    struct zc_command *submission; // that it belongs to
    const struct zc_command *command;
    struct zc_executor *executor; // at work on it
    bool performed;
    bool ok;
};

struct shuffle {
    struct zc_queue *queue;
    uint64_t random;
    struct zc_command *oldest, **end;   // submissions that are not complete
    struct zc_command *starting;        // the first that has commands to start
    struct flight flights[MAX_FLIGHTS]; // in the order in which they started
    uint32_t flight_count;
    uint32_t naps; // to take before work goes on
    struct zc_executor *executors;
};

static size_t command_count(const struct zc_command *submission)
{
    return submission->recording ? submission->recording->count : 1;
}

static const struct zc_command *next_to_start(const struct zc_command *submission)
{
    return submission->recording ? submission->recording->commands[submission->started]
                                 : submission;
}

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
}

static bool chance(struct shuffle *shuffle, uint32_t of)
{
    return zc_random_below(&shuffle->random, of) == 0;
}

// Fetches what was submitted. Without other work it waits for some. False: the queue is to stop.
static bool collect(struct shuffle *shuffle)
{
    struct zc_queue *queue = shuffle->queue;
    pthread_mutex_lock(&queue->lock);
    while (!shuffle->oldest && !queue->first && !queue->stop)
        pthread_cond_wait(&queue->work_came, &queue->lock);
    struct zc_command *first = queue->first;
    if (first) {
        *shuffle->end = first;
        shuffle->end = queue->end;
        queue->first = NULL;
        queue->end = &queue->first;
    }
    pthread_mutex_unlock(&queue->lock);
    if (first && !shuffle->starting)
        shuffle->starting = first;
    return shuffle->oldest != NULL;
}

static void skip_started(struct shuffle *shuffle)
{
    while (shuffle->starting && shuffle->starting->started == command_count(shuffle->starting))
        shuffle->starting = shuffle->starting->next;
}

// Submissions are over in their order: whoever waits for one waits for all before it.
static void retire(struct shuffle *shuffle)
{
    struct zc_command *oldest;
    while ((oldest = shuffle->oldest) && oldest->completed == command_count(oldest)) {
        if (shuffle->starting == oldest)
            shuffle->starting = oldest->next;
        shuffle->oldest = oldest->next;
        if (!shuffle->oldest)
            shuffle->end = &shuffle->oldest;
        zc_command_destroy(oldest);
        zc_counter_advance(&shuffle->queue->completed);
    }
}

static bool barrier_in_flight(const struct shuffle *shuffle)
{
    // Nothing starts behind one, so it can only be the last.
    return shuffle->flight_count &&
           shuffle->flights[shuffle->flight_count - 1].command->order.blocks_following;
}

static bool list_in_flight(const struct shuffle *shuffle, const struct zc_command *submission)
{
    for (uint32_t i = 0; i < shuffle->flight_count; i++)
        if (shuffle->flights[i].submission == submission)
            return true;
    return false;
}

static bool can_start(struct shuffle *shuffle)
{
    skip_started(shuffle);
    if (!shuffle->starting || shuffle->flight_count == MAX_FLIGHTS || barrier_in_flight(shuffle))
        return false;
    const struct zc_command *command = next_to_start(shuffle->starting);
    if (command->order.waits_for_queue && shuffle->flight_count)
        return false;
    if (command->order.waits_for_list && list_in_flight(shuffle, shuffle->starting))
        return false;
    return zc_command_is_ready(command, &shuffle->queue->runner);
}

static void start(struct shuffle *shuffle)
{
    struct zc_command *submission = shuffle->starting;
    const struct zc_command *command = next_to_start(submission);
    const bool ok = !atomic_load(&shuffle->queue->lost) &&
                    zc_command_waits_succeeded(command, &shuffle->queue->runner);
    submission->started++;
    if (!shuffle->flight_count)
        shuffle->naps = zc_random_below(&shuffle->random, MAX_NAPS + 1);
    shuffle->flights[shuffle->flight_count++] =
        (struct flight){.submission = submission, .command = command, .ok = ok};
}

static struct zc_executor *idle_executor(struct shuffle *shuffle)
{
    for (struct zc_executor *executor = shuffle->executors; executor; executor = executor->next)
        if (!executor->busy)
            return executor;
    struct zc_executor *executor = zc_executor_create(&shuffle->queue->runner);
    if (executor) {
        executor->next = shuffle->executors;
        shuffle->executors = executor;
    }
    return executor;
}

static void note_result(struct flight *flight, bool ok)
{
    flight->ok = ok;
    flight->performed = true;
}

static void check_executor(struct shuffle *shuffle, struct flight *flight, uint64_t timeout)
{
    if (!zc_executor_wait(flight->executor, timeout))
        return;
    note_result(flight, flight->executor->ok);
    if (!flight->ok)
        zc_runner_note_loss(&shuffle->queue->runner, atomic_load(&flight->executor->runner.loss));
    flight->executor = NULL;
}

static void perform(struct shuffle *shuffle, struct flight *flight)
{
    const bool long_work = flight->ok && flight->command->may_block;
    flight->executor = long_work ? idle_executor(shuffle) : NULL;
    if (!flight->executor) {
        note_result(flight, zc_command_run(flight->command, &shuffle->queue->runner, flight->ok));
        return;
    }
    zc_executor_start(flight->executor, flight->command);
    check_executor(shuffle, flight, PATIENCE_NS);
}

static void complete(struct shuffle *shuffle, struct flight *flight)
{
    const struct flight done = *flight;
    const struct flight *end = shuffle->flights + shuffle->flight_count;
    for (struct flight *next = flight + 1; next < end; next++)
        next[-1] = *next;
    shuffle->flight_count--;
    if (!done.ok)
        shuffle->queue->runner.failed(&shuffle->queue->runner);
    // What was in flight when the queue was lost does not report an end that never came, such as that of a fence.
    zc_command_signal(done.command, !atomic_load(&shuffle->queue->lost), &shuffle->queue->runner);
    done.submission->completed++;
    // At times the others come so late that somebody can see it.
    if (shuffle->flight_count && chance(shuffle, 4))
        shuffle->naps = 1 + zc_random_below(&shuffle->random, MAX_NAPS);
}

static bool can_advance(struct shuffle *shuffle, uint32_t index)
{
    struct flight *flight = &shuffle->flights[index];
    if (flight->executor)
        check_executor(shuffle, flight, 0);
    return !flight->executor && !(flight->command->order.signals_last && index > 0);
}

// Any of the flights that can go on; NULL: none can.
static struct flight *choose_flight(struct shuffle *shuffle)
{
    struct flight *candidates[MAX_FLIGHTS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < shuffle->flight_count; i++)
        if (can_advance(shuffle, i))
            candidates[count++] = &shuffle->flights[i];
    return count ? candidates[zc_random_below(&shuffle->random, count)] : NULL;
}

static void advance(struct shuffle *shuffle)
{
    struct flight *flight = choose_flight(shuffle);
    if (!flight)
        nap();
    else if (flight->performed)
        complete(shuffle, flight);
    else
        perform(shuffle, flight);
}

static void step(struct shuffle *shuffle)
{
    if (can_start(shuffle)) {
        if (!shuffle->flight_count || !chance(shuffle, 4)) {
            start(shuffle);
            return;
        }
    } else if (shuffle->naps) {
        shuffle->naps--;
        nap();
        return;
    }
    advance(shuffle);
}

static uint64_t seed_of_next_queue(void)
{
    static atomic_uint queues;
    uint64_t state = zc_settings.seed + atomic_fetch_add(&queues, 1);
    return zc_random_next(&state);
}

void zc_shuffle_serve(struct zc_queue *queue)
{
    struct shuffle shuffle = {.queue = queue, .random = seed_of_next_queue()};
    shuffle.end = &shuffle.oldest;
    while (collect(&shuffle)) {
        step(&shuffle);
        retire(&shuffle);
    }
    while (shuffle.executors) {
        struct zc_executor *executor = shuffle.executors;
        shuffle.executors = executor->next;
        zc_executor_destroy(executor);
    }
}
