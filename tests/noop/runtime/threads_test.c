// SPDX-License-Identifier: MIT
//
// Many threads: one kernel, one queue or several. The sanitizers judge most of it.

#include "runtime.h"

#include <pthread.h>
#include <unistd.h>

#include "base/bytes.h"
#include "container/offload.h"
#include "container/zstd.h"
#include "kernel/kernel.h"

enum { THREADS = 8, ROUNDS = 300 };

typedef struct worker {
    runtime *shared;
    mez_queue *queue;
    mez_launch *launch; // NULL: none is prepared
    mez_error error;    // the first
} worker;

static mez_error submit_one(const worker *w, int round, const mez_task_params *task)
{
    runtime r = *w->shared;
    r.queue = w->queue;
    return w->launch && round % 2 == 0 ? mez_launch_submit(w->launch, task)
                                       : submit_saxpy(&r, task);
}

static mez_error work_once(const worker *w, int round)
{
    runtime r = *w->shared;
    r.queue = w->queue;
    mez_event *event;
    mez_error error = submit_one(w, round, round % 3 == 0 ? MEZ_TASK(.event = &event) : NULL);
    if (!mez_failed(error) && round % 3 == 0) {
        error = mez_event_wait(event);
        mez_event_destroy(&event);
    }
    if (!mez_failed(error) && round % 16 == 0)
        error = mez_queue_wait(r.queue);
    const float value = (float)round;
    if (!mez_failed(error) && w->launch && round % 32 == 0)
        error = mez_launch_set_argument(w->launch, 0, MEZ_ARG(MEZ_VAL(value)));
    return error;
}

static void *work(void *argument)
{
    worker *w = argument;
    for (int i = 0; i < ROUNDS && !mez_failed(w->error); i++)
        w->error = work_once(w, i);
    return NULL;
}

static void run(worker workers[THREADS])
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        assert_ok(workers[i].error);
}

static void test_one_queue(void **state)
{
    runtime *r = *state;
    noop_count_exactly(true);
    worker workers[THREADS];
    for (int i = 0; i < THREADS; i++)
        workers[i] = (worker){.shared = r, .queue = r->queue};
    run(workers);
    assert_ok(mez_queue_wait(r->queue));
    assert_int_equal(noop_launches(), THREADS * ROUNDS);
}

// One prepared launch, changed while others submit it.
static void test_one_prepared_launch(void **state)
{
    runtime *r = *state;
    const float a = 2;
    mez_launch *launch;
    noop_count_exactly(true);
    assert_ok(mez_launch_create(r->queue, r->saxpy, MEZ_RANGE(COUNT),
        MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(r->x), MEZ_PTR(r->y)), &launch));
    worker workers[THREADS];
    for (int i = 0; i < THREADS; i++)
        workers[i] = (worker){.shared = r, .queue = r->queue, .launch = launch};
    run(workers);
    assert_ok(mez_queue_wait(r->queue));
    mez_launch_destroy(&launch);
    assert_int_equal(noop_launches(), THREADS * ROUNDS);
}

static void test_a_queue_each(void **state)
{
    runtime *r = *state;
    noop_count_exactly(true);
    worker workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){.shared = r};
        assert_ok(mez_queue_create(r->context, NULL, &workers[i].queue));
    }
    run(workers);
    for (int i = 0; i < THREADS; i++) {
        assert_ok(mez_queue_wait(workers[i].queue));
        mez_queue_destroy(&workers[i].queue);
    }
    assert_int_equal(noop_launches(), THREADS * ROUNDS);
}

// Who needs the module first builds it, the others wait for that.
static void *build(void *argument)
{
    worker *w = argument;
    w->error = mez_kernel_build(w->shared->saxpy, NULL);
    return NULL;
}

static void test_built_once_by_many(void **state)
{
    runtime *r = *state;
    noop_count_exactly(true);
    mez_kernel_destroy(&r->saxpy);
    r->saxpy = load_kernel(r->context, "kernels.spv", "saxpy");
    const uint64_t before = noop_calls("zeModuleCreate");
    pthread_t threads[THREADS];
    worker workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){.shared = r};
        assert_int_equal(pthread_create(&threads[i], NULL, build, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_ok(workers[i].error);
    }
    assert_int_equal(noop_calls("zeModuleCreate"), before + 1);
}

// One event, many waiters.
static void *wait_for_it(void *event)
{
    return mez_failed(mez_event_wait(event)) ? event : NULL;
}

static void test_many_wait_for_one_event(void **state)
{
    runtime *r = *state;
    mez_event *event;
    pthread_t threads[THREADS];
    noop_hold(true);
    assert_ok(submit_saxpy(r, NULL));
    assert_ok(submit_saxpy(r, MEZ_TASK(.event = &event)));
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, wait_for_it, event), 0);
    noop_hold(false);
    for (int i = 0; i < THREADS; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
    mez_event_destroy(&event);
}

// Events outlive their queue: threads wait for them while it is destroyed. Every other one can be waited for only through the queue.
static void wait_while_destroyed(runtime *r, const mez_queue_params *params)
{
    mez_event *events[THREADS];
    pthread_t threads[THREADS];
    runtime other = *r;
    assert_ok(mez_queue_create(r->context, params, &other.queue));
    noop_hold(true);
    for (int i = 0; i < THREADS; i++) {
        assert_ok(submit_saxpy(&other, MEZ_TASK(.event = &events[i], .device_event = i % 2 == 0)));
        assert_int_equal(pthread_create(&threads[i], NULL, wait_for_it, events[i]), 0);
    }
    noop_hold(false);
    mez_queue_destroy(&other.queue);
    for (int i = 0; i < THREADS; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        assert_null(failed);
        mez_event_destroy(&events[i]);
    }
}

static void test_events_of_a_queue_being_destroyed(void **state)
{
    static const mez_queue_kind kinds[] = {
        MEZ_QUEUE_ANY, MEZ_QUEUE_BATCHED, MEZ_QUEUE_BASIC, MEZ_QUEUE_ADAPTIVE};
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
        for (int i = 0; i < ROUNDS; i++)
            wait_while_destroyed(*state, &(mez_queue_params){.kind = kinds[kind],
                                             .order = i % 2 ? MEZ_OUT_OF_ORDER : MEZ_IN_ORDER});
}

// A producer faster than the device is held back, and goes on when the device does.
static void *produce(void *argument)
{
    worker *w = argument;
    for (int i = 0; i < 2000 && !mez_failed(w->error); i++)
        w->error = submit_nothing(w->shared, NULL);
    return NULL;
}

static void test_a_fast_producer_is_held_back(void **state)
{
    worker w = {.shared = *state};
    pthread_t thread;
    noop_hold(true);
    assert_int_equal(pthread_create(&thread, NULL, produce, &w), 0);
    for (int i = 0; noop_pending() < 32 && i < 10000; i++)
        usleep(1000);
    usleep(20000); // time to go too far
    assert_int_equal(noop_pending(), 32);
    noop_release(1);
    for (int i = 0; noop_pending() < 32 && i < 10000; i++)
        usleep(1000);
    assert_int_equal(noop_pending(), 32);
    noop_hold(false);
    pthread_join(thread, NULL);
    assert_ok(w.error);
}

// Asserting kernels bring the completion thread in: it and the user's waits see the same batches end.
static void test_with_the_completion_thread(void **state)
{
    runtime *r = *state;
    int *memory = mez_alloc_shared(r->context, COUNT * sizeof *memory, NULL);
    mez_kernel *checked = load_kernel(r->context, "asserts.spv", "checked");
    for (int i = 0; i < ROUNDS; i++) {
        mez_event *event;
        assert_ok(mez_submit(r->queue, checked, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_PTR(memory)),
            MEZ_TASK(.event = &event)));
        if (i % 3 == 0)
            assert_ok(mez_event_wait(event));
        mez_event_destroy(&event);
        if (i % 16 == 0)
            assert_ok(mez_queue_wait(r->queue));
    }
    mez_queue_destroy(&r->queue);
    mez_kernel_destroy(&checked);
    assert_ok(mez_free(r->context, memory));
}

// --- Images

enum { PARTS = 64 };

// Each part is packed, and says that it has the kernel "shared" and one of its own, so that it is not unpacked before somebody asks.
static mez_image *create_packed_parts(mez_context *context)
{
    mez_offload_entry entries[PARTS];
    mez_offload_string symbols[PARTS];
    char names[PARTS][32];
    mez_bytes packed = {0}, container = {0};
    mez_image *image;
    size_t size;
    const void *code = bytes_of("kernels.spv", &size);
    assert_ok(mez_zstd_pack(code, size, &packed));
    for (int i = 0; i < PARTS; i++) {
        const int length = snprintf(names[i], sizeof names[i], "shared%cown_%d%c", 0, i, 0);
        symbols[i] = (mez_offload_string){MEZ_KEY_SYMBOLS, names[i], (size_t)length};
        entries[i] = (mez_offload_entry){.offload_kind = MEZ_OFFLOAD_SYCL,
            .strings = &symbols[i],
            .string_count = 1,
            .image = packed.data,
            .image_size = packed.size};
    }
    assert_ok(mez_offload_write(entries, PARTS, NULL, &container));
    assert_ok(mez_image_create(
        context, &(mez_image_params){.code = container.data, .size = container.size}, &image));
    mez_bytes_finish(&container);
    mez_bytes_finish(&packed);
    return image;
}

typedef struct unpacking {
    mez_image *image;
    atomic_bool over;
} unpacking;

// The code does not have the kernels, which is logged; it has been unpacked for that.
static void *unpack_all(void *argument)
{
    unpacking *it = argument;
    for (int i = 0; i < PARTS; i++) {
        mez_kernel *kernel;
        char name[32];
        snprintf(name, sizeof name, "own_%d", i);
        mez_error_ignore(mez_kernel_create(it->image, name, &kernel));
        mez_kernel_get_argument_count(kernel);
        mez_kernel_destroy(&kernel);
    }
    atomic_store(&it->over, true);
    return NULL;
}

static void ignore(void *user, mez_log_level level, const char *topic, const char *message)
{
    (void)user, (void)level, (void)topic, (void)message;
}

static void expect_all_parts(mez_context *context)
{
    unpacking it = {.image = create_packed_parts(context)};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, unpack_all, &it), 0);
    while (!atomic_load(&it.over)) {
        mez_kernel *kernel;
        assert_ok(mez_kernel_create(it.image, "shared", &kernel));
        assert_int_equal(kernel->code_count, PARTS);
        mez_kernel_destroy(&kernel);
    }
    pthread_join(thread, NULL);
    mez_image_destroy(&it.image);
}

static void test_kernels_of_parts_that_are_unpacked(void **state)
{
    runtime *r = *state;
    mez_log_set_function(ignore, NULL);
    for (int i = 0; i < 20; i++)
        expect_all_parts(r->context);
    mez_log_set_function(NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_TEST(test_one_queue),
        IN_ORDER_TEST(test_one_queue),
        RUNTIME_TEST(test_one_prepared_launch),
        IN_ORDER_TEST(test_one_prepared_launch),
        RUNTIME_TEST(test_a_queue_each),
        IN_ORDER_TEST(test_a_queue_each),
        RUNTIME_TEST(test_built_once_by_many),
        RUNTIME_TEST(test_many_wait_for_one_event),
        RUNTIME_TEST(test_events_of_a_queue_being_destroyed),
        IN_ORDER_TEST(test_events_of_a_queue_being_destroyed),
        RUNTIME_TEST(test_a_fast_producer_is_held_back),
        RUNTIME_TEST(test_kernels_of_parts_that_are_unpacked),
        cmocka_unit_test_setup_teardown(
            test_with_the_completion_thread, runtime_setup_linking, runtime_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
