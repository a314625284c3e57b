// SPDX-License-Identifier: MIT
//
// Which Level Zero calls a submission makes: what is paid for, and that in-order means in order.

#include "runtime.h"

#include <stdlib.h>

#include "base/alloc.h"

#define SET_SAXPY "KernelSetArgumentValue KernelSetArgumentValue KernelSetArgumentValue "
#define LAUNCH "CommandListAppendLaunchKernel "
#define EXECUTE "CommandListClose CommandQueueExecuteCommandLists "
#define RECYCLE "FenceHostSynchronize CommandListReset FenceReset "
#define REPEAT "FenceHostSynchronize FenceReset CommandQueueExecuteCommandLists "

static void test_first_submission(void **state)
{
    watch_calls();
    assert_ok(submit_saxpy(*state, NULL));
    assert_string_equal(calls(), "KernelSuggestGroupSize KernelSetGroupSize " SET_SAXPY
                                 "CommandListCreate FenceCreate " LAUNCH EXECUTE);
}

static void test_later_submission_on_an_idle_queue(void **state)
{
    assert_ok(submit_saxpy(*state, NULL));
    watch_calls();
    assert_ok(submit_saxpy(*state, NULL));
    assert_string_equal(calls(), REPEAT);
}

static void test_a_local_size_saves_the_suggestion(void **state)
{
    runtime *r = *state;
    const mez_range *range = MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(8));
    assert_ok(mez_submit(r->queue, r->nothing, range, NULL, NULL));
    watch_calls();
    assert_ok(mez_submit(r->queue, r->nothing, range, NULL, NULL));
    assert_string_equal(calls(), REPEAT);
}

static void test_copies_and_fills(void **state)
{
    runtime *r = *state;
    const int pattern = 7;
    assert_ok(mez_copy(r->queue, r->x, r->y, COUNT, NULL));
    watch_calls();
    assert_ok(mez_copy(r->queue, r->x, r->y, COUNT, NULL));
    assert_ok(mez_fill(r->queue, r->x, &pattern, sizeof pattern, COUNT, NULL));
    assert_string_equal(calls(), RECYCLE "CommandListAppendMemoryCopy " EXECUTE RECYCLE
                                         "CommandListAppendMemoryFill " EXECUTE);
}

// Size 0 keeps its place in the order, as a barrier.
static void test_empty_copies_keep_their_place(void **state)
{
    runtime *r = *state;
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL));
    watch_calls();
    assert_ok(mez_copy(r->queue, r->x, r->y, 0, NULL));
    assert_string_equal(
        calls(), "FenceHostSynchronize CommandListCreate FenceCreate CommandListAppendBarrier ");
}

// A busy device: the second task opens a batch, and each task has a barrier before it, also the first of a batch, because
// the batch before it may still run.
static void test_barriers_between_tasks(void **state)
{
    runtime *r = *state;
    noop_hold(true);
    assert_ok(submit_saxpy(r, NULL));
    watch_calls();
    assert_ok(submit_saxpy(r, NULL));
    assert_ok(submit_saxpy(r, NULL));
    assert_string_equal(calls(),
        "FenceHostSynchronize CommandListCreate FenceCreate "
        "CommandListAppendBarrier " LAUNCH "CommandListAppendBarrier " LAUNCH);
}

static uint64_t executions(void)
{
    return noop_calls("zeCommandQueueExecuteCommandLists");
}

static void test_a_full_batch_goes_to_the_device(void **state)
{
    runtime *r = *state;
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL));
    assert_int_equal(executions(), 1);
    for (int i = 0; i < 3; i++)
        assert_ok(submit_nothing(r, NULL));
    assert_int_equal(executions(), 1);
    assert_ok(submit_nothing(r, NULL));
    assert_int_equal(executions(), 2);
}

// How many tasks the next batch takes on a busy device.
static int size_of_batch(runtime *r)
{
    const uint64_t before = executions();
    int size = 0;
    for (; executions() == before; size++)
        assert_ok(submit_nothing(r, NULL));
    return size;
}

static void test_batches_grow_while_the_device_is_busy(void **state)
{
    runtime *r = *state;
    static const int sizes[] = {1, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64, 64, 64};
    noop_hold(true);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        assert_int_equal(size_of_batch(r), sizes[i]);
}

// The device ran out of work while the batch was collected.
static void test_batches_do_not_grow_beyond_what_the_device_needs(void **state)
{
    runtime *r = *state;
    for (int i = 0; i < 10; i++) {
        noop_hold(true);
        assert_int_equal(size_of_batch(r), 1);
        for (int task = 0; task < 3; task++)
            assert_ok(submit_nothing(r, NULL));
        noop_hold(false);
        assert_ok(submit_nothing(r, NULL));
        assert_int_equal(executions(), 2 * (i + 1));
    }
}

static void test_batches_shrink_when_they_are_ended_early(void **state)
{
    runtime *r = *state;
    noop_hold(true);
    assert_int_equal(size_of_batch(r), 1);
    for (int i = 0; i < 6; i++)
        size_of_batch(r);
    assert_int_equal(size_of_batch(r), 16);
    for (int i = 0; i < 3; i++) {
        mez_event *event;
        assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
        if (i == 0)
            assert_ok(mez_queue_flush(r->queue));
        else if (i == 1)
            assert_condition(mez_queue_wait_for(r->queue, 0), MEZ_ERRC_TIMEOUT);
        else
            assert_condition(mez_event_get_status(event), MEZ_ERRC_NOT_READY);
        mez_event_destroy(&event);
    }
    assert_int_equal(size_of_batch(r), 8);
    for (int i = 0; i < 20; i++) {
        assert_ok(submit_nothing(r, NULL));
        assert_ok(mez_queue_flush(r->queue));
        noop_release(1);
    }
    assert_int_equal(size_of_batch(r), 4);
}

static void test_flush_and_wait_end_a_batch(void **state)
{
    runtime *r = *state;
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL));
    assert_ok(submit_nothing(r, NULL));
    assert_ok(mez_queue_flush(r->queue));
    assert_int_equal(executions(), 2);
    assert_ok(mez_queue_flush(r->queue)); // nothing is open
    assert_int_equal(executions(), 2);
    assert_ok(submit_nothing(r, NULL));
    assert_condition(mez_queue_wait_for(r->queue, 0), MEZ_ERRC_TIMEOUT);
    assert_int_equal(executions(), 3);
}

static void test_batch_size_from_the_environment(void **state)
{
    runtime *r = *state;
    mez_queue_destroy(&r->queue);
    setenv("MEZ_BATCH", "4", 1);
    assert_ok(mez_queue_create(r->context, NULL, &r->queue));
    for (int i = 0; i < 3; i++)
        assert_ok(submit_nothing(r, NULL)); // an idle device does not end it early
    assert_int_equal(executions(), 0);
    assert_ok(submit_nothing(r, NULL));
    assert_int_equal(executions(), 1);
    unsetenv("MEZ_BATCH");
    noop_hold(true);
    for (int i = 0; i < 10; i++) // nothing changes it
        assert_int_equal(size_of_batch(r), 4);
}

static void test_batch_sizes_without_meaning(void **state)
{
    runtime *r = *state;
    static const char *const sizes[] = {"0", "-1", "4097", "many", "4x", "99999999999999999999"};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        mez_queue *queue;
        setenv("MEZ_BATCH", sizes[i], 1);
        assert_story(
            mez_queue_create(r->context, NULL, &queue), MEZ_ERRC_INVALID_PARAMETER, sizes[i]);
        assert_null(queue);
    }
    unsetenv("MEZ_BATCH");
}

// The producer is held back rather than making lists without end.
static void test_lists_are_bounded(void **state)
{
    runtime *r = *state;
    for (int i = 0; i < 2000; i++)
        assert_ok(submit_nothing(r, NULL));
    assert_uint_in_range(noop_live(NOOP_COMMAND_LIST), 1, 2);
}

static void test_built_once(void **state)
{
    runtime *r = *state;
    const uint64_t modules = noop_calls("zeModuleCreate");
    const uint64_t kernels = noop_calls("zeKernelCreate");
    for (int i = 0; i < 10; i++)
        assert_ok(submit_nothing(r, NULL));
    assert_int_equal(noop_calls("zeModuleCreate"), modules);
    assert_int_equal(noop_calls("zeKernelCreate"), kernels);
}

// Everything that a task needs is recycled.
static void test_submissions_allocate_nothing(void **state)
{
    runtime *r = *state;
    for (int round = 0; round < 2; round++) {
        mez_alloc_fail_at(0);
        for (int i = 0; i < 100; i++) {
            mez_event *event;
            assert_ok(submit_saxpy(r, MEZ_TASK(.event = &event)));
            assert_ok(mez_event_wait(event));
            mez_event_destroy(&event);
        }
        assert_ok(mez_queue_wait(r->queue));
    }
    assert_int_equal(mez_alloc_fail_at(0), 0);
}

static void test_a_module_for_each_device(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    config.devices = 2;
    noop_configure(&config);
    mez_context *context;
    mez_queue *queues[2];
    assert_ok(mez_context_create(NULL, &context));
    assert_int_equal(mez_context_get_device_count(context), 2);
    assert_null(mez_context_get_device(context, 2));
    mez_kernel *kernel = load_kernel(context, "kernels.spv", "nothing");
    const uint64_t before = noop_calls("zeModuleCreate");
    for (uint32_t i = 0; i < 2; i++) {
        const mez_queue_params params = {.device = mez_context_get_device(context, i)};
        assert_ok(mez_queue_create(context, &params, &queues[i]));
        assert_ok(mez_submit(queues[i], kernel, MEZ_RANGE(COUNT), NULL, NULL));
        assert_ok(mez_submit(queues[i], kernel, MEZ_RANGE(COUNT), NULL, NULL));
        assert_int_equal(noop_calls("zeModuleCreate"), before + i + 1);
    }
    for (uint32_t i = 0; i < 2; i++)
        mez_queue_destroy(&queues[i]);
    mez_kernel_destroy(&kernel);
    mez_context_destroy(&context);
}

// --- What asserts cost

static char *calls_of_submission(runtime *r, const char *file, const char *name)
{
    static char text[2][4096];
    static int turn;
    int *memory = mez_alloc_shared(r->context, COUNT * sizeof *memory, NULL);
    const mez_args *args = MEZ_ARGS(MEZ_PTR(memory));
    mez_kernel *kernel = load_kernel(r->context, file, name);
    assert_ok(mez_submit(r->queue, kernel, MEZ_RANGE(COUNT), args, NULL));
    assert_ok(mez_queue_wait(r->queue));
    watch_calls();
    assert_ok(mez_submit(r->queue, kernel, MEZ_RANGE(COUNT), args, NULL));
    assert_ok(mez_queue_wait(r->queue));
    turn = !turn;
    snprintf(text[turn], sizeof text[turn], "%s", calls());
    mez_kernel_destroy(&kernel);
    assert_ok(mez_free(r->context, memory));
    return text[turn];
}

static void test_kernels_without_asserts_pay_nothing(void **state)
{
    runtime *r = *state;
    const char *free_image = calls_of_submission(r, "kernels.spv", "unchecked");
    const char *mixed_image = calls_of_submission(r, "asserts.spv", "unchecked");
    assert_string_equal(free_image, mixed_image);
    assert_int_equal(noop_calls("zeCommandListAppendMemoryCopy"), 0);
}

static uint64_t indirect_accesses(runtime *r, const char *image, const char *name)
{
    const uint64_t before = noop_calls("zeKernelSetIndirectAccess");
    mez_kernel *kernel = load_kernel(r->context, image, name);
    assert_ok(mez_kernel_build(kernel, NULL));
    mez_kernel_destroy(&kernel);
    return noop_calls("zeKernelSetIndirectAccess") - before;
}

// All memory is kept reachable only for kernels that may find a pointer to it.
static void test_all_memory_is_reachable_where_it_must_be(void **state)
{
    runtime *r = *state;
    assert_int_equal(indirect_accesses(r, "kernels.spv", "unchecked"), 0);
    assert_int_equal(indirect_accesses(r, "asserts.spv", "unchecked"), 0);
    assert_int_equal(indirect_accesses(r, "asserts.spv", "checked"), 0);
    assert_int_equal(indirect_accesses(r, "kernels.spv", "follows"), 1);
}

static void test_kernels_with_asserts_pay_for_a_copy(void **state)
{
    assert_contains(calls_of_submission(*state, "asserts.spv", "checked"),
        "CommandListAppendLaunchKernel CommandListAppendBarrier CommandListAppendMemoryCopy "
        "CommandListClose ");
}

// Other runtimes wait for each such launch. Here nothing completes: whatever waited would never return.
static void launch_a_thousand(runtime *r, mez_queue_kind kind)
{
    mez_queue *queue;
    setenv("MEZ_BATCH", "64", 1);
    assert_ok(mez_queue_create(r->context, &(mez_queue_params){.kind = kind}, &queue));
    unsetenv("MEZ_BATCH");
    mez_kernel *kernel = load_kernel(r->context, "asserts.spv", "checked");
    int *memory = mez_alloc_shared(r->context, COUNT * sizeof *memory, NULL);
    noop_hold(true);
    for (int i = 0; i < 1000; i++)
        assert_ok(mez_submit(queue, kernel, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_PTR(memory)), NULL));
    assert_true(noop_pending() > 0);
    assert_int_equal(noop_calls("zeCommandQueueSynchronize"), 0);
    assert_int_equal(noop_calls("zeEventHostSynchronize"), 0);
    noop_hold(false);
    mez_queue_destroy(&queue);
    mez_kernel_destroy(&kernel);
    assert_ok(mez_free(r->context, memory));
}

static void test_a_thousand_asserting_launches_wait_for_nothing(void **state)
{
    launch_a_thousand(*state, MEZ_QUEUE_BATCHED);
}

static void test_nor_on_an_immediate_queue(void **state)
{
    launch_a_thousand(*state, MEZ_QUEUE_IMMEDIATE);
}

// --- What asserts order

static int number_of(const struct noop_append *appends, size_t count, ze_event_handle_t signal)
{
    for (size_t i = 0; i < count; i++)
        if (appends[i].signal == signal)
            return (int)i + 1;
    return 0;
}

// One line for each command: its number and name, and the numbers of those it waits for.
static void write_graph(char *text, size_t size)
{
    struct noop_append appends[64];
    const size_t count = noop_appends(appends, 64);
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        length += (size_t)snprintf(text + length, size - length, "%zu %s", i + 1,
            appends[i].function + strlen("zeCommandListAppend"));
        for (uint32_t j = 0; j < appends[i].wait_count; j++)
            length += (size_t)snprintf(text + length, size - length, " after %d",
                number_of(appends, count, appends[i].waits[j]));
        length += (size_t)snprintf(text + length, size - length, "\n");
    }
}

// The published graph: the third of three kernels depends on the first, and neither on what brings records to the host.
static void test_dependants_wait_for_the_kernel_alone(void **state)
{
    static char graph[4096], expected[4096];
    runtime *r = *state;
    mez_queue *queue;
    mez_event *first;
    setenv("MEZ_BATCH", "64", 1);
    assert_ok(mez_queue_create(r->context,
        &(mez_queue_params){.kind = MEZ_QUEUE_BATCHED, .order = MEZ_OUT_OF_ORDER}, &queue));
    unsetenv("MEZ_BATCH");
    mez_kernel *kernel = load_kernel(r->context, "asserts.spv", "checked");
    int *memory = mez_alloc_shared(r->context, COUNT * sizeof *memory, NULL);
    const mez_args *args = MEZ_ARGS(MEZ_PTR(memory));
    noop_log_start();
    assert_ok(mez_submit(queue, kernel, MEZ_RANGE(COUNT), args, MEZ_TASK(.event = &first)));
    assert_ok(mez_submit(queue, kernel, MEZ_RANGE(COUNT), args, NULL));
    assert_ok(mez_submit(
        queue, kernel, MEZ_RANGE(COUNT), args, MEZ_TASK(.wait_for = &first, .wait_count = 1)));
    assert_ok(mez_queue_flush(queue));
    write_graph(graph, sizeof graph);
    FILE *file = fopen(file_of("assert_graph.expected"), "r");
    assert_non_null(file);
    expected[fread(expected, 1, sizeof expected - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(graph, expected);
    mez_event_destroy(&first);
    mez_queue_destroy(&queue);
    mez_kernel_destroy(&kernel);
    assert_ok(mez_free(r->context, memory));
}

#define LINKING_TEST(name) \
    cmocka_unit_test_setup_teardown(name, runtime_setup_linking, runtime_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(test_first_submission),
        RUNTIME_TEST(test_later_submission_on_an_idle_queue),
        RUNTIME_TEST(test_a_local_size_saves_the_suggestion),
        RUNTIME_TEST(test_copies_and_fills),
        RUNTIME_TEST(test_empty_copies_keep_their_place),
        RUNTIME_TEST(test_barriers_between_tasks),
        RUNTIME_TEST(test_a_full_batch_goes_to_the_device),
        RUNTIME_TEST(test_batches_grow_while_the_device_is_busy),
        RUNTIME_TEST(test_batches_do_not_grow_beyond_what_the_device_needs),
        RUNTIME_TEST(test_batches_shrink_when_they_are_ended_early),
        RUNTIME_TEST(test_flush_and_wait_end_a_batch),
        RUNTIME_TEST(test_batch_size_from_the_environment),
        RUNTIME_TEST(test_batch_sizes_without_meaning),
        RUNTIME_TEST(test_lists_are_bounded),
        RUNTIME_TEST(test_built_once),
        RUNTIME_TEST(test_submissions_allocate_nothing),
        RUNTIME_TEST(test_a_module_for_each_device),
        LINKING_TEST(test_kernels_without_asserts_pay_nothing),
        LINKING_TEST(test_kernels_with_asserts_pay_for_a_copy),
        LINKING_TEST(test_a_thousand_asserting_launches_wait_for_nothing),
        cmocka_unit_test_setup_teardown(
            test_nor_on_an_immediate_queue, runtime_setup_in_order_linking, runtime_teardown),
        LINKING_TEST(test_dependants_wait_for_the_kernel_alone),
        LINKING_TEST(test_all_memory_is_reachable_where_it_must_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
