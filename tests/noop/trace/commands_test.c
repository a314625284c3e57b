// SPDX-License-Identifier: MIT
//
// What tools are notified of about commands, on the driver that does nothing.

#include "traced.h"

#include <mezzanine/level_zero.h>

// --- Nodes

static void test_a_launch_is_a_node_with_its_place(void **state)
{
    runtime *r = *state;
    const float a = 2;
    const mez_args *args = MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(r->x), MEZ_PTR(r->y));
    const mez_task_params *task = MEZ_TASK(.debug_name = "first");
    const int line = __LINE__ + 1; // of one line: compilers differ on longer ones
    assert_ok(mez_submit(r->queue, r->saxpy, MEZ_RANGE(COUNT), args, task));
    const record *node = must_find(MEZ_XPTI_NODE_CREATE, "saxpy");
    assert_string_equal(node->stream, MEZ_TRACE_STREAM_TASKS);
    assert_string_equal(node->text, "command_group_node");
    assert_non_null(strstr(node->file, "commands_test.c"));
    assert_int_equal(node->line, line);
    assert_true(node->queue_id > 0);
    assert_true(has_metadata(node, "kernel_name", "saxpy"));
    assert_true(has_metadata(node, "debug_name", "first"));
    assert_true(has_metadata(node, "sycl_device_type", "GPU"));
    assert_true(has_metadata(node, "sycl_device_name", ""));
    assert_false(has_metadata(node, "arg0", "")); // for debugging only
}

static void test_its_task_begins_and_ends_around_the_signal(void **state)
{
    runtime *r = *state;
    mez_event *event;
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    const record *node = must_find(MEZ_XPTI_NODE_CREATE, "nothing");
    const record *begin = find(node, MEZ_XPTI_TASK_BEGIN, "nothing");
    assert_non_null(begin);
    const record *signal = find(begin, MEZ_XPTI_SIGNAL, "nothing");
    assert_non_null(signal);
    assert_non_null(find(signal, MEZ_XPTI_TASK_END, "nothing"));
    ze_event_handle_t native;
    assert_ok(mez_event_get_ze(event, &native));
    assert_ptr_equal(signal->native, native);
    assert_int_equal(begin->id, node->id);
    assert_int_equal(begin->instance, node->instance);
    mez_event_destroy(&event);
}

static void test_a_place_that_is_visited_again_counts_its_instances(void **state)
{
    runtime *r = *state;
    for (int i = 0; i < 3; i++)
        assert_ok(submit_nothing(r, NULL));
    const record *first = must_find(MEZ_XPTI_NODE_CREATE, "nothing");
    const record *second = find(first + 1, MEZ_XPTI_NODE_CREATE, "nothing");
    assert_int_equal(second->instance, first->instance + 1);
    assert_int_not_equal(second->id, first->id);
}

static void test_a_call_without_a_place_says_so(void **state)
{
    runtime *r = *state;
    traced()->debug(true);
    assert_ok(mez_submit_at(NULL, r->queue, r->nothing, MEZ_RANGE(1), NULL, NULL));
    traced()->debug(false);
    const record *node = must_find(MEZ_XPTI_NODE_CREATE, "nothing");
    assert_string_equal(node->file, "unknown_file");
    assert_int_equal(node->line, 0);
    assert_true(has_metadata(node, "sym_caller_name", "unknown_func"));
    assert_true(has_metadata(node, "sym_line_no", "0"));
    assert_true(has_metadata(node, "from_source", "0"));
}

static void test_the_stream_for_debugging_takes_over_and_knows_all(void **state)
{
    runtime *r = *state;
    traced()->debug(true);
    assert_ok(submit_saxpy(r, NULL));
    traced()->debug(false);
    const record *node = must_find(MEZ_XPTI_NODE_CREATE, "saxpy");
    assert_string_equal(node->stream, MEZ_TRACE_STREAM_TASKS_DEBUG);
    assert_true(has_metadata(node, "sym_source_file_name", ""));
    assert_true(has_metadata(node, "from_source", "1"));
    assert_true(has_metadata(node, "enqueue_kernel_data", ""));
    assert_true(has_metadata(node, "arg2", ""));
    assert_null(find(node + 1, MEZ_XPTI_NODE_CREATE, "saxpy"));
}

static const record *node_called(const char *prefix)
{
    const record *node = find(NULL, MEZ_XPTI_NODE_CREATE, NULL);
    while (node && strncmp(node->name, prefix, strlen(prefix)) != 0)
        node = find(node + 1, MEZ_XPTI_NODE_CREATE, NULL);
    if (!node)
        fail_msg("no node called %s", prefix);
    return node;
}

static void test_copies_fills_and_hints_are_transfers(void **state)
{
    runtime *r = *state;
    const int zero = 0;
    assert_ok(mez_copy(r->queue, r->x, r->y, 64, NULL));
    assert_ok(mez_fill(r->queue, r->x, &zero, sizeof zero, 128, NULL));
    assert_ok(mez_copy_2d(r->queue, r->x, 16, r->y, 16, 8, 4, NULL));
    assert_ok(mez_copy_3d(r->queue,
        &(mez_copy_3d_params){
            .to = r->x, .to_slice_pitch = 64, .from = r->y, .width = 8, .rows = 3, .slices = 2},
        NULL));
    assert_ok(mez_prefetch(r->queue, r->x, 64, NULL));
    const record *copy = node_called("Copy[");
    assert_string_equal(copy->text, "memory_transfer_node");
    assert_true(has_metadata(copy, "memory_size", "64"));
    assert_true(has_metadata(copy, "src_memory_ptr", ""));
    const record *fill = node_called("Fill[");
    assert_true(has_metadata(fill, "memory_size", "128"));
    assert_true(has_metadata(fill, "value_set", "0"));
    assert_true(has_metadata(node_called("Copy2D["), "memory_size", "32"));
    assert_true(has_metadata(node_called("Copy3D["), "memory_size", "48"));
    assert_string_equal(node_called("Prefetch[")->text, "memory_transfer_node");
}

static size_t begun_in_host_task, ended_in_host_task;

static void look_at_trace(void *user)
{
    (void)user;
    begun_in_host_task = count_of(MEZ_XPTI_TASK_BEGIN, "HostTask");
    ended_in_host_task = count_of(MEZ_XPTI_TASK_END, "HostTask");
}

static void test_the_task_of_a_host_task_encloses_its_run(void **state)
{
    runtime *r = *state;
    assert_ok(submit_nothing(r, NULL));
    assert_ok(mez_host_task(r->queue, look_at_trace, NULL, NULL));
    assert_ok(submit_nothing(r, NULL)); // held behind it
    assert_ok(mez_queue_wait(r->queue));
    assert_int_equal(begun_in_host_task, 1);
    assert_int_equal(ended_in_host_task, 0);
    assert_int_equal(count_of(MEZ_XPTI_TASK_END, "HostTask"), 1);
    const record *host = must_find(MEZ_XPTI_NODE_CREATE, "HostTask");
    assert_true(has_edge(must_find(MEZ_XPTI_NODE_CREATE, "nothing"), host));
    assert_true(has_edge(host, find(host, MEZ_XPTI_NODE_CREATE, "nothing")));
}

// --- Edges

static void test_the_order_of_a_queue_is_an_edge(void **state)
{
    runtime *r = *state;
    assert_ok(submit_nothing(r, NULL));
    assert_ok(submit_saxpy(r, NULL));
    assert_true(has_edge(
        must_find(MEZ_XPTI_NODE_CREATE, "nothing"), must_find(MEZ_XPTI_NODE_CREATE, "saxpy")));
    assert_int_equal(count_of(MEZ_XPTI_EDGE_CREATE, "Order"), 1);
}

static mez_queue *create_queue(runtime *r, mez_queue_order order)
{
    mez_queue *queue;
    assert_ok(mez_queue_create(r->context, &(mez_queue_params){.order = order}, &queue));
    return queue;
}

static void test_an_event_of_another_queue_is_an_edge_also_when_it_has_happened(void **state)
{
    runtime *r = *state;
    mez_event *event;
    mez_queue *other = create_queue(r, MEZ_IN_ORDER);
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    assert_ok(mez_queue_wait(r->queue));
    assert_ok(mez_submit(other, r->nothing, MEZ_RANGE(1), NULL,
        MEZ_TASK(.debug_name = "second", .wait_for = &event, .wait_count = 1)));
    const record *first = must_find(MEZ_XPTI_NODE_CREATE, "nothing");
    assert_true(has_edge(first, find(first + 1, MEZ_XPTI_NODE_CREATE, "nothing")));
    mez_event_destroy(&event);
    mez_queue_destroy(&other);
}

static void test_a_barrier_out_of_order_has_an_edge_from_and_to_all(void **state)
{
    runtime *r = *state;
    mez_queue *queue = create_queue(r, MEZ_OUT_OF_ORDER);
    noop_hold(true);
    forget();
    for (int i = 0; i < 2; i++)
        assert_ok(mez_submit(queue, r->nothing, MEZ_RANGE(1), NULL, NULL));
    assert_int_equal(count_of(MEZ_XPTI_EDGE_CREATE, NULL), 0);
    assert_ok(mez_barrier(queue, NULL));
    assert_ok(mez_copy(queue, r->x, r->y, 64, NULL));
    const record *first = must_find(MEZ_XPTI_NODE_CREATE, "nothing");
    const record *second = find(first + 1, MEZ_XPTI_NODE_CREATE, "nothing");
    const record *barrier = must_find(MEZ_XPTI_NODE_CREATE, "Barrier");
    assert_true(has_edge(first, barrier));
    assert_true(has_edge(second, barrier));
    assert_true(has_edge(barrier, node_called("Copy[")));
    assert_false(has_edge(first, node_called("Copy[")));
    const record *enqueue = must_find(MEZ_XPTI_BARRIER_BEGIN, NULL);
    assert_int_equal(strncmp(enqueue->text, "enqueue.barrier[", 16), 0);
    assert_non_null(find(enqueue, MEZ_XPTI_BARRIER_END, enqueue->name));
    noop_hold(false);
    mez_queue_destroy(&queue);
}

// --- Memory

static void test_an_allocation_and_its_release_are_reported_and_tied(void **state)
{
    runtime *r = *state;
    const int line = __LINE__ + 1;
    void *memory = mez_alloc_device(r->context, 4096, NULL);
    assert_ok(mez_free(r->context, memory));
    const record *alloc = must_find(MEZ_XPTI_MEM_ALLOC_END, NULL);
    assert_string_equal(alloc->stream, MEZ_TRACE_STREAM_MEMORY);
    assert_int_equal(alloc->alloc.pointer, (uintptr_t)memory);
    assert_int_equal(alloc->alloc.size, 4096);
    assert_int_equal(must_find(MEZ_XPTI_MEM_ALLOC_BEGIN, NULL)->alloc.size, 4096);
    assert_int_equal(must_find(MEZ_XPTI_MEM_RELEASE_BEGIN, NULL)->alloc.size, 4096);
    assert_int_equal(must_find(MEZ_XPTI_MEM_RELEASE_END, NULL)->alloc.pointer, (uintptr_t)memory);
    const record *made = node_called("Allocate["), *released = node_called("Release[");
    assert_string_equal(made->text, "memory_allocation_node");
    assert_int_equal(made->line, line);
    assert_true(has_metadata(made, "allocation_type", "device"));
    assert_string_equal(released->text, "memory_deallocation_node");
    assert_int_equal(released->line, line + 1);
    assert_true(has_edge(made, released));
}

static void test_a_free_that_fails_forgets_nothing(void **state)
{
    runtime *r = *state;
    char *memory = mez_alloc_device(r->context, 4096, NULL);
    assert_true(mez_failed(mez_free(r->context, memory + 1)));
    assert_int_equal(count_of(MEZ_XPTI_NODE_CREATE, NULL), 1);
    assert_ok(mez_free(r->context, memory));
    assert_true(has_edge(node_called("Allocate["), node_called("Release[")));
}

// --- Queues, waits, failures

static void test_a_queue_is_made_waited_for_and_destroyed(void **state)
{
    runtime *r = *state;
    const int line = __LINE__ + 2, wait_line = line + 1;
    mez_queue *queue;
    assert_ok(mez_queue_create(r->context, &(mez_queue_params){.debug_name = "mine"}, &queue));
    assert_ok(mez_queue_wait(queue));
    mez_queue_destroy(&queue);
    const record *made = must_find(MEZ_XPTI_QUEUE_CREATE, "queue_create");
    assert_int_equal(made->line, line);
    assert_true(has_metadata(made, "is_inorder", "1"));
    assert_true(has_metadata(made, "debug_name", "mine"));
    const record *wait = must_find(MEZ_XPTI_WAIT_BEGIN, NULL);
    assert_int_equal(strncmp(wait->text, "queue.wait[", 11), 0);
    assert_int_equal(wait->line, wait_line);
    assert_non_null(find(wait, MEZ_XPTI_WAIT_END, wait->name));
    assert_int_equal(must_find(MEZ_XPTI_QUEUE_DESTROY, NULL)->id, made->id);
}

static void test_an_error_is_a_diagnostic_with_its_story(void **state)
{
    runtime *r = *state;
    assert_true(mez_failed(mez_submit(r->queue, r->nothing, MEZ_RANGE(0), NULL, NULL)));
    const record *reported = must_find(MEZ_XPTI_DIAGNOSTICS, NULL);
    assert_non_null(strstr(reported->text, "kernel: \"nothing\""));
}

// --- Ends

static void test_a_command_is_over_once_it_was_waited_for(void **state)
{
    runtime *r = *state;
    assert_ok(submit_nothing(r, NULL));
    assert_ok(mez_queue_wait(r->queue));
    const record *node = must_find(MEZ_XPTI_NODE_CREATE, "nothing");
    const record *ran = find_end(node);
    assert_non_null(ran);
    assert_int_equal(ran->execution.queue_id, node->queue_id);
    assert_false(ran->execution.measured);
    assert_false(ran->execution.failed);
    assert_true(ran->execution.begin <= ran->execution.end);
}

static void test_a_hundred_thousand_commands_leave_no_nodes(void **state)
{
    runtime *r = *state;
    mez_event *event = NULL;
    for (int i = 0; i < 100000; i++) {
        mez_event *next;
        assert_ok(submit_nothing(r, MEZ_TASK(.event = &next)));
        mez_event_destroy(&event);
        event = next;
    }
    mez_event_destroy(&event);
    assert_ok(mez_queue_wait(r->queue));
    assert_true(traced()->reported() >= 400000);
    assert_true(traced()->nodes() < 5000); // ids come again, as the nodes were released
}

static void test_tools_switch_it_off_and_on_again(void **state)
{
    runtime *r = *state;
    dispatcher_enable(false);
    assert_ok(submit_nothing(r, NULL));
    assert_int_equal(traced()->reported(), 0);
    dispatcher_enable(true);
    assert_ok(submit_nothing(r, NULL));
    assert_int_equal(count_of(MEZ_XPTI_NODE_CREATE, "nothing"), 1);
}

// What the copy engine can't fill goes to a queue on the other one, of which tools know nothing.
static void test_a_fill_on_the_other_engine_ends(void **state)
{
    runtime *r = *state;
    static const char pattern[32] = "more than the copy engine takes";
    mez_queue *queue;
    void *memory = mez_alloc_device(r->context, 256, NULL);
    for (mez_queue_order order = MEZ_IN_ORDER; order <= MEZ_OUT_OF_ORDER; order++) {
        const mez_queue_params params = {.order = order, .engine = MEZ_ENGINE_COPY};
        assert_ok(mez_queue_create(r->context, &params, &queue));
        forget();
        assert_ok(mez_fill(queue, memory, pattern, sizeof pattern, 256, NULL));
        assert_ok(mez_queue_wait(queue));
        assert_non_null(find_end(must_find(MEZ_XPTI_NODE_CREATE, NULL)));
        mez_queue_destroy(&queue);
    }
    assert_ok(mez_free(r->context, memory));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACED_TEST(test_a_launch_is_a_node_with_its_place),
        TRACED_TEST(test_its_task_begins_and_ends_around_the_signal),
        TRACED_TEST(test_a_place_that_is_visited_again_counts_its_instances),
        TRACED_TEST(test_a_call_without_a_place_says_so),
        TRACED_TEST(test_the_stream_for_debugging_takes_over_and_knows_all),
        TRACED_TEST(test_copies_fills_and_hints_are_transfers),
        TRACED_TEST(test_the_task_of_a_host_task_encloses_its_run),
        TRACED_TEST(test_the_order_of_a_queue_is_an_edge),
        TRACED_TEST(test_an_event_of_another_queue_is_an_edge_also_when_it_has_happened),
        TRACED_TEST(test_a_barrier_out_of_order_has_an_edge_from_and_to_all),
        TRACED_TEST(test_an_allocation_and_its_release_are_reported_and_tied),
        TRACED_TEST(test_a_free_that_fails_forgets_nothing),
        TRACED_TEST(test_a_queue_is_made_waited_for_and_destroyed),
        TRACED_TEST(test_an_error_is_a_diagnostic_with_its_story),
        TRACED_TEST(test_a_command_is_over_once_it_was_waited_for),
        TRACED_TEST(test_a_hundred_thousand_commands_leave_no_nodes),
        TRACED_TEST(test_a_fill_on_the_other_engine_ends),
        TRACED_TEST(test_tools_switch_it_off_and_on_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
