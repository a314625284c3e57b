// SPDX-License-Identifier: MIT
//
// What the no-op driver offers beyond the headers that it is built against: counter-based events, host functions.

#include "fixture.h"

#include <pthread.h>
#include <unistd.h>

static void configure_newest(const char *const *extensions, const char *const *missing)
{
    struct noop_config config = noop_config_default();
    config.api_version = (ze_api_version_t)ZE_MAKE_VERSION(1, 17);
    config.extensions = extensions;
    config.missing = missing;
    noop_configure(&config);
}

static void *find_function(const struct fixture *f, const char *name)
{
    void *function = NULL;
    const ze_result_t result = ze.zeDriverGetExtensionFunctionAddress(f->driver, name, &function);
    return result == ZE_RESULT_SUCCESS ? function : NULL;
}

static void test_functions_can_be_missing(void **state)
{
    const struct fixture *f = *state;
    static const char *const missing[] = {"zeCommandListAppendHostFunction", NULL};
    static const char *const extensions[] = {"ZEX_counter_based_event", NULL};
    configure_newest(NULL, NULL);
    assert_non_null(find_function(f, "zeCommandListAppendHostFunction"));
    assert_null(find_function(f, "zexCounterBasedEventCreate2"));
    configure_newest(extensions, missing);
    assert_null(find_function(f, "zeCommandListAppendHostFunction"));
    assert_non_null(find_function(f, "zexCounterBasedEventCreate2"));
}

// Complete before its first command, then as complete as its latest; never set or reset by the host.
static void expect_counter_based(const struct fixture *f, ze_event_handle_t event)
{
    const ze_command_queue_desc_t in_order = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .flags = 1u << 1};
    ze_command_list_handle_t list, other = create_immediate_list(f);
    assert_ok(ze.zeCommandListCreateImmediate(f->context, f->device, &in_order, &list));
    assert_ok(ze.zeEventQueryStatus(event));
    noop_hold(true);
    assert_ok(ze.zeCommandListAppendBarrier(list, event, 0, NULL));
    assert_int_equal(ze.zeEventQueryStatus(event), ZE_RESULT_NOT_READY);
    assert_int_equal(
        ze.zeCommandListAppendBarrier(other, event, 0, NULL), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    noop_hold(false);
    assert_ok(ze.zeEventQueryStatus(event));
    assert_int_equal(ze.zeEventHostReset(event), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(ze.zeEventHostSignal(event), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_ok(ze.zeEventDestroy(event));
    assert_ok(ze.zeCommandListDestroy(list));
    assert_ok(ze.zeCommandListDestroy(other));
}

static void test_counter_based_events(void **state)
{
    const struct fixture *f = *state;
    static const char *const extensions[] = {
        "ZEX_counter_based_event", "ZE_experimental_event_pool_counter_based", NULL};
    const ze_base_desc_t single = {.stype = (ze_structure_type_t)0x0003001c};
    const ze_base_desc_t counted = {.stype = (ze_structure_type_t)0x00020014};
    const ze_event_pool_desc_t pooled = {
        .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .pNext = &counted, .count = 1};
    const ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
    ze_result_t (*create)(
        ze_context_handle_t, ze_device_handle_t, const ze_base_desc_t *, ze_event_handle_t *);
    ze_event_handle_t event;
    ze_event_pool_handle_t pool;
    configure_newest(extensions, NULL);
    *(void **)&create = find_function(f, "zexCounterBasedEventCreate2");
    assert_int_equal(create(f->context, f->device, NULL, &event), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    assert_ok(create(f->context, f->device, &single, &event));
    expect_counter_based(f, event);
    assert_ok(ze.zeEventPoolCreate(f->context, &pooled, 0, NULL, &pool));
    assert_ok(ze.zeEventCreate(pool, &desc, &event));
    expect_counter_based(f, event);
    assert_ok(ze.zeEventPoolDestroy(pool));
}

struct call {
    _Atomic bool came;
    pthread_t thread;
};

static void note_call(void *data)
{
    struct call *call = data;
    call->thread = pthread_self();
    call->came = true;
}

static void test_host_functions(void **state)
{
    const struct fixture *f = *state;
    struct call call = {.came = false};
    ze_command_list_handle_t list = create_immediate_list(f);
    ze_result_t (*append)(ze_command_list_handle_t, void (*)(void *), void *, const void *,
        ze_event_handle_t, uint32_t, ze_event_handle_t *);
    configure_newest(NULL, NULL);
    *(void **)&append = find_function(f, "zeCommandListAppendHostFunction");
    noop_hold(true);
    assert_ok(append(list, note_call, &call, NULL, NULL, 0, NULL));
    assert_int_equal(noop_pending(), 1);
    usleep(2000);
    assert_false(call.came);
    noop_hold(false);
    noop_reset(); // waits
    assert_true(call.came);
    assert_false(pthread_equal(call.thread, pthread_self()));
    assert_ok(ze.zeCommandListDestroy(list));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(functions_can_be_missing),
        TEST(counter_based_events),
        TEST(host_functions),
    };
    return cmocka_run_group_tests(tests, create_fixture, destroy_fixture);
}
