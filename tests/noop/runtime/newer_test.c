// SPDX-License-Identifier: MIT
//
// What newer drivers have: found where it is, used where it was found, and done without where it is not.

#include "newer.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include <mezzanine/level_zero.h>

#include "queue/queue.h"

#define LAUNCH "CommandListAppendLaunchKernel "
#define SET "KernelSetArgumentValue "

static int setup_26_18(void **state)
{
    struct noop_config config = newest(single_events);
    config.driver_version = 1u << 24 | 3u << 16 | 38308;
    return setup_with(state, &config);
}

static int setup_before_1_14(void **state)
{
    struct noop_config config = newest(single_events);
    config.api_version = (ze_api_version_t)ZE_MAKE_VERSION(1, 13);
    return setup_with(state, &config);
}

// --- What is reported of the driver

static const mez_driver_function *function_of(const mez_driver_info *info, const char *name)
{
    for (size_t i = 0; i < info->function_count; i++)
        if (strcmp(info->functions[i].name, name) == 0)
            return &info->functions[i];
    fail_msg("%s is not in the list", name);
    return NULL;
}

// The loader of Debian 12 has none of what came later.
static mez_function_origin origin_of(const char *name)
{
    void *loader = dlopen("libze_loader.so.1", RTLD_NOW | RTLD_NOLOAD);
    assert_non_null(loader);
    const bool has = dlsym(loader, name) != NULL;
    dlclose(loader);
    return has ? MEZ_FUNCTION_OF_LOADER : MEZ_FUNCTION_OF_DRIVER;
}

static void test_all_that_the_newest_has(void **state)
{
    runtime *r = *state;
    mez_driver_info info;
    mez_context_get_driver_info(r->context, &info);
    assert_int_equal(info.api_version, ZE_MAKE_VERSION(1, 17));
    assert_int_equal(info.driver_version & 0xffff, 36035);
    assert_false(info.wrapped_handles);
    assert_true(info.in_order_lists && info.counter_events);
    assert_true(info.host_functions);
    assert_false(info.linked_modules || info.large_allocations);
    assert_int_equal(info.extension_count, 2);
    assert_string_equal(info.extensions[0].name, "ZEX_counter_based_event");
    assert_int_equal(info.extensions[1].version, ZE_MAKE_VERSION(1, 0));
    const mez_driver_function *synchronize = function_of(&info, "zeCommandListHostSynchronize");
    assert_int_equal(synchronize->since, ZE_MAKE_VERSION(1, 6));
    assert_int_equal(synchronize->origin, origin_of("zeCommandListHostSynchronize"));
    assert_int_equal(function_of(&info, "zexCounterBasedEventCreate2")->since, 0);
}

static void test_nothing_that_older_ones_lack(void **state)
{
    (void)state;
    static const char *const extensions[] = {
        "ZE_experimental_module_program", "ZE_experimental_relaxed_allocation_limits", NULL};
    struct noop_config config = noop_config_default();
    config.extensions = extensions;
    noop_configure(&config);
    mez_context *context;
    mez_driver_info info;
    assert_ok(mez_context_create(NULL, &context));
    mez_context_get_driver_info(context, &info);
    assert_true(info.linked_modules && info.large_allocations);
    assert_false(info.in_order_lists || info.counter_events);
    assert_false(info.host_functions);
    assert_true(info.function_count > 0);
    for (size_t i = 0; i < info.function_count; i++)
        if (strcmp(info.functions[i].name, "zeInitDrivers") != 0) // the loader's own
            assert_int_equal(info.functions[i].origin, MEZ_FUNCTION_MISSING);
    mez_context_destroy(&context);
}

// A function that its version promises may be missing all the same: nothing is taken for granted.
static void test_each_function_may_be_missing(void **state)
{
    (void)state;
    const struct {
        const char *name;
        size_t offset; // of what goes with it
    } cases[] = {
        {"zeCommandListHostSynchronize", offsetof(mez_driver_info, in_order_lists)},
        {"zeCommandListHostSynchronize", offsetof(mez_driver_info, counter_events)},
        {"zeCommandListAppendHostFunction", offsetof(mez_driver_info, host_functions)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *const missing[] = {cases[i].name, NULL};
        struct noop_config config = newest(pooled_events);
        config.missing = missing;
        noop_configure(&config);
        mez_context *context;
        mez_driver_info info;
        assert_ok(mez_context_create(NULL, &context));
        mez_context_get_driver_info(context, &info);
        if (origin_of(cases[i].name) == MEZ_FUNCTION_OF_DRIVER) { // not the loader's own
            assert_false(*((const bool *)((const char *)&info + cases[i].offset)));
            assert_int_equal(function_of(&info, cases[i].name)->origin, MEZ_FUNCTION_MISSING);
        }
        mez_context_destroy(&context);
    }
}

static void use_queue_once(const runtime *r, mez_queue **queue)
{
    assert_ok(mez_submit(*queue, r->nothing, MEZ_RANGE(1), NULL, NULL));
    assert_ok(mez_queue_wait(*queue));
    mez_queue_destroy(queue);
}

// Their events still point to them.
static void test_lists_stay_for_the_next_queue(void **state)
{
    const runtime *r = *state;
    mez_queue *first, *second;
    mez_context_statistics before, after;
    mez_context_get_statistics(r->context, &before);
    assert_ok(mez_queue_create(r->context, NULL, &first));
    use_queue_once(r, &first);
    const uint64_t created = noop_calls("zeCommandListCreateImmediate");
    const uint64_t destroyed = noop_calls("zeCommandListDestroy");
    for (int i = 0; i < 17; i++) {
        assert_ok(mez_queue_create(r->context, NULL, &first));
        use_queue_once(r, &first);
    }
    assert_int_equal(noop_calls("zeCommandListCreateImmediate"), created);
    assert_ok(mez_queue_create(r->context, NULL, &first));
    assert_ok(mez_queue_create(r->context, NULL, &second)); // at the same time
    assert_true(noop_calls("zeCommandListCreateImmediate") > created);
    use_queue_once(r, &first);
    use_queue_once(r, &second);
    assert_int_equal(noop_calls("zeCommandListDestroy"), destroyed);
    mez_context_get_statistics(r->context, &after);
    assert_int_equal(after.command_lists, before.command_lists);
}

// One that a failure may have left anything in is no other queue's.
static void test_lists_of_failed_queues_go(void **state)
{
    const runtime *r = *state;
    mez_queue *queue;
    assert_ok(mez_queue_create(r->context, NULL, &queue));
    assert_ok(mez_submit(queue, r->nothing, MEZ_RANGE(1), NULL, NULL));
    const uint64_t destroyed = noop_calls("zeCommandListDestroy");
    noop_fail("zeCommandListHostSynchronize", 1, ZE_RESULT_ERROR_DEVICE_LOST);
    mez_queue_destroy(&queue);
    assert_true(noop_calls("zeCommandListDestroy") > destroyed);
}

static void test_older_drivers_destroy_lists(void **state)
{
    const runtime *r = *state;
    mez_queue *queue;
    assert_ok(mez_queue_create(r->context, NULL, &queue));
    const uint64_t destroyed = noop_calls("zeCommandListDestroy");
    use_queue_once(r, &queue);
    assert_true(noop_calls("zeCommandListDestroy") > destroyed);
}

static void test_info_of_nothing(void **state)
{
    runtime *r = *state;
    mez_driver_info info = {.api_version = 7, .function_count = 7};
    mez_context_get_driver_info(NULL, &info);
    assert_int_equal(info.api_version, 0);
    assert_int_equal(info.function_count, 0);
    mez_context_get_driver_info(r->context, NULL);
}

// --- Arguments that change

static mez_error launch(runtime *r, float a, const void *x, const mez_range *range)
{
    return mez_submit(
        r->queue, r->saxpy, range, MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(x), MEZ_PTR(r->y)), NULL);
}

static const char *calls_of(runtime *r, float a, const void *x, const mez_range *range)
{
    watch_calls();
    assert_ok(launch(r, a, x, range));
    return calls();
}

static void test_what_changed_is_set(void **state)
{
    runtime *r = *state;
    const mez_range *range = MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(8));
    const mez_range *smaller = MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(4));
    assert_string_equal(calls_of(r, 1, r->x, range), "KernelSetGroupSize " SET SET SET LAUNCH);
    assert_string_equal(calls_of(r, 1, r->x, range), LAUNCH);
    assert_string_equal(calls_of(r, 2, r->x, range), SET LAUNCH);
    assert_string_equal(calls_of(r, 2, r->x, range), LAUNCH);
    assert_string_equal(calls_of(r, 3, r->y, smaller), "KernelSetGroupSize " SET SET LAUNCH);
    assert_string_equal(calls_of(r, 3, r->y, smaller), LAUNCH);
    assert_string_equal(calls_of(r, 3, r->y, range), "KernelSetGroupSize " LAUNCH);
    assert_string_equal(
        calls_of(r, 3, r->y, MEZ_ND_RANGE(MEZ_SIZE(2 * COUNT), MEZ_SIZE(8))), LAUNCH);
    assert_string_equal(calls_of(r, 3, r->y, range), LAUNCH);
}

// An address may be another allocation then; values stay what they are.
static void test_pointers_are_set_again_behind_allocations(void **state)
{
    runtime *r = *state;
    const mez_range *range = MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(8));
    assert_ok(launch(r, 1, r->x, range));
    for (int i = 0; i < 3; i++) {
        mez_free(r->context, mez_alloc_shared(r->context, 1 << 20, NULL));
        assert_string_equal(calls_of(r, 1, r->x, range), SET SET LAUNCH);
        assert_string_equal(calls_of(r, 1, r->x, range), LAUNCH);
    }
}

static void test_batched_queues_set_what_changed_too(void **state)
{
    runtime *r = *state;
    mez_queue_destroy(&r->queue);
    assert_ok(mez_queue_create(
        r->context, &(const mez_queue_params){.kind = MEZ_QUEUE_BATCHED}, &r->queue));
    noop_count_exactly(true);
    for (int i = 0; i < 10; i++)
        assert_ok(launch(r, (float)i, r->x, MEZ_RANGE(COUNT)));
    assert_int_equal(noop_calls("zeKernelSetArgumentValue"), 3 + 9);
    assert_ok(mez_queue_wait(r->queue));
}

static void test_null_pointers_are_set(void **state)
{
    runtime *r = *state;
    const mez_range *range = MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(8));
    assert_string_equal(calls_of(r, 1, NULL, range), "KernelSetGroupSize " SET SET SET LAUNCH);
    assert_string_equal(calls_of(r, 1, NULL, range), LAUNCH);
    assert_string_equal(calls_of(r, 1, r->x, range), SET LAUNCH);
    assert_string_equal(calls_of(r, 1, NULL, range), SET LAUNCH);
}

static void test_local_memory_is_set(void **state)
{
    runtime *r = *state;
    mez_kernel *sums = load_kernel(r->context, "kernels.spv", "sums");
    const mez_range *range = MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(8));
    const size_t sizes[] = {64, 64, 128};
    const char *const expected[] = {"KernelSetGroupSize " SET SET LAUNCH, LAUNCH, SET LAUNCH};
    assert_ok(mez_kernel_build(sums, NULL));
    for (size_t i = 0; i < 3; i++) {
        watch_calls();
        assert_ok(
            mez_submit(r->queue, sums, range, MEZ_ARGS(MEZ_PTR(r->x), MEZ_LOCAL(sizes[i])), NULL));
        assert_string_equal(calls(), expected[i]);
    }
    mez_kernel_destroy(&sums);
}

static void test_cooperative_launches_set_them(void **state)
{
    runtime *r = *state;
    const float a = 1;
    watch_calls();
    assert_ok(mez_submit(r->queue, r->saxpy, MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(8)),
        MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(r->x), MEZ_PTR(r->y)), MEZ_TASK(.cooperative = true)));
    assert_string_equal(calls(),
        "KernelSetGroupSize " SET SET SET "KernelSuggestMaxCooperativeGroupCount "
        "CommandListAppendLaunchCooperativeKernel ");
}

// A failed call may have set anything, and so counts for nothing.
static void test_setting_fails(void **state)
{
    runtime *r = *state;
    const mez_range *range = MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(8));
    assert_ok(launch(r, 1, r->x, range));
    noop_fail("zeKernelSetArgumentValue", 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_story(launch(r, 2, r->x, range), MEZ_ERRC_MEMORY_ALLOCATION, "zeKernelSetArgumentValue");
    assert_string_equal(calls_of(r, 1, r->x, range), SET LAUNCH);
    mez_free(r->context, mez_alloc_shared(r->context, 1 << 20, NULL));
    noop_fail("zeKernelSetArgumentValue", 2, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_story(launch(r, 1, r->x, range), MEZ_ERRC_MEMORY_ALLOCATION, "zeKernelSetArgumentValue");
    assert_string_equal(calls_of(r, 1, r->x, range), SET LAUNCH);
}

#define SUBMIT "CommandListClose CommandQueueExecuteCommandLists "

// What was set for a launch that was never appended stays set.
static void test_a_launch_that_never_comes(void **state)
{
    runtime *r = *state;
    const mez_range *range = MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(8));
    mez_queue_destroy(&r->queue);
    assert_ok(mez_queue_create(
        r->context, &(const mez_queue_params){.kind = MEZ_QUEUE_BASIC}, &r->queue));
    noop_hold(true);
    assert_ok(launch(r, 1, r->x, range));
    noop_fail("zeCommandListAppendBarrier", 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_condition(launch(r, 2, r->x, range), MEZ_ERRC_MEMORY_ALLOCATION);
    assert_string_equal(
        calls_of(r, 1, NULL, range), SET SET "CommandListAppendBarrier " LAUNCH SUBMIT);
    noop_fail("zeCommandListAppendBarrier", 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_condition(launch(r, 2, r->x, range), MEZ_ERRC_MEMORY_ALLOCATION);
    assert_string_equal(calls_of(r, 1, r->x, range), SET "CommandListAppendBarrier " LAUNCH SUBMIT);
    noop_hold(false);
}

// --- Being woken

typedef struct sleeper {
    atomic_bool woken;
    pthread_t by;
} sleeper;

static void wake(void *data)
{
    sleeper *s = data;
    s->by = pthread_self();
    atomic_store(&s->woken, true);
}

static mez_error append_wake(mez_queue *queue, sleeper *s)
{
    mez_lock_take(&queue->lock);
    const mez_error error = mez_queue_append_wake(queue, wake, s);
    mez_lock_release(&queue->lock);
    return error;
}

static bool is_woken(sleeper *s, int milliseconds)
{
    while (milliseconds-- > 0 && !atomic_load(&s->woken))
        usleep(1000);
    return atomic_load(&s->woken);
}

static void test_a_wake_comes_behind_the_tasks(void **state)
{
    runtime *r = *state;
    sleeper s = {.woken = false};
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL));
    watch_calls();
    assert_ok(append_wake(r->queue, &s));
    assert_string_equal(calls(), "CommandListAppendHostFunction ");
    noop_release(1); // the task
    assert_false(is_woken(&s, 3));
    noop_release(1);
    assert_true(is_woken(&s, 10000));
    assert_false(pthread_equal(s.by, pthread_self()));
    noop_hold(false);
}

static void do_nothing(void *user)
{
    (void)user;
}

// The thread that runs host tasks is woken by the driver.
static void test_host_tasks_ask_for_a_wake(void **state)
{
    runtime *r = *state;
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL));
    assert_ok(mez_host_task(r->queue, do_nothing, NULL, NULL));
    while (noop_calls("zeCommandListAppendHostFunction") == 0)
        usleep(1000);
    noop_hold(false);
    assert_ok(mez_queue_wait(r->queue));
    assert_ok(mez_host_task(r->queue, do_nothing, NULL, NULL)); // nothing runs: no need
    assert_ok(mez_queue_wait(r->queue));
    assert_int_equal(noop_calls("zeCommandListAppendHostFunction"), 1);
}

static void test_a_wake_fails(void **state)
{
    runtime *r = *state;
    sleeper s = {.woken = false};
    noop_fail("zeCommandListAppendHostFunction", 1, ZE_RESULT_ERROR_DEVICE_LOST);
    assert_story(
        append_wake(r->queue, &s), MEZ_ERRC_DEVICE_LOST, "zeCommandListAppendHostFunction");
    assert_false(is_woken(&s, 3));
}

// Deferred tasks come later; the wake is for those that the driver has.
static void test_a_wake_while_tasks_are_held(void **state)
{
    runtime *r = *state;
    gate g = {.open = false};
    sleeper s = {.woken = false};
    assert_ok(mez_host_task(r->queue, wait_at_gate, &g, NULL));
    assert_ok(append_wake(r->queue, &s));
    assert_true(is_woken(&s, 10000));
    atomic_store(&g.open, true);
    assert_ok(mez_queue_wait(r->queue));
}

static void expect_no_wakes(mez_context *context, const mez_queue_params *params)
{
    sleeper s = {.woken = false};
    mez_queue *queue;
    assert_ok(mez_queue_create(context, params, &queue));
    assert_story(append_wake(queue, &s), MEZ_ERRC_FEATURE_NOT_SUPPORTED, "\"dozing\"");
    mez_queue_destroy(&queue);
}

static void test_who_cannot_be_woken(void **state)
{
    runtime *r = *state;
    expect_no_wakes(
        r->context, &(const mez_queue_params){.debug_name = "dozing", .kind = MEZ_QUEUE_BATCHED});
    expect_no_wakes(
        r->context, &(const mez_queue_params){.debug_name = "dozing", .order = MEZ_OUT_OF_ORDER});
}

static void test_a_driver_before_host_functions(void **state)
{
    runtime *r = *state;
    expect_no_wakes(r->context, &(const mez_queue_params){.debug_name = "dozing"});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NEWER_TEST(test_all_that_the_newest_has, setup),
        cmocka_unit_test_setup_teardown(
            test_nothing_that_older_ones_lack, driver_setup, driver_teardown),
        cmocka_unit_test_setup_teardown(
            test_each_function_may_be_missing, driver_setup, driver_teardown),
        NEWER_TEST(test_lists_stay_for_the_next_queue, setup_26_18),
        NEWER_TEST(test_lists_of_failed_queues_go, setup_26_18),
        NEWER_TEST(test_older_drivers_destroy_lists, setup),
        NEWER_TEST(test_info_of_nothing, setup),
        NEWER_TEST(test_what_changed_is_set, setup),
        NEWER_TEST(test_pointers_are_set_again_behind_allocations, setup),
        NEWER_TEST(test_batched_queues_set_what_changed_too, setup),
        NEWER_TEST(test_null_pointers_are_set, setup),
        NEWER_TEST(test_local_memory_is_set, setup),
        NEWER_TEST(test_cooperative_launches_set_them, setup),
        NEWER_TEST(test_setting_fails, setup),
        NEWER_TEST(test_a_launch_that_never_comes, setup),
        NEWER_TEST(test_a_wake_comes_behind_the_tasks, setup),
        NEWER_TEST(test_a_wake_while_tasks_are_held, setup),
        NEWER_TEST(test_host_tasks_ask_for_a_wake, setup),
        NEWER_TEST(test_a_wake_fails, setup),
        NEWER_TEST(test_who_cannot_be_woken, setup),
        NEWER_TEST(test_a_driver_before_host_functions, setup_before_1_14),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
