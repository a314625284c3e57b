// SPDX-License-Identifier: MIT
//
// Failed asserts that programs survive: the error that waits return, the function that is called, and that all goes on.

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

#include "harness.h"

enum { COUNT = 16, BAD = 13, NONE = -1, THREADS = 4 };

#define LINE                                                                                  \
    "asserts.cl:10: fails_at: global id: [13,0,0], local id: [1,0,0] Assertion `i != bad && " \
    "\"from assert statement\"` failed."

// A queue with its kernel and memory.
typedef struct lab {
    mez_queue *queue;
    mez_kernel *kernel;
    int32_t *values;
} lab;

static lab open_lab(const mez_queue_params *params)
{
    lab l;
    mez_test_ok(mez_queue_create(mez_test_context(), params, &l.queue));
    l.kernel = mez_test_kernel("asserts", "fails_at");
    l.values = mez_test_shared(COUNT * sizeof *l.values);
    return l;
}

static lab open_recoverable(void)
{
    return open_lab(
        &(mez_queue_params){.debug_name = "the lab", .asserts = {.policy = MEZ_ASSERT_ERROR}});
}

static void close_lab(lab *l)
{
    mez_queue_destroy(&l->queue);
    mez_kernel_destroy(&l->kernel);
    mez_test_free(l->values);
}

static mez_error submit(lab *l, int32_t bad, const mez_task_params *task)
{
    return mez_submit(l->queue, l->kernel, MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(4)),
        MEZ_ARGS(MEZ_PTR(l->values), MEZ_VAL(bad)), task);
}

// Nothing runs in capture mode, so nothing fails.
static void check_failed(mez_error error)
{
    if (mez_test_has("results"))
        mez_test_fails(error, MEZ_ERRC_ASSERT);
    else
        mez_test_ok(error);
}

static void check_clean(lab *l)
{
    memset(l->values, 0, COUNT * sizeof *l->values);
    mez_test_ok(submit(l, NONE, NULL));
    mez_test_ok(mez_queue_wait(l->queue));
    for (int i = 0; i < COUNT && mez_test_has("results"); i++)
        assert_int_equal(l->values[i], i + 1);
}

static void check_record(const mez_assert_record *record)
{
    assert_int_equal(record->flag, 2);
    assert_string_equal(record->expression, "i != bad && \"from assert statement\"");
    assert_non_null(strstr(record->file, "asserts.cl"));
    assert_string_equal(record->function, "fails_at");
    assert_int_equal(record->line, 10);
    assert_int_equal(record->global_id[0], BAD);
    assert_int_equal(record->global_id[1], 0);
    assert_int_equal(record->local_id[0], BAD % 4);
}

static void check_story(mez_error error)
{
    char story[4096];
    mez_error_get_story(error, story, sizeof story);
    assert_non_null(strstr(story, LINE));
    assert_non_null(strstr(story, "kernel: fails_at"));
    assert_non_null(strstr(story, "queue: \"the lab\""));
    assert_non_null(strstr(story, "\"the culprit\" (kernel \"fails_at\", submitted at "));
    assert_non_null(strstr(story, "assert_policies.c:"));
}

static void a_wait_reports_everything(void **state)
{
    (void)state;
    lab l = open_recoverable();
    mez_test_ok(submit(&l, BAD, MEZ_TASK(.debug_name = "the culprit")));
    const mez_error error = mez_queue_wait(l.queue);
    check_failed(error);
    if (mez_test_has("results")) {
        mez_assert_record record;
        check_story(error);
        assert_true(mez_error_get_assert(error, &record));
        check_record(&record);
    }
    mez_test_ok(mez_queue_wait(l.queue)); // once
    close_lab(&l);
}

static void all_goes_on(void **state)
{
    (void)state;
    lab l = open_recoverable();
    for (int i = 0; i < 5; i++) {
        mez_test_ok(submit(&l, BAD, NULL));
        check_failed(mez_queue_wait(l.queue));
        check_clean(&l);
    }
    close_lab(&l);
}

static void no_record_of_other_errors(void **state)
{
    mez_assert_record record;
    const mez_error error = mez_submit(*state, NULL, MEZ_RANGE(1), NULL, NULL);
    mez_test_fails(error, MEZ_ERRC_INVALID_PARAMETER);
    assert_false(mez_error_get_assert(error, &record));
    assert_false(mez_error_get_assert(mez_ok(), &record));
    assert_false(mez_error_get_assert(error, NULL));
}

static void events_report_their_task(void **state)
{
    (void)state;
    lab l = open_recoverable();
    mez_event *good, *bad, *copied;
    mez_test_ok(submit(&l, BAD, MEZ_TASK(.event = &bad)));
    mez_test_ok(mez_copy(l.queue, &l.values[1], &l.values[0], sizeof *l.values,
        MEZ_TASK(.event = &copied, .wait_for = &bad, .wait_count = 1)));
    check_failed(mez_event_wait(bad));
    check_failed(mez_event_wait(bad)); // it keeps it
    mez_test_ok(mez_event_wait(copied));
    mez_test_ok(mez_queue_wait(l.queue)); // has been reported
    mez_test_ok(submit(&l, NONE, MEZ_TASK(.event = &good, .wait_for = &bad, .wait_count = 1)));
    mez_test_ok(mez_event_wait(good));
    mez_event_destroy(&good);
    mez_event_destroy(&bad);
    mez_event_destroy(&copied);
    close_lab(&l);
}

static void queues_report_before_events(void **state)
{
    (void)state;
    lab l = open_recoverable();
    mez_event *bad;
    mez_test_ok(submit(&l, BAD, MEZ_TASK(.event = &bad)));
    check_failed(mez_queue_wait(l.queue));
    check_failed(mez_event_get_status(bad));
    mez_event_destroy(&bad);
    close_lab(&l);
}

// It is a failure of what the kernel found, not of the task: others that wait for it run.
static void note(void *user)
{
    *(bool *)user = true;
}

static void dependants_run(void **state)
{
    (void)state;
    lab l = open_recoverable(), other = open_recoverable();
    bool noted = false;
    mez_event *bad, *done;
    mez_test_ok(submit(&l, BAD, MEZ_TASK(.event = &bad)));
    mez_test_ok(mez_host_task(
        l.queue, note, &noted, MEZ_TASK(.wait_for = &bad, .wait_count = 1, .event = &done)));
    mez_test_ok(submit(&other, NONE, MEZ_TASK(.wait_for = &bad, .wait_count = 1)));
    mez_test_ok(mez_event_wait(done));
    assert_true(noted);
    mez_test_ok(mez_queue_wait(other.queue));
    check_failed(mez_queue_wait(l.queue));
    mez_event_destroy(&bad);
    mez_event_destroy(&done);
    close_lab(&l);
    close_lab(&other);
}

// Of those in flight together one is reported, and it is one of them.
static void several_in_flight(void **state)
{
    (void)state;
    lab l = open_recoverable();
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 20; i++)
            mez_test_ok(submit(&l, i % 3 ? BAD : NONE, NULL));
        check_failed(mez_queue_wait(l.queue));
        while (mez_failed(mez_queue_wait(l.queue)))
            ;
        check_clean(&l);
    }
    close_lab(&l);
}

static void in_recordings(void **state)
{
    (void)state;
    lab l = open_recoverable();
    const int32_t bad = BAD, none = NONE;
    mez_recording *recording;
    mez_test_ok(mez_recording_create(mez_test_context(), NULL, &recording));
    mez_test_ok(mez_record_submit(recording, l.kernel, MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(4)),
        MEZ_ARGS(MEZ_PTR(l.values), MEZ_VAL(bad)), NULL, NULL));
    for (int i = 0; i < 3; i++) {
        mez_test_ok(mez_replay(l.queue, recording, NULL));
        check_failed(mez_queue_wait(l.queue));
    }
    mez_test_ok(mez_recording_set_argument(recording, 0, 1, MEZ_ARG(MEZ_VAL(none))));
    mez_test_ok(mez_replay(l.queue, recording, NULL));
    mez_test_ok(mez_queue_wait(l.queue));
    mez_recording_destroy(&recording);
    close_lab(&l);
}

// --- Functions

typedef struct heard {
    lab *l;
    pthread_t caller;
    atomic_int calls;
    mez_error submitted;
    mez_assert_record record;
    char message[512], kernel[64], queue[64], task[256];
    bool is_assert;
} heard;

static void hear(void *user, const mez_assert_report *report)
{
    heard *h = user;
    h->caller = pthread_self();
    h->record = *report->record;
    h->is_assert = mez_error_is(report->error, MEZ_ERRC_ASSERT);
    snprintf(h->message, sizeof h->message, "%s", report->message);
    snprintf(h->kernel, sizeof h->kernel, "%s", report->kernel);
    snprintf(h->queue, sizeof h->queue, "%s", report->queue);
    snprintf(h->task, sizeof h->task, "%s", report->task);
    h->submitted = submit(h->l, NONE, NULL);
    h->calls++;
}

static void check_heard(const heard *h)
{
    assert_false(pthread_equal(h->caller, pthread_self()));
    assert_true(h->is_assert);
    mez_test_ok(h->submitted);
    check_record(&h->record);
    assert_non_null(strstr(h->message, LINE "\n"));
    assert_string_equal(h->kernel, "fails_at");
    assert_string_equal(h->queue, "called");
    assert_non_null(strstr(h->task, "kernel \"fails_at\", submitted at "));
}

static void a_function_is_called(void **state)
{
    (void)state;
    lab l;
    heard h = {.l = &l};
    const mez_queue_params params = {.debug_name = "called",
        .asserts = {.policy = MEZ_ASSERT_CALLBACK, .function = hear, .user = &h}};
    l = open_lab(&params);
    for (int i = 1; i <= 3; i++) {
        mez_test_ok(submit(&l, BAD, NULL));
        check_failed(mez_queue_wait(l.queue));
        while (mez_test_has("results") && h.calls < i)
            mez_error_ignore(mez_queue_wait(l.queue));
        mez_test_ok(mez_queue_wait(l.queue));
    }
    mez_queue_destroy(&l.queue);
    assert_int_equal(h.calls, mez_test_has("results") ? 3 : 0);
    if (mez_test_has("results"))
        check_heard(&h);
    mez_kernel_destroy(&l.kernel);
    mez_test_free(l.values);
}

// --- Many

enum { ITEMS = 400, SITES_FIRST = 2 };

// In a context of its own: images are linked for what their context has been asked for when they are built.
typedef struct many {
    mez_context *context;
    mez_queue *queue;
    mez_kernel *kernel;
    int32_t *values;
} many;

static many open_many(const mez_assert_params *asserts)
{
    many m;
    mez_test_ok(mez_context_create(&(mez_context_params){.asserts = *asserts}, &m.context));
    mez_test_ok(mez_queue_create(m.context, NULL, &m.queue));
    mez_test_ok(mez_kernel_load(
        m.context, mez_test_kernel_path("failures"), "fails_at_several", &m.kernel));
    m.values = mez_alloc_shared(m.context, ITEMS * sizeof *m.values, NULL);
    return m;
}

static mez_error submit_many(many *m, size_t items)
{
    mez_test_ok(
        mez_submit(m->queue, m->kernel, MEZ_RANGE(items), MEZ_ARGS(MEZ_PTR(m->values)), NULL));
    return mez_queue_wait(m->queue);
}

static void close_many(many *m)
{
    mez_queue_destroy(&m->queue);
    mez_kernel_destroy(&m->kernel);
    mez_free(m->context, m->values);
    mez_context_destroy(&m->context);
}

// A hundred at one assert and one at another.
static void check_many(mez_error error, size_t limit)
{
    static mez_assert_record records[1024];
    char story[65536];
    uint64_t total;
    check_failed(error);
    const size_t count = mez_error_get_asserts(error, records, 1024, &total);
    assert_int_equal(total, ITEMS / 4 + 1);
    assert_int_equal(count, limit < total ? limit : total);
    bool alone = false;
    for (size_t i = 0; i < count; i++) {
        const bool is_alone = records[i].global_id[0] == 6;
        assert_true(is_alone || records[i].global_id[0] % 4 == 1);
        alone |= is_alone && i < SITES_FIRST;
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(records[i].global_id[0], records[j].global_id[0]);
    }
    assert_true(alone); // asserts that differ come first
    mez_error_get_story(error, story, sizeof story);
    assert_non_null(strstr(story, "failures: 101 work-items failed\n"));
    assert_non_null(strstr(story, "fails_at_several: `i % 4 != 1`: 100 work-items: ["));
    assert_non_null(strstr(story, "`i != 6 && \"alone\"`: 1 work-item: [6,0,0]"));
}

static void many_are_collected(void **state)
{
    (void)state;
    static const uint32_t limits[] = {2, 10, 1024};
    for (size_t i = 0; i < 3; i++) {
        many m = open_many(&(mez_assert_params){.policy = MEZ_ASSERT_ERROR, .limit = limits[i]});
        for (int round = 0; round < 3; round++) {
            const mez_error error = submit_many(&m, ITEMS);
            if (mez_test_has("results"))
                check_many(error, limits[i]);
            mez_test_ok(submit_many(&m, 1)); // nothing is left of them
        }
        close_many(&m);
    }
}

static void one_is_one(void **state)
{
    (void)state;
    many m = open_many(&(mez_assert_params){.policy = MEZ_ASSERT_ERROR});
    const mez_error error = submit_many(&m, ITEMS);
    check_failed(error);
    uint64_t total = 7;
    assert_int_equal(mez_error_get_asserts(error, NULL, 0, &total), mez_test_has("results"));
    assert_int_equal(total, mez_test_has("results"));
    close_many(&m);
}

static void wrong_policies(void **state)
{
    (void)state;
    mez_queue *queue;
    mez_context *context;
    const mez_assert_params no_function = {.policy = MEZ_ASSERT_CALLBACK};
    const mez_assert_params unknown = {.policy = (mez_assert_policy)4};
    const mez_assert_params too_many = {.limit = 1025};
    mez_test_fails(
        mez_queue_create(mez_test_context(), &(mez_queue_params){.asserts = too_many}, &queue),
        MEZ_ERRC_INVALID_PARAMETER);
    mez_test_fails(
        mez_queue_create(mez_test_context(), &(mez_queue_params){.asserts = no_function}, &queue),
        MEZ_ERRC_INVALID_PARAMETER);
    mez_test_fails(
        mez_queue_create(mez_test_context(), &(mez_queue_params){.asserts = unknown}, &queue),
        MEZ_ERRC_INVALID_PARAMETER);
    mez_test_fails(mez_context_create(&(mez_context_params){.asserts = no_function}, &context),
        MEZ_ERRC_INVALID_PARAMETER);
}

// --- Threads

// Stories belong to their thread, so it is here that a wrong error is shown.
static void *give_up(mez_error error)
{
    char story[4096];
    mez_error_get_story(error, story, sizeof story);
    fprintf(stderr, "%s\n", story);
    return (void *)(intptr_t)-1000;
}

static void *fail_often(void *argument)
{
    lab *l = argument;
    intptr_t failures = 0;
    for (int i = 0; i < 30; i++) {
        const mez_error submitted = submit(l, i % 2 ? BAD : NONE, NULL);
        if (mez_failed(submitted))
            return give_up(submitted);
        const mez_error error = mez_queue_wait(l->queue);
        if (mez_failed(error) && !mez_error_is(error, MEZ_ERRC_ASSERT))
            return give_up(error);
        failures += mez_failed(error);
    }
    return (void *)failures;
}

// They share a kernel, and so a record: some failures hide behind others, never all.
static void many_threads(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    lab labs[THREADS];
    intptr_t failures = 0;
    for (int i = 0; i < THREADS; i++)
        labs[i] = open_recoverable();
    for (int i = 1; i < THREADS; i++) {
        mez_kernel_destroy(&labs[i].kernel);
        labs[i].kernel = labs[0].kernel;
    }
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, fail_often, &labs[i]);
    for (int i = 0; i < THREADS; i++) {
        void *counted;
        pthread_join(threads[i], &counted);
        failures += (intptr_t)counted;
    }
    if (mez_test_has("results"))
        assert_uint_in_range(failures, 1, THREADS * 15);
    else
        assert_int_equal(failures, 0);
    for (int i = 0; i < THREADS; i++) {
        check_clean(&labs[i]);
        if (i > 0)
            labs[i].kernel = NULL;
    }
    for (int i = THREADS - 1; i >= 0; i--)
        close_lab(&labs[i]);
}

// --- The process

static void fail_once(mez_context *context, const mez_assert_params *asserts)
{
    lab l;
    mez_test_ok(mez_queue_create(context, &(mez_queue_params){.asserts = *asserts}, &l.queue));
    l.kernel = NULL;
    l.values = mez_alloc_shared(context, COUNT * sizeof *l.values, NULL);
    mez_test_ok(mez_kernel_load(context, mez_test_kernel_path("asserts"), "fails_at", &l.kernel));
    mez_test_ok(submit(&l, BAD, NULL));
    const mez_error error = mez_queue_wait(l.queue);
    printf("the wait says %s\n", mez_error_get_name(error));
    mez_queue_destroy(&l.queue);
    mez_kernel_destroy(&l.kernel);
    mez_free(context, l.values);
}

static void child_goes_on(void)
{
    fail_once(mez_test_context(), &(mez_assert_params){.policy = MEZ_ASSERT_ERROR});
}

static void child_of_the_context(void)
{
    mez_context *context;
    mez_test_ok(mez_context_create(
        &(mez_context_params){.asserts = {.policy = MEZ_ASSERT_ERROR}}, &context));
    fail_once(context, &(mez_assert_params){.policy = MEZ_ASSERT_INHERIT});
    mez_context_destroy(&context);
}

static void child_asks_for_abort(void)
{
    fail_once(mez_test_context(), &(mez_assert_params){.policy = MEZ_ASSERT_ABORT});
}

static void child_waits_for_nothing(void)
{
    lab l = open_recoverable();
    mez_test_ok(submit(&l, BAD, NULL));
    close_lab(&l);
    printf("destroyed\n");
}

static void child_aborts_with_many(void)
{
    many m = open_many(&(mez_assert_params){.limit = 5});
    submit_many(&m, ITEMS);
    close_many(&m);
}

static void check_survives(const char *child, const char *words)
{
    mez_test_death death;
    mez_test_run_child(child, &death);
    if (death.signal != 0 || death.exit_code != 0 || !strstr(death.output, words) ||
        !strstr(death.output, LINE "\n"))
        fail_msg("child \"%s\": signal %d, exit code %d, output:\n%s", child, death.signal,
            death.exit_code, death.output);
}

static void check_aborts(const char *child)
{
    mez_test_death death;
    mez_test_run_child(child, &death);
    mez_test_check_death(&death, SIGABRT, LINE "\n");
}

static void the_line_is_printed(void **state)
{
    (void)state;
    mez_test_needs("results");
    check_survives("goes on", "the wait says MEZ_ERRC_ASSERT");
    check_survives("of the context", "the wait says MEZ_ERRC_ASSERT");
}

// A program that waits for nothing finds it in the log.
static void destroyed_queues_report(void **state)
{
    (void)state;
    mez_test_needs("results");
    check_survives("waits for nothing", "destroyed");
    check_survives("waits for nothing", "MEZ_ERRC_ASSERT");
}

static void many_are_printed(void **state)
{
    (void)state;
    mez_test_needs("results");
    mez_test_death death;
    mez_test_run_child("aborts with many", &death);
    mez_test_check_death(&death, SIGABRT, "101 work-items failed\n");
    assert_non_null(strstr(death.output, "`i % 4 != 1`: 100 work-items: ["));
}

static void the_environment_overrides(void **state)
{
    (void)state;
    mez_test_needs("results");
    setenv("MEZ_ASSERT", "error", 1);
    check_survives("asks for abort", "the wait says MEZ_ERRC_ASSERT");
    setenv("MEZ_ASSERT", "abort", 1);
    check_aborts("goes on");
    check_aborts("of the context");
    setenv("MEZ_ASSERT", "perhaps", 1);
    mez_context *context;
    mez_test_fails(mez_context_create(NULL, &context), MEZ_ERRC_INVALID_PARAMETER);
    unsetenv("MEZ_ASSERT");
    setenv("MEZ_ASSERT_LIMIT", "0", 1);
    mez_test_fails(mez_context_create(NULL, &context), MEZ_ERRC_INVALID_PARAMETER);
    setenv("MEZ_ASSERT_LIMIT", "3", 1);
    check_survives("of the context", "1 work-item failed\n");
    unsetenv("MEZ_ASSERT_LIMIT");
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(a_wait_reports_everything),
        MEZ_DEVICE_TEST(all_goes_on),
        MEZ_DEVICE_TEST(no_record_of_other_errors),
        MEZ_DEVICE_TEST(events_report_their_task),
        MEZ_DEVICE_TEST(queues_report_before_events),
        MEZ_DEVICE_TEST(dependants_run),
        MEZ_DEVICE_TEST(several_in_flight),
        MEZ_DEVICE_TEST(in_recordings),
        MEZ_DEVICE_TEST(a_function_is_called),
        MEZ_DEVICE_TEST(many_are_collected),
        MEZ_DEVICE_TEST(one_is_one),
        MEZ_DEVICE_TEST(wrong_policies),
        MEZ_DEVICE_TEST(many_threads),
        MEZ_DEVICE_TEST(the_line_is_printed),
        MEZ_DEVICE_TEST(destroyed_queues_report),
        MEZ_DEVICE_TEST(many_are_printed),
        MEZ_DEVICE_TEST(the_environment_overrides),
    };
    static const mez_test_child children[] = {
        {"goes on", child_goes_on},
        {"of the context", child_of_the_context},
        {"asks for abort", child_asks_for_abort},
        {"waits for nothing", child_waits_for_nothing},
        {"aborts with many", child_aborts_with_many},
        {NULL, NULL},
    };
    return MEZ_TEST_MAIN_WITH(argc, argv, tests, children);
}
