// SPDX-License-Identifier: MIT
//
// Kernels that hang behind their failed assert are reported while they hang. MEZ_STALL is short here.

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "harness.h"

enum { COUNT = 8 };

#define EXPRESSION "local id: [3,0,0] Assertion `i != 3` failed."

// What the tests let go on in the end, so that the process has all its threads back.
typedef struct lab {
    mez_queue *queue;
    int32_t *values;
    atomic_int *go_on;
} lab;

static void submit_hanging(lab *l, const mez_task_params *task)
{
    mez_kernel *kernel = mez_test_kernel("failures", "fails_and_hangs");
    mez_test_ok(mez_submit(l->queue, kernel, MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(COUNT)),
        MEZ_ARGS(MEZ_PTR(l->values), MEZ_PTR(l->go_on)), task));
    mez_kernel_destroy(&kernel);
}

static void submit_keeping(lab *l)
{
    mez_kernel *kernel = mez_test_kernel("failures", "fails_and_keeps_others");
    mez_test_ok(mez_submit(l->queue, kernel, MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(COUNT)),
        MEZ_ARGS(MEZ_PTR(l->values), MEZ_LOCAL(COUNT * sizeof *l->values), MEZ_PTR(l->go_on)),
        NULL));
    mez_kernel_destroy(&kernel);
}

static lab open_lab(const mez_assert_params *asserts)
{
    lab l = {.values = mez_test_shared(COUNT * sizeof *l.values),
        .go_on = mez_test_shared(sizeof *l.go_on)};
    atomic_init(l.go_on, 0);
    mez_test_ok(mez_queue_create(mez_test_context(),
        &(mez_queue_params){.debug_name = "hung", .asserts = *asserts}, &l.queue));
    return l;
}

static lab open_recoverable(void)
{
    return open_lab(&(mez_assert_params){.policy = MEZ_ASSERT_ERROR});
}

static void check_reported(mez_error error)
{
    char story[4096];
    mez_assert_record record;
    mez_test_fails(error, MEZ_ERRC_ASSERT);
    mez_error_get_story(error, story, sizeof story);
    assert_non_null(strstr(story, EXPRESSION));
    assert_non_null(strstr(story, "the queue is given up"));
    assert_true(mez_error_get_assert(error, &record));
    assert_int_equal(record.global_id[0], 3);
}

// Other queues go on, also with the kernels of that image, if there is an engine for them.
static void check_others(void)
{
    if (!mez_test_has("engines"))
        return;
    mez_queue *queue;
    const int32_t none = -1;
    mez_test_ok(mez_queue_create(
        mez_test_context(), &(mez_queue_params){.asserts = {.policy = MEZ_ASSERT_ERROR}}, &queue));
    mez_kernel *kernel = mez_test_kernel("asserts", "fails_at");
    int32_t *values = mez_test_shared(COUNT * sizeof *values);
    mez_test_ok(mez_submit(
        queue, kernel, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(none)), NULL));
    mez_test_ok(mez_queue_wait(queue));
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(values[i], i + 1);
    mez_queue_destroy(&queue);
    mez_kernel_destroy(&kernel);
    mez_test_free(values);
}

static void close_lab(lab *l)
{
    mez_queue_destroy(&l->queue);
    assert_null(l->queue);
    check_others();
    *l->go_on = 1;
}

static void a_wait_is_reported(void **state)
{
    (void)state;
    mez_test_needs("abandon");
    lab l = open_recoverable();
    submit_hanging(&l, NULL);
    const mez_error error = mez_queue_wait(l.queue);
    check_reported(error);
    check_reported(mez_queue_wait(l.queue)); // for ever
    check_reported(mez_queue_wait_for(l.queue, 0));
    check_reported(mez_barrier(l.queue, NULL));
    check_others();
    close_lab(&l);
}

static atomic_int handled;

static void handle(void *user, mez_error error)
{
    *(mez_error *)user = mez_error_retain(error);
    atomic_fetch_add(&handled, 1);
}

// Once, though every wait returns it again and again.
static void a_handler_is_called(void **state)
{
    (void)state;
    mez_test_needs("abandon");
    mez_error error;
    lab l = open_recoverable();
    mez_queue_destroy(&l.queue);
    const mez_queue_params params = {.debug_name = "hung",
        .asserts = {.policy = MEZ_ASSERT_ERROR},
        .on_error = {.function = handle, .user = &error}};
    mez_test_ok(mez_queue_create(mez_test_context(), &params, &l.queue));
    atomic_store(&handled, 0);
    submit_hanging(&l, NULL);
    for (int i = 0; i < 20000 && atomic_load(&handled) == 0; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    assert_int_equal(handled, 1); // nobody waits
    check_reported(error);
    mez_error_release(error);
    check_reported(mez_queue_wait(l.queue));
    check_reported(mez_queue_wait(l.queue));
    close_lab(&l);
    assert_int_equal(handled, 1);
}

static void an_event_is_reported(void **state)
{
    (void)state;
    mez_test_needs("abandon");
    lab l = open_recoverable();
    mez_event *event;
    submit_hanging(&l, MEZ_TASK(.event = &event));
    check_reported(mez_event_wait(event));
    check_reported(mez_event_get_status(event));
    close_lab(&l);
    mez_event_destroy(&event);
}

static uint64_t deferred_bytes(void)
{
    mez_context_statistics statistics;
    mez_context_get_statistics(mez_test_context(), &statistics);
    return statistics.shared_memory.deferred_bytes;
}

// Nobody knows what the kernel may still reach.
static void freed_memory_stays_reserved(void **state)
{
    (void)state;
    mez_test_needs("abandon");
    lab l = open_recoverable();
    void *memory = mez_test_shared(4096);
    submit_hanging(&l, NULL);
    check_reported(mez_queue_wait(l.queue));
    const uint64_t before = deferred_bytes();
    mez_test_free(memory);
    assert_int_equal(deferred_bytes(), before + 4096);
    close_lab(&l);
    assert_true(deferred_bytes() >= before + 4096);
}

static void others_at_a_barrier(void **state)
{
    (void)state;
    mez_test_needs("abandon");
    lab l = open_recoverable();
    submit_keeping(&l);
    check_reported(mez_queue_wait(l.queue));
    close_lab(&l);
}

// A wait with a timeout that ends before is a timeout.
static void short_waits(void **state)
{
    (void)state;
    mez_test_needs("abandon");
    lab l = open_recoverable();
    submit_hanging(&l, NULL);
    mez_test_fails(mez_queue_wait_for(l.queue, 1000000), MEZ_ERRC_TIMEOUT);
    check_reported(mez_queue_wait(l.queue));
    close_lab(&l);
}

static void hear(void *user, const mez_assert_report *report)
{
    *(atomic_int *)user +=
        mez_error_is(report->error, MEZ_ERRC_ASSERT) && strstr(report->message, EXPRESSION) != NULL;
}

// The completion thread watches where nobody waits.
static void a_function_is_called(void **state)
{
    (void)state;
    mez_test_needs("abandon");
    atomic_int heard = 0;
    lab l = open_lab(
        &(mez_assert_params){.policy = MEZ_ASSERT_CALLBACK, .function = hear, .user = &heard});
    submit_hanging(&l, NULL);
    mez_test_ok(mez_queue_flush(l.queue));
    for (int i = 0; i < 200 && heard == 0; i++) // 20 s, for slow machines
        nanosleep(&(const struct timespec){.tv_nsec = 100000000}, NULL);
    assert_int_equal(heard, 1);
    check_reported(mez_queue_wait(l.queue));
    close_lab(&l);
}

// A long kernel that failed no assert is none of this.
static void long_kernels_are_left_alone(void **state)
{
    (void)state;
    mez_test_needs("abandon");
    lab l = open_recoverable();
    mez_kernel *kernel = mez_test_kernel("failures", "hangs");
    mez_test_ok(mez_submit(l.queue, kernel, MEZ_RANGE(1), MEZ_ARGS(MEZ_PTR(l.go_on)), NULL));
    mez_test_fails(mez_queue_wait_for(l.queue, 1000000000), MEZ_ERRC_TIMEOUT);
    *l.go_on = 1;
    mez_test_ok(mez_queue_wait(l.queue));
    mez_queue_destroy(&l.queue);
    mez_kernel_destroy(&kernel);
}

// Nor is one behind another that has failed and ended: that failure is reported, and the queue goes on.
static void long_kernels_behind_a_failure(void **state)
{
    (void)state;
    mez_test_needs("abandon");
    lab l = open_recoverable();
    mez_event *failed;
    const int32_t bad = 3;
    mez_kernel *fails = mez_test_kernel("asserts", "fails_at");
    mez_kernel *hangs = mez_test_kernel("failures", "hangs");
    mez_test_ok(mez_submit(l.queue, fails, MEZ_RANGE(COUNT),
        MEZ_ARGS(MEZ_PTR(l.values), MEZ_VAL(bad)), MEZ_TASK(.event = &failed)));
    mez_test_ok(mez_queue_flush(l.queue));
    mez_test_ok(mez_submit(l.queue, hangs, MEZ_RANGE(1), MEZ_ARGS(MEZ_PTR(l.go_on)), NULL));
    mez_error_ignore(mez_queue_wait_for(l.queue, 1000000000));
    *l.go_on = 1;
    while (mez_failed(mez_queue_wait(l.queue)))
        continue; // for ever where it is given up
    mez_test_fails(mez_event_wait(failed), MEZ_ERRC_ASSERT);
    mez_event_destroy(&failed);
    mez_queue_destroy(&l.queue);
    mez_kernel_destroy(&hangs);
    mez_kernel_destroy(&fails);
}

static void child_aborts(void)
{
    lab l = open_lab(&(mez_assert_params){.policy = MEZ_ASSERT_INHERIT});
    submit_hanging(&l, NULL);
    mez_error_ignore(mez_queue_wait(l.queue));
    printf("not aborted\n");
}

// The process ends although its kernel does not.
static void child_ends(void)
{
    lab l = open_recoverable();
    submit_hanging(&l, NULL);
    check_reported(mez_queue_wait(l.queue));
    mez_queue_destroy(&l.queue);
    printf("the end\n");
}

static void aborts_while_it_hangs(void **state)
{
    (void)state;
    mez_test_needs("abandon");
    mez_test_death death;
    mez_test_run_child("aborts", &death);
    mez_test_check_death(&death, SIGABRT, EXPRESSION "\n");
}

static void ends_while_it_hangs(void **state)
{
    (void)state;
    mez_test_needs("abandon");
    mez_test_death death;
    mez_test_run_child("ends", &death);
    mez_test_check_death(&death, 0, "the end\n");
    assert_int_equal(death.exit_code, 0);
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(a_wait_is_reported),
        MEZ_DEVICE_TEST(a_handler_is_called),
        MEZ_DEVICE_TEST(an_event_is_reported),
        MEZ_DEVICE_TEST(freed_memory_stays_reserved),
        MEZ_DEVICE_TEST(others_at_a_barrier),
        MEZ_DEVICE_TEST(short_waits),
        MEZ_DEVICE_TEST(a_function_is_called),
        MEZ_DEVICE_TEST(long_kernels_are_left_alone),
        MEZ_DEVICE_TEST(long_kernels_behind_a_failure),
        MEZ_DEVICE_TEST(aborts_while_it_hangs),
        MEZ_DEVICE_TEST(ends_while_it_hangs),
    };
    static const mez_test_child children[] = {
        {"aborts", child_aborts},
        {"ends", child_ends},
        {NULL, NULL},
    };
    return MEZ_TEST_MAIN_WITH(argc, argv, tests, children);
}
