// SPDX-License-Identifier: MIT
//
// A walk over every error path: a program that uses all of the library is run again and again, and each time another call of
// the driver, or another allocation of the library, fails. Whatever fails, the program gets an error that names it,
// everything can be destroyed, nothing is left over, and the next run works.

#include "runtime.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/alloc.h"

typedef struct program {
    mez_context *context;
    mez_queue *first, *second;
    mez_image *image;
    mez_kernel *saxpy, *checked;
    mez_launch *prepared, *asserting;
    mez_event *launched, *copied, *joined, *repeated, *ran;
    float *x, *y;
    void *host, *shared;
    int awaited; // how many callbacks were set
    atomic_int called;
    mez_error heard; // by the callback
    int errors;      // how many calls failed
    int logged;      // how many errors the log was given
    mez_error first_error;
    char stories[4 * STORY_ROOM];
} program;

static pthread_mutex_t note_lock = PTHREAD_MUTEX_INITIALIZER; // the completion thread logs, too

// The caller holds the lock.
static void note(program *p, const char *story)
{
    const size_t length = strlen(p->stories);
    snprintf(p->stories + length, sizeof p->stories - length, "%s\n", story);
}

// What fails while things are destroyed is logged.
static void hear(void *user, mez_log_level level, const char *topic, const char *message)
{
    (void)topic;
    program *p = user;
    if (level > MEZ_LOG_ERROR)
        return;
    pthread_mutex_lock(&note_lock);
    p->logged++;
    note(p, message);
    pthread_mutex_unlock(&note_lock);
}

// Notes a failure and goes on: a program may try everything, in spite of errors.
static bool went_well(program *p, mez_error error)
{
    if (!mez_failed(error))
        return true;
    pthread_mutex_lock(&note_lock);
    if (p->errors++ == 0)
        p->first_error = error;
    note(p, story_of(error));
    pthread_mutex_unlock(&note_lock);
    return false;
}

static void *allocate(program *p, mez_memory_kind kind)
{
    mez_error error;
    void *memory =
        mez_alloc(p->context, &(mez_memory_params){.kind = kind}, COUNT * sizeof(float), &error);
    assert_true(went_well(p, error) == (memory != NULL));
    return memory;
}

static bool create(program *p)
{
    const mez_queue_params params = {.debug_name = "first"};
    bool all = went_well(p, mez_context_create(NULL, &p->context));
    if (!p->context)
        return false;
    all &= went_well(p, mez_queue_create(p->context, &params, &p->first));
    all &= went_well(
        p, mez_queue_create(p->context, &(mez_queue_params){.profiling = true}, &p->second));
    all &= went_well(p, mez_image_load(p->context, file_of("kernels.spv"), &p->image));
    if (p->image)
        all &= went_well(p, mez_kernel_create(p->image, "saxpy", &p->saxpy));
    all &=
        went_well(p, mez_kernel_load(p->context, file_of("asserts.spv"), "checked", &p->checked));
    p->x = allocate(p, MEZ_MEMORY_SHARED);
    p->y = allocate(p, MEZ_MEMORY_DEVICE);
    p->host = allocate(p, MEZ_MEMORY_HOST);
    p->shared = allocate(p, MEZ_MEMORY_SHARED);
    return all && p->x && p->y && p->host && p->shared;
}

static void launch(program *p, mez_queue *queue, const mez_task_params *task)
{
    const float a = 2;
    const mez_args *args = MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(p->x), MEZ_PTR(p->y));
    went_well(p, mez_submit(queue, p->saxpy, MEZ_RANGE(COUNT), args, task));
}

static void prepare(program *p)
{
    const float a = 2;
    const mez_args *args = MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(p->x), MEZ_PTR(p->y));
    went_well(p, mez_launch_create(p->first, p->saxpy, MEZ_RANGE(COUNT), args, &p->prepared));
    went_well(p, mez_launch_create(p->first, p->checked, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_PTR(p->x)),
                     &p->asserting));
}

static void run_prepared(program *p)
{
    const float b = 3;
    prepare(p);
    if (p->prepared) {
        went_well(p, mez_launch_submit(p->prepared, NULL));
        went_well(p, mez_launch_set_argument(p->prepared, 0, MEZ_ARG(MEZ_VAL(b))));
        went_well(p, mez_launch_submit(p->prepared, MEZ_TASK(.event = &p->repeated)));
        went_well(p, mez_launch_submit(p->prepared, NULL));
    }
    if (p->asserting)
        went_well(p, mez_launch_submit(p->asserting, NULL));
}

// As those before, and so by the quick paths where the queue has them.
static void run_again(program *p)
{
    launch(p, p->first, NULL);
    mez_event_destroy(&p->repeated);
    launch(p, p->first, MEZ_TASK(.event = &p->repeated));
    went_well(p, mez_copy(p->first, p->x, p->host, COUNT, NULL));
    mez_event_destroy(&p->repeated);
    went_well(p, mez_copy(p->first, p->x, p->host, COUNT, MEZ_TASK(.event = &p->repeated)));
}

static void be_called(void *user, mez_error outcome)
{
    program *p = user;
    p->heard = mez_error_retain(outcome);
    atomic_fetch_add(&p->called, 1);
}

static void run_on_host(void *user)
{
    program *p = user;
    launch(p, p->second, NULL); // by then the other thread only waits
}

// A host task, and tasks of both queues that come after it.
static void run_host_task(program *p)
{
    went_well(p, mez_host_task(p->second, run_on_host, p, MEZ_TASK(.event = &p->ran)));
    launch(p, p->second, NULL);
    if (p->ran)
        launch(p, p->first, MEZ_TASK(.wait_for = &p->ran, .wait_count = 1));
    noop_hold(false);
    if (p->ran)
        went_well(p, mez_event_wait(p->ran));
    went_well(p, mez_queue_wait(p->second));
    went_well(p, mez_queue_wait(p->first));
    went_well(p, mez_marker(p->second, NULL));
}

// Everything that is neither a launch nor a plain copy or fill.
static void run_operations(program *p)
{
    const mez_task_params join = {
        .wait_for = &p->launched, .wait_count = p->launched ? 1 : 0, .event = &p->joined};
    went_well(p, mez_copy_2d(p->second, p->x, 16, p->host, 32, 8, 4, NULL));
    went_well(p, mez_prefetch(p->second, p->shared, COUNT, NULL));
    went_well(p, mez_advise(p->second, p->shared, COUNT, MEZ_ADVICE_CACHED, NULL));
    went_well(p, mez_barrier(p->second, &join));
    if (p->joined && went_well(p, mez_event_set_callback(p->joined, be_called, p)))
        p->awaited++;
}

static void run(program *p)
{
    const float pattern = 1;
    const size_t size = COUNT * sizeof(float);
    went_well(p, mez_kernel_build(p->saxpy, NULL));
    noop_hold(true); // so that batches fill
    launch(p, p->first, NULL);
    launch(p, p->first, MEZ_TASK(.event = &p->launched));
    if (p->launched)
        went_well(p, mez_copy(p->second, p->x, p->host, size,
                         MEZ_TASK(.wait_for = &p->launched, .wait_count = 1, .event = &p->copied)));
    went_well(p, mez_fill(p->second, p->y, &pattern, sizeof pattern, size, NULL));
    run_operations(p);
    went_well(p, mez_submit(p->first, p->checked, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_PTR(p->x)), NULL));
    for (int i = 0; i < 16; i++)
        launch(p, p->first, NULL);
    run_prepared(p);
    run_again(p);
    went_well(p, mez_queue_flush(p->second));
    noop_hold(false);
    run_host_task(p);
    if (p->copied)
        went_well(p, mez_event_wait(p->copied));
    if (p->joined)
        went_well(p, mez_event_wait(p->joined));
    if (p->joined)
        went_well(p, mez_event_get_status(p->joined));
    mez_event_profile profile;
    if (p->joined)
        went_well(p, mez_event_get_profile(p->joined, &profile));
    went_well(p, mez_queue_wait(p->first));
    launch(p, p->first, NULL); // from recycled lists
    if (p->launched)
        went_well(p, mez_event_wait(p->launched));
    went_well(p, mez_queue_wait(p->first));
    went_well(p, mez_queue_wait_for(p->second, 60000ull * MILLISECOND));
}

static void destroy(program *p)
{
    noop_hold(false);
    mez_event_destroy(&p->launched);
    mez_event_destroy(&p->copied);
    mez_event_destroy(&p->joined);
    mez_event_destroy(&p->repeated);
    mez_launch_destroy(&p->prepared);
    mez_event_destroy(&p->ran);
    mez_queue_destroy(&p->first);
    mez_queue_destroy(&p->second);
    mez_launch_destroy(&p->asserting); // after its queue
    assert_int_equal(atomic_load(&p->called), p->awaited);
    went_well(p, p->heard);
    mez_error_release(p->heard);
    mez_kernel_destroy(&p->saxpy);
    mez_kernel_destroy(&p->checked);
    mez_image_destroy(&p->image);
    if (p->context) {
        went_well(p, mez_free(p->context, p->x));
        went_well(p, mez_free(p->context, p->y));
        went_well(p, mez_free(p->context, p->host));
        went_well(p, mez_free(p->context, p->shared));
    }
    mez_context_destroy(&p->context);
}

static void play(program *p)
{
    *p = (program){0};
    mez_log_set_function(hear, p);
    if (create(p))
        run(p);
    destroy(p);
    mez_log_set_function(NULL, NULL);
}

static program the_program;
static bool in_order; // do the driver's lists keep the order?

static bool on_the_newest; // driver

static void prepare_driver(void)
{
    static const char *const extensions[] = {
        "ZE_experimental_module_program", "ZEX_counter_based_event", NULL};
    struct noop_config config = linking_config();
    if (in_order)
        config.api_version = (ze_api_version_t)ZE_MAKE_VERSION(1, 14);
    if (on_the_newest) {
        config.api_version = (ze_api_version_t)ZE_MAKE_VERSION(1, 17);
        config.driver_version = 1u << 24 | 3u << 16 | 36035;
        config.extensions = extensions;
    }
    noop_reset();
    noop_configure(&config);
}

static void expect_nothing_left(uint64_t n)
{
    if (noop_live_total() != 0)
        fail_msg("failure %llu: %lld objects are left\n%s", (unsigned long long)n,
            (long long)noop_live_total(), the_program.stories);
}

static void expect_a_clean_run(uint64_t n)
{
    prepare_driver();
    play(&the_program);
    if (the_program.errors > 0 || the_program.logged > 0)
        fail_msg("after failure %llu:\n%s", (unsigned long long)n, the_program.stories);
    expect_nothing_left(n);
}

// --- The driver's calls

// A wait that only looks whether a batch has ended may fail unnoticed: the next one reports the failure. That a driver does not
// have a newer function is an answer. An unchanged launch that fails is tried again with all checks.
static bool may_go_unheard(const char *call)
{
    return strcmp(call, "zeFenceHostSynchronize") == 0 ||
           strcmp(call, "zeCommandListHostSynchronize") == 0 ||
           strcmp(call, "zeDriverGetExtensionFunctionAddress") == 0;
}

static const char *nth_call(uint64_t n)
{
    static const char *names[4096];
    const size_t count = noop_log(names, 4096);
    return n <= count && n <= 4096 ? names[n - 1] : "";
}

// The failure is reported, by an error with the driver's own code and a story that names the call. Who waits for an event of a lost
// task gets that error first.
static void expect_reported(uint64_t n, ze_result_t code)
{
    const char *call = nth_call(n);
    const program *p = &the_program;
    const bool reported = p->errors > 0 || p->logged > 0;
    if (!reported && may_go_unheard(call))
        return;
    const bool right = p->errors == 0 || p->first_error.value == (int32_t)code ||
                       mez_error_is(p->first_error, MEZ_ERRC_EVENT);
    if (!reported || !right || !strstr(p->stories, call))
        fail_msg("failure %llu, of %s:\n%s", (unsigned long long)n, call, p->stories);
}

static uint64_t walk_calls(ze_result_t code)
{
    for (uint64_t n = 1;; n++) {
        prepare_driver();
        noop_log_start();
        noop_fail(NULL, n, code);
        play(&the_program);
        expect_nothing_left(n);
        if (noop_fired() == 0)
            return n - 1;
        expect_reported(n, code);
        if (n % 16 == 0)
            expect_a_clean_run(n);
    }
}

static void test_out_of_device_memory(void **state)
{
    (void)state;
    assert_true(walk_calls(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY) > 100);
}

static void test_device_lost(void **state)
{
    (void)state;
    assert_true(walk_calls(ZE_RESULT_ERROR_DEVICE_LOST) > 100);
}

static void test_unknown_error(void **state)
{
    (void)state;
    assert_true(walk_calls(ZE_RESULT_ERROR_UNKNOWN) > 100);
}

// --- The library's allocations

static void walk_allocations(void)
{
    uint64_t n = 1, unheard = 0;
    for (;; n++) {
        prepare_driver();
        mez_alloc_fail_at(n);
        play(&the_program);
        const uint64_t allocations = mez_alloc_fail_at(0);
        expect_nothing_left(n);
        if (allocations < n)
            break;
        if (the_program.errors > 0 &&
            !mez_error_is(the_program.first_error, MEZ_ERRC_OUT_OF_HOST_MEMORY))
            fail_msg("allocation %llu:\n%s", (unsigned long long)n, the_program.stories);
        if (the_program.errors == 0 && the_program.logged == 0)
            unheard++;
        if (n % 64 == 0)
            expect_a_clean_run(n);
    }
    assert_true(n > 60);
    assert_uint_in_range(unheard, 0, 2); // the completion thread's: without it, waits report
}

static void test_no_host_memory(void **state)
{
    (void)state;
    walk_allocations();
}

// --- In-order lists, counter-based events

static void test_the_newest_driver(void **state)
{
    (void)state;
    on_the_newest = true;
    expect_a_clean_run(0);
    assert_true(noop_calls("zexCounterBasedEventCreate2") > 0);
    assert_true(walk_calls(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY) > 100);
    assert_true(walk_calls(ZE_RESULT_ERROR_DEVICE_LOST) > 100);
    walk_allocations();
    on_the_newest = false;
}

// --- Everything fails

static void test_a_driver_that_fails_always(void **state)
{
    (void)state;
    prepare_driver();
    noop_fail_every(NULL, ZE_RESULT_ERROR_DEVICE_LOST);
    play(&the_program);
    assert_int_equal(the_program.errors, 1);
    expect_nothing_left(0);

    // From the middle on.
    prepare_driver();
    the_program = (program){0};
    mez_log_set_function(hear, &the_program);
    assert_true(create(&the_program));
    assert_ok(mez_kernel_build(the_program.saxpy, NULL));
    launch(&the_program, the_program.first, NULL);
    noop_fail_every(NULL, ZE_RESULT_ERROR_DEVICE_LOST);
    run(&the_program);
    assert_true(the_program.errors > 10);
    destroy(&the_program);
    mez_log_set_function(NULL, NULL);
    expect_nothing_left(0);
    expect_a_clean_run(0);
}

// The same walks where the queues are immediate ones.
static int have_in_order_lists(void **state)
{
    (void)state;
    in_order = true;
    return 0;
}

static int have_old_lists(void **state)
{
    (void)state;
    in_order = false;
    return 0;
}

#define IN_ORDER_WALK(name) \
    cmocka_unit_test_setup_teardown(name, have_in_order_lists, have_old_lists)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_ORDER_WALK(test_out_of_device_memory),
        IN_ORDER_WALK(test_device_lost),
        IN_ORDER_WALK(test_no_host_memory),
        IN_ORDER_WALK(test_a_driver_that_fails_always),
        cmocka_unit_test(test_out_of_device_memory),
        cmocka_unit_test(test_device_lost),
        cmocka_unit_test(test_unknown_error),
        cmocka_unit_test(test_no_host_memory),
        cmocka_unit_test(test_the_newest_driver),
        cmocka_unit_test(test_a_driver_that_fails_always),
    };
    expect_a_clean_run(0); // opens Level Zero, which stays open
    return cmocka_run_group_tests(tests, NULL, NULL);
}
