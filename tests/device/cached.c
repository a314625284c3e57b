// SPDX-License-Identifier: MIT
//
// A second start runs what the first one compiled. Looks inside the library: only the cache knows what was found.

#include <stdio.h>
#include <sys/stat.h>

#include "cache/cache.h"
#include "device/platform.h"
#include "harness.h"

static mez_cache_stats stats_of(mez_context *context)
{
    mez_cache_stats stats;
    mez_test_ok(mez_cache_get_stats(mez_platform_of(context)->cache, &stats));
    return stats;
}

typedef struct start {
    mez_context *context;
    mez_queue *queue;
    mez_kernel *kernel;
} start;

static start open_start(const char *file, const char *kernel)
{
    start s;
    const mez_queue_params params = {.asserts = {.policy = MEZ_ASSERT_ERROR}};
    mez_test_ok(mez_context_create(NULL, &s.context));
    mez_test_ok(mez_queue_create(s.context, &params, &s.queue));
    mez_test_ok(mez_kernel_load(s.context, mez_test_kernel_path(file), kernel, &s.kernel));
    return s;
}

static void close_start(start *s)
{
    mez_kernel_destroy(&s->kernel);
    mez_queue_destroy(&s->queue);
    mez_context_destroy(&s->context);
}

// The cache is the second start's own: what it counts is what the first one left.
static void expect_hits(start *s, uint64_t stored, uint64_t hits)
{
    const mez_cache_stats stats = stats_of(s->context);
    assert_true(stats.stored >= stored);
    assert_true(stats.hits >= hits);
}

static void run_saxpy(start *s)
{
    const float a = 3.0f;
    float *x = mez_alloc_shared(s->context, 64 * sizeof *x, NULL);
    float *y = mez_alloc_shared(s->context, 64 * sizeof *y, NULL);
    for (int i = 0; i < 64; i++)
        x[i] = y[i] = (float)i;
    mez_test_ok(mez_submit(
        s->queue, s->kernel, MEZ_RANGE(64), MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(x), MEZ_PTR(y)), NULL));
    mez_test_ok(mez_queue_wait(s->queue));
    for (int i = 0; i < 64 && mez_test_has("results"); i++)
        assert_true(y[i] == 4.0f * (float)i);
    mez_test_ok(mez_free(s->context, x));
    mez_test_ok(mez_free(s->context, y));
}

static void kernels_run_without_the_compiler(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 3; i++) {
        start s = open_start("launch", "saxpy");
        const uint64_t before = stats_of(s.context).misses;
        run_saxpy(&s);
        if (i > 0)
            assert_int_equal(stats_of(s.context).misses, before);
        expect_hits(&s, 1, i);
        close_start(&s);
    }
}

// The record of failed asserts is found in what was kept.
static void asserts_fail_as_before(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 2; i++) {
        start s = open_start("asserts_direct", "fails_thrice");
        const int32_t limit = 1000, one = 4;
        int32_t *values = mez_alloc_shared(s.context, 2000 * sizeof *values, NULL);
        mez_test_ok(mez_submit(s.queue, s.kernel, MEZ_ND_RANGE(MEZ_SIZE(2000), MEZ_SIZE(8)),
            MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(limit), MEZ_VAL(one)), NULL));
        const mez_error error = mez_queue_wait(s.queue);
        if (mez_test_has("results"))
            mez_test_fails(error, MEZ_ERRC_ASSERT);
        expect_hits(&s, 0, i);
        mez_test_ok(mez_free(s.context, values));
        close_start(&s);
    }
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(kernels_run_without_the_compiler),
        MEZ_DEVICE_TEST(asserts_fail_as_before),
    };
    char folder[] = "/tmp/mez-cached-XXXXXX", command[64];
    if (!mkdtemp(folder))
        return 1;
    setenv("MEZ_CACHE", folder, 1);
    const int result = MEZ_TEST_MAIN(argc, argv, tests);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 ? result : 1;
}
