// SPDX-License-Identifier: MIT
//
// A failed assert is reported by the task whose kernel failed it, once, and by no other: whatever queues, threads and orders share the
// image.

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "harness.h"

enum { THREADS = 4, TASKS = 300, ITEMS = 512, NONE = -1 };

// --- Many tasks

// What a thread does on a queue of its own. Task i fails in work-item i, if at all, so that a report says which task it is of.
typedef struct worker {
    pthread_t thread;
    mez_kernel *kernel; // of all
    mez_queue *queue;
    int32_t *values;
    unsigned seed;
    bool fails[TASKS];
    atomic_int reported[TASKS];
    atomic_int strange; // reports of no task of ours
} worker;

static void hear(void *user, const mez_assert_report *report)
{
    worker *w = user;
    const uint64_t task = report->record->global_id[0];
    if (task < TASKS && strcmp(report->kernel, "fails_at") == 0)
        w->reported[task]++;
    else
        w->strange++;
}

static bool chance(worker *w, unsigned one_of)
{
    return (unsigned)rand_r(&w->seed) % one_of == 0;
}

static mez_error launch(worker *w, int32_t bad, mez_event **event)
{
    return mez_submit(w->queue, w->kernel, MEZ_ND_RANGE(MEZ_SIZE(ITEMS), MEZ_SIZE(8)),
        MEZ_ARGS(MEZ_PTR(w->values), MEZ_VAL(bad)), MEZ_TASK(.event = event));
}

static void wait_for_event(worker *w, mez_event **event, int task)
{
    const mez_error error = mez_event_wait(*event);
    if (w->fails[task])
        mez_test_fails(error, MEZ_ERRC_ASSERT);
    else
        mez_test_ok(error);
    mez_event_destroy(event);
}

static void run_task(worker *w, int task)
{
    mez_event *event = NULL;
    w->fails[task] = mez_test_has("results") && chance(w, 3);
    mez_test_ok(launch(w, w->fails[task] ? task : NONE, chance(w, 2) ? &event : NULL));
    if (event && chance(w, 4))
        wait_for_event(w, &event, task);
    mez_event_destroy(&event);
    if (chance(w, 16)) // which of the failures it returns is nobody's business here
        mez_error_ignore(mez_queue_wait(w->queue));
}

static void *work(void *argument)
{
    worker *w = argument;
    for (int i = 0; i < TASKS; i++)
        run_task(w, i);
    while (mez_failed(mez_queue_wait(w->queue)))
        continue;
    return NULL;
}

static int count_reports(worker *w)
{
    int count = 0;
    for (int i = 0; i < TASKS; i++)
        count += w->reported[i];
    return count + w->strange;
}

static int count_failures(const worker *w)
{
    int count = 0;
    for (int i = 0; i < TASKS; i++)
        count += w->fails[i];
    return count;
}

// Reports come on a thread of the library's, behind the waits.
static void await_reports(worker *w)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    for (int left = 30000; left > 0 && count_reports(w) < count_failures(w); left--)
        nanosleep(&moment, NULL);
}

static void check_reports(worker *w)
{
    await_reports(w);
    assert_int_equal(w->strange, 0);
    for (int i = 0; i < TASKS; i++)
        assert_int_equal(w->reported[i], w->fails[i]);
}

static void open_worker(worker *w, mez_kernel *kernel, unsigned number, mez_queue_order order)
{
    *w = (worker){.kernel = kernel, .seed = 7919 * (number + 1)};
    w->values = mez_test_shared(ITEMS * sizeof *w->values);
    const mez_queue_params params = {
        .order = order, .asserts = {.policy = MEZ_ASSERT_CALLBACK, .function = hear, .user = w}};
    mez_test_ok(mez_queue_create(mez_test_context(), &params, &w->queue));
}

static void close_worker(worker *w)
{
    mez_queue_destroy(&w->queue);
    mez_test_free(w->values);
}

static void run_workers(mez_queue_order order)
{
    static worker workers[THREADS];
    mez_kernel *kernel = mez_test_kernel("asserts", "fails_at");
    for (unsigned i = 0; i < THREADS; i++)
        open_worker(&workers[i], kernel, i, order);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_create(&workers[i].thread, NULL, work, &workers[i]);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(workers[i].thread, NULL);
    for (unsigned i = 0; i < THREADS; i++)
        check_reports(&workers[i]);
    for (unsigned i = 0; i < THREADS; i++)
        close_worker(&workers[i]);
    mez_kernel_destroy(&kernel);
}

static void threads_with_queues_in_order(void **state)
{
    (void)state;
    run_workers(MEZ_IN_ORDER);
}

static void threads_with_queues_out_of_order(void **state)
{
    (void)state;
    run_workers(MEZ_OUT_OF_ORDER);
}

// --- Two queues

typedef struct pair {
    mez_kernel *kernel;
    mez_queue *queues[2];
    int32_t *values;
} pair;

static pair open_pair(void)
{
    pair p = {.kernel = mez_test_kernel("asserts", "fails_at"),
        .values = mez_test_shared(2 * ITEMS * sizeof *p.values)};
    const mez_queue_params params = {.asserts = {.policy = MEZ_ASSERT_ERROR}};
    for (int i = 0; i < 2; i++)
        mez_test_ok(mez_queue_create(mez_test_context(), &params, &p.queues[i]));
    return p;
}

static void close_pair(pair *p)
{
    for (int i = 0; i < 2; i++)
        mez_queue_destroy(&p->queues[i]);
    mez_test_free(p->values);
    mez_kernel_destroy(&p->kernel);
}

static void submit_to(pair *p, int queue, int32_t bad, mez_event **event)
{
    mez_test_ok(mez_submit(p->queues[queue], p->kernel, MEZ_ND_RANGE(MEZ_SIZE(ITEMS), MEZ_SIZE(8)),
        MEZ_ARGS(MEZ_PTR(p->values + queue * ITEMS), MEZ_VAL(bad)), MEZ_TASK(.event = event)));
}

static void check_wait(mez_queue *queue, bool failed)
{
    if (failed && mez_test_has("results"))
        mez_test_fails(mez_queue_wait(queue), MEZ_ERRC_ASSERT);
    mez_test_ok(mez_queue_wait(queue));
}

static void a_queue_beside_one_that_fails(void **state)
{
    (void)state;
    pair p = open_pair();
    for (int round = 0; round < 100; round++) {
        const int bad = round % 2;
        submit_to(&p, bad, 5, NULL);
        submit_to(&p, !bad, NONE, NULL);
        check_wait(p.queues[round / 2 % 2], round / 2 % 2 == bad);
        check_wait(p.queues[!(round / 2 % 2)], round / 2 % 2 != bad);
    }
    close_pair(&p);
}

static void two_queues_that_fail(void **state)
{
    (void)state;
    pair p = open_pair();
    for (int round = 0; round < 100; round++) {
        submit_to(&p, 0, round, NULL);
        submit_to(&p, 1, round + 1, NULL);
        check_wait(p.queues[round % 2], true);
        check_wait(p.queues[!(round % 2)], true);
    }
    close_pair(&p);
}

// --- Many launches without a wait

static void check_events(mez_event **events, int count, bool (*fails)(int task))
{
    for (int i = 0; i < count; i++) {
        const mez_error error = mez_event_wait(events[i]);
        if (fails(i) && mez_test_has("results"))
            mez_test_fails(error, MEZ_ERRC_ASSERT);
        else
            mez_test_ok(error);
        mez_event_destroy(&events[i]);
    }
}

static void run_without_waits(int count, bool (*fails)(int task))
{
    pair p = open_pair();
    mez_event **events = calloc((size_t)count, sizeof *events);
    assert_non_null(events);
    for (int i = 0; i < count; i++)
        submit_to(&p, 0, fails(i) ? i % ITEMS : NONE, &events[i]);
    check_events(events, count, fails);
    while (mez_failed(mez_queue_wait(p.queues[0])))
        continue;
    free(events);
    close_pair(&p);
}

static bool fails_always(int task)
{
    (void)task;
    return true;
}

// More than there are records for.
static void more_failures_than_records(void **state)
{
    (void)state;
    run_without_waits(100, fails_always);
}

static bool fails_around_1024(int task)
{
    return task == 0 || task == 1022 || task == 1023 || task == 1024 || task == 2099;
}

// More than a mailbox has places for.
static void more_launches_than_places(void **state)
{
    (void)state;
    run_without_waits(2100, fails_around_1024);
}

// A queue that has run others for a long time.
static void a_failure_behind_many_others(void **state)
{
    (void)state;
    pair p = open_pair();
    mez_kernel *innocent = mez_test_kernel("asserts", "innocent");
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 1500; i++)
            mez_test_ok(mez_submit(p.queues[0], innocent, MEZ_ND_RANGE(MEZ_SIZE(8), MEZ_SIZE(8)),
                MEZ_ARGS(MEZ_PTR(p.values), MEZ_VAL(round)), NULL));
        submit_to(&p, 0, 5, NULL);
        check_wait(p.queues[0], true);
    }
    mez_kernel_destroy(&innocent);
    close_pair(&p);
}

// What many work-items of a launch have failed is counted for that launch alone.
static void launches_that_fail_in_many_work_items(void **state)
{
    (void)state;
    const uint32_t items[] = {100, 3, 1, 64};
    enum { LAUNCHES = sizeof items / sizeof items[0] };
    const mez_queue_params params = {.asserts = {.policy = MEZ_ASSERT_ERROR, .limit = 8}};
    mez_queue *queue;
    mez_event *events[LAUNCHES];
    mez_kernel *kernel = mez_test_kernel("asserts", "fails_everywhere");
    int32_t *values = mez_test_shared(sizeof *values);
    mez_test_needs("results");
    mez_test_ok(mez_queue_create(mez_test_context(), &params, &queue));
    for (int i = 0; i < LAUNCHES; i++)
        mez_test_ok(mez_submit(queue, kernel, MEZ_RANGE(items[i]), MEZ_ARGS(MEZ_PTR(values)),
            MEZ_TASK(.event = &events[i])));
    for (int i = 0; i < LAUNCHES; i++) {
        uint64_t total = 0;
        mez_assert_record records[8];
        const mez_error error = mez_event_wait(events[i]);
        mez_test_fails(error, MEZ_ERRC_ASSERT);
        assert_int_equal(
            mez_error_get_asserts(error, records, 8, &total), items[i] < 8 ? items[i] : 8);
        assert_int_equal(total, items[i]);
        for (uint32_t r = 0; r < 8 && r < items[i]; r++)
            assert_true(records[r].global_id[0] < items[i]);
        mez_event_destroy(&events[i]);
    }
    while (mez_failed(mez_queue_wait(queue)))
        continue;
    mez_queue_destroy(&queue);
    mez_test_free(values);
    mez_kernel_destroy(&kernel);
}

// --- Replays

static void replays_fail_each_by_itself(void **state)
{
    (void)state;
    enum { REPLAYS = 6 };
    pair p = open_pair();
    mez_recording *recording;
    mez_event *events[REPLAYS];
    mez_test_ok(mez_recording_create(mez_test_context(), NULL, &recording));
    // Fails where the first value is 0, and makes it what it was not.
    mez_kernel *kernel = mez_test_kernel("assert_tasks", "fails_in_turn");
    mez_test_ok(mez_record_submit(
        recording, kernel, MEZ_RANGE(1), MEZ_ARGS(MEZ_PTR(p.values)), NULL, NULL));
    p.values[0] = 1;
    for (int i = 0; i < REPLAYS; i++)
        mez_test_ok(mez_replay(p.queues[0], recording, MEZ_TASK(.event = &events[i])));
    for (int i = 0; i < REPLAYS; i++) {
        const mez_error error = mez_event_wait(events[i]);
        if (i % 2 == 1 && mez_test_has("results"))
            mez_test_fails(error, MEZ_ERRC_ASSERT);
        else
            mez_test_ok(error);
        mez_event_destroy(&events[i]);
    }
    while (mez_failed(mez_queue_wait(p.queues[0])))
        continue;
    mez_recording_destroy(&recording);
    mez_kernel_destroy(&kernel);
    close_pair(&p);
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(threads_with_queues_in_order),
        MEZ_DEVICE_TEST(threads_with_queues_out_of_order),
        MEZ_DEVICE_TEST(a_queue_beside_one_that_fails),
        MEZ_DEVICE_TEST(two_queues_that_fail),
        MEZ_DEVICE_TEST(more_failures_than_records),
        MEZ_DEVICE_TEST(more_launches_than_places),
        MEZ_DEVICE_TEST(a_failure_behind_many_others),
        MEZ_DEVICE_TEST(launches_that_fail_in_many_work_items),
        MEZ_DEVICE_TEST(replays_fail_each_by_itself),
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
