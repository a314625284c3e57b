// SPDX-License-Identifier: MIT
//
// Eight threads allocate, ask, free, and submit, all in one context.

#include "memory.h"

#include <pthread.h>

enum { THREADS = 8, ROUNDS = 300, SLOTS = 16 };

typedef struct worker {
    pthread_t thread;
    mez_context *context;
    unsigned seed;
    unsigned failures; // cmocka's assertions belong to the main thread
} worker;

static unsigned next_random(worker *w)
{
    w->seed = w->seed * 1664525u + 1013904223u;
    return w->seed >> 8;
}

static size_t random_size(worker *w)
{
    static const size_t sizes[] = {1, 64, 100, 4096, 32768, 40000, 200000};
    return sizes[next_random(w) % (sizeof sizes / sizeof *sizes)];
}

static void check(worker *w, bool fine)
{
    w->failures += !fine;
}

static void replace(worker *w, unsigned char **memory, size_t *size)
{
    if (*memory) {
        const unsigned char mine = (unsigned char)(uintptr_t)w;
        mez_memory_info info;
        check(w, (*memory)[0] == mine && (*memory)[*size - 1] == mine);
        check(w, !mez_failed(mez_memory_get_info(w->context, *memory + *size - 1, &info)));
        check(w, info.base == *memory && info.size == *size);
        check(w, !mez_failed(mez_free(w->context, *memory)));
        *memory = NULL;
        return;
    }
    const mez_memory_params params = {.kind = (mez_memory_kind)(next_random(w) % 3),
        .debug_name = next_random(w) % 2 ? "named" : NULL};
    *size = random_size(w);
    *memory = mez_alloc(w->context, &params, *size, NULL);
    check(w, *memory != NULL);
    if (*memory)
        memset(*memory, (int)(unsigned char)(uintptr_t)w, *size);
}

static void submit_and_free(worker *w, mez_queue *queue)
{
    const char zero = 0;
    void *memory = mez_alloc_host(w->context, random_size(w), NULL);
    check(w, memory != NULL);
    if (memory)
        check(w, !mez_failed(mez_fill(queue, memory, &zero, 1, 1, NULL)));
    check(w, !mez_failed(mez_free(w->context, memory)));
}

static void *work(void *argument)
{
    worker *w = argument;
    unsigned char *memory[SLOTS] = {NULL};
    size_t sizes[SLOTS];
    mez_queue *queue;
    check(w, !mez_failed(mez_queue_create(w->context, NULL, &queue)));
    for (int i = 0; i < ROUNDS; i++) {
        const unsigned slot = next_random(w) % SLOTS;
        replace(w, &memory[slot], &sizes[slot]);
        if (i % 8 == 0)
            submit_and_free(w, queue);
        if (i % 50 == 0)
            check(w, !mez_failed(mez_queue_wait(queue)));
    }
    for (unsigned slot = 0; slot < SLOTS; slot++)
        check(w, !mez_failed(mez_free(w->context, memory[slot])));
    mez_queue_destroy(&queue);
    return NULL;
}

static void test_eight_threads(void **state)
{
    (void)state;
    static worker workers[THREADS];
    struct noop_config config = noop_config_default();
    config.flags = ZE_DEVICE_PROPERTY_FLAG_INTEGRATED; // so shared memory is pooled too
    mez_context *context = open_context(&config);
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i] = (worker){.context = context, .seed = i + 1};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        assert_int_equal(workers[i].failures, 0);
    }
    const mez_context_statistics statistics = statistics_of(context);
    const mez_memory_usage *kinds[] = {
        &statistics.device_memory, &statistics.host_memory, &statistics.shared_memory};
    for (int kind = 0; kind < 3; kind++) {
        assert_int_equal(kinds[kind]->allocations, 0);
        assert_int_equal(kinds[kind]->bytes, 0);
        assert_int_equal(kinds[kind]->deferred, 0);
    }
    mez_context_destroy(&context);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {MEMORY_TEST(test_eight_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
