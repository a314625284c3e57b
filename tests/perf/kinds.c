// SPDX-License-Identifier: MIT
//
// Launches between two waits, so many in each case, on a batched queue beside an immediate one.

#include "cases.h"

enum { POINTERS = 1000 };

static struct perf_shared shared;
static mez_queue *immediate;
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

// Each launch has a pointer that the few before it did not have.
static void vary(mez_queue *queue, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        pointer.data = (char *)shared.memory + next_pointer++ % POINTERS * sizeof(int);
        must(mez_submit(queue, one, &range, &args, NULL));
    }
    must(mez_queue_wait(queue));
}

#define MIX(how, count)                                               \
    PERF_OPERATION(how##_batched_##count, how(shared.batched, count)) \
    PERF_OPERATION(how##_immediate_##count, how(immediate, count))

MIX(repeat, 1)
MIX(repeat, 4)
MIX(repeat, 16)
MIX(vary, 1)
MIX(vary, 2)
MIX(vary, 4)
MIX(vary, 16)

#define CASE(text, how, count)                                          \
    {                                                                   \
        .name = text ", batched to immediate",                          \
        .ours = {.measured = how##_batched_##count, .tasks = (count)},  \
        .raw = {.measured = how##_immediate_##count, .tasks = (count)}, \
    }

static const struct perf_case cases[] = {
    CASE("the same launch, wait", repeat, 1),
    CASE("4 same launches, wait", repeat, 4),
    CASE("16 same launches, wait", repeat, 16),
    CASE("a new launch, wait", vary, 1),
    CASE("2 new launches, wait", vary, 2),
    CASE("4 new launches, wait", vary, 4),
    CASE("16 new launches, wait", vary, 16),
};

const struct perf_case *perf_kinds_init(const struct perf_shared *lent, size_t *count)
{
    const mez_queue_params params = {.kind = MEZ_QUEUE_IMMEDIATE};
    shared = *lent;
    pointer.data = shared.memory;
    must(mez_kernel_create(shared.plain_image, "one_argument", &one));
    must(mez_queue_create(shared.context, &params, &immediate));
    *count = sizeof cases / sizeof *cases;
    return cases;
}

void perf_kinds_finish(void)
{
    mez_queue_destroy(&immediate);
    mez_kernel_destroy(&one);
}
