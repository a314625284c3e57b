// SPDX-License-Identifier: MIT
//
// Waits that last: a task waits for an event of the application's, which signals it when the test has seen enough; and, as the
// last thing that this program does, the device is lost.

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include <mezzanine/level_zero.h>

#include "harness.h"

#define MILLISECOND 1000000u // ns
enum { WIDTH = 256 };

// Through the loader that Mezzanine has opened: a program that is linked with one must set the driver up by itself.
#define ZE(function, ...)                                        \
    do {                                                         \
        function##_type *found;                                  \
        *(void **)&found = find(#function);                      \
        assert_int_equal(found(__VA_ARGS__), ZE_RESULT_SUCCESS); \
    } while (0)
typedef __typeof__(zeEventPoolCreate) zeEventPoolCreate_type;
typedef __typeof__(zeEventPoolDestroy) zeEventPoolDestroy_type;
typedef __typeof__(zeEventCreate) zeEventCreate_type;
typedef __typeof__(zeEventDestroy) zeEventDestroy_type;
typedef __typeof__(zeEventHostSignal) zeEventHostSignal_type;
typedef __typeof__(zeDriverGetExtensionFunctionAddress) zeDriverGetExtensionFunctionAddress_type;

static void *find(const char *name)
{
    void *loader = dlopen("libze_loader.so.1", RTLD_NOW | RTLD_NOLOAD);
    assert_non_null(loader);
    void *function = dlsym(loader, name);
    assert_non_null(function);
    dlclose(loader);
    return function;
}

// A queue whose first task waits for the application, and then steps.
typedef struct stuck {
    mez_queue *queue;
    ze_event_pool_handle_t pool;
    ze_event_handle_t ze;
    mez_event *go;
    mez_event *done;
    mez_kernel *step;
    uint32_t *values;
} stuck;

static stuck make_stuck(mez_queue *queue)
{
    const ze_event_pool_desc_t pool = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
        .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
        .count = 1};
    const ze_event_desc_t event = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
        .signal = ZE_EVENT_SCOPE_FLAG_HOST,
        .wait = ZE_EVENT_SCOPE_FLAG_HOST};
    const uint32_t k = 7;
    stuck s = {.queue = queue, .step = mez_test_kernel("order", "step_once")};
    mez_test_ok(mez_kernel_build(s.step, NULL));
    s.values = mez_test_shared(WIDTH * sizeof *s.values);
    memset(s.values, 0, WIDTH * sizeof *s.values);
    ZE(zeEventPoolCreate, mez_context_get_ze(mez_test_context()), &pool, 0, NULL, &s.pool);
    ZE(zeEventCreate, s.pool, &event, &s.ze);
    mez_test_ok(mez_event_adopt(mez_test_context(), s.ze, &s.go));
    const mez_task_params task = {
        .debug_name = "stuck", .wait_for = &s.go, .wait_count = 1, .event = &s.done};
    mez_test_ok(mez_submit(
        queue, s.step, MEZ_RANGE(WIDTH), MEZ_ARGS(MEZ_PTR(s.values), MEZ_VAL(k)), &task));
    return s;
}

static void expect_result(const stuck *s)
{
    mez_test_ok(mez_event_wait(s->done));
    mez_test_ok(mez_queue_wait(s->queue));
    for (int i = 0; i < WIDTH; i++)
        assert_int_equal(s->values[i], 7);
}

static void destroy_stuck(stuck *s)
{
    mez_event_destroy(&s->go);
    mez_event_destroy(&s->done);
    mez_kernel_destroy(&s->step);
    mez_test_free(s->values);
    ZE(zeEventDestroy, s->ze);
    ZE(zeEventPoolDestroy, s->pool);
}

static uint64_t nanoseconds(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static mez_error wait_for(const stuck *s, bool event, uint64_t timeout)
{
    return event ? mez_event_wait_for(s->done, timeout) : mez_queue_wait_for(s->queue, timeout);
}

// Asked for is a twentieth of the second; a wait that spins takes all of it.
static void long_waits_sleep(void **state)
{
    mez_test_needs("results");
    stuck s = make_stuck(*state);
    for (int event = 0; event < 2; event++) {
        const uint64_t start = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
        mez_test_fails(wait_for(&s, event, 1000ull * MILLISECOND), MEZ_ERRC_TIMEOUT);
        const uint64_t cpu = nanoseconds(CLOCK_THREAD_CPUTIME_ID) - start;
        print_message("1 s of waiting: %.2f ms of CPU time\n", (double)cpu / MILLISECOND);
        assert_true(cpu < 200ull * MILLISECOND);
    }
    ZE(zeEventHostSignal, s.ze);
    expect_result(&s);
    destroy_stuck(&s);
}

static void timeouts_leave_all_usable(void **state)
{
    static const uint64_t timeouts[] = {0, 1, 1000, 100000, MILLISECOND, 30 * MILLISECOND};
    mez_test_needs("results");
    stuck s = make_stuck(*state);
    for (size_t i = 0; i < sizeof timeouts / sizeof *timeouts; i++) {
        for (int event = 0; event < 2; event++) {
            const uint64_t start = nanoseconds(CLOCK_MONOTONIC);
            mez_test_fails(wait_for(&s, event, timeouts[i]), MEZ_ERRC_TIMEOUT);
            const uint64_t length = nanoseconds(CLOCK_MONOTONIC) - start;
            assert_true(length >= timeouts[i]);
            assert_true(length < timeouts[i] + 2000ull * MILLISECOND); // a busy machine
        }
    }
    mez_test_fails(mez_event_get_status(s.done), MEZ_ERRC_NOT_READY);
    ZE(zeEventHostSignal, s.ze);
    expect_result(&s);
    destroy_stuck(&s);
}

static void expect_in(const char *text, const char *words)
{
    if (strstr(text, words))
        return;
    print_error("\"%s\" is not in: %s\n", words, text);
    fail();
}

static void a_stuck_task_is_described(void **state)
{
    char text[2048];
    mez_test_needs("results");
    stuck s = make_stuck(*state);
    mez_queue_describe(s.queue, text, sizeof text);
    expect_in(text, "task 1 \"stuck\" (kernel \"step_once\", submitted at ");
    expect_in(text, "waits.c:");
    expect_in(text, "waits for a hand-signalled event of the application");
    ZE(zeEventHostSignal, s.ze);
    expect_result(&s);
    mez_queue_describe(s.queue, text, sizeof text);
    expect_in(text, "have ended");
    destroy_stuck(&s);
}

// A queue of several lists joins them at a barrier by events of the library's own, which no user knows. The warning of whoever waits
// passes through them.
static void barriers_of_a_stuck_queue_are_described(void **state)
{
    char text[2048];
    mez_test_needs("results");
    stuck s = make_stuck(*state);
    mez_queue *barriers, *behind;
    mez_event *first, *second;
    const mez_queue_params any = {.order = MEZ_OUT_OF_ORDER};
    mez_test_ok(mez_queue_create(mez_test_context(), &any, &barriers));
    mez_test_ok(mez_queue_create(mez_test_context(), &any, &behind));
    mez_test_ok(
        mez_barrier(barriers, MEZ_TASK(.wait_for = &s.done, .wait_count = 1, .event = &first)));
    mez_test_ok(mez_barrier(barriers, MEZ_TASK(.event = &second)));
    mez_test_ok(mez_barrier(behind, MEZ_TASK(.wait_for = &second, .wait_count = 1)));
    mez_queue_describe(behind, text, sizeof text);
    expect_in(text, "waits for task 2 (barrier");
    mez_queue_describe(barriers, text, sizeof text);
    expect_in(text, "waits for task 1 \"stuck\"");
    mez_test_fails(mez_queue_wait_for(behind, 700ull * MILLISECOND), MEZ_ERRC_TIMEOUT); // warns
    ZE(zeEventHostSignal, s.ze);
    mez_test_ok(mez_queue_wait(behind));
    expect_result(&s);
    mez_event_destroy(&first);
    mez_event_destroy(&second);
    mez_queue_destroy(&behind);
    mez_queue_destroy(&barriers);
    destroy_stuck(&s);
}

// --- The device is lost

typedef struct waiter {
    const stuck *stuck;
    bool event;
    mez_error outcome;
} waiter;

static void *wait_for_ever(void *argument)
{
    waiter *w = argument;
    w->outcome = wait_for(w->stuck, w->event, MEZ_FOREVER);
    return NULL;
}

typedef struct heard {
    atomic_int calls;
    mez_error outcome;
} heard;

static void hear(void *user, mez_error outcome)
{
    heard *my = user;
    my->outcome = outcome;
    atomic_fetch_add(&my->calls, 1);
}

static void lose_device(void)
{
    typedef ze_result_t lose(ze_driver_handle_t driver);
    const ze_driver_handle_t driver = mez_context_get_ze_driver(mez_test_context());
    void *function = NULL;
    ZE(zeDriverGetExtensionFunctionAddress, driver, "zeCpuLoseDevice", &function);
    assert_int_equal((*(lose **)&function)(driver), ZE_RESULT_SUCCESS);
}

static void expect_lost(stuck *s)
{
    mez_event *none = s->done;
    const uint32_t k = 1;
    mez_test_fails(mez_queue_wait(s->queue), MEZ_ERRC_DEVICE_LOST);
    mez_test_fails(mez_queue_wait_for(s->queue, 0), MEZ_ERRC_DEVICE_LOST);
    mez_test_fails(mez_event_wait_for(s->done, 0), MEZ_ERRC_DEVICE_LOST);
    mez_test_fails(mez_event_get_status(s->done), MEZ_ERRC_DEVICE_LOST);
    mez_test_fails(mez_submit(s->queue, s->step, MEZ_RANGE(WIDTH),
                       MEZ_ARGS(MEZ_PTR(s->values), MEZ_VAL(k)), MEZ_TASK(.event = &none)),
        MEZ_ERRC_DEVICE_LOST);
    assert_null(none);
}

static void a_lost_device_ends_every_wait(void **state)
{
    (void)state;
    mez_test_needs("loss");
    mez_queue *queue;
    heard heard = {0};
    mez_test_ok(mez_queue_create(mez_test_context(), NULL, &queue));
    stuck s = make_stuck(queue);
    mez_test_ok(mez_event_set_callback(s.done, hear, &heard));
    waiter waiters[2] = {{.stuck = &s}, {.stuck = &s, .event = true}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, wait_for_ever, &waiters[i]), 0);
    nanosleep(&(struct timespec){.tv_nsec = 20 * MILLISECOND}, NULL);
    lose_device();
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        mez_test_fails(waiters[i].outcome, MEZ_ERRC_DEVICE_LOST);
    }
    assert_int_equal(waiters[0].outcome.origin, waiters[1].outcome.origin); // one story
    expect_lost(&s);
    mez_queue_destroy(&queue);
    assert_int_equal(atomic_load(&heard.calls), 1);
    mez_test_fails(heard.outcome, MEZ_ERRC_DEVICE_LOST);
    destroy_stuck(&s);
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(long_waits_sleep), MEZ_DEVICE_TEST(timeouts_leave_all_usable),
        MEZ_DEVICE_TEST(a_stuck_task_is_described),
        MEZ_DEVICE_TEST(barriers_of_a_stuck_queue_are_described),
        MEZ_DEVICE_TEST(a_lost_device_ends_every_wait), // the last: nothing runs any more
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
