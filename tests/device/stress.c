// SPDX-License-Identifier: MIT
//
// Random graphs of launches, copies and fills over in-order and out-of-order queues, some of them on the copy engine, compared byte by byte with a model that
// does the same one after the other. Each task waits for the events of just those tasks that it must not overtake, so that
// an order that the library loses shows as a wrong number. Now and then a barrier orders the tasks of a queue instead.
//
//   MEZ_STRESS_SEED=n    the first graph's seed (printed; each further graph has the next one)
//   MEZ_STRESS_GRAPHS=n  how many: 200

#include "harness.h"

#include <stdio.h>

enum {
    ITEMS = 48,
    BUFFERS = 6,
    QUEUES = 6,
    COPY_QUEUES = 2,
    MOST_TASKS = 60,
    MOST_WAITS = 2 * MOST_TASKS
};

// --- Random numbers, the same on every machine (SplitMix64)

static uint64_t random_state;

static uint32_t random_below(uint32_t bound)
{
    uint64_t z = (random_state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) % bound);
}

// --- A graph

typedef enum task_kind { STEP, TRANSFER, COPY, FILL, TASK_KINDS } task_kind;

typedef struct task {
    task_kind kind;
    uint32_t queue, from, to, number; // buffers by index; `from` only of TRANSFER and COPY
    uint32_t barriers;                // on its queue before it
    mez_event *event;
} task;

typedef struct graph {
    task tasks[MOST_TASKS];
    uint32_t count;
    uint32_t barriers[QUEUES];
    uint32_t *buffers[BUFFERS];
    uint32_t model[BUFFERS][ITEMS];
} graph;

static mez_queue *queues[QUEUES];
static mez_kernel *step, *transfer;

static bool reads(const task *task, uint32_t buffer)
{
    if (task->kind == STEP)
        return task->to == buffer;
    return task->kind != FILL && task->from == buffer;
}

static bool writes(const task *task, uint32_t buffer)
{
    return task->to == buffer;
}

// Must `later` not overtake `earlier`, with nothing else between them that sees to it?
static bool depends(const task *later, const task *earlier)
{
    const bool in_order = later->queue % 2 == 0;
    if (later->queue == earlier->queue && (in_order || later->barriers > earlier->barriers))
        return false;
    for (uint32_t buffer = 0; buffer < BUFFERS; buffer++)
        if ((writes(earlier, buffer) && (reads(later, buffer) || writes(later, buffer))) ||
            (reads(earlier, buffer) && writes(later, buffer)))
            return true;
    return false;
}

static void run_in_model(graph *graph, const task *task)
{
    uint32_t *to = graph->model[task->to];
    const uint32_t *from = graph->model[task->from];
    for (uint32_t i = 0; i < ITEMS; i++) {
        if (task->kind == STEP)
            to[i] = to[i] * 3 + task->number;
        else if (task->kind == TRANSFER)
            to[i] = from[i] + 1;
        else
            to[i] = task->kind == COPY ? from[i] : task->number;
    }
}

static mez_error submit(const graph *graph, const task *task, const mez_task_params *params)
{
    mez_queue *queue = queues[task->queue];
    uint32_t *to = graph->buffers[task->to], *from = graph->buffers[task->from];
    const size_t size = ITEMS * sizeof *to;
    switch (task->kind) {
    case STEP:
        return mez_submit(
            queue, step, MEZ_RANGE(ITEMS), MEZ_ARGS(MEZ_PTR(to), MEZ_VAL(task->number)), params);
    case TRANSFER:
        return mez_submit(
            queue, transfer, MEZ_RANGE(ITEMS), MEZ_ARGS(MEZ_PTR(from), MEZ_PTR(to)), params);
    case COPY:
        return mez_copy(queue, to, from, size, params);
    default:
        return mez_fill(queue, to, &task->number, sizeof task->number, size, params);
    }
}

static void add_task(graph *graph, task task)
{
    task.barriers = graph->barriers[task.queue];
    mez_event *waits[MOST_WAITS];
    mez_task_params params = {.wait_for = waits};
    for (uint32_t i = 0; i < graph->count; i++)
        if (depends(&task, &graph->tasks[i]))
            waits[params.wait_count++] = graph->tasks[i].event;
    struct task *added = &graph->tasks[graph->count];
    *added = task;
    params.event = &added->event;
    params.device_event = task.number % 2;
    mez_test_ok(submit(graph, added, &params));
    run_in_model(graph, added);
    graph->count++;
}

static void add_barrier(graph *graph, uint32_t queue)
{
    mez_test_ok(mez_barrier(queues[queue], NULL));
    graph->barriers[queue]++;
}

// The last queues run no kernels.
static bool needs_kernels(const task *task)
{
    return task->kind == STEP || task->kind == TRANSFER;
}

static task random_task(void)
{
    task task = {
        .kind = random_below(TASK_KINDS),
        .queue = random_below(QUEUES),
        .from = random_below(BUFFERS),
        .to = random_below(BUFFERS),
        .number = random_below(1000),
    };
    if (task.to == task.from) // source and target of a copy are two
        task.to = (task.to + 1) % BUFFERS;
    if (needs_kernels(&task))
        task.queue %= QUEUES - COPY_QUEUES;
    return task;
}

static void finish(graph *graph)
{
    for (uint32_t i = 0; i < QUEUES; i++)
        mez_test_ok(mez_queue_wait(queues[i]));
    for (uint32_t i = 0; i < graph->count; i++)
        mez_event_destroy(&graph->tasks[i].event);
}

static void compare(const graph *graph, uint64_t seed)
{
    static uint32_t seen[ITEMS];
    for (uint32_t buffer = 0; buffer < BUFFERS && mez_test_has("results"); buffer++) {
        mez_test_ok(mez_copy(queues[0], seen, graph->buffers[buffer], sizeof seen, NULL));
        mez_test_ok(mez_queue_wait(queues[0]));
        if (memcmp(seen, graph->model[buffer], sizeof seen) != 0)
            fail_msg("MEZ_STRESS_SEED=%llu: buffer %u differs from the model",
                (unsigned long long)seed, buffer);
    }
}

static void run_graph(uint32_t *const *buffers, uint64_t seed)
{
    graph graph = {.count = 0};
    random_state = seed;
    memcpy(graph.buffers, buffers, sizeof graph.buffers);
    for (uint32_t buffer = 0; buffer < BUFFERS; buffer++)
        add_task(&graph, (task){.kind = FILL, .to = buffer, .number = buffer});
    const uint32_t count = BUFFERS + 1 + random_below(MOST_TASKS - BUFFERS - 1);
    while (graph.count < count) {
        add_task(&graph, random_task());
        if (random_below(8) == 0)
            add_barrier(&graph, random_below(QUEUES));
    }
    finish(&graph);
    compare(&graph, seed);
}

// --- The test

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

static void open_queues(void)
{
    for (uint32_t i = 0; i < QUEUES; i++) {
        mez_queue_params params = {.order = i % 2 ? MEZ_OUT_OF_ORDER : MEZ_IN_ORDER};
        if (i >= QUEUES - COPY_QUEUES)
            params.engine = MEZ_ENGINE_COPY;
        mez_error error = mez_queue_create(mez_test_context(), &params, &queues[i]);
        if (mez_error_is(error, MEZ_ERRC_FEATURE_NOT_SUPPORTED)) { // no such engine
            params.engine = MEZ_ENGINE_ANY;
            error = mez_queue_create(mez_test_context(), &params, &queues[i]);
        }
        mez_test_ok(error);
    }
    step = mez_test_kernel("order", "step_once");
    transfer = mez_test_kernel("order", "transfer");
}

static void close_queues(void)
{
    for (uint32_t i = 0; i < QUEUES; i++)
        mez_queue_destroy(&queues[i]);
    mez_kernel_destroy(&step);
    mez_kernel_destroy(&transfer);
}

static void random_graphs(void **state)
{
    (void)state;
    uint32_t *buffers[BUFFERS];
    const uint64_t first = setting("MEZ_STRESS_SEED", 1);
    const uint64_t graphs = setting("MEZ_STRESS_GRAPHS", 200);
    printf("MEZ_STRESS_SEED=%llu MEZ_STRESS_GRAPHS=%llu\n", (unsigned long long)first,
        (unsigned long long)graphs);
    open_queues();
    for (uint32_t i = 0; i < BUFFERS; i++)
        buffers[i] = mez_test_alloc((mez_memory_kind)(i % 3), ITEMS * sizeof(uint32_t));
    for (uint64_t i = 0; i < graphs; i++)
        run_graph(buffers, first + i);
    for (uint32_t i = 0; i < BUFFERS; i++)
        mez_test_free(buffers[i]);
    close_queues();
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {MEZ_DEVICE_TEST(random_graphs)};
    return MEZ_TEST_MAIN(argc, argv, tests);
}
