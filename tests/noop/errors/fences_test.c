// SPDX-License-Identifier: MIT
//
// Fences in checked contexts: those of memory that only the device reaches, the last byte of each, and who returns what is found.

#include "runtime.h"

#include <stdlib.h>

#include "context/context.h"

enum { SMALL = 100, LARGE = 100000 };

#define FOUND(error, words) assert_story(error, MEZ_ERRC_STRAY_WRITE, words)

// The driver copies, and its memory is the host's, so that a test writes where a kernel would.
static mez_context *open_context(uint32_t devices)
{
    struct noop_config config = noop_config_default();
    const mez_context_params params = {.checked_memory = true};
    mez_context *context;
    config.api_version = (ze_api_version_t)ZE_MAKE_VERSION(1, 14);
    config.execute_copies = true;
    config.devices = devices;
    noop_reset();
    noop_configure(&config);
    assert_ok(mez_context_create(&params, &context));
    return context;
}

static void close_context(mez_context *context)
{
    noop_reset();
    mez_context_destroy(&context);
    assert_int_equal(noop_live_total(), 0);
}

static char *get_on(mez_context *context, uint32_t device, mez_memory_kind kind, size_t size)
{
    const mez_memory_params params = {
        .kind = kind, .device = mez_context_get_device(context, device)};
    mez_error error;
    char *memory = mez_alloc(context, &params, size, &error);
    assert_ok(error);
    return memory;
}

static char *get(mez_context *context, mez_memory_kind kind, size_t size)
{
    return get_on(context, 0, kind, size);
}

static uint64_t stray_writes(mez_context *context)
{
    mez_context_statistics statistics;
    mez_context_get_statistics(context, &statistics);
    return statistics.stray_writes;
}

// --- Memory that only the device reaches

static void test_device_memory(void **state)
{
    (void)state;
    mez_context *context = open_context(1);
    static const long places[] = {-256, -1, SMALL, SMALL + 255};
    for (int i = 0; i < 4; i++) {
        char *memory = get(context, MEZ_MEMORY_DEVICE, SMALL);
        memory[places[i]] = 1;
        FOUND(mez_free(context, memory), i < 2 ? "before the start" : "behind the end");
    }
    char *large = get(context, MEZ_MEMORY_DEVICE, LARGE);
    large[LARGE] = 1;
    FOUND(mez_free(context, large), "from offset 100000 on");
    assert_ok(mez_free(context, get(context, MEZ_MEMORY_DEVICE, LARGE)));
    assert_int_equal(stray_writes(context), 5);
    close_context(context);
}

static void *driver_start(mez_context *context, const void *memory, size_t *size)
{
    void *base;
    assert_int_equal(
        zeMemGetAddressRange(context->platform.ze, memory, &base, size), ZE_RESULT_SUCCESS);
    return base;
}

// What other processes may be given begins where the driver's allocation does.
static void test_no_fence_before_large_device_memory(void **state)
{
    (void)state;
    mez_context *context = open_context(1);
    char *memory = get(context, MEZ_MEMORY_DEVICE, LARGE);
    size_t size;
    assert_ptr_equal(driver_start(context, memory, &size), memory);
    assert_int_equal(size, LARGE + 256);
    assert_ok(mez_free(context, memory));
    close_context(context);
}

// The largest allocation has no room for fences; one that is a little smaller has.
static void test_the_largest(void **state)
{
    (void)state;
    mez_context *context = open_context(1);
    context->platform.devices[0].info.max_alloc_size = 1 << 20;
    char *largest = get(context, MEZ_MEMORY_HOST, 1 << 20);
    size_t size;
    assert_ptr_equal(driver_start(context, largest, &size), largest);
    assert_int_equal(size, 1 << 20);
    assert_ok(mez_free(context, largest));
    char *memory = get(context, MEZ_MEMORY_HOST, (1 << 20) - 4352);
    memory[(1 << 20) - 4352] = 1;
    FOUND(mez_free(context, memory), "behind the end");
    close_context(context);
}

// Intel's driver without hardware reports copies as done that it does not do.
static void test_a_device_that_does_not_copy(void **state)
{
    (void)state;
    mez_context *context = open_context(1);
    struct noop_config config = noop_config_default();
    config.api_version = (ze_api_version_t)ZE_MAKE_VERSION(1, 14);
    noop_configure(&config);
    assert_ok(mez_free(context, get(context, MEZ_MEMORY_DEVICE, SMALL)));
    noop_count_exactly(true);
    const uint64_t copies = noop_calls("zeCommandListAppendMemoryCopy");
    assert_ok(mez_free(context, get(context, MEZ_MEMORY_DEVICE, SMALL)));
    assert_int_equal(noop_calls("zeCommandListAppendMemoryCopy"), copies);
    assert_int_equal(stray_writes(context), 0);
    close_context(context);
}

static void test_without_in_order_lists(void **state)
{
    (void)state;
    mez_context *context = open_context(1);
    context->platform.caps.in_order_lists = false;
    noop_count_exactly(true);
    assert_ok(mez_free(context, get(context, MEZ_MEMORY_DEVICE, SMALL)));
    assert_int_equal(noop_calls("zeCommandListAppendMemoryCopy"), 0);
    close_context(context);
}

// Of any step that a copy takes.
static void test_a_device_that_fails(void **state)
{
    (void)state;
    static const char *const steps[] = {"zeEventPoolCreate", "zeEventCreate",
        "zeCommandListCreateImmediate", "zeCommandListAppendMemoryCopy", "zeEventHostReset"};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        mez_context *context = open_context(2);
        noop_fail(steps[i], 1, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
        for (int round = 0; round < 2; round++) {
            char *failing = get_on(context, 0, MEZ_MEMORY_DEVICE, SMALL);
            char *working = get_on(context, 1, MEZ_MEMORY_DEVICE, SMALL);
            failing[SMALL] = working[SMALL] = 1;
            assert_ok(mez_free(context, failing));
            FOUND(mez_free(context, working), "from offset 100 on");
        }
        assert_int_equal(noop_fired(), 1);
        close_context(context);
    }
}

// The device may still copy: what it copies with stays until the process ends.
static void test_a_late_device(void **state)
{
    (void)state;
    mez_context *context = open_context(1);
    noop_fail("zeEventHostSynchronize", 1, ZE_RESULT_NOT_READY);
    assert_ok(mez_free(context, get(context, MEZ_MEMORY_DEVICE, SMALL)));
    noop_reset();
    mez_context_destroy(&context);
    assert_int_equal(noop_live(NOOP_COMMAND_LIST), 1);
    assert_int_equal(noop_live(NOOP_EVENT), 1);
    assert_int_equal(noop_live(NOOP_MEMORY), 0);
}

// --- The end of the context

static int logged;

static void count_message(void *user, mez_log_level level, const char *topic, const char *text)
{
    (void)user, (void)topic;
    logged += level == MEZ_LOG_ERROR && strstr(text, "was written") != NULL;
}

// What was not freed, of memory that no wait looks at.
static void test_leaks_are_looked_at(void **state)
{
    (void)state;
    mez_context *context = open_context(2);
    context->platform.devices[0].shares_finely = false;
    for (uint32_t device = 0; device < 2; device++) {
        char *on_device = get_on(context, device, MEZ_MEMORY_DEVICE, SMALL);
        on_device[-1] = 1;
        get_on(context, device, MEZ_MEMORY_DEVICE, LARGE);
    }
    get(context, MEZ_MEMORY_SHARED, SMALL)[SMALL] = 1;
    get(context, MEZ_MEMORY_HOST, SMALL)[SMALL] = 1;
    logged = 0;
    mez_log_set_function(count_message, NULL);
    mez_context_destroy(&context);
    mez_log_set_function(NULL, NULL);
    assert_int_equal(logged, 4);
    assert_int_equal(noop_live_total(), 0);
}

// --- Each byte

// A program writes zeros more often than anything else.
static void test_zeros(void **state)
{
    (void)state;
    mez_context *context = open_context(1);
    char *memory = get(context, MEZ_MEMORY_HOST, SMALL);
    memory[SMALL] = 0;
    FOUND(mez_free(context, memory), "from offset 100 on");
    memory = get(context, MEZ_MEMORY_HOST, SMALL);
    memory[-1] = 0;
    FOUND(mez_free(context, memory), "from offset -1 on");
    close_context(context);
}

// The findings of memory that was freed before the context ends.
static void test_each_byte_of_freed_memory(void **state)
{
    (void)state;
    static const int places[] = {0, 1, SMALL / 2, SMALL - 2, SMALL - 1};
    for (int i = 0; i < 5; i++) {
        mez_context *context = open_context(1);
        char *memory = get(context, MEZ_MEMORY_HOST, SMALL);
        assert_ok(mez_free(context, memory));
        memory[places[i]] = 0;
        logged = 0;
        mez_log_set_function(count_message, NULL);
        mez_context_destroy(&context);
        mez_log_set_function(NULL, NULL);
        assert_int_equal(logged, 1);
    }
}

// --- Who returns it

typedef struct scene {
    mez_context *context;
    mez_queue *queue;
    char *target;
} scene;

static scene begin(mez_queue_params params)
{
    scene s = {.context = open_context(1)};
    assert_ok(mez_queue_create(s.context, &params, &s.queue));
    s.target = get(s.context, MEZ_MEMORY_HOST, SMALL);
    return s;
}

static void end(scene *s)
{
    mez_queue_destroy(&s->queue);
    assert_ok(mez_free(s->context, s->target));
    close_context(s->context);
}

static mez_error submit(const scene *s, mez_event **event, bool device_event)
{
    const mez_task_params task = {.event = event, .device_event = device_event};
    return mez_fill(s->queue, s->target, "", 1, SMALL, event ? &task : NULL);
}

// The event has the outcome of its task; the finding is there at once, and the queue's.
static void test_event_waits(void **state)
{
    (void)state;
    static const mez_queue_params kinds[] = {
        {.kind = MEZ_QUEUE_IMMEDIATE}, {.kind = MEZ_QUEUE_BATCHED}, {.profiling = true}};
    for (int i = 0; i < 6; i++) {
        scene s = begin(kinds[i / 2]);
        char *memory = get(s.context, MEZ_MEMORY_HOST, SMALL);
        mez_event *event;
        assert_ok(submit(&s, &event, i % 2));
        memory[SMALL] = 1;
        assert_int_equal(stray_writes(s.context), 0);
        assert_ok(mez_event_wait(event));
        assert_int_equal(stray_writes(s.context), 1);
        FOUND(mez_queue_wait(s.queue), "from offset 100 on");
        assert_ok(mez_event_wait(event));
        assert_ok(mez_queue_wait(s.queue));
        assert_ok(mez_free(s.context, memory));
        mez_event_destroy(&event);
        end(&s);
    }
}

// A wait that ends nothing looks at nothing: neither one whose time is up, nor one behind a wait for the queue.
static void ends_nothing(bool device_event)
{
    scene s = begin((mez_queue_params){0});
    char *memory = get(s.context, MEZ_MEMORY_HOST, SMALL);
    mez_event *event;
    noop_hold(true);
    assert_ok(submit(&s, &event, device_event));
    memory[SMALL] = 1;
    assert_story(mez_event_wait_for(event, MILLISECOND), MEZ_ERRC_TIMEOUT, "");
    assert_int_equal(stray_writes(s.context), 0);
    memory[SMALL] = memory[SMALL + 1];
    noop_hold(false);
    assert_ok(mez_queue_wait(s.queue));
    memory[SMALL] = 1;
    assert_ok(mez_event_wait(event));
    assert_int_equal(stray_writes(s.context), 0);
    FOUND(mez_free(s.context, memory), "from offset 100 on");
    mez_event_destroy(&event);
    end(&s);
}

static void test_event_waits_that_end_nothing(void **state)
{
    (void)state;
    ends_nothing(false);
    ends_nothing(true);
}

// Another thread may have seen the tasks end, so that nothing is left to wait for: a wait for the queue looks all the same.
static void test_an_idle_queue(void **state)
{
    (void)state;
    scene s = begin((mez_queue_params){0});
    char *memory = get(s.context, MEZ_MEMORY_HOST, SMALL);
    assert_ok(submit(&s, NULL, false));
    assert_ok(mez_queue_wait(s.queue));
    memory[SMALL] = 1;
    FOUND(mez_queue_wait(s.queue), "from offset 100 on");
    memory[-1] = 1;
    assert_ok(mez_queue_wait(s.queue)); // once
    assert_ok(mez_free(s.context, memory));
    end(&s);
}

static _Atomic int handled;

static void handle(void *user, mez_error error)
{
    (void)user;
    handled += mez_error_is(error, MEZ_ERRC_STRAY_WRITE);
}

// The handler is called with each, and the wait returns the first. The completion thread, which calls it, may have seen the task end.
static void test_handlers(void **state)
{
    (void)state;
    scene s = begin((mez_queue_params){.on_error = {.function = handle}});
    char *memory[3];
    handled = 0;
    for (int i = 0; i < 3; i++) {
        memory[i] = get(s.context, MEZ_MEMORY_HOST, SMALL);
        memory[i][SMALL] = 1;
    }
    assert_ok(submit(&s, NULL, false));
    FOUND(mez_queue_wait(s.queue), "from offset 100 on");
    for (int i = 0; i < 3; i++)
        assert_ok(mez_free(s.context, memory[i]));
    end(&s);
    assert_int_equal(handled, 3);
}

// A free returns the finding of what it frees; what it finds besides is for the next wait.
static void test_a_free_that_finds_two(void **state)
{
    (void)state;
    setenv("MEZ_CHECK", "1K", 1);
    scene s = begin((mez_queue_params){0});
    unsetenv("MEZ_CHECK");
    char *first = get(s.context, MEZ_MEMORY_HOST, SMALL);
    char *second = get(s.context, MEZ_MEMORY_HOST, SMALL);
    assert_ok(mez_free(s.context, first));
    first[7] = 1;
    second[SMALL] = 1;
    FOUND(mez_free(s.context, second), "behind the end");
    assert_int_equal(stray_writes(s.context), 2);
    assert_ok(submit(&s, NULL, false));
    FOUND(mez_queue_wait(s.queue), "freed memory was written");
    assert_ok(submit(&s, NULL, false));
    assert_ok(mez_queue_wait(s.queue));
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_device_memory),
        cmocka_unit_test(test_no_fence_before_large_device_memory),
        cmocka_unit_test(test_the_largest), cmocka_unit_test(test_a_device_that_does_not_copy),
        cmocka_unit_test(test_without_in_order_lists), cmocka_unit_test(test_a_device_that_fails),
        cmocka_unit_test(test_leaks_are_looked_at), cmocka_unit_test(test_zeros),
        cmocka_unit_test(test_each_byte_of_freed_memory), cmocka_unit_test(test_event_waits),
        cmocka_unit_test(test_event_waits_that_end_nothing), cmocka_unit_test(test_an_idle_queue),
        cmocka_unit_test(test_handlers), cmocka_unit_test(test_a_free_that_finds_two),
        cmocka_unit_test(test_a_late_device), // leaves objects behind
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
