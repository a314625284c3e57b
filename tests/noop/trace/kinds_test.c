// SPDX-License-Identifier: MIT
//
// That each kind of command is a node of its kind; waits for events; failures that a handler is given.

#include "traced.h"

#include <mezzanine/level_zero.h>
#include <stdatomic.h>
#include <unistd.h>

static void assert_node(const char *name, const char *kind)
{
    const record *node = must_find(MEZ_XPTI_NODE_CREATE, name);
    assert_string_equal(node->text, kind);
    assert_non_null(strstr(node->file, "kinds_test.c"));
    assert_true(node->line > 0);
}

static void do_nothing(void *user)
{
    (void)user;
}

static ze_result_t append_nothing(void *user, ze_command_list_handle_t list)
{
    (void)list, (void)user;
    return ZE_RESULT_SUCCESS;
}

static void test_tasks_that_move_no_memory_are_command_groups(void **state)
{
    runtime *r = *state;
    mez_queue *queue;
    assert_ok(mez_queue_create(r->context, &(mez_queue_params){.order = MEZ_OUT_OF_ORDER}, &queue));
    forget();
    assert_ok(mez_barrier(queue, NULL));
    assert_ok(mez_marker(queue, NULL));
    assert_ok(mez_host_task(queue, do_nothing, NULL, NULL));
    assert_ok(mez_submit_native(queue, append_nothing, NULL, NULL));
    assert_ok(mez_queue_wait(queue));
    assert_node("Barrier", "command_group_node");
    assert_node("Marker", "command_group_node");
    assert_node("HostTask", "command_group_node");
    assert_node("NativeTask", "command_group_node");
    mez_queue_destroy(&queue);
}

// Each command of a program is one node, and the library adds none.
static void test_each_command_is_one_node(void **state)
{
    runtime *r = *state;
    const int zero = 0;
    assert_ok(submit_nothing(r, NULL));
    assert_ok(mez_copy(r->queue, r->x, r->y, 64, NULL));
    assert_ok(mez_copy_2d(r->queue, r->x, 32, r->y, 16, 8, 4, NULL));
    assert_ok(mez_copy_3d(r->queue,
        &(mez_copy_3d_params){
            .to = r->x, .to_slice_pitch = 64, .from = r->y, .width = 8, .rows = 2, .slices = 2},
        NULL));
    assert_ok(mez_fill(r->queue, r->x, &zero, sizeof zero, 64, NULL));
    assert_ok(mez_prefetch(r->queue, r->x, 64, NULL));
    assert_ok(mez_advise(r->queue, r->x, 64, MEZ_ADVICE_READ_MOSTLY, NULL));
    assert_ok(mez_queue_wait(r->queue));
    assert_int_equal(count_of(MEZ_XPTI_NODE_CREATE, NULL), 7);
    assert_int_equal(count_of(MEZ_XPTI_TASK_BEGIN, NULL), 7);
    assert_int_equal(count_of(MEZ_XPTI_TASK_END, NULL), 7);
}

static void test_a_wait_for_an_event_is_reported_with_its_call(void **state)
{
    runtime *r = *state;
    mez_event *event;
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    const uint32_t line = __LINE__ + 1;
    assert_ok(mez_event_wait(event));
    const record *call = must_find(MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, "mez_event_wait");
    assert_int_equal(call->line, line);
    const record *begin = find(call, MEZ_XPTI_WAIT_BEGIN, NULL);
    assert_non_null(begin);
    assert_int_equal(strncmp(begin->text, "event.wait[", 11), 0);
    assert_non_null(find(begin, MEZ_XPTI_WAIT_END, begin->name));
    mez_event_destroy(&event);
}

static void note(void *user, mez_error error)
{
    (void)error;
    atomic_store((atomic_bool *)user, true);
}

static void wait_for_gate(void *user)
{
    while (atomic_load((atomic_bool *)user))
        usleep(100);
}

// No call of the program's fails.
static void test_a_failure_that_a_handler_is_given_is_a_diagnostic(void **state)
{
    runtime *r = *state;
    atomic_bool reported = false, closed = true;
    const mez_queue_params params = {.on_error = {.function = note, .user = &reported}};
    mez_queue *queue;
    assert_ok(mez_queue_create(r->context, &params, &queue));
    assert_ok(mez_host_task(queue, wait_for_gate, &closed, NULL));
    assert_ok(mez_copy(queue, r->x, r->y, 64, MEZ_TASK(.debug_name = "held")));
    noop_fail_every("zeCommandListAppendBarrier", ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    noop_fail_every("zeCommandListAppendMemoryCopy", ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    forget();
    atomic_store(&closed, false);
    while (!atomic_load(&reported))
        usleep(100);
    assert_non_null(strstr(must_find(MEZ_XPTI_DIAGNOSTICS, NULL)->text, "task: \"held\""));
    mez_queue_destroy(&queue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACED_TEST(test_tasks_that_move_no_memory_are_command_groups),
        TRACED_TEST(test_each_command_is_one_node),
        TRACED_TEST(test_a_wait_for_an_event_is_reported_with_its_call),
        TRACED_TEST(test_a_failure_that_a_handler_is_given_is_a_diagnostic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
