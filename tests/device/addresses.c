// SPDX-License-Identifier: MIT
//
// Pointers that kernels are given: all that the device reaches works, and the rest is refused before anything runs.

#include "harness.h"

#include <pthread.h>

#include "random.h"

enum { COUNT = 16, SMALL = 100, LARGE = 1 << 20 };

static const float factor = 2;

static mez_error launch(mez_queue *queue, mez_kernel *saxpy, const void *x, float *y)
{
    return mez_submit(
        queue, saxpy, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_VAL(factor), MEZ_PTR(x), MEZ_PTR(y)), NULL);
}

static bool reaches_all_memory(void)
{
    return mez_device_has_aspect(mez_test_device(), "usm_system_allocations");
}

// With the words in the story.
static void refused(mez_error error, const char *words)
{
    char story[2000];
    mez_test_fails(error, MEZ_ERRC_KERNEL_ARGUMENT);
    mez_error_get_story(error, story, sizeof story);
    if (!strstr(story, words))
        fail_msg("\"%s\" is not in: %s", words, story);
}

static void anywhere_in_an_allocation(void **state)
{
    mez_queue *queue = *state;
    mez_kernel *saxpy = mez_test_kernel("launch", "saxpy");
    float *y = mez_test_shared(COUNT * sizeof *y);
    for (int kind = MEZ_MEMORY_HOST; kind <= MEZ_MEMORY_SHARED; kind++) {
        float *x = mez_test_alloc((mez_memory_kind)kind, 4 * COUNT * sizeof *x);
        memset(y, 0, COUNT * sizeof *y);
        for (int i = 0; i < 4 * COUNT; i++)
            x[i] = (float)i;
        for (int part = 0; part < 4; part++)
            mez_test_ok(launch(queue, saxpy, x + part * COUNT, y));
        mez_test_ok(mez_queue_wait(queue));
        for (int i = 0; i < COUNT && mez_test_has("results"); i++)
            assert_true(y[i] == factor * (float)(4 * i + 6 * COUNT));
        mez_test_free(x);
    }
    mez_test_free(y);
    mez_kernel_destroy(&saxpy);
}

static void memory_of_the_host(void **state)
{
    mez_queue *queue = *state;
    mez_kernel *saxpy = mez_test_kernel("launch", "saxpy");
    float *y = mez_test_shared(COUNT * sizeof *y);
    float on_stack[COUNT], *all_heap = calloc(LARGE, 1);
    assert_non_null(all_heap);
    // Drivers that use malloc may have an allocation that ends where it starts.
    float *heap = all_heap + LARGE / 2 / sizeof *heap;
    for (int i = 0; i < COUNT; i++)
        y[i] = on_stack[i] = heap[i] = 1;
    if (reaches_all_memory()) {
        mez_test_ok(launch(queue, saxpy, on_stack, y));
        mez_test_ok(launch(queue, saxpy, heap, y));
        mez_test_ok(mez_queue_wait(queue));
        for (int i = 0; i < COUNT && mez_test_has("results"); i++)
            assert_true(y[i] == 5);
    } else {
        refused(launch(queue, saxpy, on_stack, y), "on the stack of the calling thread");
        refused(launch(queue, saxpy, heap, y), "in the program's ordinary memory");
        mez_test_ok(mez_queue_wait(queue));
        assert_true(y[0] == 1); // nothing ran
    }
    free(all_heap);
    mez_test_free(y);
    mez_kernel_destroy(&saxpy);
}

static void freed_memory(void **state)
{
    mez_queue *queue = *state;
    mez_kernel *saxpy = mez_test_kernel("launch", "saxpy");
    float *y = mez_test_shared(COUNT * sizeof *y);
    float *other = mez_test_alloc(MEZ_MEMORY_DEVICE, SMALL); // keeps the pool's memory
    float *x = mez_test_alloc(MEZ_MEMORY_DEVICE, SMALL);
    mez_test_ok(launch(queue, saxpy, x, y));
    mez_test_ok(launch(queue, saxpy, other, y));
    mez_test_ok(mez_queue_wait(queue));
    mez_test_free(x);
    refused(launch(queue, saxpy, x, y), "freed memory: an allocation of 100 bytes, made at ");
    refused(launch(queue, saxpy, (char *)other + SMALL + 1, y),
        "1 bytes beyond the end of an allocation of 100 bytes, made at ");
    mez_test_ok(launch(queue, saxpy, other, y));
    mez_test_ok(mez_queue_wait(queue));
    mez_test_free(other);
    mez_test_free(y);
    mez_kernel_destroy(&saxpy);
}

static void another_context(void **state)
{
    mez_queue *queue = *state;
    mez_context *context;
    mez_test_ok(mez_context_create(NULL, &context));
    mez_kernel *saxpy = mez_test_kernel("launch", "saxpy");
    float *y = mez_test_shared(COUNT * sizeof *y);
    float *x = mez_alloc_host(context, SMALL, NULL);
    assert_non_null(x);
    refused(launch(queue, saxpy, x, y),
        "memory of another context, 0 bytes into an allocation of 100 bytes, made at ");
    mez_free(context, x);
    mez_context_destroy(&context);
    mez_test_free(y);
    mez_kernel_destroy(&saxpy);
}

// --- Random allocations, frees and launches in threads

enum { THREADS = 4, ROUNDS = 1500, HELD = 12 };

typedef struct held {
    char *base; // NULL: none
    size_t size;
} held;

// Who allocates or frees holds it for writing; who must know what is alive, for reading.
static pthread_rwlock_t books = PTHREAD_RWLOCK_INITIALIZER;
static held all[THREADS][HELD];

typedef struct worker {
    uint64_t random;
    held *own;
    mez_queue *queue;
    mez_launch *launch; // of saxpy
    float *y;
    char *freed;
} worker;

static bool is_alive(const char *address)
{
    for (int i = 0; i < THREADS * HELD; i++) {
        const held *one = &all[i / HELD][i % HELD];
        if (one->base && (uintptr_t)address - (uintptr_t)one->base <= one->size)
            return true;
    }
    return false;
}

// Small ones of odd sizes, which leave room behind them, and some of the driver's own.
static void replace(worker *w, held *one)
{
    const uint32_t large = mez_test_random_below(&w->random, 8) == 0;
    const size_t size = 65 + 2 * mez_test_random_below(&w->random, large ? 100000 : 2000);
    pthread_rwlock_wrlock(&books);
    if (one->base) {
        w->freed = one->base + mez_test_random_below(&w->random, 64);
        mez_test_free(one->base);
    }
    one->base = mez_test_alloc((mez_memory_kind)mez_test_random_below(&w->random, 3), size);
    one->size = size;
    pthread_rwlock_unlock(&books);
}

static mez_error set(worker *w, const void *address)
{
    return mez_launch_set_argument(w->launch, 1, MEZ_ARG(MEZ_PTR(address)));
}

// A kernel reads there.
static void run_in(worker *w, const held *one)
{
    const size_t last = one->size - COUNT * sizeof(float);
    const size_t offset = mez_test_random_below(&w->random, (uint32_t)last + 1) & ~(size_t)3;
    mez_test_ok(set(w, one->base + offset));
    mez_test_ok(mez_launch_submit(w->launch, NULL));
}

// What is empty may end where nothing else begins. Intel's driver 22.43 refuses that itself, newer ones take it.
static void try_end(worker *w, const held *one)
{
    const mez_error error = set(w, one->base + one->size);
    if (mez_error_get_category(error) != MEZ_CATEGORY_LEVEL_ZERO)
        mez_test_ok(error);
}

static void try_wrong(worker *w, const held *one)
{
    const float item = 0;
    try_end(w, one);
    if ((one->size + 1) % 64 != 0 && one->size < 32768)
        mez_test_fails(set(w, one->base + one->size + 1), MEZ_ERRC_KERNEL_ARGUMENT);
    if (reaches_all_memory())
        return;
    mez_test_fails(set(w, &item), MEZ_ERRC_KERNEL_ARGUMENT);
    mez_test_fails(set(w, w), MEZ_ERRC_KERNEL_ARGUMENT);
    pthread_rwlock_rdlock(&books);
    if (w->freed && is_alive(w->freed))
        mez_test_ok(set(w, w->freed));
    else if (w->freed)
        mez_test_fails(set(w, w->freed), MEZ_ERRC_KERNEL_ARGUMENT);
    pthread_rwlock_unlock(&books);
    mez_test_ok(set(w, one->base));
}

static void *work(void *argument)
{
    worker *w = argument;
    for (int i = 0; i < HELD; i++)
        replace(w, &w->own[i]);
    for (int i = 0; i < ROUNDS; i++) {
        held *one = &w->own[mez_test_random_below(&w->random, HELD)];
        const uint32_t choice = mez_test_random_below(&w->random, 8);
        if (choice < 2)
            replace(w, one);
        else if (choice < 4)
            try_wrong(w, one);
        else
            run_in(w, one);
    }
    mez_test_ok(mez_queue_wait(w->queue));
    return NULL;
}

static void start(worker *w, int number, mez_kernel *saxpy)
{
    *w = (worker){.random = (uint64_t)number, .own = all[number]};
    const mez_queue_params params = {
        .kind = number == 2 ? MEZ_QUEUE_BATCHED : (mez_queue_kind)0,
        .order = number == 3 ? MEZ_OUT_OF_ORDER : MEZ_IN_ORDER,
    };
    mez_test_ok(mez_queue_create(mez_test_context(), &params, &w->queue));
    w->y = mez_test_shared(COUNT * sizeof *w->y);
    mez_test_ok(mez_launch_create(w->queue, saxpy, MEZ_RANGE(COUNT),
        MEZ_ARGS(MEZ_VAL(factor), MEZ_PTR(w->y), MEZ_PTR(w->y)), &w->launch));
}

static void finish(worker *w)
{
    for (int i = 0; i < HELD; i++)
        mez_test_free(w->own[i].base);
    memset(w->own, 0, HELD * sizeof *w->own);
    mez_launch_destroy(&w->launch);
    mez_queue_destroy(&w->queue);
    mez_test_free(w->y);
}

static void random_pointers_in_threads(void **state)
{
    (void)state;
    mez_kernel *saxpy = mez_test_kernel("launch", "saxpy");
    worker workers[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        start(&workers[i], i, saxpy);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        finish(&workers[i]);
    mez_kernel_destroy(&saxpy);
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(anywhere_in_an_allocation),
        MEZ_DEVICE_TEST(memory_of_the_host),
        MEZ_DEVICE_TEST(freed_memory),
        MEZ_DEVICE_TEST(another_context),
        MEZ_DEVICE_TEST(random_pointers_in_threads),
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
