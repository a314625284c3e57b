// SPDX-License-Identifier: MIT
//
// Batches that repeat: which lists are executed again, and what happens where a batch turns out to be another one.

#include "walk.h"

#include <stdlib.h>

#define LAUNCH "CommandListAppendLaunchKernel "
#define BARRIER "CommandListAppendBarrier "
#define LOOK "FenceHostSynchronize "
#define CLOSE "CommandListClose "
#define EXECUTE "CommandQueueExecuteCommandLists "
#define CREATE "CommandListCreate FenceCreate "
#define AGAIN "FenceReset "

enum { BATCH = 4 };

// Two launches that differ in an argument only.
typedef struct two {
    runtime *r;
    mez_launch *a, *b;
} two;

static mez_launch *prepare_launch(runtime *r, float factor)
{
    mez_launch *launch;
    assert_ok(mez_launch_create(r->queue, r->saxpy, MEZ_RANGE(COUNT),
        MEZ_ARGS(MEZ_VAL(factor), MEZ_PTR(r->x), MEZ_PTR(r->y)), &launch));
    return launch;
}

static void open_queue(two *t, const mez_queue_params *params)
{
    mez_queue_destroy(&t->r->queue);
    setenv("MEZ_BATCH", "4", 1);
    assert_ok(mez_queue_create(t->r->context, params, &t->r->queue));
    unsetenv("MEZ_BATCH");
    t->a = prepare_launch(t->r, 1);
    t->b = prepare_launch(t->r, 2);
}

static int setup(void **state)
{
    static two t;
    const int failed = runtime_setup(state);
    t = (two){.r = *state};
    *state = &t;
    open_queue(&t, &(mez_queue_params){.kind = MEZ_QUEUE_BATCHED});
    noop_count_exactly(true);
    return failed;
}

static void close_launches(two *t)
{
    mez_launch_destroy(&t->a);
    mez_launch_destroy(&t->b);
}

static int teardown(void **state)
{
    two *t = *state;
    noop_hold(false);
    close_launches(t);
    *state = t->r;
    return runtime_teardown(state);
}

// One launch for each letter.
static void submit(two *t, const char *letters)
{
    for (const char *letter = letters; *letter; letter++)
        assert_ok(mez_launch_submit(*letter == 'a' ? t->a : t->b, NULL));
}

static void submit_and_wait(two *t, const char *letters)
{
    submit(t, letters);
    assert_ok(mez_queue_wait(t->r->queue));
}

// --- What repeats

static void test_the_same_batch(void **state)
{
    two *t = *state;
    submit_and_wait(t, "abab");
    assert_int_equal(noop_launches(), BATCH);
    watch_calls();
    submit_and_wait(t, "abab");
    assert_string_equal(calls(), AGAIN EXECUTE LOOK);
    assert_int_equal(noop_launches(), 2 * BATCH);
}

// In turn, as a program does whose period is not that of a batch.
static void test_several_batches(void **state)
{
    two *t = *state;
    static const char *const batches[] = {"aaaa", "abab", "bbbb", "aabb", "bbaa", "abba"};
    const size_t count = sizeof batches / sizeof *batches;
    for (size_t i = 0; i < count; i++)
        submit_and_wait(t, batches[i]);
    const uint64_t appended = noop_calls("zeCommandListAppendLaunchKernel");
    for (size_t i = 0; i < 3 * count; i++)
        submit_and_wait(t, batches[i % count]);
    assert_int_equal(noop_calls("zeCommandListAppendLaunchKernel"), appended);
    assert_int_equal(noop_launches(), 4 * count * BATCH);
}

static void test_short_batches(void **state)
{
    two *t = *state;
    submit_and_wait(t, "ab");
    submit_and_wait(t, "abb");
    watch_calls();
    submit_and_wait(t, "ab");
    submit_and_wait(t, "abb");
    assert_string_equal(calls(), AGAIN EXECUTE LOOK AGAIN EXECUTE LOOK);
}

static void test_plain_submissions(void **state)
{
    two *t = *state;
    for (int i = 0; i < 2 * BATCH; i++)
        assert_ok(submit_saxpy(t->r, NULL));
    assert_ok(mez_queue_wait(t->r->queue));
    watch_calls();
    for (int i = 0; i < BATCH; i++)
        assert_ok(submit_saxpy(t->r, NULL));
    assert_string_equal(calls(), AGAIN EXECUTE);
}

static void test_basic_queues(void **state)
{
    two *t = *state;
    close_launches(t);
    open_queue(t, &(mez_queue_params){.kind = MEZ_QUEUE_BASIC});
    submit_and_wait(t, "ab");
    watch_calls();
    submit(t, "a");
    assert_string_equal(calls(), AGAIN EXECUTE);
}

// --- What does not

// A list that begins without a barrier is executed again only where nothing is before it.
static void test_what_starts_a_list(void **state)
{
    two *t = *state;
    submit_and_wait(t, "abab");
    noop_hold(true);
    submit(t, "bbbb"); // in flight
    watch_calls();
    submit(t, "abab");
    assert_string_equal(calls(),
        LOOK CREATE BARRIER LAUNCH BARRIER LAUNCH BARRIER LAUNCH BARRIER LAUNCH CLOSE EXECUTE);
    noop_hold(false);
    assert_ok(mez_queue_wait(t->r->queue));
    noop_hold(true);
    submit(t, "bbbb");
    watch_calls();
    submit(t, "abab"); // now one has a barrier
    assert_string_equal(calls(), LOOK AGAIN EXECUTE);
    noop_hold(false);
}

static void test_out_of_order_lists_start_anywhere(void **state)
{
    two *t = *state;
    close_launches(t);
    open_queue(t, &(mez_queue_params){.kind = MEZ_QUEUE_BATCHED, .order = MEZ_OUT_OF_ORDER});
    submit_and_wait(t, "abab");
    noop_hold(true);
    submit(t, "bbbb");
    watch_calls();
    submit(t, "abab");
    assert_string_equal(calls(), LOOK AGAIN EXECUTE);
    noop_hold(false);
}

// Level Zero forbids to submit a list that is in flight.
static void test_lists_in_flight(void **state)
{
    two *t = *state;
    submit_and_wait(t, "abab");
    noop_hold(true);
    submit(t, "abab");
    const uint64_t appended = noop_calls("zeCommandListAppendLaunchKernel");
    submit(t, "abab");
    assert_int_equal(noop_calls("zeCommandListAppendLaunchKernel"), appended + BATCH);
    noop_hold(false);
    assert_ok(mez_queue_wait(t->r->queue));
    assert_int_equal(noop_launches(), 3 * BATCH);
}

static void test_other_arguments(void **state)
{
    two *t = *state;
    const float other = 3;
    submit_and_wait(t, "aaaa");
    assert_ok(mez_launch_set_argument(t->a, 0, MEZ_ARG(MEZ_VAL(other))));
    const uint64_t appended = noop_calls("zeCommandListAppendLaunchKernel");
    submit_and_wait(t, "aaaa");
    assert_int_equal(noop_calls("zeCommandListAppendLaunchKernel"), appended + BATCH);
}

// The address may be another allocation's by now.
static void test_other_allocations(void **state)
{
    two *t = *state;
    submit_and_wait(t, "aaaa");
    void *memory = mez_alloc_device(t->r->context, 1 << 22, NULL);
    assert_non_null(memory);
    const uint64_t appended = noop_calls("zeCommandListAppendLaunchKernel");
    submit_and_wait(t, "aaaa");
    assert_int_equal(noop_calls("zeCommandListAppendLaunchKernel"), appended + BATCH);
    assert_ok(mez_free(t->r->context, memory));
}

// What signals, waits, or is not a launch is never left out.
static void test_other_tasks(void **state)
{
    two *t = *state;
    mez_event *event;
    for (int i = 0; i < 3; i++) {
        const uint64_t launches = noop_calls("zeCommandListAppendLaunchKernel");
        const uint64_t copies = noop_calls("zeCommandListAppendMemoryCopy");
        assert_ok(mez_launch_submit(t->a, MEZ_TASK(.event = &event)));
        assert_ok(mez_copy(t->r->queue, t->r->x, t->r->y, COUNT, NULL));
        submit(t, "b");
        assert_ok(mez_queue_wait(t->r->queue));
        mez_event_destroy(&event);
        assert_int_equal(noop_calls("zeCommandListAppendLaunchKernel"), launches + 2);
        assert_int_equal(noop_calls("zeCommandListAppendMemoryCopy"), copies + 1);
    }
}

// --- Batches that begin as another one

// At each place of the batch.
static void test_a_launch_that_differs(void **state)
{
    two *t = *state;
    static const char *const others[] = {"abbb", "aabb", "aaab"};
    noop_hold(true);
    submit(t, "bbbb");
    submit(t, "aaaa"); // with a barrier
    noop_release(2);
    for (size_t i = 0; i < 3; i++) {
        const uint64_t launches = noop_launches();
        watch_calls();
        submit(t, others[i]);
        assert_contains(calls(), LAUNCH BARRIER LAUNCH BARRIER LAUNCH BARRIER LAUNCH CLOSE EXECUTE);
        assert_int_equal(noop_launches(), launches + BATCH);
        noop_release(1);
    }
    watch_calls();
    submit(t, "aaaa"); // is still there
    assert_contains(calls(), AGAIN EXECUTE);
    assert_null(strstr(calls(), LAUNCH));
    noop_hold(false);
    assert_ok(mez_queue_wait(t->r->queue));
}

static void test_another_task_in_the_middle(void **state)
{
    two *t = *state;
    submit_and_wait(t, "aaaa");
    submit(t, "aa");
    watch_calls();
    assert_ok(mez_copy(t->r->queue, t->r->x, t->r->y, COUNT, NULL));
    assert_string_equal(
        calls(), CREATE LAUNCH BARRIER LAUNCH BARRIER "CommandListAppendMemoryCopy ");
    submit_and_wait(t, "a");
}

static void test_a_batch_that_ends_early(void **state)
{
    two *t = *state;
    submit_and_wait(t, "aaaa");
    submit(t, "aa");
    watch_calls();
    assert_ok(mez_queue_flush(t->r->queue));
    assert_string_equal(calls(), CREATE LAUNCH BARRIER LAUNCH CLOSE EXECUTE);
    submit(t, "aaa");
    watch_calls();
    assert_ok(mez_queue_wait(t->r->queue));
    assert_contains(calls(), LAUNCH BARRIER LAUNCH BARRIER LAUNCH CLOSE EXECUTE);
}

// Launches that have been left out run with the arguments that they were submitted with.
static void test_a_setting_in_the_middle(void **state)
{
    two *t = *state;
    const float other = 3;
    submit_and_wait(t, "aaaa");
    submit(t, "aa");
    watch_calls();
    assert_ok(mez_launch_set_argument(t->a, 0, MEZ_ARG(MEZ_VAL(other))));
    assert_string_equal(calls(), CREATE LAUNCH BARRIER LAUNCH "KernelSetArgumentValue ");
    submit_and_wait(t, "aa");

    for (int i = 0; i < BATCH; i++)
        assert_ok(submit_saxpy(t->r, NULL));
    assert_ok(mez_queue_wait(t->r->queue));
    assert_ok(submit_saxpy(t->r, NULL));
    watch_calls();
    assert_ok(mez_submit(t->r->queue, t->r->saxpy, MEZ_RANGE(COUNT),
        MEZ_ARGS(MEZ_VAL(other), MEZ_PTR(t->r->x), MEZ_PTR(t->r->y)), NULL));
    assert_contains(calls(), LAUNCH "KernelSetArgumentValue " BARRIER LAUNCH);
}

// They keep their kernels, too.
static void test_launches_that_are_gone(void **state)
{
    two *t = *state;
    submit_and_wait(t, "aaaa");
    submit(t, "aa");
    const uint64_t launches = noop_launches();
    mez_launch_destroy(&t->a);
    mez_kernel_destroy(&t->r->saxpy);
    submit_and_wait(t, "b");
    assert_int_equal(noop_launches(), launches + 3);
}

// --- Failures

typedef struct program {
    mez_context *context;
    mez_queue *queue;
    mez_kernel *kernel;
    mez_launch *launch;
    mez_image *image;
} program;

static bool create(program *p)
{
    static const mez_queue_params batched = {.kind = MEZ_QUEUE_BATCHED};
    return walk_went_well(mez_context_create(NULL, &p->context)) &&
           walk_went_well(mez_image_load(p->context, file_of("kernels.spv"), &p->image)) &&
           walk_went_well(mez_kernel_create(p->image, "nothing", &p->kernel)) &&
           walk_went_well(mez_queue_create(p->context, &batched, &p->queue)) &&
           walk_went_well(
               mez_launch_create(p->queue, p->kernel, MEZ_RANGE(COUNT), NULL, &p->launch));
}

static void repeat(program *p, int count)
{
    for (int i = 0; i < count; i++)
        walk_went_well(mez_launch_submit(p->launch, NULL));
}

static void repeat_and_wait(program *p, int count)
{
    repeat(p, count);
    walk_went_well(mez_queue_wait(p->queue));
}

static void play(void)
{
    program p = {0};
    if (create(&p)) {
        repeat_and_wait(&p, BATCH);
        repeat_and_wait(&p, BATCH); // the same
        repeat_and_wait(&p, 2);     // ends early
        repeat(&p, 2);
        walk_went_well(mez_barrier(p.queue, NULL)); // another one
        walk_went_well(mez_queue_wait(p.queue));
    }
    mez_launch_destroy(&p.launch);
    mez_kernel_destroy(&p.kernel);
    mez_image_destroy(&p.image);
    mez_queue_destroy(&p.queue);
    mez_context_destroy(&p.context);
}

static bool is_a_look(const char *call)
{
    return strcmp(call, "zeFenceHostSynchronize") == 0;
}

static void test_every_failing_call(void **state)
{
    static const walk walk = {.play = play, .is_excused = is_a_look, .allocations_unheard = 2};
    (void)state;
    setenv("MEZ_BATCH", "4", 1);
    walk_clean(&walk);
    assert_true(walk_calls(&walk, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY) > 30);
    assert_true(walk_calls(&walk, ZE_RESULT_ERROR_DEVICE_LOST) > 30);
    assert_true(walk_allocations(&walk) > 10);
    unsetenv("MEZ_BATCH");
}

#define REPEAT_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        REPEAT_TEST(test_the_same_batch),
        REPEAT_TEST(test_several_batches),
        REPEAT_TEST(test_short_batches),
        REPEAT_TEST(test_plain_submissions),
        REPEAT_TEST(test_basic_queues),
        REPEAT_TEST(test_what_starts_a_list),
        REPEAT_TEST(test_out_of_order_lists_start_anywhere),
        REPEAT_TEST(test_lists_in_flight),
        REPEAT_TEST(test_other_arguments),
        REPEAT_TEST(test_other_allocations),
        REPEAT_TEST(test_other_tasks),
        REPEAT_TEST(test_a_launch_that_differs),
        REPEAT_TEST(test_another_task_in_the_middle),
        REPEAT_TEST(test_a_batch_that_ends_early),
        REPEAT_TEST(test_a_setting_in_the_middle),
        REPEAT_TEST(test_launches_that_are_gone),
        cmocka_unit_test(test_every_failing_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
