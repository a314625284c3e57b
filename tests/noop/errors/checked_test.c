// SPDX-License-Identifier: MIT
//
// Checked contexts: writes beside allocations and into freed memory are found, freed memory is kept back and known as freed, and
// ranges of all operations are checked.

#include "tasks.h"

#include <pthread.h>
#include <stdlib.h>

#include "context/context.h"
#include "memory/memory.h"

enum { BYTES = COUNT * sizeof(float), SMALL = 100 };

static const float factor = 2;

static int setup_with(void **state, const char *value)
{
    setenv("MEZ_CHECK", value, 1);
    const int failed = tasks_setup(state);
    unsetenv("MEZ_CHECK");
    return failed;
}

static int setup(void **state)
{
    return setup_with(state, "1");
}

// Room for the fences of little more than one small allocation.
static int setup_little(void **state)
{
    return setup_with(state, "1K");
}

static int setup_batched(void **state)
{
    const int failed = setup(state);
    if (!failed)
        tasks_batch(*state);
    return failed;
}

#define REFUSED(error, words) assert_story(error, MEZ_ERRC_INVALID_PARAMETER, words)
#define REFUSED_ARGUMENT(error, words) assert_story(error, MEZ_ERRC_KERNEL_ARGUMENT, words)
#define FOUND(error, words) assert_story(error, MEZ_ERRC_STRAY_WRITE, words)

static const mez_memory_kind kinds[] = {MEZ_MEMORY_HOST, MEZ_MEMORY_SHARED};

static char *get(mez_context *context, mez_memory_kind kind, size_t size)
{
    mez_error error;
    char *memory = mez_alloc(context, &(const mez_memory_params){.kind = kind}, size, &error);
    assert_ok(error);
    memset(memory, 0, size);
    return memory;
}

static uint64_t stray_writes(mez_context *context)
{
    mez_context_statistics statistics;
    mez_context_get_statistics(context, &statistics);
    return statistics.stray_writes;
}

static mez_error launch(const tasks *t, const void *x)
{
    return mez_submit(t->r->queue, t->r->saxpy, MEZ_RANGE(COUNT),
        MEZ_ARGS(MEZ_VAL(factor), MEZ_PTR(x), MEZ_PTR(t->r->y)), NULL);
}

// --- Fences

// What is written beside is put right again, so that the next case starts well.
static void test_fences_at_free(void **state)
{
    const tasks *t = *state;
    static const size_t sizes[] = {1, 63, 64, SMALL, 32 << 10, (32 << 10) + 1, 1 << 20};
    uint64_t found = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int kind = 0; kind < 2; kind++) {
            const size_t size = sizes[i];
            const long places[] = {-256, -1, (long)size, (long)size + 255};
            for (int place = 0; place < 4; place++) {
                char *memory = get(t->r->context, kinds[kind], size);
                char words[100];
                memory[places[place]] = 1;
                snprintf(words, sizeof words,
                    "an allocation of %zu bytes was written, from offset %ld on", size,
                    places[place]);
                assert_story(mez_free(t->r->context, memory), MEZ_ERRC_STRAY_WRITE, words);
                assert_int_equal(stray_writes(t->r->context), ++found);
            }
            assert_ok(mez_free(t->r->context, get(t->r->context, kinds[kind], size)));
        }
    }
    assert_int_equal(stray_writes(t->r->context), found);
}

static void test_the_story(void **state)
{
    const tasks *t = *state;
    const mez_memory_params params = {.kind = MEZ_MEMORY_SHARED, .debug_name = "halo"};
    char *memory = mez_alloc(t->r->context, &params, BYTES, NULL);
    assert_ok(launch(t, memory));
    assert_ok(mez_queue_wait(t->r->queue));
    memory[BYTES + 4] = 1;
    const mez_error error = mez_free(t->r->context, memory);
    FOUND(error,
        "mezzanine: memory behind the end of an allocation of 256 bytes was written, from offset "
        "260 on");
    FOUND(error, "allocation: shared memory, \"halo\", made at ");
    FOUND(error, "checked_test.c:");
    FOUND(error, ", freed at ");
    FOUND(error, "given to kernels: \"saxpy\"");
}

// However often it was given the memory.
static void test_a_kernel_is_named_once(void **state)
{
    const tasks *t = *state;
    char story[2000], *memory = get(t->r->context, MEZ_MEMORY_HOST, BYTES);
    for (int i = 0; i < 3; i++) {
        assert_ok(launch(t, memory));
        for (int other = 0; other < 3; other++) // more than an argument remembers
            assert_ok(launch(t, get(t->r->context, MEZ_MEMORY_HOST, BYTES)));
    }
    assert_ok(mez_queue_wait(t->r->queue));
    memory[BYTES] = 1;
    mez_error_get_story(mez_free(t->r->context, memory), story, sizeof story);
    const char *first = strstr(story, "\"saxpy\"");
    assert_non_null(first);
    assert_null(strstr(first + 1, "\"saxpy\""));
}

static void test_alignment(void **state)
{
    const tasks *t = *state;
    for (size_t alignment = 1; alignment <= 1 << 21; alignment *= 2) {
        const mez_memory_params params = {.kind = MEZ_MEMORY_HOST, .alignment = alignment};
        char *memory = mez_alloc(t->r->context, &params, SMALL, NULL);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % alignment, 0);
        if (alignment <= 4096)
            memory[-1] = 1;
        else
            memory[SMALL] = 1;
        assert_story(mez_free(t->r->context, memory), MEZ_ERRC_STRAY_WRITE,
            alignment <= 4096 ? "before the start" : "behind the end");
    }
}

// A wait returns each once, the free no more. Shared memory that the driver may move is looked at when it is freed.
static void test_fences_at_waits(void **state)
{
    const tasks *t = *state;
    t->r->context->platform.devices[0].shares_finely = true;
    for (int kind = 0; kind < 2; kind++) {
        char *one = get(t->r->context, kinds[kind], SMALL);
        char *other = get(t->r->context, kinds[kind], SMALL);
        one[SMALL] = other[-1] = 1;
        assert_ok(launch(t, t->r->x));
        mez_error errors[2] = {mez_queue_wait(t->r->queue)};
        assert_true(mez_queue_take_error(t->r->queue, &errors[1]));
        FOUND(errors[0], "an allocation of 100 bytes was written");
        FOUND(errors[1], "an allocation of 100 bytes was written");
        assert_false(mez_queue_take_error(t->r->queue, &errors[1]));
        assert_ok(launch(t, t->r->x));
        assert_ok(mez_queue_wait(t->r->queue));
        assert_ok(mez_free(t->r->context, one));
        assert_ok(mez_free(t->r->context, other));
    }
    assert_int_equal(stray_writes(t->r->context), 4);
    t->r->context->platform.devices[0].shares_finely = false;
    char *moved = get(t->r->context, MEZ_MEMORY_SHARED, SMALL);
    moved[SMALL] = 1;
    assert_ok(launch(t, t->r->x));
    assert_ok(mez_queue_wait(t->r->queue));
    assert_story(mez_free(t->r->context, moved), MEZ_ERRC_STRAY_WRITE, "from offset 100 on");
}

// A free that waits for tasks has no call left: the wait that ends it returns what is found.
static void test_late_frees(void **state)
{
    const tasks *t = *state;
    char *memory = get(t->r->context, MEZ_MEMORY_HOST, SMALL);
    noop_hold(true);
    assert_ok(launch(t, memory));
    memory[SMALL] = 1;
    assert_ok(mez_free(t->r->context, memory));
    REFUSED_ARGUMENT(launch(t, memory), "freed memory: an allocation of 100 bytes");
    assert_int_equal(stray_writes(t->r->context), 0);
    noop_hold(false);
    assert_story(
        mez_queue_wait_for(t->r->queue, MEZ_FOREVER), MEZ_ERRC_STRAY_WRITE, "from offset 100 on");
    assert_int_equal(stray_writes(t->r->context), 1);
}

// --- The quarantine

static void test_freed_memory(void **state)
{
    const tasks *t = *state;
    for (int kind = 0; kind < 2; kind++) {
        char *memory = get(t->r->context, kinds[kind], SMALL);
        assert_ok(launch(t, memory));
        assert_ok(mez_queue_wait(t->r->queue));
        assert_ok(mez_free(t->r->context, memory));
        assert_true((unsigned char)memory[0] == 0xfb && (unsigned char)memory[SMALL - 1] == 0xfb);
        // The same pointer as the last launch's.
        REFUSED_ARGUMENT(launch(t, memory), "freed memory: an allocation of 100 bytes, made at ");
        REFUSED_ARGUMENT(launch(t, memory + SMALL - 1), ", freed at ");
        REFUSED(mez_free(t->r->context, memory),
            "pointer: freed memory: an allocation of 100 bytes, made at ");
        REFUSED(mez_fill(t->r->queue, memory, "", 1, 1, NULL), "where no allocation is");
    }
}

static void test_prepared_and_recorded(void **state)
{
    const tasks *t = *state;
    char *memory = get(t->r->context, MEZ_MEMORY_SHARED, BYTES);
    mez_launch *prepared;
    mez_recording *launches, *copies;
    assert_ok(mez_launch_create(t->r->queue, t->r->saxpy, MEZ_RANGE(COUNT),
        MEZ_ARGS(MEZ_VAL(factor), MEZ_PTR(memory), MEZ_PTR(t->r->y)), &prepared));
    assert_ok(mez_recording_create(t->r->context, NULL, &launches));
    assert_ok(mez_recording_create(t->r->context, NULL, &copies));
    assert_ok(mez_record_submit(launches, t->r->saxpy, MEZ_RANGE(COUNT),
        MEZ_ARGS(MEZ_VAL(factor), MEZ_PTR(memory), MEZ_PTR(t->r->y)), NULL, NULL));
    assert_ok(mez_record_copy(copies, memory, t->r->x, BYTES, NULL, NULL));
    assert_ok(mez_launch_submit(prepared, NULL));
    assert_ok(mez_replay(t->r->queue, launches, NULL));
    assert_ok(mez_replay(t->r->queue, copies, NULL));
    assert_ok(mez_queue_wait(t->r->queue));
    assert_ok(mez_free(t->r->context, memory));
    REFUSED_ARGUMENT(mez_launch_submit(prepared, NULL), "freed memory");
    REFUSED_ARGUMENT(mez_replay(t->r->queue, launches, NULL), "freed memory");
    REFUSED(mez_replay(t->r->queue, copies, NULL), "its first byte: freed memory");
    mez_launch_destroy(&prepared);
    mez_recording_destroy(&launches);
    mez_recording_destroy(&copies);
}

// What has to leave makes room for so many others.
static void test_leaving(void **state)
{
    const tasks *t = *state;
    char *first = get(t->r->context, MEZ_MEMORY_HOST, SMALL);
    char *second = get(t->r->context, MEZ_MEMORY_HOST, SMALL);
    assert_ok(mez_free(t->r->context, first));
    REFUSED(mez_fill(t->r->queue, first, "", 1, 1, NULL), "freed memory");
    first[7] = 1;
    assert_story(mez_free(t->r->context, second), MEZ_ERRC_STRAY_WRITE,
        "freed memory was written: an allocation of 100 bytes, from offset 7 on");
    REFUSED(mez_fill(t->r->queue, second, "", 1, 1, NULL), "freed memory");
    assert_ok(mez_free(t->r->context, get(t->r->context, MEZ_MEMORY_HOST, SMALL)));
    assert_ok(mez_free(t->r->context, get(t->r->context, MEZ_MEMORY_HOST, 1 << 20)));
    assert_int_equal(stray_writes(t->r->context), 1);
}

static void test_many(void **state)
{
    const tasks *t = *state;
    static char *all[2000];
    static const int counts[] = {1, 16, 17, 2000};
    for (int round = 0; round < 4; round++) {
        const int count = counts[round];
        for (int i = 0; i < count; i++)
            all[i] = get(t->r->context, kinds[i % 2], SMALL + (size_t)i % 7);
        for (int i = 0; i < count; i++)
            assert_ok(mez_free(t->r->context, all[i]));
        for (int i = 0; i < count; i++)
            REFUSED_ARGUMENT(launch(t, all[i] + i % SMALL), "freed memory: an allocation of 10");
    }
}

// Memory that is short is given back first.
static void test_shortage(void **state)
{
    const tasks *t = *state;
    char *memory = get(t->r->context, MEZ_MEMORY_HOST, SMALL);
    assert_ok(mez_free(t->r->context, memory));
    memory[0] = 1;
    noop_fail("zeMemAllocHost", 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    const uint64_t frees = noop_calls("zeMemFree");
    char *other = get(t->r->context, MEZ_MEMORY_HOST, SMALL);
    assert_int_equal(noop_calls("zeMemFree"), frees + 1);
    assert_ok(launch(t, t->r->x));
    assert_story(mez_queue_wait(t->r->queue), MEZ_ERRC_STRAY_WRITE, "from offset 0 on");
    assert_ok(mez_free(t->r->context, other));
}

// --- Ends, and settings

static int logged;

static void count_message(void *user, mez_log_level level, const char *topic, const char *text)
{
    (void)user, (void)topic;
    logged += level == MEZ_LOG_ERROR && strstr(text, "was written") != NULL;
}

static void test_the_end(void **state)
{
    (void)state;
    mez_context *context;
    noop_reset();
    assert_ok(mez_context_create(&(const mez_context_params){.checked_memory = true}, &context));
    char *fenced = get(context, MEZ_MEMORY_HOST, SMALL);
    char *freed = get(context, MEZ_MEMORY_HOST, SMALL);
    assert_ok(mez_free(context, freed));
    fenced[SMALL] = freed[0] = 1;
    logged = 0;
    mez_log_set_function(count_message, NULL);
    mez_context_destroy(&context);
    mez_log_set_function(NULL, NULL);
    assert_int_equal(logged, 2);
    assert_int_equal(noop_live_total(), 0);
}

static bool is_checked(const char *value, bool wanted, uint64_t expected)
{
    uint64_t limit;
    if (value)
        setenv("MEZ_CHECK", value, 1);
    const mez_error error = mez_checked_read_setting(wanted, &limit);
    unsetenv("MEZ_CHECK");
    return !mez_failed(error) && limit == expected;
}

static void test_setting(void **state)
{
    (void)state;
    const uint64_t most = UINT64_C(64) << 20;
    assert_true(is_checked(NULL, false, 0));
    assert_true(is_checked(NULL, true, most));
    assert_true(is_checked("0", true, 0));
    assert_true(is_checked("1", false, most));
    assert_true(is_checked("5K", false, 5120));
    assert_false(is_checked("yes", false, 0));
    mez_context *context;
    setenv("MEZ_CHECK", "yes", 1);
    REFUSED(mez_context_create(NULL, &context), "MEZ_CHECK=yes is invalid");
    unsetenv("MEZ_CHECK");
}

// Freed memory of one context is that of no other.
static void test_two_contexts(void **state)
{
    const tasks *t = *state;
    mez_context *other;
    mez_queue *queue;
    assert_ok(mez_context_create(&(const mez_context_params){.checked_memory = true}, &other));
    assert_ok(mez_queue_create(other, NULL, &queue));
    char *memory = get(other, MEZ_MEMORY_HOST, SMALL);
    memory[SMALL] = 1;
    assert_ok(launch(t, t->r->x));
    assert_ok(mez_queue_wait(t->r->queue));
    assert_int_equal(stray_writes(t->r->context), 0);
    assert_story(mez_free(other, memory), MEZ_ERRC_STRAY_WRITE, "from offset 100 on");
    REFUSED_ARGUMENT(launch(t, memory), "memory of another context, freed memory");
    mez_queue_destroy(&queue);
    mez_context_destroy(&other);
}

typedef struct worker {
    const tasks *t;
    bool strays;
    unsigned found, failed;
} worker;

static void *work(void *data)
{
    worker *w = data;
    for (int i = 0; i < 200; i++) {
        char *memory = mez_alloc_host(w->t->r->context, SMALL, NULL);
        if (w->strays)
            memory[SMALL] = 1;
        const mez_error error = mez_free(w->t->r->context, memory);
        w->found += mez_error_is(error, MEZ_ERRC_STRAY_WRITE);
        w->failed += mez_failed(error);
    }
    return NULL;
}

static void test_two_threads(void **state)
{
    worker workers[2] = {{.t = *state, .strays = true}, {.t = *state}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(workers[0].found, 200);
    assert_int_equal(workers[0].failed, 200);
    assert_int_equal(workers[1].failed, 0);
    assert_int_equal(stray_writes(workers[0].t->r->context), 200);
}

// --- Ranges

static void test_ranges(void **state)
{
    tasks *t = *state;
    mez_queue *queue = t->r->queue;
    char *a = get(t->r->context, MEZ_MEMORY_SHARED, BYTES);
    char *b = get(t->r->context, MEZ_MEMORY_SHARED, BYTES);
    static char plain[BYTES];
    assert_ok(mez_copy(queue, a, b + BYTES, 0, NULL));
    assert_ok(mez_copy(queue, a, b, BYTES, NULL));
    assert_ok(mez_copy(queue, a, plain, BYTES, NULL));
    REFUSED(mez_copy(queue, a, plain, BYTES + 1, NULL), "writes 257 bytes");
    REFUSED(mez_copy(queue, plain, b + 1, BYTES, NULL), "argument: from");
    REFUSED(mez_copy(queue, a + BYTES, b, 1, NULL),
        "its first byte: 256 bytes into an allocation of 256 bytes, made at ");
    REFUSED(mez_copy(queue, a - 1, plain, 1, NULL),
        "its first byte: 1 bytes before the start of an allocation of 256 bytes, made at ");
    REFUSED(mez_copy(queue, a - 1, plain, 1, NULL), "argument: to");
    REFUSED(mez_fill(queue, a, "", 1, BYTES + 8, NULL),
        "its last byte: 7 bytes beyond the end of an allocation of 256 bytes, made at ");
    assert_ok(mez_prefetch(queue, a, BYTES, NULL));
    REFUSED(mez_prefetch(queue, a, BYTES + 1, NULL), "a prefetch is for 257 bytes");
    REFUSED(mez_advise(queue, a, BYTES + 1, MEZ_ADVICE_CACHED, NULL), "argument: memory");
    assert_ok(mez_free(t->r->context, a));
    REFUSED(mez_prefetch(queue, a, BYTES, NULL), "its first byte: freed memory: ");
    assert_ok(mez_free(t->r->context, b));
}

// The last row and the last slice end where the allocation does.
static void test_short_last_rows(void **state)
{
    tasks *t = *state;
    mez_queue *queue = t->r->queue;
    char *a = get(t->r->context, MEZ_MEMORY_SHARED, 3 * 64 + 8);
    static char plain[1024];
    assert_ok(mez_copy_2d(queue, a, 64, plain, 8, 8, 4, NULL));
    REFUSED(mez_copy_2d(queue, a, 64, plain, 9, 9, 4, NULL), "a 2D copy writes 201 bytes");
    REFUSED(mez_copy_2d(queue, plain, 8, a + 1, 64, 8, 4, NULL), "a 2D copy reads 200 bytes");
    mez_copy_3d_params box = {.to = a,
        .to_row_pitch = 16,
        .to_slice_pitch = 128 + 48,
        .from = plain,
        .width = 8,
        .rows = 2,
        .slices = 2};
    assert_ok(mez_copy_3d(queue, &box, NULL));
    box.width = 9;
    REFUSED(mez_copy_3d(queue, &box, NULL), "a 3D copy writes 201 bytes");
    assert_ok(mez_free(t->r->context, a));
}

// Memory outside of all allocations belongs to the program, unless one of ours lies in it.
static void test_spans(void **state)
{
    tasks *t = *state;
    char *a = get(t->r->context, MEZ_MEMORY_SHARED, 1 << 20);
    static char plain[2048];
    REFUSED(mez_copy(t->r->queue, a - 512, plain, 1024, NULL),
        "outside of all allocations, and goes into one at ");
    assert_ok(mez_free(t->r->context, a));
}

#define CHECKED(name) cmocka_unit_test_setup_teardown(name, setup, tasks_teardown)
#define CHECKED_TWICE(name)                                                    \
    CHECKED(name),                                                             \
    {                                                                          \
#name " on a batched queue", name, setup_batched, tasks_teardown, NULL \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHECKED(test_fences_at_free),
        CHECKED_TWICE(test_the_story),
        CHECKED(test_a_kernel_is_named_once),
        CHECKED(test_alignment),
        CHECKED_TWICE(test_fences_at_waits),
        CHECKED_TWICE(test_late_frees),
        CHECKED_TWICE(test_freed_memory),
        CHECKED_TWICE(test_prepared_and_recorded),
        cmocka_unit_test_setup_teardown(test_leaving, setup_little, tasks_teardown),
        CHECKED(test_many),
        CHECKED(test_shortage),
        cmocka_unit_test_setup_teardown(test_the_end, driver_setup, driver_teardown),
        cmocka_unit_test_setup_teardown(test_setting, driver_setup, driver_teardown),
        CHECKED(test_two_contexts),
        CHECKED(test_two_threads),
        CHECKED_TWICE(test_ranges),
        CHECKED(test_short_last_rows),
        CHECKED(test_spans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
