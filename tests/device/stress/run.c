// SPDX-License-Identifier: MIT
//
// Runs a plan: each of its threads submits its own tasks, in the plan's order. What other threads must have submitted before
// comes through a table, under a lock; as the plan's order is the same for all, nobody waits for himself.

#include "../harness.h"

#include <pthread.h>
#include <stdio.h>

#include "stress.h"

#define STRESS_TRY(expression)                \
    do {                                      \
        const mez_error tried = (expression); \
        if (mez_failed(tried))                \
            return tried;                     \
    } while (0)

static mez_queue *queues[STRESS_QUEUES];
static mez_kernel *step, *transfer, *combine, *reverse, *plane;

mez_queue *stress_queue(uint32_t number)
{
    return queues[number];
}

static mez_error create_queue(uint32_t number)
{
    static const char *const names[STRESS_QUEUES] = {"in order 0", "out of order 1", "in order 2",
        "out of order 3", "in order 4", "out of order 5"};
    mez_queue_params params = {
        .debug_name = names[number],
        .order = stress_is_in_order(number) ? MEZ_IN_ORDER : MEZ_OUT_OF_ORDER,
        .profiling = number >= STRESS_QUEUES - 2,
    };
    if (stress_runs_no_kernels(number))
        params.engine = MEZ_ENGINE_COPY;
    mez_error error = mez_queue_create(mez_test_context(), &params, &queues[number]);
    if (mez_error_is(error, MEZ_ERRC_FEATURE_NOT_SUPPORTED)) { // no such engine
        params.engine = MEZ_ENGINE_ANY;
        error = mez_queue_create(mez_test_context(), &params, &queues[number]);
    }
    return error;
}

void stress_open(void)
{
    for (uint32_t i = 0; i < STRESS_QUEUES; i++)
        mez_test_ok(create_queue(i));
    step = mez_test_kernel("order", "step_once");
    transfer = mez_test_kernel("order", "transfer");
    combine = mez_test_kernel("stress", "combine");
    reverse = mez_test_kernel("stress", "reverse_groups");
    plane = mez_test_kernel("stress", "plane");
}

void stress_close(void)
{
    mez_kernel **const kernels[] = {&step, &transfer, &combine, &reverse, &plane};
    for (uint32_t i = 0; i < STRESS_QUEUES; i++)
        mez_queue_destroy(&queues[i]);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        mez_kernel_destroy(kernels[i]);
}

// A task or a thread, as its function knows it.
typedef struct place_in_run {
    struct run *run;
    uint32_t number;
    uint32_t *items; // of a host task: the buffer may have other memory when it runs
} place_in_run;

typedef struct run {
    const stress_plan *plan;
    uint32_t **buffers;
    place_in_run places[STRESS_MOST_TASKS]; // of host tasks

    pthread_mutex_t lock; // guards all below
    pthread_cond_t changed;
    stress_set handed; // submitted, or done by their thread
    mez_event *events[STRESS_MOST_TASKS];
    uint32_t event_users[STRESS_MOST_TASKS]; // who still needs the event, the submitter for one
    uint32_t callbacks;                      // and host tasks, that have not returned
    mez_error error;                         // the first; everybody gives up
} run;

// --- The table

static void fail_run(run *run, mez_error error)
{
    if (!mez_failed(error))
        return;
    pthread_mutex_lock(&run->lock);
    if (!mez_failed(run->error))
        run->error = mez_error_retain(error);
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
}

static bool are_handed(const run *run, const stress_set *wanted)
{
    uint64_t missing = 0;
    for (uint32_t i = 0; i < STRESS_SET_WORDS; i++)
        missing |= wanted->words[i] & ~run->handed.words[i];
    return missing == 0;
}

// False: somebody failed.
static bool await(run *run, const stress_set *wanted)
{
    pthread_mutex_lock(&run->lock);
    while (!are_handed(run, wanted) && !mez_failed(run->error))
        pthread_cond_wait(&run->changed, &run->lock);
    const bool fine = !mez_failed(run->error);
    pthread_mutex_unlock(&run->lock);
    return fine;
}

static void hand_over(run *run, uint32_t number, mez_event *event)
{
    pthread_mutex_lock(&run->lock);
    stress_set_add(&run->handed, number);
    run->events[number] = event;
    run->event_users[number] = run->plan->tasks[number].event_users + 1;
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
}

// Many events are given up while their tasks are in flight.
static void leave_event(run *run, uint32_t number)
{
    mez_event *unused = NULL;
    pthread_mutex_lock(&run->lock);
    if (--run->event_users[number] == 0 && !run->plan->tasks[number].keep_event) {
        unused = run->events[number];
        run->events[number] = NULL;
    }
    pthread_mutex_unlock(&run->lock);
    mez_event_destroy(&unused);
}

static void leave_events(run *run, const stress_set *numbers)
{
    for (uint32_t i = 0; i < run->plan->count; i++)
        if (stress_set_has(numbers, i))
            leave_event(run, i);
}

// The events of a set. Returns how many.
static uint32_t take_events(run *run, const stress_set *numbers, mez_event **events)
{
    uint32_t count = 0;
    pthread_mutex_lock(&run->lock);
    for (uint32_t i = 0; i < run->plan->count; i++)
        if (stress_set_has(numbers, i))
            events[count++] = run->events[i];
    pthread_mutex_unlock(&run->lock);
    return count;
}

static mez_error wait_for_events(run *run, const stress_set *numbers)
{
    mez_event *events[STRESS_MOST_TASKS];
    const uint32_t count = take_events(run, numbers, events);
    mez_error error = mez_ok();
    for (uint32_t i = 0; i < count && !mez_failed(error); i++)
        error = mez_event_wait(events[i]);
    return error;
}

static void count_down(void *user, mez_error outcome)
{
    run *run = user;
    fail_run(run, outcome);
    pthread_mutex_lock(&run->lock);
    run->callbacks--;
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
}

static void count_up(run *run)
{
    pthread_mutex_lock(&run->lock);
    run->callbacks++;
    pthread_mutex_unlock(&run->lock);
}

// --- Submitting

static mez_error submit_task(run *run, uint32_t number);

static uint32_t *address(const run *run, const stress_area *area)
{
    return run->buffers[area->buffer] + area->first;
}

static mez_range line(const stress_task *task, size_t local)
{
    const mez_range range = {.dimensions = 1,
        .global = {task->to.width, 1, 1},
        .local = {local, local ? 1 : 0, local ? 1 : 0}};
    return range;
}

static mez_error launch(const run *run, const stress_task *task, const mez_task_params *params)
{
    mez_queue *queue = queues[task->queue];
    uint32_t *to = address(run, &task->to), *from = address(run, &task->from);
    uint32_t *other = address(run, &task->other);
    const mez_range range = line(task, task->one_group ? task->to.width : 0);
    const mez_range rows = line(task, STRESS_PITCH);
    const uint32_t pitch = STRESS_PITCH;
    const uint64_t factor = task->number;
    const uint8_t zero = 0;
    switch (task->kind) {
    case STRESS_STEP:
        return mez_submit(
            queue, step, &range, MEZ_ARGS(MEZ_PTR(to), MEZ_VAL(task->number)), params);
    case STRESS_TRANSFER:
        return mez_submit(queue, transfer, &range, MEZ_ARGS(MEZ_PTR(from), MEZ_PTR(to)), params);
    case STRESS_COMBINE:
        return mez_submit(queue, combine, &range,
            MEZ_ARGS(MEZ_PTR(from), MEZ_PTR(other), MEZ_PTR(to), MEZ_VAL(factor), MEZ_VAL(zero)),
            params);
    case STRESS_REVERSE:
        return mez_submit(queue, reverse, &rows,
            MEZ_ARGS(MEZ_PTR(to), MEZ_LOCAL(STRESS_PITCH * sizeof *to)), params);
    default:
        return mez_submit(queue, plane, MEZ_RANGE(task->to.width, task->to.rows),
            MEZ_ARGS(MEZ_PTR(to), MEZ_VAL(pitch), MEZ_VAL(task->number)), params);
    }
}

static mez_error fill(const run *run, const stress_task *task, const mez_task_params *params)
{
    uint32_t pattern[4];
    for (uint32_t i = 0; i < 4; i++)
        pattern[i] = task->number + i;
    const uint8_t byte = (uint8_t)task->number;
    const void *start = task->pattern ? (const void *)pattern : &byte;
    return mez_fill(queues[task->queue], address(run, &task->to), start,
        task->pattern ? task->pattern * sizeof *pattern : 1, task->to.width * sizeof *pattern,
        params);
}

// The tasks that use the old memory have been submitted; most have not run.
static mez_error renew(const run *run, const stress_task *task, const mez_task_params *params)
{
    static const size_t sizes[] = {STRESS_ITEMS, STRESS_ITEMS, 1024, 10000};
    uint32_t **buffer = &run->buffers[task->to.buffer];
    const mez_memory_params memory = {
        .kind = stress_kind_of(task->to.buffer), .debug_name = "a buffer of the stress test"};
    mez_error error;
    STRESS_TRY(mez_free(mez_test_context(), *buffer));
    *buffer =
        mez_alloc(mez_test_context(), &memory, sizes[task->number % 4] * sizeof **buffer, &error);
    return *buffer ? fill(run, task, params) : error;
}

static void work_on_host(const stress_task *task, uint32_t *items)
{
    for (uint32_t i = 0; i < task->to.width; i++)
        items[i] = items[i] * 5 + task->number;
}

static void host_function(void *user)
{
    const place_in_run *place = user;
    run *run = place->run;
    const stress_task *task = &run->plan->tasks[place->number];
    work_on_host(task, place->items);
    if (task->nests)
        fail_run(run, submit_task(run, place->number + 1));
    count_down(run, mez_ok());
}

// Called once, before the run ends.
static mez_error submit_host_task(run *run, const stress_task *task, const mez_task_params *params)
{
    const uint32_t number = (uint32_t)(task - run->plan->tasks);
    place_in_run *place = &run->places[number];
    *place = (place_in_run){.run = run, .number = number, .items = address(run, &task->to)};
    count_up(run);
    const mez_error error = mez_host_task(queues[task->queue], host_function, place, params);
    if (mez_failed(error))
        count_down(run, error);
    return error;
}

static mez_error submit(run *run, const stress_task *task, const mez_task_params *params)
{
    mez_queue *queue = queues[task->queue];
    const size_t size = task->to.width * sizeof(uint32_t), pitch = STRESS_PITCH * sizeof(uint32_t);
    switch (task->kind) {
    case STRESS_COPY:
        return mez_copy(queue, address(run, &task->to), address(run, &task->from), size, params);
    case STRESS_COPY_2D:
        return mez_copy_2d(queue, address(run, &task->to), pitch, address(run, &task->from), pitch,
            size, task->to.rows, params);
    case STRESS_UPLOAD:
        return mez_copy(queue, address(run, &task->to), stress_plain, size, params);
    case STRESS_FILL:
        return fill(run, task, params);
    case STRESS_PREFETCH:
        return mez_prefetch(queue, address(run, &task->to), size, params);
    case STRESS_BARRIER:
        return mez_barrier(queue, params);
    case STRESS_MARKER:
        return mez_marker(queue, params);
    case STRESS_HOST_TASK:
        return submit_host_task(run, task, params);
    case STRESS_RENEW:
        return renew(run, task, params);
    default:
        return launch(run, task, params);
    }
}

static mez_error set_callback(run *run, mez_event *event, mez_event_function function, void *user)
{
    count_up(run);
    const mez_error error = mez_event_set_callback(event, function, user);
    if (mez_failed(error))
        count_down(run, error);
    return error;
}

// A host task must not wait for what is behind a host task.
static mez_error look(const stress_task *task, mez_event *event)
{
    const mez_error status = mez_event_get_status(event);
    if (mez_failed(status) && !mez_error_is(status, MEZ_ERRC_NOT_READY))
        return status;
    const mez_error wait = mez_queue_wait_for(queues[task->queue], task->nested ? 0 : 1000);
    return mez_error_is(wait, MEZ_ERRC_TIMEOUT) ? mez_ok() : wait;
}

static mez_error do_more(run *run, const stress_task *task, mez_event *event)
{
    if (task->flush)
        STRESS_TRY(mez_queue_flush(queues[task->queue]));
    if (!event)
        return mez_ok();
    if (task->callback)
        STRESS_TRY(set_callback(run, event, count_down, run));
    return task->look ? look(task, event) : mez_ok();
}

// Another thread may get the event as soon as it is handed over; ours it is until we leave it.
static mez_error submit_task(run *run, uint32_t number)
{
    const stress_task *task = &run->plan->tasks[number];
    mez_event *waits[STRESS_MOST_TASKS], *event = NULL;
    const mez_task_params params = {
        .debug_name = "a task of the stress test",
        .wait_for = waits,
        .wait_count = take_events(run, &task->waits, waits),
        .event = task->event_users > 0 || task->spare_event ? &event : NULL,
        .device_event = task->number % 2,
    };
    const bool plain = !params.event && params.wait_count == 0;
    STRESS_TRY(submit(run, task, plain ? NULL : &params));
    hand_over(run, number, event);
    leave_events(run, &task->waits);
    const mez_error error = do_more(run, task, event);
    leave_event(run, number);
    return error;
}

// --- Tasks of threads

static mez_error work(run *run, uint32_t number)
{
    const stress_task *task = &run->plan->tasks[number];
    work_on_host(task, address(run, &task->to));
    hand_over(run, number, NULL);
    return mez_ok();
}

static mez_error wait_for_queue(run *run, uint32_t number)
{
    STRESS_TRY(mez_queue_wait(queues[run->plan->tasks[number].queue]));
    hand_over(run, number, NULL);
    return mez_ok();
}

// --- Threads

static mez_error run_task(run *run, uint32_t number)
{
    const stress_task *task = &run->plan->tasks[number];
    STRESS_TRY(wait_for_events(run, &task->host_waits));
    leave_events(run, &task->host_waits);
    if (task->kind == STRESS_HOST)
        return work(run, number);
    return task->kind == STRESS_WAIT ? wait_for_queue(run, number) : submit_task(run, number);
}

static void *run_thread(void *argument)
{
    const place_in_run *place = argument;
    run *run = place->run;
    for (uint32_t i = 0; i < run->plan->count; i++) {
        const stress_task *task = &run->plan->tasks[i];
        if (task->thread != place->number || task->nested)
            continue;
        if (!await(run, &task->before))
            break;
        fail_run(run, run_task(run, i));
    }
    return NULL;
}

static void run_threads(run *run)
{
    pthread_t threads[STRESS_MOST_THREADS];
    place_in_run places[STRESS_MOST_THREADS];
    for (uint32_t i = 0; i < run->plan->threads; i++) {
        places[i] = (place_in_run){.run = run, .number = i};
        if (i > 0)
            assert_int_equal(pthread_create(&threads[i], NULL, run_thread, &places[i]), 0);
    }
    run_thread(&places[0]);
    for (uint32_t i = 1; i < run->plan->threads; i++)
        pthread_join(threads[i], NULL);
}

static void await_callbacks(run *run)
{
    pthread_mutex_lock(&run->lock);
    while (run->callbacks > 0)
        pthread_cond_wait(&run->changed, &run->lock);
    pthread_mutex_unlock(&run->lock);
}

// Destroying a queue is one way to wait for it.
static void finish(run *run)
{
    const stress_plan *plan = run->plan;
    await_callbacks(run);
    if (plan->destroys_queue) {
        mez_queue_destroy(&queues[plan->destroyed]);
        fail_run(run, create_queue(plan->destroyed));
    }
    for (uint32_t i = 0; i < STRESS_QUEUES; i++)
        fail_run(run, mez_queue_wait(queues[i]));
    for (uint32_t i = 0; i < plan->count; i++) {
        if (run->events[i])
            fail_run(run, mez_event_wait(run->events[i]));
        mez_event_destroy(&run->events[i]);
    }
}

mez_error stress_run(const stress_plan *plan, uint32_t *buffers[STRESS_BUFFERS])
{
    run run = {.plan = plan, .buffers = buffers};
    pthread_mutex_init(&run.lock, NULL);
    pthread_cond_init(&run.changed, NULL);
    run_threads(&run);
    finish(&run);
    pthread_cond_destroy(&run.changed);
    pthread_mutex_destroy(&run.lock);
    return run.error;
}
