// SPDX-License-Identifier: MIT
//
// Statistics, what is said of forgotten objects, and what may still be done with them.

#include <pthread.h>
#include <stdlib.h>

#include "memory.h"

static char warnings[32768];

static void remember(void *user, mez_log_level level, const char *topic, const char *message)
{
    (void)user, (void)topic;
    if (level > MEZ_LOG_WARN)
        return;
    const size_t length = strlen(warnings);
    snprintf(warnings + length, sizeof warnings - length, "%s\n", message);
}

static unsigned count_of(const char *part)
{
    unsigned count = 0;
    for (const char *at = warnings; (at = strstr(at, part)); at++)
        count++;
    return count;
}

static int setup(void **state)
{
    warnings[0] = '\0';
    mez_log_set_function(remember, NULL);
    return driver_setup(state);
}

static int teardown(void **state)
{
    mez_log_set_function(NULL, NULL);
    return driver_teardown(state);
}

static void test_statistics_count_objects(void **state)
{
    (void)state;
    mez_context *context = open_context(NULL);
    mez_context_statistics none = {0};
    mez_context_statistics statistics = statistics_of(context);
    assert_memory_equal(&statistics, &none, sizeof none);

    mez_queue *queue;
    mez_event *event;
    mez_recording *recording;
    assert_ok(mez_queue_create(context, NULL, &queue));
    assert_ok(mez_recording_create(context, NULL, &recording));
    mez_kernel *kernel = load_kernel(context, "kernels.spv", "nothing");
    assert_ok(mez_submit(queue, kernel, MEZ_RANGE(4), NULL, MEZ_TASK(.event = &event)));
    statistics = statistics_of(context);
    assert_int_equal(statistics.queues, 1);
    assert_int_equal(statistics.recordings, 1);
    assert_int_equal(statistics.images, 1); // the kernel's
    assert_int_equal(statistics.kernels, 1);
    assert_int_equal(statistics.events, 1);
    assert_int_equal(statistics.event_slabs, 1);
    assert_int_equal(statistics.command_lists, 1);

    assert_ok(mez_queue_wait(queue));
    mez_event_destroy(&event);
    mez_kernel_destroy(&kernel);
    mez_recording_destroy(&recording);
    statistics = statistics_of(context);
    assert_int_equal(statistics.events, 0);
    assert_int_equal(statistics.event_slabs, 1); // kept
    assert_int_equal(statistics.kernels, 0);
    assert_int_equal(statistics.recordings, 0);
    assert_int_equal(statistics.images, 0);
    mez_queue_destroy(&queue);
    assert_int_equal(statistics_of(context).queues, 0);
    assert_int_equal(statistics_of(context).command_lists, 0);
    mez_context_destroy(&context);
    assert_string_equal(warnings, "");
}

static void test_statistics_count_bytes(void **state)
{
    (void)state;
    mez_context *context = open_context(NULL);
    void *device = get(context, &(mez_memory_params){.kind = MEZ_MEMORY_DEVICE}, 100);
    void *host = get(context, &(mez_memory_params){.kind = MEZ_MEMORY_HOST}, 200000);
    void *shared = get(context, &(mez_memory_params){.kind = MEZ_MEMORY_SHARED}, 300);
    const mez_context_statistics statistics = statistics_of(context);
    assert_int_equal(statistics.device_memory.allocations, 1);
    assert_int_equal(statistics.device_memory.bytes, 100);
    assert_int_equal(statistics.device_memory.driver_bytes, 65536);
    assert_int_equal(statistics.device_memory.pool_chunks, 1);
    assert_int_equal(statistics.host_memory.bytes, 200000);
    assert_int_equal(statistics.host_memory.driver_bytes, 200000);
    assert_int_equal(statistics.host_memory.pool_chunks, 0);
    assert_int_equal(statistics.shared_memory.bytes, 300);
    put(context, device);
    put(context, host);
    put(context, shared);
    mez_context_destroy(&context);
}

static void test_statistics_of_nothing(void **state)
{
    (void)state;
    mez_context_statistics statistics, none = {0};
    memset(&statistics, 1, sizeof statistics);
    mez_context_get_statistics(NULL, &statistics);
    assert_memory_equal(&statistics, &none, sizeof none);
    mez_context_get_statistics(NULL, NULL);
}

static void test_forgotten_memory_is_named_and_freed(void **state)
{
    (void)state;
    mez_context *context = open_context_with(NULL, &(mez_context_params){.debug_name = "solver"});
    get(context, &(mez_memory_params){.kind = MEZ_MEMORY_HOST, .debug_name = "halo"}, 100);
    get(context, &(mez_memory_params){.kind = MEZ_MEMORY_DEVICE, .debug_name = "grid"}, 200000);
    assert_non_null(mez_alloc_at(NULL, context, NULL, 64, NULL));
    mez_context_destroy(&context);
    assert_contains(
        warnings, "context \"solver\": 100 bytes of host memory \"halo\" were not freed");
    assert_contains(warnings, "200000 bytes of device memory \"grid\"");
    assert_contains(warnings, "created at an unknown place");
    assert_int_equal(count_of("memory.c:"), 2);
    assert_int_equal(count_of("life_test.c:"), 3); // where the context was destroyed
    assert_int_equal(noop_live(NOOP_MEMORY), 0);
}

static void test_unknown_places_of_the_end_are_left_out(void **state)
{
    (void)state;
    mez_context *context = open_context(NULL);
    get(context, NULL, 64);
    mez_context_destroy_at(NULL, &context);
    assert_int_equal(count_of("were not freed, created at"), 1);
    assert_int_equal(count_of("; destroyed at"), 0);
}

static void test_long_reports_are_cut(void **state)
{
    (void)state;
    mez_context *context = open_context(NULL);
    for (int i = 0; i < 100; i++)
        get(context, NULL, 64);
    mez_context_destroy(&context);
    assert_int_equal(count_of("were not freed, created at"), 32);
    assert_contains(warnings, "and 68 more allocations were not freed");
}

static void test_forgotten_objects_are_named(void **state)
{
    (void)state;
    mez_context *context = open_context_with(NULL, &(mez_context_params){.debug_name = "solver"});
    mez_queue *queue;
    mez_event *event;
    assert_ok(mez_queue_create(context, &(mez_queue_params){.debug_name = "main"}, &queue));
    const int line = __LINE__ - 1;
    mez_recording *recording;
    assert_ok(
        mez_recording_create(context, &(mez_recording_params){.debug_name = "steps"}, &recording));
    mez_kernel *kernel = load_kernel(context, "kernels.spv", "nothing");
    assert_ok(mez_submit(queue, kernel, MEZ_RANGE(4), NULL, MEZ_TASK(.event = &event)));
    mez_context_destroy(&context);
    const int end = __LINE__ - 1;
    assert_null(context);

    char place[200];
    snprintf(place, sizeof place, "life_test.c:%d, %s", line, __func__);
    assert_contains(warnings, "context \"solver\": queue \"main\" is still alive, created at ");
    assert_contains(warnings, place);
    assert_contains(warnings, "recording \"steps\" is still alive, created at ");
    assert_contains(warnings, "kernel \"nothing\" is still alive, created at ");
    assert_contains(warnings, "image \"");
    snprintf(place, sizeof place, "; destroyed at %s:%d, %s", __FILE__, end, __func__);
    assert_int_equal(count_of(place), 5);
    assert_contains(warnings, "1 event is still alive: task 1 (kernel, submitted at ");
    snprintf(place, sizeof place, "life_test.c:%d) of queue \"main\"", line + 6);
    assert_contains(warnings, place);
    assert_int_equal(noop_live(NOOP_CONTEXT), 1); // lives as long as they do

    mez_recording_destroy(&recording);
    mez_kernel_destroy(&kernel);
    mez_queue_destroy(&queue);
    assert_ok(mez_event_wait_for(event, 0));
    assert_int_equal(noop_live(NOOP_CONTEXT), 1);
    mez_event_destroy(&event);
    assert_int_equal(noop_live(NOOP_CONTEXT), 0);
}

// A few are named, whatever has become of their tasks and queue.
static void test_forgotten_events_are_named(void **state)
{
    (void)state;
    mez_context *context = open_context_with(NULL, &(mez_context_params){.debug_name = "solver"});
    mez_queue *queue;
    mez_event *events[6], *gone;
    assert_ok(mez_queue_create(context, &(mez_queue_params){.debug_name = "main"}, &queue));
    for (int i = 0; i < 5; i++)
        assert_ok(mez_barrier(queue, MEZ_TASK(.debug_name = "upload", .event = &events[i])));
    assert_ok(mez_barrier(queue, MEZ_TASK(.event = &gone)));
    assert_ok(mez_queue_wait(queue));
    mez_event_destroy(&gone);
    mez_queue_destroy(&queue);
    assert_ok(
        mez_user_event_create(context, &(mez_user_event_params){.debug_name = "go"}, &events[5]));
    mez_context_destroy(&context);
    assert_contains(warnings, "context \"solver\": 6 events are still alive: ");
    assert_contains(warnings, "task 1 \"upload\" (barrier, submitted at ");
    assert_contains(warnings, ") of queue \"main\"; ");
    assert_contains(warnings, "; and 2 more");
    for (int i = 0; i < 6; i++)
        mez_event_destroy(&events[i]);
    assert_int_equal(noop_live(NOOP_CONTEXT), 0);
}

static void test_a_forgotten_user_event_is_named(void **state)
{
    (void)state;
    mez_context *context = open_context_with(NULL, NULL);
    mez_event *event;
    assert_ok(mez_user_event_create(context, &(mez_user_event_params){.debug_name = "go"}, &event));
    mez_context_destroy(&context);
    assert_contains(warnings, "1 event is still alive: user event \"go\", created at ");
    mez_event_destroy(&event);
}

static void *signal_success(void *event)
{
    const mez_error error = mez_user_event_signal(event, mez_ok());
    return mez_failed(error) ? event : NULL;
}

// The thread that signals may still be at it. Sanitizers see where it then uses what is gone.
static void test_a_signalled_event_may_go_at_once(void **state)
{
    (void)state;
    enum { TURNS = 200 };
    for (int i = 0; i < TURNS; i++) {
        mez_context *context = open_context(NULL);
        mez_event *event;
        pthread_t thread;
        void *failed;
        assert_ok(mez_user_event_create(context, NULL, &event));
        assert_int_equal(pthread_create(&thread, NULL, signal_success, event), 0);
        while (mez_error_is(mez_event_get_status(event), MEZ_ERRC_NOT_READY))
            ;
        mez_event_destroy(&event);
        mez_context_destroy(&context);
        pthread_join(thread, &failed);
        assert_null(failed);
        assert_int_equal(noop_live_total(), 0);
    }
}

// Each of them alone keeps what it needs, in whatever order they go.
static void destroy_late(unsigned order)
{
    mez_context *context = open_context(NULL);
    mez_queue *queue;
    mez_event *event;
    mez_image *image;
    mez_kernel *kernel;
    assert_ok(mez_queue_create(context, NULL, &queue));
    assert_ok(mez_image_load(context, file_of("kernels.spv"), &image));
    assert_ok(mez_kernel_create(image, "nothing", &kernel));
    assert_ok(mez_submit(queue, kernel, MEZ_RANGE(4), NULL, MEZ_TASK(.event = &event)));
    get(context, NULL, 64);
    mez_context_destroy(&context);
    for (unsigned i = 0; i < 4; i++) {
        switch ((order + i * (order % 3 ? 1 : 3)) % 4) {
        case 0:
            mez_queue_destroy(&queue);
            break;
        case 1:
            mez_image_destroy(&image);
            break;
        case 2:
            mez_kernel_destroy(&kernel);
            break;
        default:
            mez_event_destroy(&event);
        }
    }
    assert_int_equal(noop_live_total(), 0);
}

static void test_late_destroys(void **state)
{
    (void)state;
    for (unsigned order = 0; order < 12; order++)
        destroy_late(order);
}

// With asserts a thread of the context waits beside the user. It ends with the last object, which that thread must not free.
static void test_late_destroys_with_a_completion_thread(void **state)
{
    (void)state;
    enum { TURNS = 20 };
    for (int i = 0; i < TURNS; i++) {
        const struct noop_config config = linking_config();
        mez_context *context = open_context(&config);
        mez_queue *queue;
        mez_event *event;
        assert_ok(mez_queue_create(context, NULL, &queue));
        mez_kernel *kernel = load_kernel(context, "asserts.spv", "checked");
        assert_ok(mez_kernel_build(kernel, NULL));
        int *x = get(context, &(mez_memory_params){.kind = MEZ_MEMORY_HOST}, 64);
        assert_ok(mez_submit(
            queue, kernel, MEZ_RANGE(4), MEZ_ARGS(MEZ_PTR(x)), MEZ_TASK(.event = &event)));
        mez_kernel_destroy(&kernel);
        mez_context_destroy(&context);
        if (i % 2)
            mez_event_destroy(&event);
        mez_queue_destroy(&queue);
        mez_event_destroy(&event);
        assert_int_equal(noop_live_total(), 0);
    }
}

// --- What the completion thread does beside it

// The device has failed an assert, and the next command is not over before somebody ends the hold.
static void fail_assert(void)
{
    mez_assert_record *record = noop_global("__SYCL_AssertHappenedMem");
    record->serial = 1;
    record->flag = 2;
}

static void hold(void *unused)
{
    (void)unused;
    noop_hold(true);
}

static void ignore(void *user, mez_error error)
{
    (void)user, (void)error;
}

// As soon as one of the allocations has been named, the thread clears the record to the end, and gives back what that put off.
static void end_the_hold(void *user, mez_log_level level, const char *topic, const char *message)
{
    remember(user, level, topic, message);
    const int64_t before = noop_live(NOOP_MEMORY);
    if (noop_pending() == 0 || !strstr(message, "were not freed"))
        return;
    noop_hold(false);
    while (noop_live(NOOP_MEMORY) == before)
        ;
}

static int compare(const void *a, const void *b)
{
    return *(char *const *)a < *(char *const *)b ? -1 : 1;
}

// The completion thread clears the record of a failed assert by a queue of the library's own, for which nobody else waits.
static void test_records_are_cleared_beside_the_end(void **state)
{
    (void)state;
    const struct noop_config config = linking_config();
    mez_context *context =
        open_context_with(&config, &(mez_context_params){.asserts = {.policy = MEZ_ASSERT_ERROR},
                                       .on_error = {.function = ignore}});
    mez_queue *queue;
    assert_ok(mez_queue_create(context, NULL, &queue));
    mez_kernel *kernel = load_kernel(context, "asserts.spv", "checked");
    void *memory[3];
    for (int i = 0; i < 3; i++)
        memory[i] = get(context, &(mez_memory_params){.kind = MEZ_MEMORY_HOST}, 200000);
    qsort(memory, 3, sizeof *memory, compare);
    assert_ok(mez_submit(queue, kernel, MEZ_RANGE(4), MEZ_ARGS(MEZ_PTR(memory[0])), NULL));
    assert_ok(mez_queue_wait(queue)); // the record exists from here on
    fail_assert();
    noop_before("zeCommandQueueCreate", hold, NULL);
    assert_ok(mez_submit(queue, kernel, MEZ_RANGE(4), MEZ_ARGS(MEZ_PTR(memory[0])), NULL));
    while (noop_pending() == 0)
        ;
    put(context, memory[0]);
    mez_log_set_function(end_the_hold, NULL);
    mez_context_destroy(&context);
    assert_int_equal(count_of("were not freed, created at"), 2);
    mez_kernel_destroy(&kernel);
    mez_queue_destroy(&queue);
    assert_int_equal(noop_live_total(), 0);
}

// --- Queues

// The context waits for queues that were left, and only then says what is alive.
static void test_forgotten_queues_are_waited_for(void **state)
{
    (void)state;
    mez_context *context = open_context(NULL);
    mez_queue *queue;
    assert_ok(mez_queue_create(context, NULL, &queue));
    void *memory = get(context, NULL, 64);
    submit_fill(queue, memory);
    submit_fill(queue, memory); // in an open batch
    put(context, memory);
    mez_context_destroy(&context);
    assert_int_equal(noop_calls("zeCommandQueueExecuteCommandLists"), 2);
    assert_int_equal(count_of("were not freed"), 0);
    mez_queue_destroy(&queue);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_statistics_count_objects, setup, teardown),
        cmocka_unit_test_setup_teardown(test_statistics_count_bytes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_statistics_of_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(test_forgotten_memory_is_named_and_freed, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_unknown_places_of_the_end_are_left_out, setup, teardown),
        cmocka_unit_test_setup_teardown(test_long_reports_are_cut, setup, teardown),
        cmocka_unit_test_setup_teardown(test_forgotten_objects_are_named, setup, teardown),
        cmocka_unit_test_setup_teardown(test_forgotten_events_are_named, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_forgotten_user_event_is_named, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_signalled_event_may_go_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(test_late_destroys, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_late_destroys_with_a_completion_thread, setup, teardown),
        cmocka_unit_test_setup_teardown(test_records_are_cleared_beside_the_end, setup, teardown),
        cmocka_unit_test_setup_teardown(test_forgotten_queues_are_waited_for, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
