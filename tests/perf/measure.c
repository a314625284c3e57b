// SPDX-License-Identifier: MIT

#include "measure.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "allocations.h"
#include "callgrind.h"

enum { WARM_UP = 20, COUNTED = 5, REPETITIONS = 7, TIMED = 101 };

PERF_OPERATION(nothing, )

static const struct perf_side empty_loop = {.measured = nothing};

static void run_round(const struct perf_side *side, void (*start)(void), void (*stop)(void))
{
    if (side->before)
        side->before();
    start();
    side->measured();
    stop();
    if (side->after)
        side->after();
}

static void skip(void)
{
}

// --- Counting

static uint64_t allocations; // in what was measured

static void start_counting(void)
{
    allocations -= perf_allocations();
    callgrind_toggle();
}

static void stop_counting(void)
{
    callgrind_toggle();
    allocations += perf_allocations();
}

static void count(const char *name, const char *side_name, const struct perf_side *side)
{
    for (int i = 0; i < WARM_UP; i++)
        run_round(side, skip, skip);
    callgrind_forget();
    allocations = 0;
    for (int i = 0; i < COUNTED; i++)
        run_round(side, start_counting, stop_counting);
    char label[128];
    snprintf(label, sizeof label, "%s|%s", name, side_name);
    callgrind_dump(label);
    printf("count\t%s\t%s\t%d\t%u\t%" PRIu64 "\n", name, side_name, COUNTED * PERF_ROUND,
        side->tasks ? side->tasks : 1, allocations);
}

static void count_case(const struct perf_case *item)
{
    count(item->name, "ours", &item->ours);
    if (item->raw.measured)
        count(item->name, "raw", &item->raw);
}

// --- Timing

static struct timespec started, stopped;

static void start_clock(void)
{
    clock_gettime(CLOCK_MONOTONIC, &started);
}

static void stop_clock(void)
{
    clock_gettime(CLOCK_MONOTONIC, &stopped);
}

static double nanoseconds_per_task(const struct perf_side *side)
{
    const double nanoseconds = (double)(stopped.tv_sec - started.tv_sec) * 1e9 +
                               (double)(stopped.tv_nsec - started.tv_nsec);
    return nanoseconds / (PERF_ROUND * (side->tasks ? side->tasks : 1));
}

// Prints the sample of every round; what to make of them is the reader's business.
static void time_side(const char *name, const char *side_name, const struct perf_side *side)
{
    static double samples[TIMED];
    for (int i = 0; i < WARM_UP; i++)
        run_round(side, skip, skip);
    for (int i = 0; i < TIMED; i++) {
        run_round(side, start_clock, stop_clock);
        samples[i] = nanoseconds_per_task(side);
    }
    printf("time\t%s\t%s", name, side_name);
    for (int i = 0; i < TIMED; i++)
        printf("\t%.2f", samples[i]);
    putchar('\n');
}

// In turn, so that what else the machine does meets both.
static void time_case(const struct perf_case *item)
{
    for (int i = 0; item->raw.measured && i < REPETITIONS; i++) {
        time_side(item->name, "ours", &item->ours);
        time_side(item->name, "raw", &item->raw);
    }
}

static void *sleep_for_ever(void *unused)
{
    for (;;)
        pause();
    return unused;
}

// In a process with one thread glibc's mutexes skip the locked instruction, which no real program sees.
static void start_idle_thread(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, sleep_for_ever, NULL) != 0) {
        perror("pthread_create");
        exit(1);
    }
    pthread_detach(thread);
}

void perf_measure(const struct perf_case *cases, size_t case_count)
{
    start_idle_thread();
    const bool counts = callgrind_is_running();
    if (counts)
        count("empty loop", "ours", &empty_loop);
    for (size_t i = 0; i < case_count; i++) {
        const struct perf_case *item = &cases[i];
        printf("case\t%s\t%d\t%d\t%d\t%d\n", item->name, (int)item->limit.kind,
            item->limit.instructions, item->limit.must, item->may_allocate);
        if (counts)
            count_case(item);
        else
            time_case(item);
    }
}
