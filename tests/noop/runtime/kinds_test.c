// SPDX-License-Identifier: MIT
//
// Properties of queues, and what the kinds of queue do to keep them: priority, engine, order.

#include "runtime.h"

#include <stdlib.h>

static mez_error create(runtime *r, const mez_queue_params *params)
{
    mez_queue_destroy(&r->queue);
    return mez_queue_create(r->context, params, &r->queue);
}

// --- Properties

static void test_priorities(void **state)
{
    runtime *r = *state;
    static const struct {
        mez_queue_priority priority;
        ze_command_queue_priority_t ze;
    } priorities[] = {
        {MEZ_PRIORITY_NORMAL, ZE_COMMAND_QUEUE_PRIORITY_NORMAL},
        {MEZ_PRIORITY_LOW, ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW},
        {MEZ_PRIORITY_HIGH, ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH},
    };
    for (size_t i = 0; i < sizeof priorities / sizeof priorities[0]; i++)
        for (mez_queue_kind kind = MEZ_QUEUE_BATCHED; kind <= MEZ_QUEUE_ADAPTIVE; kind++) {
            assert_ok(
                create(r, &(mez_queue_params){.kind = kind, .priority = priorities[i].priority}));
            assert_int_equal(noop_last_queue().priority, priorities[i].ze);
            assert_int_equal(noop_last_queue().mode, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
        }
}

static void test_properties_that_do_not_exist(void **state)
{
    runtime *r = *state;
    assert_story(create(r, &(mez_queue_params){.priority = (mez_queue_priority)3}),
        MEZ_ERRC_INVALID_PARAMETER, "priority 3");
    assert_null(r->queue);
    assert_story(create(r, &(mez_queue_params){.engine = (mez_queue_engine)3}),
        MEZ_ERRC_INVALID_PARAMETER, "engine 3");
    assert_story(create(r, &(mez_queue_params){.order = (mez_queue_order)2}),
        MEZ_ERRC_INVALID_PARAMETER, "order 2");
    assert_story(create(r, &(mez_queue_params){.kind = (mez_queue_kind)5}),
        MEZ_ERRC_INVALID_PARAMETER, "kind 5");
}

static void test_engines(void **state)
{
    runtime *r = *state;
    for (mez_queue_kind kind = MEZ_QUEUE_BATCHED; kind <= MEZ_QUEUE_ADAPTIVE; kind++)
        for (mez_queue_engine engine = MEZ_ENGINE_ANY; engine <= MEZ_ENGINE_COPY; engine++) {
            struct noop_append append;
            assert_ok(create(r, &(mez_queue_params){.kind = kind, .engine = engine}));
            assert_int_equal(noop_last_queue().ordinal, engine == MEZ_ENGINE_COPY);
            noop_log_start();
            assert_ok(mez_copy(r->queue, r->x, r->y, COUNT, NULL));
            assert_int_equal(noop_appends(&append, 1), 1);
            assert_int_equal(append.ordinal, engine == MEZ_ENGINE_COPY);
        }
}

static void test_a_copy_engine_runs_no_kernels(void **state)
{
    runtime *r = *state;
    const mez_queue_params params = {.engine = MEZ_ENGINE_COPY, .debug_name = "uploads"};
    assert_ok(create(r, &params));
    watch_calls();
    const mez_error error = submit_nothing(r, NULL);
    assert_story(error, MEZ_ERRC_FEATURE_NOT_SUPPORTED, "\"uploads\" is on the copy engine");
    assert_contains(story_of(error), "nothing");
    assert_string_equal(calls(), "");
}

static void test_devices_without_a_copy_engine(void **state)
{
    runtime *r = *state;
    struct noop_config config = noop_config_default();
    config.queue_groups[1].queues = 0;
    noop_configure(&config);
    mez_context *context;
    mez_queue *queue;
    assert_ok(mez_context_create(NULL, &context));
    assert_story(mez_queue_create(context, &(mez_queue_params){.engine = MEZ_ENGINE_COPY}, &queue),
        MEZ_ERRC_FEATURE_NOT_SUPPORTED, "no engine that only copies");
    assert_null(queue);
    assert_ok(mez_queue_create(context, &(mez_queue_params){.engine = MEZ_ENGINE_COMPUTE}, &queue));
    mez_queue_destroy(&queue);
    mez_context_destroy(&context);
    assert_ok(submit_nothing(r, NULL));
}

// The caller asks as always, and the driver sees no event.
static void test_discarded_events(void **state)
{
    runtime *r = *state;
    mez_event *event = (mez_event *)r;
    assert_ok(create(r, &(mez_queue_params){.discard_events = true}));
    watch_calls();
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    assert_null(event);
    event = (mez_event *)r;
    assert_ok(mez_barrier(r->queue, MEZ_TASK(.event = &event)));
    assert_null(event);
    assert_int_equal(noop_calls("zeEventPoolCreate"), 0);
    assert_ok(mez_queue_wait(r->queue));
}

// --- Events for other tasks

// A context whose driver has in-order lists.
static void use_newer_driver(runtime *r)
{
    struct noop_config config = noop_config_default();
    config.api_version = (ze_api_version_t)ZE_MAKE_VERSION(1, 14);
    runtime_teardown((void *[]){r});
    noop_configure(&config);
    assert_ok(mez_context_create(NULL, &r->context));
    assert_ok(mez_queue_create(r->context, NULL, &r->queue));
    load_kernels(r);
}

static ze_command_queue_flags_t flags_of(mez_context *context, const mez_queue_params *params)
{
    mez_queue *queue;
    assert_ok(mez_queue_create(context, params, &queue));
    const ze_command_queue_flags_t flags = noop_last_queue().flags;
    mez_queue_destroy(&queue);
    return flags;
}

static ze_command_queue_flags_t flags_on(uint32_t minor, const mez_queue_params *params)
{
    struct noop_config config = noop_config_default();
    config.api_version = (ze_api_version_t)ZE_MAKE_VERSION(1, minor);
    noop_configure(&config);
    mez_context *context;
    assert_ok(mez_context_create(NULL, &context));
    const ze_command_queue_flags_t flags = flags_of(context, params);
    mez_context_destroy(&context);
    return flags;
}

// Where the driver knows the hint, and neither the program nor the user wants the compute engine alone.
static void test_copies_may_run_elsewhere(void **state)
{
    enum { IN_ORDER = 1 << 1, OFFLOAD = 1 << 2 };
    (void)state;
    static const mez_queue_params any = {.kind = MEZ_QUEUE_IMMEDIATE},
                                  unordered = {.kind = MEZ_QUEUE_IMMEDIATE,
                                      .order = MEZ_OUT_OF_ORDER},
                                  compute = {.kind = MEZ_QUEUE_IMMEDIATE,
                                      .engine = MEZ_ENGINE_COMPUTE},
                                  copies = {.kind = MEZ_QUEUE_IMMEDIATE, .engine = MEZ_ENGINE_COPY},
                                  basic = {.kind = MEZ_QUEUE_BASIC};
    assert_int_equal(flags_on(15, &any), IN_ORDER | OFFLOAD);
    assert_int_equal(flags_on(15, &unordered), IN_ORDER | OFFLOAD);
    assert_int_equal(flags_on(15, &compute), IN_ORDER);
    assert_int_equal(flags_on(15, &copies), IN_ORDER);
    assert_int_equal(flags_on(15, &basic), 0);
    assert_int_equal(flags_on(14, &any), IN_ORDER);
    setenv("MEZ_COPY_OFFLOAD", "0", 1);
    assert_int_equal(flags_on(15, &any), IN_ORDER);
    setenv("MEZ_COPY_OFFLOAD", "1", 1);
    assert_int_equal(flags_on(15, &any), IN_ORDER | OFFLOAD);
    unsetenv("MEZ_COPY_OFFLOAD");
    setenv("ZE_ENABLE_VALIDATION_LAYER", "1", 1);
    setenv("ZE_ENABLE_PARAMETER_VALIDATION", "1", 1);
    const mez_queue_params whichever = {.kind = MEZ_QUEUE_ANY};
    assert_int_equal(flags_on(15, &whichever) & OFFLOAD, 0);
    unsetenv("ZE_ENABLE_VALIDATION_LAYER");
    unsetenv("ZE_ENABLE_PARAMETER_VALIDATION");
}

// The driver may keep them where the host does not look; waits on the host are answered by the queue.
static void test_events_for_the_device(void **state)
{
    runtime *r = *state;
    use_newer_driver(r);
    for (mez_queue_kind kind = MEZ_QUEUE_IMMEDIATE; kind <= MEZ_QUEUE_ADAPTIVE; kind++) {
        struct noop_append append;
        mez_event *event;
        assert_ok(create(r, &(mez_queue_params){.kind = kind}));
        noop_hold(true);
        noop_log_start();
        assert_ok(submit_nothing(r, MEZ_TASK(.event = &event, .device_event = true)));
        assert_int_equal(noop_appends(&append, 1), 1);
        assert_non_null(append.signal);
        assert_int_equal(append.signal_flags, 0);
        assert_condition(mez_event_get_status(event), MEZ_ERRC_NOT_READY);
        assert_condition(mez_event_wait_for(event, MILLISECOND), MEZ_ERRC_TIMEOUT);
        noop_hold(false);
        assert_ok(mez_event_wait(event));
        assert_ok(mez_event_get_status(event));
        mez_event_destroy(&event);
    }
}

// The host reads their times.
static void test_timed_events_are_for_the_host_too(void **state)
{
    runtime *r = *state;
    struct noop_append append;
    mez_event *event;
    assert_ok(create(r, &(mez_queue_params){.profiling = true}));
    noop_log_start();
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event, .device_event = true)));
    assert_int_equal(noop_appends(&append, 1), 1);
    assert_int_equal(
        append.signal_flags, ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
    assert_ok(mez_event_wait(event));
    mez_event_destroy(&event);
}

// --- The basic kind

// Each task is a submission, also while the device is busy; the barrier before it is in its own list.
static void test_basic_queues_submit_each_task(void **state)
{
    runtime *r = *state;
    assert_ok(create(r, &(mez_queue_params){.kind = MEZ_QUEUE_BASIC}));
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL));
    watch_calls();
    assert_ok(submit_nothing(r, NULL));
    assert_string_equal(calls(),
        "FenceHostSynchronize CommandListCreate FenceCreate CommandListAppendBarrier "
        "CommandListAppendLaunchKernel CommandListClose CommandQueueExecuteCommandLists ");
    assert_int_equal(noop_pending(), 2);
}

// Old drivers get no immediate list beside regular ones, which they do not always survive.
static void test_basic_queues_of_old_drivers(void **state)
{
    runtime *r = *state;
    watch_calls();
    for (mez_queue_order order = MEZ_IN_ORDER; order <= MEZ_OUT_OF_ORDER; order++) {
        assert_ok(create(r, &(mez_queue_params){.kind = MEZ_QUEUE_BASIC, .order = order}));
        assert_ok(submit_nothing(r, NULL));
        assert_ok(mez_queue_wait(r->queue));
    }
    assert_null(strstr(calls(), "CreateImmediate"));
}

// Out of order there is one list, and no barrier except for waits.
static void test_basic_queues_out_of_order(void **state)
{
    runtime *r = *state;
    use_newer_driver(r);
    assert_ok(create(r, &(mez_queue_params){.kind = MEZ_QUEUE_BASIC, .order = MEZ_OUT_OF_ORDER}));
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL));
    watch_calls();
    assert_ok(submit_nothing(r, NULL));
    assert_ok(submit_nothing(r, NULL));
    assert_string_equal(calls(), "CommandListAppendLaunchKernel CommandListAppendLaunchKernel ");
}

// Who looks again and again does not fill the list with barriers.
static void test_looking_often_appends_one_barrier(void **state)
{
    runtime *r = *state;
    use_newer_driver(r);
    assert_ok(create(r, &(mez_queue_params){.kind = MEZ_QUEUE_BASIC, .order = MEZ_OUT_OF_ORDER}));
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL));
    const uint64_t before = noop_calls("zeCommandListAppendBarrier");
    mez_event *event;
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event, .device_event = true)));
    for (int i = 0; i < 10; i++)
        assert_condition(mez_event_get_status(event), MEZ_ERRC_NOT_READY);
    assert_int_equal(noop_calls("zeCommandListAppendBarrier"), before + 1);
    assert_ok(submit_nothing(r, NULL)); // behind that barrier: another is needed
    assert_condition(mez_queue_wait_for(r->queue, 0), MEZ_ERRC_TIMEOUT);
    assert_int_equal(noop_calls("zeCommandListAppendBarrier"), before + 2);
    noop_hold(false);
    assert_ok(mez_queue_wait(r->queue));
    assert_ok(mez_event_get_status(event));
    mez_event_destroy(&event);
}

// --- Out of order on new drivers

static mez_error create_out_of_order(runtime *r)
{
    use_newer_driver(r);
    return create(r, &(mez_queue_params){.order = MEZ_OUT_OF_ORDER});
}

// Tasks take the lists in turn.
static void test_lists_in_turn(void **state)
{
    runtime *r = *state;
    struct noop_append appends[8];
    assert_ok(create_out_of_order(r));
    assert_int_equal(noop_live(NOOP_COMMAND_LIST), 4);
    noop_log_start();
    for (int i = 0; i < 8; i++)
        assert_ok(submit_nothing(r, NULL));
    assert_int_equal(noop_appends(appends, 8), 8);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < i; j++)
            assert_int_equal(appends[i].list == appends[j].list, i == j + 4);
}

static bool waits_for(const struct noop_append *append, ze_event_handle_t event)
{
    for (uint32_t i = 0; i < append->wait_count; i++)
        if (append->waits[i] == event)
            return true;
    return false;
}

// Each list but one signals that it has come so far; that one waits for them all, and they for it.
static void test_a_barrier_ties_all_lists(void **state)
{
    runtime *r = *state;
    struct noop_append appends[8];
    mez_event *event, *all;
    assert_ok(create_out_of_order(r));
    noop_hold(true);
    assert_ok(submit_nothing(r, MEZ_TASK(.event = &event)));
    noop_log_start();
    assert_ok(mez_barrier(r->queue, MEZ_TASK(.wait_for = &event, .wait_count = 1, .event = &all)));
    assert_int_equal(noop_appends(appends, 8), 8);
    for (int i = 0; i < 3; i++) { // 0, 1, 2: arrived; 3: the task's own events; 4: joined; 5, 6, 7
        assert_int_equal(appends[i].wait_count, 0);
        assert_true(waits_for(&appends[4], appends[i].signal));
        assert_ptr_equal(appends[5 + i].list, appends[i].list);
        assert_true(waits_for(&appends[5 + i], appends[4].signal));
        assert_ptr_not_equal(appends[i].list, appends[4].list);
    }
    assert_int_equal(appends[3].wait_count, 1);
    assert_ptr_equal(appends[3].list, appends[4].list);
    assert_condition(mez_event_wait_for(all, 0), MEZ_ERRC_TIMEOUT);
    noop_hold(false);
    assert_ok(mez_event_wait(all));
    assert_ok(mez_queue_wait(r->queue));
    mez_event_destroy(&event);
    mez_event_destroy(&all);
}

// What the lists wait for may have happened before they look: it is no other task's event until they have come to the next barrier.
static void test_a_barriers_event_stays_until_the_next(void **state)
{
    runtime *r = *state;
    struct noop_append appends[7];
    ze_event_handle_t joined[3];
    assert_ok(create_out_of_order(r));
    for (int i = 0; i < 3; i++) {
        noop_log_start();
        assert_ok(mez_barrier(r->queue, NULL));
        assert_int_equal(noop_appends(appends, 7), 7);
        joined[i] = appends[3].signal; // 0, 1, 2: arrived; 3: joined
        assert_true(waits_for(&appends[6], joined[i]));
        assert_ok(mez_queue_wait(r->queue));
    }
    assert_ptr_not_equal(joined[1], joined[0]);
    assert_ptr_not_equal(joined[2], joined[1]);
    assert_ptr_equal(joined[2], joined[0]);
}

static void test_waits_cover_all_lists(void **state)
{
    runtime *r = *state;
    assert_ok(create_out_of_order(r));
    for (int i = 0; i < 4; i++)
        assert_ok(submit_nothing(r, NULL));
    const uint64_t before = noop_calls("zeCommandListHostSynchronize");
    assert_ok(mez_queue_wait(r->queue));
    assert_int_equal(noop_calls("zeCommandListHostSynchronize"), before + 4);
    noop_hold(true);
    assert_ok(submit_nothing(r, NULL)); // on one list only
    assert_condition(mez_queue_wait_for(r->queue, 0), MEZ_ERRC_TIMEOUT);
    assert_condition(mez_queue_wait_for(r->queue, MILLISECOND), MEZ_ERRC_TIMEOUT);
}

// Whichever of a barrier's calls fails: the caller gets an error, nothing is lent again too early, and the queue goes on.
static void test_barriers_that_fail(void **state)
{
    runtime *r = *state;
    assert_ok(create_out_of_order(r));
    assert_ok(mez_barrier(r->queue, NULL)); // makes the events
    assert_ok(mez_queue_wait(r->queue));
    for (uint64_t n = 1; n <= 8; n++) {
        mez_event *event;
        const uint64_t resets = noop_calls("zeEventHostReset");
        assert_ok(submit_nothing(r, NULL));
        noop_fail("zeCommandListAppendBarrier", n, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
        const mez_error error = mez_barrier(r->queue, MEZ_TASK(.event = &event));
        if (n <= 7)
            assert_story(error, MEZ_ERRC_MEMORY_ALLOCATION, "zeCommandListAppendBarrier");
        else
            assert_ok(error); // it has seven
        assert_int_equal(event != NULL, n > 7);
        assert_int_equal(noop_calls("zeEventHostReset"), resets);
        mez_event_destroy(&event);
        assert_ok(mez_queue_wait(r->queue));
        assert_int_equal(noop_calls("zeEventHostReset"), resets + 4);
    }
}

static char said[4096];

static void hear(void *user, mez_log_level level, const char *topic, const char *message)
{
    (void)level, (void)topic;
    int *lines = user;
    ++*lines;
    snprintf(said, sizeof said, "%s", message);
}

static void test_the_choice_is_reported_once(void **state)
{
    runtime *r = *state;
    int lines = 0;
    mez_log_set_function(hear, &lines);
    assert_ok(mez_log_set_levels("queue:debug"));
    assert_ok(create(r, &(mez_queue_params){.debug_name = "bulk",
                            .engine = MEZ_ENGINE_COPY,
                            .order = MEZ_OUT_OF_ORDER,
                            .priority = MEZ_PRIORITY_LOW}));
    assert_ok(mez_copy(r->queue, r->x, r->y, COUNT, NULL));
    assert_ok(mez_queue_wait(r->queue));
    assert_ok(mez_log_set_levels("queue:warn"));
    mez_log_set_function(NULL, NULL);
    assert_int_equal(lines, 1);
    assert_string_equal(said, "\"bulk\": out of order, batched (chosen), on the copy engine of "
                              "device \"no-op device\", priority low");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(test_priorities),
        RUNTIME_TEST(test_properties_that_do_not_exist),
        RUNTIME_TEST(test_engines),
        RUNTIME_TEST(test_copies_may_run_elsewhere),
        RUNTIME_TEST(test_a_copy_engine_runs_no_kernels),
        RUNTIME_TEST(test_devices_without_a_copy_engine),
        RUNTIME_TEST(test_discarded_events),
        RUNTIME_TEST(test_events_for_the_device),
        RUNTIME_TEST(test_timed_events_are_for_the_host_too),
        RUNTIME_TEST(test_basic_queues_submit_each_task),
        RUNTIME_TEST(test_basic_queues_of_old_drivers),
        RUNTIME_TEST(test_basic_queues_out_of_order),
        RUNTIME_TEST(test_looking_often_appends_one_barrier),
        RUNTIME_TEST(test_lists_in_turn),
        RUNTIME_TEST(test_a_barrier_ties_all_lists),
        RUNTIME_TEST(test_a_barriers_event_stays_until_the_next),
        RUNTIME_TEST(test_waits_cover_all_lists),
        RUNTIME_TEST(test_barriers_that_fail),
        RUNTIME_TEST(test_the_choice_is_reported_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
