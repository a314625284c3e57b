// SPDX-License-Identifier: MIT
//
// A program that submits so many kernels a second, on the no-op driver, and prints how much of the processor it took. overhead.py runs it
// with and without tracing.
//
//     paced KERNELS.spv RATE COUNT       each millisecond its part, and a wait for it; rate 0: a hundred each time, without pause
//
// Prints the seconds of processor that the submissions and waits took, and those that the process took altogether. Under callgrind
// only the former are counted.

#include <mezzanine/mezzanine.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "callgrind.h"
#include "noop.h"

enum { WARM_UP = 300, UNPACED_PORTION = 100 };

typedef struct program {
    mez_context *context;
    mez_queue *queue;
    mez_kernel *kernel;
    int *memory;
} program;

static void must(mez_error error)
{
    if (!mez_failed(error))
        return;
    mez_error_print(stderr, error);
    exit(1);
}

// A driver with in-order lists, where a launch is as short as it gets.
static void configure(void)
{
    struct noop_config config = noop_config_default();
    config.api_version = (ze_api_version_t)ZE_MAKE_VERSION(1, 14);
    noop_configure(&config);
}

static void program_init(program *program, const char *kernels)
{
    mez_error error;
    must(mez_context_create(NULL, &program->context));
    must(mez_queue_create(program->context, NULL, &program->queue));
    must(mez_kernel_load(program->context, kernels, "one_argument", &program->kernel));
    program->memory = mez_alloc_device(program->context, sizeof *program->memory, &error);
    must(error);
}

static void program_finish(program *program)
{
    mez_queue_destroy(&program->queue);
    mez_kernel_destroy(&program->kernel);
    must(mez_free(program->context, program->memory));
    mez_context_destroy(&program->context);
}

static void submit(const program *program, long count)
{
    const mez_args *args = MEZ_ARGS(MEZ_PTR(program->memory));
    for (long i = 0; i < count; i++)
        must(mez_submit(program->queue, program->kernel, MEZ_RANGE(1), args, NULL));
    must(mez_queue_wait(program->queue));
}

static struct timespec at(const struct timespec *start, double seconds)
{
    const double nanoseconds = (double)start->tv_nsec + seconds * 1e9;
    return (struct timespec){.tv_sec = start->tv_sec + (time_t)(nanoseconds / 1e9),
        .tv_nsec = (long)nanoseconds % 1000000000};
}

// Where the machine is late what is due follows at once: the number of submissions is always the same.
static void submit_paced(const program *program, long rate, long count)
{
    const long by_rate = rate > 1000 ? rate / 1000 : 1;
    const long portion = rate > 0 ? by_rate : UNPACED_PORTION;
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (long done = 0; done < count; done += portion) {
        if (rate > 0) {
            const struct timespec due = at(&start, (double)done / (double)rate);
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
        }
        submit(program, portion < count - done ? portion : count - done);
    }
}

static double processor_seconds(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

int main(int count, char **arguments)
{
    program program = {0};
    if (count < 4)
        return 2;
    configure();
    program_init(&program, arguments[1]);
    submit_paced(&program, 0, WARM_UP);
    const double before = processor_seconds();
    callgrind_toggle();
    submit_paced(&program, atol(arguments[2]), atol(arguments[3]));
    callgrind_toggle();
    const double taken = processor_seconds() - before;
    program_finish(&program);
    printf("%.6f %.6f\n", taken, processor_seconds());
    return 0;
}
