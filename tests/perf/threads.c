// SPDX-License-Identifier: MIT
//
// Launches by several threads at once, on one queue and on a queue each. Raw Level Zero takes a mutex around the list that the threads
// share, as its specification asks for. All launches are of one kernel with the same argument.

#include "cases.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "allocations.h"
#include "callgrind.h"
#include "raw.h"

// A round is so long that waking the threads is nothing beside it.
enum { MOST_THREADS = 8, ROUND = 20 * PERF_ROUND };

typedef void round_of(unsigned thread); // what each of them does in a round

static struct perf_shared shared;
static mez_queue *own[MOST_THREADS];
static mez_kernel *one;
static mez_arg pointer = {.kind = MEZ_ARG_POINTER};
static const mez_args args = {1, &pointer};
static const mez_range range = {.dimensions = 1, .global = {1, 1, 1}, .local = {1, 1, 1}};
static ze_command_list_handle_t own_lists[MOST_THREADS];
static ze_kernel_handle_t own_kernels[MOST_THREADS];
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;

// --- Threads that do a round at the same time

static struct {
    pthread_t threads[MOST_THREADS];
    pthread_barrier_t begin, end; // of a round, for the threads and the one that measures
    unsigned count;
    round_of *round; // NULL: the threads end
    atomic_uint_fast64_t allocations;
} team;

// Each thread collects instructions and counts allocations by itself.
static void do_round(unsigned thread)
{
    const uint64_t before = perf_allocations();
    callgrind_toggle();
    team.round(thread);
    callgrind_toggle();
    atomic_fetch_add(&team.allocations, perf_allocations() - before);
}

static void *work(void *number)
{
    for (;;) {
        pthread_barrier_wait(&team.begin);
        if (!team.round)
            return NULL;
        do_round((unsigned)(size_t)number);
        pthread_barrier_wait(&team.end);
    }
}

static void end_threads(void)
{
    if (team.count == 0)
        return;
    team.round = NULL;
    pthread_barrier_wait(&team.begin);
    for (unsigned i = 0; i < team.count; i++)
        pthread_join(team.threads[i], NULL);
    pthread_barrier_destroy(&team.begin);
    pthread_barrier_destroy(&team.end);
    team.count = 0;
}

// They stay for the rounds that follow.
static void start_threads(unsigned count)
{
    if (team.count == count)
        return;
    end_threads();
    pthread_barrier_init(&team.begin, NULL, count + 1);
    pthread_barrier_init(&team.end, NULL, count + 1);
    team.count = count;
    for (size_t i = 0; i < count; i++)
        if (pthread_create(&team.threads[i], NULL, work, (void *)i) != 0) {
            perror("pthread_create");
            exit(1);
        }
}

static void run_in_threads(round_of *round)
{
    team.round = round;
    pthread_barrier_wait(&team.begin);
    pthread_barrier_wait(&team.end);
    perf_add_allocations(atomic_exchange(&team.allocations, 0));
}

// --- What they do

static void launch(mez_queue *queue)
{
    for (unsigned i = 0; i < ROUND; i++)
        must(mez_submit(queue, one, &range, &args, NULL));
}

static void launch_raw(ze_kernel_handle_t kernel, ze_command_list_handle_t list)
{
    raw_set(kernel, raw.memory);
    raw_append(list, kernel, NULL);
}

static void on_one_queue(unsigned thread)
{
    (void)thread;
    launch(shared.queue);
}

static void on_own_queue(unsigned thread)
{
    launch(own[thread]);
}

static void on_one_list(unsigned thread)
{
    (void)thread;
    for (unsigned i = 0; i < ROUND; i++) {
        pthread_mutex_lock(&list_lock);
        launch_raw(raw.one_argument, raw.immediate);
        pthread_mutex_unlock(&list_lock);
    }
}

static void on_own_list(unsigned thread)
{
    for (unsigned i = 0; i < ROUND; i++)
        launch_raw(own_kernels[thread], own_lists[thread]);
}

#define MEASURED(name)          \
    static void do_##name(void) \
    {                           \
        run_in_threads(name);   \
    }
MEASURED(on_one_queue)
MEASURED(on_own_queue)
MEASURED(on_one_list)
MEASURED(on_own_list)

static void start_2(void)
{
    start_threads(2);
}

static void start_8(void)
{
    start_threads(8);
}

static void wait_for_all(void)
{
    must(mez_queue_wait(shared.queue));
    for (unsigned i = 0; i < MOST_THREADS; i++)
        must(mez_queue_wait(own[i]));
}

#define SIDE(threads, what, then)                                        \
    {                                                                    \
        .before = start_##threads, .measured = do_##what, .after = then, \
        .tasks = (threads)*ROUND / PERF_ROUND                            \
    }
#define CASE(threads, text, ours_do, raw_do)                                              \
    {                                                                                     \
        .name = "launch, " #threads " threads, " text,                                    \
        .ours = SIDE(threads, ours_do, wait_for_all), .raw = SIDE(threads, raw_do, NULL), \
        .limit = PERF_MUST(160),                                                          \
    }

static const struct perf_case cases[] = {
    CASE(2, "one queue", on_one_queue, on_one_list),
    CASE(8, "one queue", on_one_queue, on_one_list),
    CASE(2, "a queue each", on_own_queue, on_own_list),
    CASE(8, "a queue each", on_own_queue, on_own_list),
};

const struct perf_case *perf_threads_init(const struct perf_shared *lent, size_t *count)
{
    const mez_queue_params params = {.kind = MEZ_QUEUE_IMMEDIATE};
    shared = *lent;
    pointer.data = shared.memory;
    must(mez_kernel_create(shared.plain_image, "one_argument", &one));
    for (unsigned i = 0; i < MOST_THREADS; i++) {
        must(mez_queue_create(shared.context, &params, &own[i]));
        own_lists[i] = raw_create_immediate(true);
        own_kernels[i] = raw_create_kernel("one_argument");
    }
    *count = sizeof cases / sizeof *cases;
    return cases;
}

void perf_threads_finish(void)
{
    end_threads();
    for (unsigned i = 0; i < MOST_THREADS; i++) {
        mez_queue_destroy(&own[i]);
        RAW(zeKernelDestroy(own_kernels[i]));
        RAW(zeCommandListDestroy(own_lists[i]));
    }
    mez_kernel_destroy(&one);
}
