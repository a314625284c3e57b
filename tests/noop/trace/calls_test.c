// SPDX-License-Identifier: MIT
//
// What tools are notified of: calls of the library and of the driver, and when commands ran.

#include "traced.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static void test_a_call_has_arguments_a_place_and_a_result(void **state)
{
    runtime *r = *state;
    assert_ok(mez_barrier(r->queue, NULL));
    const record *begin = must_find(MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, "mez_barrier");
    assert_string_equal(begin->stream, MEZ_TRACE_STREAM_CALLS);
    assert_string_equal(begin->arguments, "queue, task");
    assert_int_equal(begin->argument_count, 2);
    assert_int_equal(begin->first_argument, (uintptr_t)r->queue);
    assert_non_null(strstr(begin->file, "calls_test.c"));
    assert_false(begin->has_result);
    const record *end = find(begin, MEZ_XPTI_FUNCTION_WITH_ARGS_END, "mez_barrier");
    assert_int_equal(end->instance, begin->instance);
    assert_true(end->has_result);
    assert_int_equal(end->result.value, 0);
    assert_true(end->result.duration > 0);
}

static void test_a_call_that_fails_has_its_code(void **state)
{
    runtime *r = *state;
    assert_true(mez_failed(mez_submit(r->queue, r->nothing, MEZ_RANGE(0), NULL, NULL)));
    const record *end = must_find(MEZ_XPTI_FUNCTION_WITH_ARGS_END, "mez_submit");
    assert_int_equal(end->result.value, MEZ_ERRC_ND_RANGE);
}

static void test_a_wait_that_is_not_over_is_no_failure(void **state)
{
    runtime *r = *state;
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL));
    assert_true(mez_error_is(mez_queue_wait_for(r->queue, 0), MEZ_ERRC_TIMEOUT));
    noop_hold(false);
    must_find(MEZ_XPTI_FUNCTION_WITH_ARGS_END, "mez_queue_wait_for");
    assert_null(find(NULL, MEZ_XPTI_DIAGNOSTICS, NULL));
}

static size_t calls_reported(const char *name)
{
    return count_of(MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, name);
}

static void test_a_wait_has_the_name_that_the_program_called(void **state)
{
    runtime *r = *state;
    assert_ok(mez_queue_wait(r->queue));
    assert_int_equal(calls_reported("mez_queue_wait_for"), 0);
    assert_string_equal(
        must_find(MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, "mez_queue_wait")->arguments, "queue");
    forget();
    assert_ok(mez_queue_wait_for(r->queue, 1000));
    assert_int_equal(calls_reported("mez_queue_wait"), 0);
    assert_string_equal(
        must_find(MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, "mez_queue_wait_for")->arguments,
        "queue, timeout");
}

// The thread waits, which tools see, but no call of the program asked for it.
static void test_what_destroying_a_queue_waits_for_is_no_call(void **state)
{
    runtime *r = *state;
    mez_queue *queue;
    assert_ok(mez_queue_create(r->context, NULL, &queue));
    assert_ok(mez_submit(queue, r->nothing, MEZ_RANGE(1), NULL, NULL));
    forget();
    mez_queue_destroy(&queue);
    assert_int_equal(calls_reported("mez_queue_destroy"), 1);
    assert_int_equal(calls_reported("mez_queue_wait"), 0);
    assert_int_equal(calls_reported("mez_queue_wait_for"), 0);
    const record *begin = must_find(MEZ_XPTI_WAIT_BEGIN, NULL);
    assert_non_null(strstr(begin->file, "calls_test.c"));
    assert_int_equal(must_find(MEZ_XPTI_WAIT_END, NULL)->instance, begin->instance);
}

static void note(void *user, mez_error error)
{
    assert_false(mez_failed(error));
    atomic_store((atomic_bool *)user, true);
}

// The context's thread looks at the event again and again.
static void test_looking_whether_a_callback_is_due_is_no_call(void **state)
{
    runtime *r = *state;
    mez_event *event;
    atomic_bool called = false;
    noop_hold(true);
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    assert_ok(mez_event_set_callback(event, note, &called));
    usleep(5000);
    noop_hold(false);
    while (!atomic_load(&called))
        usleep(100);
    assert_int_equal(calls_reported("mez_event_wait"), 0);
    assert_int_equal(calls_reported("mez_event_wait_for"), 0);
    assert_int_equal(count_of(MEZ_XPTI_WAIT_BEGIN, NULL), 0);
    mez_event_destroy(&event);
}

static void test_an_allocation_has_the_name_that_the_program_called(void **state)
{
    runtime *r = *state;
    const mez_memory_params params = {.kind = MEZ_MEMORY_HOST};
    void *of_params = mez_alloc(r->context, &params, 64, NULL);
    void *of_host = mez_alloc_host(r->context, 64, NULL);
    const record *call = must_find(MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, "mez_alloc");
    assert_string_equal(call->arguments, "context, params, size");
    call = must_find(MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, "mez_alloc_host");
    assert_string_equal(call->arguments, "context, size");
    assert_ok(mez_free(r->context, of_params));
    assert_ok(mez_free(r->context, of_host));
    assert_int_equal(calls_reported("mez_free"), 2);
}

static void test_changes_of_a_recording_are_calls(void **state)
{
    runtime *r = *state;
    mez_recording *recording;
    uint32_t launch;
    const float a = 2;
    const mez_args *args = MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(r->x), MEZ_PTR(r->y));
    const mez_arg pointer = MEZ_PTR(r->x);
    assert_ok(mez_recording_create(r->context, NULL, &recording));
    assert_ok(mez_record_submit(recording, r->saxpy, MEZ_RANGE(COUNT), args, NULL, &launch));
    assert_ok(mez_record_copy_2d(recording, r->x, 32, r->y, 16, 8, 4, NULL, NULL));
    assert_ok(mez_recording_set_argument(recording, launch, 2, &pointer));
    assert_ok(mez_recording_set_range(recording, launch, MEZ_RANGE(1)));
    assert_string_equal(
        must_find(MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, "mez_recording_set_argument")->arguments,
        "recording, operation, index, argument");
    must_find(MEZ_XPTI_FUNCTION_WITH_ARGS_END, "mez_recording_set_range");
    const record *copy = must_find(MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, "mez_record_copy_2d");
    assert_string_equal(
        copy->arguments, "recording, to, to_pitch, from, from_pitch, width, rows, task, operation");
    assert_int_equal(copy->argument_count, 9);
    mez_recording_destroy(&recording);
}

static void test_memory_is_shared_by_calls(void **state)
{
    runtime *r = *state;
    mez_ipc_handle handle;
    void *memory = mez_alloc(r->context, &(mez_memory_params){.dedicated = true}, 64, NULL);
    assert_ok(mez_ipc_get_handle(r->context, memory, &handle));
    assert_true(mez_failed(mez_ipc_send(r->context, memory, -1)));
    assert_true(mez_failed(mez_ipc_close(r->context, memory)));
    must_find(MEZ_XPTI_FUNCTION_WITH_ARGS_END, "mez_ipc_get_handle");
    assert_int_equal(
        must_find(MEZ_XPTI_FUNCTION_WITH_ARGS_END, "mez_ipc_send")->result.value, MEZ_ERRC_FILE);
    assert_int_equal(must_find(MEZ_XPTI_FUNCTION_WITH_ARGS_END, "mez_ipc_close")->result.value,
        MEZ_ERRC_INVALID_PARAMETER);
    assert_ok(mez_free(r->context, memory));
}

static void test_flushing_and_callbacks_are_calls(void **state)
{
    runtime *r = *state;
    mez_event *event;
    atomic_bool called = false;
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    assert_ok(mez_queue_flush(r->queue));
    assert_ok(mez_event_set_callback(event, note, &called));
    while (!atomic_load(&called))
        usleep(100);
    must_find(MEZ_XPTI_FUNCTION_WITH_ARGS_END, "mez_queue_flush");
    must_find(MEZ_XPTI_FUNCTION_WITH_ARGS_END, "mez_event_set_callback");
    mez_event_destroy(&event);
}

static void test_loading_a_kernel_is_one_call(void **state)
{
    runtime *r = *state;
    mez_kernel *kernel;
    assert_ok(mez_kernel_load(r->context, file_of("kernels.spv"), "nothing", &kernel));
    assert_int_equal(calls_reported("mez_kernel_load"), 1);
    assert_int_equal(calls_reported("mez_image_load"), 0);
    assert_int_equal(calls_reported("mez_kernel_create"), 0);
    mez_kernel_destroy(&kernel);
}

// Reported with the object itself, and the line.
static void assert_destroys(const char *call, const char *argument, const void *object, int line)
{
    const record *begin = must_find(MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, call);
    assert_int_equal(calls_reported(call), 1);
    assert_string_equal(begin->arguments, argument);
    assert_int_equal(begin->first_argument, (uintptr_t)object);
    assert_non_null(strstr(begin->file, "calls_test.c"));
    assert_int_equal(begin->line, line);
    assert_int_equal(must_find(MEZ_XPTI_FUNCTION_WITH_ARGS_END, call)->instance, begin->instance);
    forget();
}

#define ASSERT_DESTROYS(kind, object)                                     \
    do {                                                                  \
        const void *destroyed = object;                                   \
        const int line = __LINE__;                                        \
        mez_##kind##_destroy(&(object));                                  \
        assert_null(object);                                              \
        assert_destroys("mez_" #kind "_destroy", #kind, destroyed, line); \
    } while (0)

static void test_destroying_is_a_call_with_a_place(void **state)
{
    runtime *r = *state;
    mez_context *context;
    mez_queue *queue;
    mez_image *image;
    mez_kernel *kernel;
    mez_launch *launch;
    mez_recording *recording;
    assert_ok(mez_context_create(NULL, &context));
    assert_ok(mez_queue_create(r->context, NULL, &queue));
    assert_ok(mez_image_load(r->context, file_of("kernels.spv"), &image));
    assert_ok(mez_kernel_create(image, "nothing", &kernel));
    assert_ok(mez_launch_create(queue, kernel, MEZ_RANGE(1), NULL, &launch));
    assert_ok(mez_recording_create(r->context, NULL, &recording));
    forget();
    ASSERT_DESTROYS(recording, recording);
    ASSERT_DESTROYS(launch, launch);
    ASSERT_DESTROYS(kernel, kernel);
    ASSERT_DESTROYS(image, image);
    ASSERT_DESTROYS(queue, queue);
    ASSERT_DESTROYS(context, context);
    mez_queue_destroy(&queue); // NULL
    assert_int_equal(calls_reported("mez_queue_destroy"), 0);
}

static void test_a_call_of_the_driver_reports_which_command_it_is_for(void **state)
{
    runtime *r = *state;
    assert_ok(submit_nothing(r, NULL));
    const record *node = must_find(MEZ_XPTI_NODE_CREATE, "nothing");
    const record *append =
        must_find(MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, "zeCommandListAppendLaunchKernel");
    assert_string_equal(append->stream, MEZ_TRACE_STREAM_ZE);
    assert_int_equal(append->scope, node->id);
    assert_int_equal(append->argument_count, 6);
    const record *end =
        find(append, MEZ_XPTI_FUNCTION_WITH_ARGS_END, "zeCommandListAppendLaunchKernel");
    assert_int_equal(end->instance, append->instance);
    assert_string_equal(end->result.name, "ZE_RESULT_SUCCESS");
    assert_int_equal(dispatcher_get_universal_id(), 0);
}

static void test_a_place_that_a_layer_above_has_set_stays(void **state)
{
    runtime *r = *state;
    dispatcher_set_universal_id(4711);
    assert_ok(submit_nothing(r, NULL));
    dispatcher_set_universal_id(0);
    assert_int_equal(
        must_find(MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, "zeCommandListAppendLaunchKernel")->scope,
        4711);
}

static void test_times_are_measured_where_profiling_is_on(void **state)
{
    runtime *r = *state;
    mez_queue *queue;
    assert_ok(mez_queue_create(r->context, &(mez_queue_params){.profiling = true}, &queue));
    assert_ok(mez_submit(queue, r->nothing, MEZ_RANGE(1), NULL, NULL)); // nobody asks for an event
    assert_ok(mez_queue_wait(queue));
    const record *ran = find_end(must_find(MEZ_XPTI_NODE_CREATE, "nothing"));
    assert_non_null(ran);
    assert_true(ran->execution.measured);
    assert_true(ran->execution.begin < ran->execution.end);
    must_find(MEZ_XPTI_SIGNAL, "nothing");
    mez_queue_destroy(&queue);
}

enum { THREADS = 4, EACH = 100 };

static void *submit_many(void *user)
{
    runtime *r = user;
    for (int i = 0; i < EACH; i++)
        mez_error_ignore(mez_submit(r->queue, r->nothing, MEZ_RANGE(1), NULL, NULL));
    return NULL;
}

static void test_threads_submit_to_one_queue_in_one_chain(void **state)
{
    runtime *r = *state;
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, submit_many, r);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_ok(mez_queue_wait(r->queue));
    forget();
    assert_ok(submit_nothing(r, NULL));
    assert_ok(submit_nothing(r, NULL));
    assert_int_equal(
        count_of(MEZ_XPTI_EDGE_CREATE, "Order"), 2); // the first waits for the last of theirs
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACED_TEST(test_a_call_has_arguments_a_place_and_a_result),
        TRACED_TEST(test_a_call_that_fails_has_its_code),
        TRACED_TEST(test_a_wait_that_is_not_over_is_no_failure),
        TRACED_TEST(test_a_wait_has_the_name_that_the_program_called),
        TRACED_TEST(test_what_destroying_a_queue_waits_for_is_no_call),
        TRACED_TEST(test_looking_whether_a_callback_is_due_is_no_call),
        TRACED_TEST(test_an_allocation_has_the_name_that_the_program_called),
        TRACED_TEST(test_changes_of_a_recording_are_calls),
        TRACED_TEST(test_memory_is_shared_by_calls),
        TRACED_TEST(test_flushing_and_callbacks_are_calls),
        TRACED_TEST(test_loading_a_kernel_is_one_call),
        TRACED_TEST(test_destroying_is_a_call_with_a_place),
        TRACED_TEST(test_a_call_of_the_driver_reports_which_command_it_is_for),
        TRACED_TEST(test_a_place_that_a_layer_above_has_set_stays),
        TRACED_TEST(test_times_are_measured_where_profiling_is_on),
        TRACED_TEST(test_threads_submit_to_one_queue_in_one_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
