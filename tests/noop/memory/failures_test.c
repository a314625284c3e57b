// SPDX-License-Identifier: MIT
//
// Every Level Zero call and every allocation of ours fails once: nothing leaks, nothing crashes, and each failure is reported.

#include "memory.h"

#include "base/alloc.h"

enum { LARGE = 100000, MOST_STEPS = 10000 };

// Reported by the call that meets it, or in the log where a clean-up meets it.
static unsigned reported;

static void count_messages(void *user, mez_log_level level, const char *topic, const char *message)
{
    (void)user, (void)topic, (void)message;
    reported += level <= MEZ_LOG_WARN;
}

static void note(mez_error error)
{
    reported += mez_failed(error);
}

static void *try_alloc(mez_context *context, mez_memory_kind kind, size_t size)
{
    mez_error error;
    const mez_memory_params params = {.kind = kind, .debug_name = "named"};
    void *memory = mez_alloc(context, &params, size, &error);
    assert_true(mez_failed(error) == (memory == NULL));
    note(error);
    return memory;
}

static void use_queue(mez_context *context)
{
    const char zero = 0;
    mez_queue *queue;
    mez_error error = mez_queue_create(context, NULL, &queue);
    note(error);
    if (mez_failed(error))
        return;
    void *memory = try_alloc(context, MEZ_MEMORY_HOST, LARGE);
    if (memory) {
        note(mez_fill(queue, memory, &zero, 1, 16, NULL));
        note(mez_free(context, memory));
    }
    note(mez_queue_wait(queue));
    mez_queue_destroy(&queue);
}

static void use_memory(mez_context *context)
{
    for (int kind = MEZ_MEMORY_DEVICE; kind <= MEZ_MEMORY_SHARED; kind++) {
        void *small = try_alloc(context, (mez_memory_kind)kind, 100);
        void *large = try_alloc(context, (mez_memory_kind)kind, LARGE);
        mez_memory_info info = {0};
        note(mez_memory_get_info(context, &info, &info));
        note(mez_free(context, small));
        note(mez_free(context, large));
    }
}

// A context's whole life.
static void live(void)
{
    mez_context *context;
    const mez_error error = mez_context_create(NULL, &context);
    note(error);
    if (mez_failed(error))
        return;
    use_memory(context);
    use_queue(context);
    mez_context_destroy(&context);
}

static int setup(void **state)
{
    mez_log_set_function(count_messages, NULL);
    noop_reset();
    live(); // opens the loader, once for the process
    return driver_setup(state);
}

static int teardown(void **state)
{
    mez_log_set_function(NULL, NULL);
    mez_alloc_fail_at(0);
    return driver_teardown(state);
}

static void test_every_driver_call(void **state)
{
    (void)state;
    uint64_t n = 0;
    do {
        noop_reset();
        noop_fail(NULL, ++n, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
        reported = 0;
        live();
        assert_int_equal(noop_live_total(), 0);
    } while (noop_fired() > 0 && n < MOST_STEPS);
    assert_true(n > 30 && n < MOST_STEPS);
    assert_int_equal(reported, 0); // nothing failed in the last turn
}

// A look at a busy queue that fails reports nothing: the memory stays deferred, and the next wait meets a loss that lasts.
static bool was_a_look(uint64_t n)
{
    static const char *names[4096];
    const size_t made = noop_log(names, 4096);
    const char *call = n <= made ? names[n - 1] : "";
    return strcmp(call, "zeFenceHostSynchronize") == 0 ||
           strcmp(call, "zeDriverGetExtensionFunctionAddress") == 0;
}

static void test_every_lost_device(void **state)
{
    (void)state;
    uint64_t n = 0;
    do {
        noop_reset();
        noop_log_start();
        noop_fail(NULL, ++n, ZE_RESULT_ERROR_DEVICE_LOST);
        reported = 0;
        live();
        assert_int_equal(noop_live_total(), 0);
        assert_true(reported > 0 || noop_fired() == 0 || was_a_look(n));
    } while (noop_fired() > 0 && n < MOST_STEPS);
    assert_true(n < MOST_STEPS);
}

static void test_every_allocation_of_ours(void **state)
{
    (void)state;
    uint64_t tried, n = 0;
    noop_reset();
    mez_alloc_fail_at(0);
    live();
    const uint64_t needed = mez_alloc_fail_at(0);
    assert_true(needed > 20);
    do {
        reported = 0;
        mez_alloc_fail_at(++n);
        live();
        tried = mez_alloc_fail_at(0);
        assert_int_equal(noop_live_total(), 0);
        assert_true(reported > 0 || tried < n);
    } while (tried >= n && n < MOST_STEPS);
    assert_true(n < MOST_STEPS);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_every_driver_call, setup, teardown),
        cmocka_unit_test_setup_teardown(test_every_lost_device, setup, teardown),
        cmocka_unit_test_setup_teardown(test_every_allocation_of_ours, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
