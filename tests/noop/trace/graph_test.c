// SPDX-License-Identifier: MIT
//
// The graphs that tools see: of the published scenario of asserts, and of a recording that is replayed.

#include "traced.h"

#include <stdlib.h>

// Addresses differ from run to run.
static int name_length(const char *name)
{
    return (int)strcspn(name, "[");
}

// The newest: ids of nodes that are over are used again.
static int number_of(const uint64_t *ids, int count, uint64_t id)
{
    while (count > 0 && ids[count - 1] != id)
        count--;
    return count;
}

// A line for each node of a queue and each edge between two of them.
static void write_graph(char *text, size_t size)
{
    uint64_t ids[64];
    int nodes = 0;
    size_t length = 0;
    for (size_t i = 0; i < traced()->count(); i++) {
        const record *one = traced()->at(i);
        if (one->point == MEZ_XPTI_NODE_CREATE && one->queue_id > 0 && nodes < 64) {
            ids[nodes++] = one->id;
            length += (size_t)snprintf(text + length, size - length, "node #%d %s %.*s\n", nodes,
                one->text, name_length(one->name), one->name);
        } else if (one->point == MEZ_XPTI_EDGE_CREATE && number_of(ids, nodes, one->source)) {
            length += (size_t)snprintf(text + length, size - length, "edge #%d -> #%d\n",
                number_of(ids, nodes, one->source), number_of(ids, nodes, one->target));
        }
    }
}

static void expect_graph(const char *name)
{
    static char graph[4096], expected[4096];
    char path[4096];
    write_graph(graph, sizeof graph);
    snprintf(path, sizeof path, "%s/%s", getenv("MEZ_TEST_GRAPHS"), name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    expected[fread(expected, 1, sizeof expected - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(graph, expected);
}

// Three kernels that can assert, of which the third depends on the first: behind each stands a copy of the record, and behind that
// its check, which nothing waits for. The device is held, so that all are in flight at once.
static void test_three_kernels_of_which_the_third_depends_on_the_first(void **state)
{
    runtime *r = *state;
    mez_queue *queue;
    mez_event *first;
    assert_ok(mez_queue_create(r->context, &(mez_queue_params){.order = MEZ_OUT_OF_ORDER}, &queue));
    mez_kernel *kernel = load_kernel(r->context, "asserts.spv", "checked");
    int *memory = mez_alloc_shared(r->context, COUNT * sizeof *memory, NULL);
    const mez_args *args = MEZ_ARGS(MEZ_PTR(memory));
    forget();
    noop_hold(true);
    assert_ok(mez_submit(queue, kernel, MEZ_RANGE(COUNT), args, MEZ_TASK(.event = &first)));
    assert_ok(mez_submit(queue, kernel, MEZ_RANGE(COUNT), args, NULL));
    assert_ok(mez_submit(
        queue, kernel, MEZ_RANGE(COUNT), args, MEZ_TASK(.wait_for = &first, .wait_count = 1)));
    assert_ok(mez_queue_flush(queue));
    noop_hold(false);
    assert_ok(mez_queue_wait(queue));
    expect_graph("graph.expected");
    mez_event_destroy(&first);
    mez_queue_destroy(&queue);
    mez_kernel_destroy(&kernel);
    assert_ok(mez_free(r->context, memory));
}

// What the device would write.
static void fail_assert(void)
{
    mez_assert_record *record = noop_global("__SYCL_AssertHappenedMem");
    strcpy(record->expression, "y[i] < limit");
    strcpy(record->file, "saxpy.cl");
    strcpy(record->function, "saxpy");
    record->line = 7;
    record->serial++;
    record->flag = 2;
}

// It is found by the check, which is reported like a host task; by then it is known that the kernel and the copy have run.
static void check_of_assert_encloses(const record *reported)
{
    const record *check = must_find(MEZ_XPTI_NODE_CREATE, "AssertCheck");
    const record *begin = must_find(MEZ_XPTI_TASK_BEGIN, "AssertCheck");
    const record *end = must_find(MEZ_XPTI_TASK_END, "AssertCheck");
    assert_true(begin < reported && reported < end);
    assert_true(reported->scope == check->id);
    const record *kernel = must_find(MEZ_XPTI_NODE_CREATE, "checked");
    const record *ran = find_end(kernel), *checked = find_end(check);
    assert_true(ran < reported); // which ends the process under the policy abort
    assert_true(ran->execution.failed);
    assert_false(checked->execution.failed);
    assert_true(ran->execution.end <= checked->execution.begin);
    assert_string_equal(check->file, kernel->file);
    assert_int_equal(check->line, kernel->line);
}

static void test_a_failed_assert_is_a_diagnostic_with_its_line(void **state)
{
    runtime *r = *state;
    mez_queue *queue;
    assert_ok(mez_queue_create(
        r->context, &(mez_queue_params){.asserts.policy = MEZ_ASSERT_ERROR}, &queue));
    mez_kernel *kernel = load_kernel(r->context, "asserts.spv", "checked");
    int *memory = mez_alloc_shared(r->context, COUNT * sizeof *memory, NULL);
    const mez_args *args = MEZ_ARGS(MEZ_PTR(memory));
    assert_ok(mez_submit(queue, kernel, MEZ_RANGE(COUNT), args, NULL));
    assert_ok(mez_queue_wait(queue));
    fail_assert();
    forget();
    assert_ok(mez_submit(queue, kernel, MEZ_RANGE(COUNT), args, NULL));
    assert_true(mez_error_is(mez_queue_wait(queue), MEZ_ERRC_ASSERT));
    const record *reported = must_find(MEZ_XPTI_DIAGNOSTICS, NULL);
    assert_non_null(strstr(reported->text, "saxpy.cl:7: saxpy:"));
    assert_non_null(strstr(reported->text, "Assertion `y[i] < limit` failed"));
    check_of_assert_encloses(reported);
    mez_queue_destroy(&queue);
    mez_kernel_destroy(&kernel);
    assert_ok(mez_free(r->context, memory));
}

static void test_a_replay_is_one_node_each_time(void **state)
{
    runtime *r = *state;
    mez_recording *recording;
    assert_ok(mez_recording_create(r->context, NULL, &recording));
    for (int i = 0; i < 2; i++)
        assert_ok(mez_record_submit(recording, r->nothing, MEZ_RANGE(COUNT), NULL, NULL, NULL));
    forget();
    const int line = __LINE__ + 2;
    for (int i = 0; i < 2; i++)
        assert_ok(mez_replay(r->queue, recording, NULL));
    assert_ok(mez_queue_wait(r->queue));
    char name[64];
    snprintf(name, sizeof name, "Replay[%p]", (void *)recording);
    const record *first = must_find(MEZ_XPTI_NODE_CREATE, name);
    const record *second = find(first + 1, MEZ_XPTI_NODE_CREATE, name);
    assert_int_equal(first->line, line);
    assert_non_null(find_end(first));
    assert_non_null(find_end(second));
    assert_true(has_edge(first, second));
    assert_int_equal(count_of(MEZ_XPTI_NODE_CREATE, NULL), 2);
    mez_recording_destroy(&recording);
}

// The recording's list copies the record itself.
static void test_a_replay_is_checked(void **state)
{
    runtime *r = *state;
    mez_queue *queue;
    mez_recording *recording;
    assert_ok(mez_queue_create(r->context, NULL, &queue));
    assert_ok(mez_recording_create(r->context, NULL, &recording));
    mez_kernel *kernel = load_kernel(r->context, "asserts.spv", "checked");
    int *memory = mez_alloc_shared(r->context, COUNT * sizeof *memory, NULL);
    const mez_args *args = MEZ_ARGS(MEZ_PTR(memory));
    assert_ok(mez_record_submit(recording, kernel, MEZ_RANGE(COUNT), args, NULL, NULL));
    forget();
    noop_hold(true);
    assert_ok(mez_replay(queue, recording, NULL));
    assert_ok(mez_queue_flush(queue));
    noop_hold(false);
    assert_ok(mez_queue_wait(queue));
    char name[64];
    snprintf(name, sizeof name, "Replay[%p]", (void *)recording);
    const record *replay = must_find(MEZ_XPTI_NODE_CREATE, name);
    assert_true(has_edge(replay, must_find(MEZ_XPTI_NODE_CREATE, "AssertCheck")));
    assert_int_equal(count_of(MEZ_XPTI_NODE_CREATE, NULL), 2);
    mez_recording_destroy(&recording);
    mez_queue_destroy(&queue);
    mez_kernel_destroy(&kernel);
    assert_ok(mez_free(r->context, memory));
}

// Out of order nothing but a barrier waits for all; what copies records is not meant.
static void test_a_barrier_does_not_wait_for_the_copy(void **state)
{
    runtime *r = *state;
    mez_queue *queue;
    assert_ok(mez_queue_create(r->context, &(mez_queue_params){.order = MEZ_OUT_OF_ORDER}, &queue));
    mez_kernel *kernel = load_kernel(r->context, "asserts.spv", "checked");
    int *memory = mez_alloc_shared(r->context, COUNT * sizeof *memory, NULL);
    forget();
    noop_hold(true);
    assert_ok(mez_submit(queue, kernel, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_PTR(memory)), NULL));
    assert_ok(mez_barrier(queue, NULL));
    assert_ok(mez_queue_flush(queue));
    noop_hold(false);
    assert_ok(mez_queue_wait(queue));
    const record *barrier = must_find(MEZ_XPTI_NODE_CREATE, "Barrier");
    const record *kernel_node = must_find(MEZ_XPTI_NODE_CREATE, "checked");
    const record *copy = find(kernel_node + 1, MEZ_XPTI_NODE_CREATE, NULL);
    assert_memory_equal(copy->name, "AssertCopy[", strlen("AssertCopy["));
    assert_true(has_metadata(copy, "memory_size", "704"));
    assert_true(has_edge(kernel_node, copy));
    assert_true(has_edge(kernel_node, barrier));
    assert_false(has_edge(copy, barrier));
    mez_queue_destroy(&queue);
    mez_kernel_destroy(&kernel);
    assert_ok(mez_free(r->context, memory));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_three_kernels_of_which_the_third_depends_on_the_first,
            traced_setup_linking, runtime_teardown),
        cmocka_unit_test_setup_teardown(test_a_failed_assert_is_a_diagnostic_with_its_line,
            traced_setup_linking, runtime_teardown),
        TRACED_TEST(test_a_replay_is_one_node_each_time),
        cmocka_unit_test_setup_teardown(
            test_a_replay_is_checked, traced_setup_linking, runtime_teardown),
        cmocka_unit_test_setup_teardown(
            test_a_barrier_does_not_wait_for_the_copy, traced_setup_linking, runtime_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
