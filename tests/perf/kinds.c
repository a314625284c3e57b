// SPDX-License-Identifier: MIT
//
// Launches between two waits, so many in each case, on a batched queue and on an adaptive one beside an immediate one.

#include "cases.h"

enum { POINTERS = 1000 };

static struct perf_shared shared;
static mez_queue *immediate, *adaptive;
static mez_kernel *one;
static mez_arg pointer = {.kind = MEZ_ARG_POINTER};
static const mez_args args = {1, &pointer};
static const mez_range range = {.dimensions = 1, .global = {1, 1, 1}, .local = {1, 1, 1}};
static unsigned next_pointer;

static void repeat(mez_queue *queue, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        must(mez_submit(queue, one, &range, &args, NULL));
    must(mez_queue_wait(queue));
}

// It has a pointer that the few before it did not have.
static void launch_new(mez_queue *queue)
{
    pointer.data = (char *)shared.memory + next_pointer++ % POINTERS * sizeof(int);
    must(mez_submit(queue, one, &range, &args, NULL));
}

static void vary(mez_queue *queue, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        launch_new(queue);
    must(mez_queue_wait(queue));
}

enum { LENGTHS = 4, MEAN_LENGTH = 5 };

// One of several lengths in turn.
static void burst(mez_queue *queue, unsigned turn)
{
    static const unsigned lengths[LENGTHS] = {1, 16, 2, 1};
    vary(queue, lengths[turn % LENGTHS]);
}

#define MIX(how, count)                                               \
    PERF_OPERATION(how##_batched_##count, how(shared.batched, count)) \
    PERF_OPERATION(how##_adaptive_##count, how(adaptive, count))      \
    PERF_OPERATION(how##_immediate_##count, how(immediate, count))

MIX(repeat, 1)
MIX(repeat, 4)
MIX(repeat, 16)
MIX(vary, 1)
MIX(vary, 2)
MIX(vary, 4)
MIX(vary, 16)

PERF_OPERATION(burst_batched, burst(shared.batched, i))
PERF_OPERATION(burst_adaptive, burst(adaptive, i))
PERF_OPERATION(burst_immediate, burst(immediate, i))

// A round of launches, and a wait that is not counted.
PERF_OPERATION(stream_batched, launch_new(shared.batched))
PERF_OPERATION(stream_adaptive, launch_new(adaptive))
PERF_OPERATION(stream_immediate, launch_new(immediate))

static void wait_for_all(void)
{
    must(mez_queue_wait(shared.batched));
    must(mez_queue_wait(adaptive));
    must(mez_queue_wait(immediate));
}

#define PAIR(text, how, count, kind)                                    \
    {                                                                   \
        .name = text ", " #kind " to immediate",                        \
        .ours = {.measured = how##_##kind##_##count, .tasks = (count)}, \
        .raw = {.measured = how##_immediate_##count, .tasks = (count)}, \
    }
#define CASE(text, how, count) PAIR(text, how, count, batched), PAIR(text, how, count, adaptive)

#define BURSTS(kind)                                                         \
    {                                                                        \
        .name = "1, 16, 2 and 1 new launches, wait, " #kind " to immediate", \
        .ours = {.measured = burst_##kind, .tasks = MEAN_LENGTH},            \
        .raw = {.measured = burst_immediate, .tasks = MEAN_LENGTH},          \
    }
#define STREAM(kind)                                                  \
    {                                                                 \
        .name = "a stream of new launches, " #kind " to immediate",   \
        .ours = {.measured = stream_##kind, .after = wait_for_all},   \
        .raw = {.measured = stream_immediate, .after = wait_for_all}, \
    }

static const struct perf_case cases[] = {
    CASE("the same launch, wait", repeat, 1),
    CASE("4 same launches, wait", repeat, 4),
    CASE("16 same launches, wait", repeat, 16),
    CASE("a new launch, wait", vary, 1),
    CASE("2 new launches, wait", vary, 2),
    CASE("4 new launches, wait", vary, 4),
    CASE("16 new launches, wait", vary, 16),
    BURSTS(batched),
    BURSTS(adaptive),
    STREAM(batched),
    STREAM(adaptive),
};

const struct perf_case *perf_kinds_init(const struct perf_shared *lent, size_t *count)
{
    const mez_queue_params params = {.kind = MEZ_QUEUE_IMMEDIATE},
                           adapting = {.kind = MEZ_QUEUE_ADAPTIVE};
    shared = *lent;
    pointer.data = shared.memory;
    must(mez_kernel_create(shared.plain_image, "one_argument", &one));
    must(mez_queue_create(shared.context, &params, &immediate));
    must(mez_queue_create(shared.context, &adapting, &adaptive));
    *count = sizeof cases / sizeof *cases;
    return cases;
}

void perf_kinds_finish(void)
{
    mez_queue_destroy(&immediate);
    mez_queue_destroy(&adaptive);
    mez_kernel_destroy(&one);
}
