// SPDX-License-Identifier: MIT
//
// Device-side asserts under the default policy: the line on stderr, then SIGABRT. Programs that die do so in a child.

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "harness.h"

// What the children do. Each says so where it gets to its end.

static mez_queue *child_queue(void)
{
    mez_queue *queue;
    mez_test_ok(mez_queue_create(mez_test_context(), NULL, &queue));
    return queue;
}

enum { COUNT = 16 };

static void submit_fails_at(
    mez_queue *queue, const char *file, const char *name, int32_t bad, const mez_task_params *task)
{
    mez_kernel *kernel = mez_test_kernel(file, name);
    int32_t *values = mez_test_shared(COUNT * sizeof *values);
    mez_test_ok(mez_submit(queue, kernel, MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(4)),
        MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(bad)), task));
    mez_kernel_destroy(&kernel);
}

static void finish(mez_queue *queue)
{
    mez_test_ok(mez_queue_wait(queue));
    mez_queue_destroy(&queue);
    printf("the end\n");
}

static void child_one_fails(void)
{
    mez_queue *queue = child_queue();
    submit_fails_at(queue, "asserts", "fails_at", 13, NULL);
    finish(queue);
}

static void run_clean(const char *file, int32_t bad)
{
    mez_queue *queue = child_queue();
    mez_kernel *kernel = mez_test_kernel(file, "fails_at");
    int32_t *values = mez_test_shared(COUNT * sizeof *values);
    mez_test_ok(
        mez_submit(queue, kernel, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(bad)), NULL));
    mez_test_ok(mez_queue_wait(queue));
    for (int i = 0; i < COUNT; i++)
        if (values[i] != i + 1)
            printf("values[%d] is %d\n", i, values[i]);
    mez_test_free(values);
    mez_kernel_destroy(&kernel);
    finish(queue);
}

static void child_none_fails(void)
{
    run_clean("asserts", -1);
}

static void child_ndebug(void)
{
    run_clean("asserts_ndebug", 13);
}

static void child_in_function(void)
{
    mez_queue *queue = child_queue();
    mez_kernel *kernel = mez_test_kernel("asserts", "fails_in_function");
    int32_t *values = mez_test_shared(COUNT * sizeof *values);
    for (int32_t i = 0; i < COUNT; i++)
        values[i] = i == 6 ? 3 : 2 * i;
    mez_test_ok(mez_submit(queue, kernel, MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(8)),
        MEZ_ARGS(MEZ_PTR(values)), NULL));
    finish(queue);
}

static void child_in_space(void)
{
    const uint32_t x = 9, y = 7, z = 2;
    mez_queue *queue = child_queue();
    mez_kernel *kernel = mez_test_kernel("asserts", "fails_in_space");
    int32_t *values = mez_test_shared(sizeof *values);
    mez_test_ok(mez_submit(queue, kernel, MEZ_ND_RANGE(MEZ_SIZE(16, 10, 4), MEZ_SIZE(8, 5, 2)),
        MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(x), MEZ_VAL(y), MEZ_VAL(z)), NULL));
    finish(queue);
}

static void child_before_barrier(void)
{
    mez_queue *queue = child_queue();
    mez_kernel *kernel = mez_test_kernel("asserts", "fails_before_barrier");
    int32_t *values = mez_test_shared(COUNT * sizeof *values);
    mez_test_ok(mez_submit(queue, kernel, MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(COUNT)),
        MEZ_ARGS(MEZ_PTR(values), MEZ_LOCAL(COUNT * sizeof *values)), NULL));
    finish(queue);
}

static void child_everywhere(void)
{
    mez_queue *queue = child_queue();
    mez_kernel *kernel = mez_test_kernel("asserts", "fails_everywhere");
    int32_t *values = mez_test_shared(sizeof *values);
    mez_test_ok(mez_submit(queue, kernel, MEZ_RANGE(1024), MEZ_ARGS(MEZ_PTR(values)), NULL));
    finish(queue);
}

static void child_second_of_three(void)
{
    mez_queue *queue = child_queue();
    for (int i = 1; i <= 3; i++) {
        submit_fails_at(queue, "asserts", "fails_at", i == 2 ? 4 : -1, NULL);
        mez_test_ok(mez_queue_wait(queue));
        printf("kernel %d has run\n", i);
    }
    finish(queue);
}

// Behind it comes so much that the queue looks how far the device is before anybody waits.
static void child_among_many(void)
{
    const int32_t none = -1;
    mez_queue *queue = child_queue();
    mez_kernel *kernel = mez_test_kernel("asserts", "fails_at");
    int32_t *values = mez_test_shared(COUNT * sizeof *values);
    submit_fails_at(queue, "asserts", "fails_at", 13, NULL);
    for (int i = 0; i < 200; i++)
        mez_test_ok(mez_submit(
            queue, kernel, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(none)), NULL));
    mez_kernel_destroy(&kernel);
    finish(queue);
}

static void child_waits_for_event(void)
{
    mez_queue *queue = child_queue();
    mez_event *event;
    submit_fails_at(queue, "asserts", "fails_at", 13, MEZ_TASK(.event = &event));
    mez_test_ok(mez_event_wait(event));
    printf("the end\n");
}

static void child_destroys_queue(void)
{
    mez_queue *queue = child_queue();
    submit_fails_at(queue, "asserts", "fails_at", 13, NULL);
    mez_queue_destroy(&queue);
    printf("the end\n");
}

static void child_only_sleeps(void)
{
    mez_queue *queue = child_queue();
    submit_fails_at(queue, "asserts", "fails_at", 13, NULL);
    mez_test_ok(mez_queue_flush(queue));
    for (int i = 0; i < 200; i++) // 20 s, for slow machines
        nanosleep(&(const struct timespec){.tv_nsec = 100000000}, NULL);
    printf("the end\n");
}

static void *fail_in_thread(void *argument)
{
    (void)argument;
    mez_queue *queue = child_queue();
    for (int i = 0; i < 10; i++)
        submit_fails_at(queue, "asserts", "fails_at", i == 9 ? 13 : -1, NULL);
    finish(queue);
    return NULL;
}

static void child_from_threads(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, fail_in_thread, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

static void run_units(const char *file)
{
    mez_queue *queue = child_queue();
    mez_kernel *kernel = mez_test_kernel(file, "ask_calculus");
    int32_t *values = mez_test_shared(COUNT * sizeof *values);
    mez_test_ok(mez_submit(queue, kernel, MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(4)),
        MEZ_ARGS(MEZ_PTR(values)), NULL));
    mez_test_ok(mez_queue_wait(queue));
    for (int i = 0; i < COUNT; i++)
        if (values[i] != (i == 5 ? 0 : 2 * i + 2))
            printf("values[%d] is %d\n", i, values[i]);
    mez_test_free(values);
    mez_kernel_destroy(&kernel);
    finish(queue);
}

static void child_units(void)
{
    run_units("units");
}

static void child_units_first_ndebug(void)
{
    run_units("units_first_ndebug");
}

static void child_units_second_ndebug(void)
{
    run_units("units_second_ndebug");
}

static void child_units_both_ndebug(void)
{
    run_units("units_both_ndebug");
}

static const mez_test_child children[] = {
    {"one fails", child_one_fails},
    {"none fails", child_none_fails},
    {"ndebug", child_ndebug},
    {"in function", child_in_function},
    {"in space", child_in_space},
    {"before barrier", child_before_barrier},
    {"everywhere", child_everywhere},
    {"second of three", child_second_of_three},
    {"among many", child_among_many},
    {"waits for event", child_waits_for_event},
    {"destroys queue", child_destroys_queue},
    {"only sleeps", child_only_sleeps},
    {"from threads", child_from_threads},
    {"units", child_units},
    {"units, first ndebug", child_units_first_ndebug},
    {"units, second ndebug", child_units_second_ndebug},
    {"units, both ndebug", child_units_both_ndebug},
    {NULL, NULL},
};

// What the tests expect of them.

static int count_in(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

// The whole of the message behind the folder of its file.
static void check_dies_with(const char *child, const char *line)
{
    mez_test_death death;
    mez_test_needs("results");
    mez_test_run_child(child, &death);
    // Drivers that report asserts print those of all work-items.
    const int most = mez_test_has("native_asserts") ? 1024 : 1;
    const int lines = count_in(death.output, line), all = count_in(death.output, "Assertion");
    if (death.signal != SIGABRT || lines < 1 || lines > most || all > most ||
        strstr(death.output, "the end"))
        fail_msg("expected SIGABRT and once\n%s\nbut signal %d, exit code %d and\n%s", line,
            death.signal, death.exit_code, death.output);
}

// Nothing is left behind either: the context would warn of it.
static void check_ends(const char *child)
{
    mez_test_death death;
    mez_test_needs("results");
    mez_test_run_child(child, &death);
    if (death.signal != 0 || death.exit_code != 0 || strcmp(death.output, "the end\n") != 0)
        fail_msg("signal %d, exit code %d and\n%s", death.signal, death.exit_code, death.output);
}

#define AT_13                                                          \
    "asserts.cl:10: fails_at: global id: [13,0,0], local id: [1,0,0] " \
    "Assertion `i != bad && \"from assert statement\"` failed.\n"

static void one_work_item_fails(void **state)
{
    (void)state;
    check_dies_with("one fails", AT_13);
}

static void none_fails(void **state)
{
    (void)state;
    check_ends("none fails");
}

static void ndebug_has_no_asserts(void **state)
{
    (void)state;
    check_ends("ndebug");
}

static void in_a_function(void **state)
{
    (void)state;
    check_dies_with("in function",
        "asserts.cl:16: check_even: global id: [6,0,0], local id: [6,0,0] "
        "Assertion `number % 2 == 0` failed.\n");
}

static void in_three_dimensions(void **state)
{
    (void)state;
    check_dies_with("in space",
        "asserts.cl:27: fails_in_space: global id: [9,7,2], local id: [1,2,0] Assertion "
        "`get_global_id(0) != x || get_global_id(1) != y || get_global_id(2) != z` failed.\n");
}

static void before_a_barrier(void **state)
{
    (void)state;
    check_dies_with("before barrier",
        "asserts.cl:35: fails_before_barrier: global id: [3,0,0], local id: [3,0,0] "
        "Assertion `i != 3` failed.\n");
}

static void everywhere_gives_one_message(void **state)
{
    (void)state;
    check_dies_with("everywhere", "Assertion `values == 0` failed.\n");
}

static void later_kernels_are_not_reached(void **state)
{
    (void)state;
    mez_test_death death;
    check_dies_with("second of three",
        "asserts.cl:10: fails_at: global id: [4,0,0], local id: [0,0,0] "
        "Assertion `i != bad && \"from assert statement\"` failed.\n");
    mez_test_run_child("second of three", &death);
    assert_non_null(strstr(death.output, "kernel 1 has run\n"));
    assert_null(strstr(death.output, "kernel 2 has run\n"));
}

static void among_many_launches(void **state)
{
    (void)state;
    check_dies_with("among many", AT_13);
}

static void waiting_for_an_event_reports(void **state)
{
    (void)state;
    check_dies_with("waits for event", AT_13);
}

static void destroying_the_queue_reports(void **state)
{
    (void)state;
    check_dies_with("destroys queue", AT_13);
}

static void reported_without_any_wait(void **state)
{
    (void)state;
    check_dies_with("only sleeps", AT_13);
}

// Each thread may get as far as its message before the first one's abort ends all.
static void from_several_threads(void **state)
{
    (void)state;
    mez_test_death death;
    mez_test_needs("results");
    mez_test_run_child("from threads", &death);
    mez_test_check_death(&death, SIGABRT, AT_13);
}

#define IN_SECOND_UNIT                                                    \
    "units_second.cl:9: calculus: global id: [5,0,0], local id: [1,0,0] " \
    "Assertion `x && \"this message from calculus\"` failed.\n"
#define IN_FIRST_UNIT                                                         \
    "units_first.cl:13: ask_calculus: global id: [5,0,0], local id: [1,0,0] " \
    "Assertion `result && \"nil in result\"` failed.\n"

static void several_units(void **state)
{
    (void)state;
    check_dies_with("units", IN_SECOND_UNIT);
    check_dies_with("units, first ndebug", IN_SECOND_UNIT);
    check_dies_with("units, second ndebug", IN_FIRST_UNIT);
    check_ends("units, both ndebug");
}

// In this process, on all devices: no assert fails.

struct trace {
    pthread_mutex_t lock; // guards the text
    char text[16384];
};

static void write_trace(void *user, mez_log_level level, const char *topic, const char *message)
{
    struct trace *trace = user;
    (void)level;
    if (strcmp(topic, "ze") != 0 ||
        strstr(message, "HostSynchronize(")) // how often a wait looks is chance
        return;
    pthread_mutex_lock(&trace->lock);
    const size_t used = strlen(trace->text), name = strcspn(message, "(");
    const char *result = strstr(message, " = ");
    const bool failed = !result || !strstr(result, "ZE_RESULT_SUCCESS");
    snprintf(trace->text + used, sizeof trace->text - used, "%.*s%s\n", (int)name, message,
        failed ? ": failed" : "");
    pthread_mutex_unlock(&trace->lock);
}

static void start_trace(struct trace *trace)
{
    memset(trace->text, 0, sizeof trace->text);
    mez_log_set_function(write_trace, trace);
    mez_test_ok(mez_log_set_levels("ze:trace"));
}

static void stop_trace(void)
{
    mez_test_ok(mez_log_set_levels("ze:warn"));
    mez_log_set_function(NULL, NULL);
}

// Builds, and traces apart, and then submits on a new queue.
static void trace_kernel(const char *file, const char *name, struct trace *build, struct trace *run)
{
    const int32_t bad = -1;
    mez_queue *queue;
    mez_kernel *kernel = mez_test_kernel(file, name);
    int32_t *values = mez_test_shared(COUNT * sizeof *values);
    start_trace(build);
    mez_test_ok(mez_kernel_build(kernel, mez_test_device()));
    mez_test_ok(mez_queue_create(
        mez_test_context(), NULL, &queue)); // with lists of an earlier one, perhaps
    start_trace(run);
    mez_test_ok(
        mez_submit(queue, kernel, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(bad)), NULL));
    mez_test_ok(mez_queue_wait(queue));
    mez_queue_destroy(&queue);
    stop_trace();
    mez_test_free(values);
    mez_kernel_destroy(&kernel);
}

static struct trace build = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct trace run = {.lock = PTHREAD_MUTEX_INITIALIZER};

// Linked with the device library, whose record is found and brought to the host; or is posted to memory of the host's.
static void images_with_asserts_build_and_run(void **state)
{
    (void)state;
    mez_test_needs("linked_asserts");
    trace_kernel("asserts", "fails_at", &build, &run);
    const char *record = getenv("MEZ_ASSERT_RECORD");
    const bool posts = !record || strcmp(record, "module") != 0;
    assert_int_equal(strstr(build.text, "zeModuleGetGlobalPointer\n") == NULL, posts);
    assert_int_equal(strstr(run.text, "zeCommandListAppendMemoryCopy\n") == NULL, posts);
    assert_int_equal(strstr(run.text, "zeKernelSetArgumentValue\n") != NULL, true);
}

// Two units import the same function, and the linked module keeps one import.
static void linked_units_build_and_run(void **state)
{
    static const char *const files[] = {
        "units", "units_first_ndebug", "units_second_ndebug", "units_both_ndebug"};
    mez_queue *queue = *state;
    int32_t *values = mez_test_shared(4 * sizeof *values);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        mez_kernel *kernel = mez_test_kernel(files[i], "ask_calculus");
        mez_test_ok(mez_submit(queue, kernel, MEZ_RANGE(4), MEZ_ARGS(MEZ_PTR(values)), NULL));
        mez_test_ok(mez_queue_wait(queue));
        for (int j = 0; j < 4 && mez_test_has("results"); j++)
            assert_int_equal(values[j], 2 * j + 2);
        mez_kernel_destroy(&kernel);
    }
    mez_test_free(values);
}

static void what_cannot_assert_pays_nothing(void **state)
{
    (void)state;
    static struct trace plain = {.lock = PTHREAD_MUTEX_INITIALIZER};
    trace_kernel("asserts_ndebug", "fails_at", &build, &plain);
    assert_null(strstr(build.text, "zeModuleGetGlobalPointer"));
    assert_null(strstr(plain.text, "zeCommandListAppendMemoryCopy"));
    assert_int_equal(count_in(plain.text, "zeCommandListAppendLaunchKernel"), 1);

    trace_kernel("asserts", "innocent", &build, &run);
    assert_string_equal(run.text, plain.text);
}

static void kernels_know_whether_they_assert(void **state)
{
    (void)state;
    static const struct {
        const char *file, *name;
        bool asserts;
    } cases[] = {
        {"asserts", "fails_at", true},
        {"asserts", "fails_in_function", true},
        {"asserts", "innocent", false},
        {"asserts_ndebug", "fails_at", false},
        {"units_first_ndebug", "ask_calculus", true},
        {"units_second_ndebug", "ask_calculus", true},
        {"units_both_ndebug", "ask_calculus", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mez_kernel *kernel = mez_test_kernel(cases[i].file, cases[i].name);
        assert_int_equal(mez_kernel_uses_assert(kernel), cases[i].asserts);
        mez_kernel_destroy(&kernel);
    }
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(one_work_item_fails),
        MEZ_DEVICE_TEST(none_fails),
        MEZ_DEVICE_TEST(ndebug_has_no_asserts),
        MEZ_DEVICE_TEST(in_a_function),
        MEZ_DEVICE_TEST(in_three_dimensions),
        MEZ_DEVICE_TEST(before_a_barrier),
        MEZ_DEVICE_TEST(everywhere_gives_one_message),
        MEZ_DEVICE_TEST(later_kernels_are_not_reached),
        MEZ_DEVICE_TEST(among_many_launches),
        MEZ_DEVICE_TEST(waiting_for_an_event_reports),
        MEZ_DEVICE_TEST(destroying_the_queue_reports),
        MEZ_DEVICE_TEST(reported_without_any_wait),
        MEZ_DEVICE_TEST(from_several_threads),
        MEZ_DEVICE_TEST(several_units),
        MEZ_DEVICE_TEST(images_with_asserts_build_and_run),
        MEZ_DEVICE_TEST(linked_units_build_and_run),
        MEZ_DEVICE_TEST(what_cannot_assert_pays_nothing),
        MEZ_DEVICE_TEST(kernels_know_whether_they_assert),
    };
    return MEZ_TEST_MAIN_WITH(argc, argv, tests, children);
}
