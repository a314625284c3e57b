// SPDX-License-Identifier: MIT
//
// Many threads: builds at the same time, and one program run by several workers.

#include "engine_harness.h"

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 4, ROUNDS = 3, GROUPS = 64, SIZE = 32 };

static void *build_and_run(void *data)
{
    const char *const *file = data;
    static const float x[SIZE] = {1, 2, 3};
    for (int round = 0; round < ROUNDS; round++) {
        struct zc_program *program = build_file(*file, "");
        float y[SIZE] = {0};
        const struct {
            float *y;
            const float *x;
            float a;
        } blob = {y, x, 2};
        const struct launch launch = {.groups = {1, 1, 1}, .group_size = {SIZE, 1, 1}};
        run(find_kernel(program, "saxpy"), &launch, &blob);
        for (int i = 0; i < SIZE; i++)
            assert_true(y[i] == 2 * x[i]);
        engine->destroy(program);
    }
    return NULL;
}

static void on_all_threads(void *(*work)(void *), void *const data[THREADS])
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, data[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void concurrent_builds(void **state)
{
    (void)state;
    static const char *files[THREADS] = {"basics.O2", "basics.O0", "basics.O2", "basics.O0"};
    void *data[THREADS];
    for (int i = 0; i < THREADS; i++)
        data[i] = &files[i];
    on_all_threads(build_and_run, data);
}

struct share {
    const struct zc_kernel *kernel;
    int *out;
    uint64_t first;
};

static void *run_share(void *data)
{
    const struct share *share = data;
    struct zc_worker *worker = engine->worker_create();
    const struct {
        int *out;
    } blob = {share->out};
    for (uint64_t g = share->first; g < GROUPS; g += THREADS) {
        const struct zc_group group = {.group_id = {g, 0, 0},
            .group_count = {GROUPS, 1, 1},
            .local_size = {SIZE, 1, 1},
            .dimensions = 1};
        assert_true(engine->run_groups(worker, share->kernel, &group, 1, &blob));
    }
    engine->worker_destroy(worker);
    return NULL;
}

// Every group adds to one counter of the program: each work-item must see another value.
static void concurrent_groups(void **state)
{
    (void)state;
    struct zc_program *program = build_file("basics.O2", "");
    int *out = calloc(GROUPS * SIZE, sizeof(*out));
    char *seen = calloc(GROUPS * SIZE, 1);
    struct share shares[THREADS];
    void *data[THREADS];
    for (int i = 0; i < THREADS; i++) {
        shares[i] = (struct share){find_kernel(program, "count_up"), out, (uint64_t)i};
        data[i] = &shares[i];
    }
    on_all_threads(run_share, data);
    for (int i = 0; i < GROUPS * SIZE; i++) {
        const int value = out[i] - 5;
        assert_uint_in_range(value, 0, GROUPS * SIZE - 1);
        assert_int_equal(seen[value], 0);
        seen[value] = 1;
    }
    free(seen);
    free(out);
    engine->destroy(program);
}

int main(int argc, char **argv)
{
    (void)argc;
    open_engine(argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(concurrent_builds),
        cmocka_unit_test(concurrent_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
