// SPDX-License-Identifier: MIT
//
// A second start runs what the first one compiled, and processes that compile the same at once, or die of it, do no harm. Looks
// inside the library: only the cache knows what was found.

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "cache/cache.h"
#include "device/platform.h"
#include "harness.h"
#include "own_cache.h"

static mez_cache_statistics stats_of(mez_context *context)
{
    mez_cache_statistics stats;
    mez_test_ok(mez_cache_get_statistics(mez_platform_of(context)->cache, &stats));
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
    const mez_cache_statistics stats = stats_of(s->context);
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

// --- Several processes

#define TOGETHER 2
#define KILLS 12

static char folder[] =
    "/tmp/mez-cached-XXXXXX"; // that the tests of this process have to themselves

// A folder of its own for the children, who find its name where every program looks.
static const char *set_cache(const char *name)
{
    static char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    setenv("MEZ_CACHE", path, 1);
    return path;
}

static mez_cache_statistics stats_in(const char *path)
{
    const mez_cache_params params = {.folder = path};
    mez_cache *cache;
    mez_cache_statistics stats;
    mez_test_ok(mez_cache_open(&params, &cache));
    mez_test_ok(mez_cache_get_statistics(cache, &stats));
    mez_cache_close(&cache);
    return stats;
}

// Shared with the children through a file that its variable names.
static pthread_barrier_t *map_barrier(const char *path, int flags)
{
    const int file = open(path, O_RDWR | O_CLOEXEC | flags, 0600);
    assert_true(file >= 0);
    if (flags)
        assert_int_equal(ftruncate(file, sizeof(pthread_barrier_t)), 0);
    void *barrier =
        mmap(NULL, sizeof(pthread_barrier_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    assert_ptr_not_equal(barrier, MAP_FAILED);
    close(file);
    return barrier;
}

static pthread_barrier_t *create_barrier(void)
{
    char path[64];
    snprintf(path, sizeof path, "%s/barrier", folder);
    setenv("MEZ_TEST_BARRIER", path, 1);
    pthread_barrier_t *barrier = map_barrier(path, O_CREAT);
    pthread_barrierattr_t shared;
    pthread_barrierattr_init(&shared);
    pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    assert_int_equal(pthread_barrier_init(barrier, &shared, TOGETHER), 0);
    pthread_barrierattr_destroy(&shared);
    return barrier;
}

static void build_once(void)
{
    start s = open_start("launch", "saxpy");
    run_saxpy(&s);
    close_start(&s);
}

static void build_with_the_others(void)
{
    pthread_barrier_t *barrier = map_barrier(getenv("MEZ_TEST_BARRIER"), 0);
    start s = open_start("launch", "saxpy");
    pthread_barrier_wait(barrier);
    run_saxpy(&s);
    close_start(&s);
    munmap(barrier, sizeof *barrier);
}

static void expect_success(const mez_test_death *death)
{
    if (death->signal || death->exit_code)
        print_error("%s", death->output);
    assert_int_equal(death->signal, 0);
    assert_int_equal(death->exit_code, 0);
}

// What one process leaves is what several leave that all missed it: one of each entry that they stored.
static void processes_that_build_at_once_all_succeed(void **state)
{
    (void)state;
    mez_test_death death;
    const char *cache = set_cache("alone");
    mez_test_run_child("builds once", &death);
    expect_success(&death);
    const mez_cache_statistics alone = stats_in(cache);

    cache = set_cache("together");
    pthread_barrier_t *barrier = create_barrier();
    mez_test_running children[TOGETHER];
    for (int i = 0; i < TOGETHER; i++)
        children[i] = mez_test_start_child("builds with the others");
    for (int i = 0; i < TOGETHER; i++) {
        mez_test_await_child(&children[i], &death);
        expect_success(&death);
    }
    munmap(barrier, sizeof *barrier);
    const mez_cache_statistics together = stats_in(cache);
    assert_true(alone.entries > 0);
    assert_int_equal(together.entries, alone.entries);
    assert_int_equal(together.bytes, alone.bytes);
    assert_true(together.stored >= alone.stored);
    assert_int_equal(together.damaged, 0);
}

static void build_for_ever(void)
{
    for (bool first = true;; first = false) {
        start s = open_start("launch", "saxpy");
        mez_test_ok(mez_cache_clear(mez_platform_of(s.context)->cache, NULL));
        if (first)
            puts("building");
        run_saxpy(&s);
        close_start(&s);
    }
}

static void kill_while_it_builds(int milliseconds)
{
    const struct timespec pause = {.tv_nsec = milliseconds * 1000000L};
    const mez_test_running child = mez_test_start_child("builds for ever");
    mez_test_death death;
    char byte;
    assert_int_equal(read(child.output, &byte, 1), 1);
    nanosleep(&pause, NULL);
    kill(child.process, SIGKILL);
    mez_test_await_child(&child, &death);
    mez_test_check_death(&death, SIGKILL, "");
}

// Renamed when whole: what a kill leaves is not even a damaged entry.
static void who_is_killed_while_he_builds_leaves_no_damage(void **state)
{
    (void)state;
    const char *cache = set_cache("killed");
    for (int i = 0; i < KILLS; i++) {
        kill_while_it_builds(i * 9);
        build_once();
        assert_int_equal(stats_in(cache).damaged, 0);
    }
}

static bool make_folder(void)
{
    const bool made = mkdtemp(folder) != NULL;
    setenv("MEZ_CACHE", folder, 1);
    return made;
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(kernels_run_without_the_compiler),
        MEZ_DEVICE_TEST(asserts_fail_as_before),
        MEZ_DEVICE_TEST(processes_that_build_at_once_all_succeed),
        MEZ_DEVICE_TEST(who_is_killed_while_he_builds_leaves_no_damage),
    };
    static const mez_test_child children[] = {
        {"builds once", build_once},
        {"builds with the others", build_with_the_others},
        {"builds for ever", build_for_ever},
        {NULL, NULL},
    };
    const bool is_child = argc > 1; // which got the folder to use
    if (!is_child && !make_folder())
        return 1;
    const int result = MEZ_TEST_MAIN_WITH(argc, argv, tests, children);
    return is_child || mez_test_remove_folder(folder) ? result : 1;
}
