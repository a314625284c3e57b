// SPDX-License-Identifier: MIT
//
// Pointers that kernels are given: what no device reaches, or is no longer alive, is refused with a story of what it is.

#include "tasks.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SMALL = 100, LARGE = 1 << 20 }; // of a pool, and of the driver's own

static const float factor = 2;

static mez_error launch_on(mez_queue *queue, mez_kernel *saxpy, const void *x, float *y)
{
    return mez_submit(
        queue, saxpy, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_VAL(factor), MEZ_PTR(x), MEZ_PTR(y)), NULL);
}

static mez_error launch(const tasks *t, const void *x)
{
    return launch_on(t->r->queue, t->r->saxpy, x, t->r->y);
}

#define REFUSED(error, words) assert_story(error, MEZ_ERRC_KERNEL_ARGUMENT, words)

// Refused, and a launch with a good pointer goes on behind it.
#define REFUSES(t, address, words)          \
    do {                                    \
        REFUSED(launch(t, address), words); \
        assert_ok(launch(t, (t)->r->x));    \
    } while (0)

static int setup_kind(void **state, mez_queue_kind kind)
{
    const int failed = tasks_setup(state);
    if (failed)
        return failed;
    tasks *t = *state;
    mez_launch_destroy(&t->launch);
    mez_queue_destroy(&t->r->queue);
    assert_ok(
        mez_queue_create(t->r->context, &(const mez_queue_params){.kind = kind}, &t->r->queue));
    assert_ok(mez_launch_create(t->r->queue, t->r->saxpy, MEZ_RANGE(COUNT),
        MEZ_ARGS(MEZ_VAL(factor), MEZ_PTR(t->r->x), MEZ_PTR(t->r->y)), &t->launch));
    return 0;
}

static int setup_batched(void **state)
{
    return setup_kind(state, MEZ_QUEUE_BATCHED);
}

static int setup_basic(void **state)
{
    return setup_kind(state, MEZ_QUEUE_BASIC);
}

// --- What is refused

static void test_the_story(void **state)
{
    tasks *t = *state;
    float item = 0;
    char words[200];
    snprintf(words, sizeof words, "argument 1 (global float *) is %p, which a kernel on device \"",
        (void *)&item);
    REFUSES(t, &item, words);
    REFUSES(t, &item, "\" can't be given: on the stack of the calling thread");
    REFUSES(t, &item, "kernel: \"saxpy\"");
    REFUSES(t, &item, "by value (MEZ_VAL)");
}

static void test_memory_of_the_host(void **state)
{
    static float data[COUNT] = {1}; // in the program's file
    tasks *t = *state;
    // The driver's allocations are of malloc, too: one may end where it starts.
    char *all_heap = malloc(LARGE);
    assert_non_null(all_heap);
    const char *heap = all_heap + LARGE / 2;
    REFUSES(t, heap,
        "in the program's ordinary memory, such as malloc gives, which this device can't "
        "reach, as it has no shared system memory");
    REFUSES(t, heap, "what helps: mez_alloc_shared and mez_alloc_host");
    REFUSES(t, data, "in the program's own data, of /");
    free(all_heap);
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *gone = mmap(NULL, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(gone != MAP_FAILED);
    REFUSES(t, gone, "no memory of this process");
    REFUSES(t, (void *)(uintptr_t)8, "no memory of this process");
    munmap(gone, page);
}

static void check_freed(const tasks *t, mez_memory_kind kind, size_t size)
{
    mez_context *context = t->r->context;
    const mez_memory_params params = {.kind = kind};
    char *other = mez_alloc(context, &params, size, NULL); // keeps a pool's span
    const mez_location made = {.file = "made.c", .line = 12};
    const mez_location freed = {.file = "freed.c", .line = 34};
    char *memory = mez_alloc_at(&made, context, &params, size, NULL);
    assert_true(other && memory);
    assert_ok(launch(t, memory));
    assert_ok(launch(t, t->r->x));
    assert_ok(mez_queue_wait(t->r->queue));
    assert_ok(mez_free_at(&freed, context, memory));
    char words[200];
    snprintf(words, sizeof words,
        "freed memory: an allocation of %zu bytes, made at made.c:12, freed at freed.c:34", size);
    REFUSES(t, memory, words);
    REFUSES(t, memory + size / 2, words);
    assert_ok(mez_free(context, other));
}

static void test_freed_memory(void **state)
{
    tasks *t = *state;
    for (int kind = MEZ_MEMORY_DEVICE; kind <= MEZ_MEMORY_SHARED; kind++) {
        check_freed(t, kind, SMALL);
        check_freed(t, kind, LARGE);
    }
}

// Freed and given to somebody else, it may be used again.
static void test_memory_that_is_used_again(void **state)
{
    tasks *t = *state;
    mez_context *context = t->r->context;
    char *first = mez_alloc_device(context, SMALL, NULL);
    assert_ok(launch(t, first));
    assert_ok(launch(t, t->r->x));
    assert_ok(mez_queue_wait(t->r->queue));
    assert_ok(mez_free(context, first));
    REFUSED(launch(t, first), "freed memory");
    char *second = mez_alloc_device(context, SMALL / 2 + 20, NULL);
    assert_ptr_equal(second, first);
    assert_ok(launch(t, second));
    REFUSES(t, second + SMALL, "30 bytes beyond the end of an allocation of 70 bytes");
    assert_ok(mez_free(context, second));
}

// Kept for tasks that were there before, it is freed for those that come.
static void test_memory_whose_free_waits(void **state)
{
    tasks *t = *state;
    for (size_t size = SMALL; size <= LARGE; size *= LARGE / SMALL) {
        char *memory = mez_alloc_device(t->r->context, size, NULL);
        noop_hold(true);
        assert_ok(launch(t, memory));
        assert_ok(launch(t, t->r->x));
        assert_ok(mez_free(t->r->context, memory));
        REFUSED(launch(t, memory), "freed memory: an allocation of ");
        noop_hold(false);
        assert_ok(mez_queue_wait(t->r->queue));
    }
}

static void test_beyond_the_end(void **state)
{
    tasks *t = *state;
    mez_context *context = t->r->context;
    const mez_location made = {.file = "made.c", .line = 12};
    char *memory = mez_alloc_at(&made, context, &(mez_memory_params){0}, SMALL, NULL);
    for (int i = 0; i < 2; i++) {
        assert_ok(launch(t, memory));
        assert_ok(launch(t, memory + SMALL - 1));
        assert_ok(launch(t, memory + SMALL)); // where it is empty
        REFUSES(t, memory + SMALL + 1,
            "1 bytes beyond the end of an allocation of 100 bytes, made at made.c:12");
        REFUSES(t, memory + SMALL + 27, "27 bytes beyond the end of an allocation of 100 bytes");
    }
    assert_ok(mez_free(context, memory));
}

// Of one that fills its slot, or has a span of its own, the end is another slot's first byte, or no memory at all.
static void test_right_behind_the_end(void **state)
{
    tasks *t = *state;
    mez_context *context = t->r->context;
    char *small = mez_alloc_device(context, 4096, NULL),
         *large = mez_alloc_device(context, LARGE, NULL);
    assert_true(small && large);
    assert_ok(launch(t, small + 4096));
    REFUSES(t, small + 4097, "1 bytes beyond the end of an allocation of 4096 bytes");
    assert_ok(launch(t, large + LARGE));
    REFUSES(t, large + LARGE + 4, "4 bytes beyond the end of an allocation of 1048576 bytes");
    assert_ok(mez_free(context, small));
    assert_ok(mez_free(context, large));
}

static void test_another_context(void **state)
{
    tasks *t = *state;
    mez_context *other;
    assert_ok(mez_context_create(NULL, &other));
    const mez_location made = {.file = "made.c", .line = 12};
    char *memory = mez_alloc_at(&made, other, &(mez_memory_params){0}, SMALL, NULL);
    REFUSES(t, memory + 8,
        "memory of another context, 8 bytes into an allocation of 100 bytes, made at made.c:12");
    REFUSES(t, memory, "allocate it in the context of the queue");
    assert_ok(mez_free(other, memory));
    mez_context_destroy(&other);
}

// --- Each way in

static void test_every_way_in(void **state)
{
    tasks *t = *state;
    float item = 0;
    mez_launch *prepared;
    const mez_args *args = MEZ_ARGS(MEZ_VAL(factor), MEZ_PTR(&item), MEZ_PTR(t->r->y));
    REFUSED(
        mez_submit(t->r->queue, t->r->saxpy, MEZ_RANGE(COUNT), args, MEZ_TASK(.debug_name = "n")),
        "on the stack");
    mez_event *event = NULL;
    REFUSED(mez_submit(t->r->queue, t->r->saxpy, MEZ_RANGE(COUNT), args, MEZ_TASK(.event = &event)),
        "on the stack");
    assert_null(event);
    REFUSED(mez_launch_create(t->r->queue, t->r->saxpy, MEZ_RANGE(COUNT), args, &prepared),
        "on the stack");
    for (int i = 0; i < 2; i++) {
        REFUSED(mez_launch_set_argument(t->launch, 2, MEZ_ARG(MEZ_PTR(&item))),
            "argument 2 (global float *) is ");
        assert_ok(mez_launch_submit(t->launch, NULL)); // with what it had
        assert_ok(mez_launch_set_argument(t->launch, 2, MEZ_ARG(MEZ_PTR(t->r->y + i))));
        assert_ok(mez_launch_submit(t->launch, NULL));
    }
    REFUSED(mez_record_submit(t->recording, t->r->saxpy, MEZ_RANGE(COUNT), args, NULL, NULL),
        "argument 1 (global float *) is ");
}

static void test_recordings(void **state)
{
    tasks *t = *state;
    float item = 0;
    uint32_t operation;
    float *memory = mez_alloc_device(t->r->context, LARGE, NULL);
    assert_ok(mez_record_submit(t->recording, t->r->saxpy, MEZ_RANGE(COUNT),
        MEZ_ARGS(MEZ_VAL(factor), MEZ_PTR(t->r->x), MEZ_PTR(t->r->y)), NULL, &operation));
    REFUSED(mez_recording_set_argument(t->recording, operation, 1, MEZ_ARG(MEZ_PTR(&item))),
        "argument 1 (global float *) is ");
    assert_ok(mez_recording_set_argument(t->recording, operation, 1, MEZ_ARG(MEZ_PTR(memory))));
    assert_ok(mez_replay(t->r->queue, t->recording, NULL));
    assert_ok(mez_queue_wait(t->r->queue));
    assert_ok(mez_free(t->r->context, memory));
    assert_story(mez_replay(t->r->queue, t->recording, NULL), MEZ_ERRC_KERNEL_ARGUMENT,
        "freed memory: an allocation of 1048576");
    assert_ok(mez_recording_set_argument(t->recording, operation, 1, MEZ_ARG(MEZ_PTR(t->r->x))));
    assert_ok(mez_replay(t->r->queue, t->recording, NULL));
}

// The argument is what it was, but the driver has taken its memory back.
static void test_the_same_pointer_to_memory_that_is_gone(void **state)
{
    tasks *t = *state;
    float *memory = mez_alloc_device(t->r->context, LARGE, NULL);
    for (int i = 0; i < 2; i++)
        assert_ok(launch(t, memory));
    assert_ok(mez_launch_set_argument(t->launch, 1, MEZ_ARG(MEZ_PTR(memory))));
    assert_ok(mez_launch_submit(t->launch, NULL));
    assert_ok(mez_queue_wait(t->r->queue));
    assert_ok(mez_free(t->r->context, memory));
    REFUSED(launch(t, memory), "freed memory: an allocation of 1048576 bytes");
    assert_story(mez_launch_submit(t->launch, NULL), MEZ_ERRC_KERNEL_ARGUMENT,
        "freed memory: an allocation of 1048576 bytes");
}

static atomic_bool closed;

static void pass_gate(void *user)
{
    (void)user;
    while (atomic_load(&closed))
        usleep(100);
}

// A launch behind a host task is checked when it is submitted; memory that is freed then is kept for it.
static void test_behind_a_host_task(void **state)
{
    tasks *t = *state;
    float item = 0;
    atomic_store(&closed, true);
    assert_ok(mez_host_task(t->r->queue, pass_gate, NULL, NULL));
    float *small = mez_alloc_device(t->r->context, SMALL, NULL);
    float *large = mez_alloc_device(t->r->context, LARGE, NULL);
    assert_ok(launch(t, small));
    assert_ok(launch(t, large));
    assert_ok(launch(t, t->r->x));
    assert_ok(mez_free(t->r->context, small));
    assert_ok(mez_free(t->r->context, large));
    REFUSED(launch(t, &item), "on the stack of the calling thread");
    REFUSED(launch(t, small), "freed memory: an allocation of 100 bytes");
    REFUSED(launch(t, large), "freed memory: an allocation of 1048576 bytes");
    atomic_store(&closed, false);
    assert_ok(mez_queue_wait(t->r->queue));
}

// --- What is taken

static void test_null(void **state)
{
    tasks *t = *state;
    for (int i = 0; i < 3; i++) {
        assert_ok(launch(t, NULL));
        assert_ok(launch(t, t->r->x));
    }
    assert_ok(mez_launch_set_argument(t->launch, 1, MEZ_ARG(MEZ_PTR(NULL))));
    assert_ok(mez_launch_submit(t->launch, NULL));
}

// What the program has allocated with Level Zero, and its end.
static void test_memory_of_level_zero(void **state)
{
    tasks *t = *state;
    const ze_host_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    ze_context_handle_t ze = mez_context_get_ze(t->r->context);
    void *memory;
    assert_int_equal(zeMemAllocHost(ze, &desc, 4096, 64, &memory), ZE_RESULT_SUCCESS);
    for (int i = 0; i < 2; i++) {
        assert_ok(launch(t, memory));
        assert_ok(launch(t, (char *)memory + 100));
        assert_ok(launch(t, (char *)memory + 4096));
        assert_ok(launch(t, t->r->x));
    }
    // The same pointer again is set again, and not looked up.
    assert_ok(launch(t, memory));
    const uint64_t before = noop_calls("zeMemGetAllocProperties");
    for (int i = 0; i < 3; i++)
        assert_ok(launch(t, memory));
    assert_int_equal(noop_calls("zeMemGetAllocProperties"), before);
    assert_ok(mez_queue_wait(t->r->queue));
    assert_int_equal(zeMemFree(ze, memory), ZE_RESULT_SUCCESS);
    REFUSED(launch(t, (char *)memory + 100), "argument 1 ");
}

// A Level Zero context that two of ours have adopted has one memory.
static void test_the_same_level_zero_context(void **state)
{
    tasks *t = *state;
    mez_context *other;
    const mez_context_adopt_params params = {
        .ze_driver = mez_context_get_ze_driver(t->r->context),
        .ze_context = mez_context_get_ze(t->r->context),
    };
    assert_ok(mez_context_adopt(&params, &other));
    char *memory = mez_alloc_device(other, SMALL, NULL),
         *kept = mez_alloc_device(other, SMALL, NULL);
    assert_ok(launch(t, memory));
    assert_ok(launch(t, t->r->x));
    assert_ok(mez_queue_wait(t->r->queue));
    assert_ok(mez_free(other, memory));
    REFUSES(t, memory, "memory of another context, freed memory: an allocation of 100 bytes");
    assert_ok(mez_free(other, kept));
    mez_context_destroy(&other);
}

static void test_shared_system_memory(void **state)
{
    (void)state;
    struct noop_config config = noop_config_default();
    config.system_memory = ZE_MEMORY_ACCESS_CAP_FLAG_RW;
    noop_reset();
    noop_configure(&config);
    runtime r = {0};
    float item = 0, *heap = malloc(COUNT * sizeof *heap);
    assert_ok(mez_context_create(NULL, &r.context));
    assert_ok(mez_queue_create(r.context, NULL, &r.queue));
    load_kernels(&r);
    float *small = mez_alloc_device(r.context, SMALL, NULL);
    assert_ok(launch_on(r.queue, r.saxpy, &item, r.y));
    assert_ok(launch_on(r.queue, r.saxpy, heap, r.y));
    assert_ok(launch_on(r.queue, r.saxpy, small, r.y));
    assert_ok(launch_on(r.queue, r.saxpy, &item, r.y));
    assert_ok(mez_queue_wait(r.queue));
    assert_ok(mez_free(r.context, small));
    REFUSED(launch_on(r.queue, r.saxpy, small, r.y), "freed memory");
    free(heap);
    runtime *started = &r;
    void *left = started;
    runtime_teardown(&left);
}

// Where the driver can't answer, it has the last word.
static void test_a_driver_that_fails(void **state)
{
    tasks *t = *state;
    float item = 0;
    noop_fail("zeMemGetAllocProperties", 1, ZE_RESULT_ERROR_UNKNOWN);
    assert_ok(launch(t, &item));
    REFUSED(launch(t, &item + 1), "on the stack");
}

#define EACH_KIND(name)                                                                         \
    TASKS_TEST(name), {#name " on a batched queue", name, setup_batched, tasks_teardown, NULL}, \
    {                                                                                           \
#name " on a basic queue", name, setup_basic, tasks_teardown, NULL                      \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH_KIND(test_the_story),
        TASKS_TEST(test_memory_of_the_host),
        EACH_KIND(test_freed_memory),
        EACH_KIND(test_memory_that_is_used_again),
        EACH_KIND(test_memory_whose_free_waits),
        EACH_KIND(test_beyond_the_end),
        TASKS_TEST(test_right_behind_the_end),
        TASKS_TEST(test_another_context),
        EACH_KIND(test_every_way_in),
        EACH_KIND(test_recordings),
        EACH_KIND(test_the_same_pointer_to_memory_that_is_gone),
        EACH_KIND(test_behind_a_host_task),
        EACH_KIND(test_null),
        EACH_KIND(test_memory_of_level_zero),
        TASKS_TEST(test_the_same_level_zero_context),
        cmocka_unit_test_setup_teardown(test_shared_system_memory, driver_setup, driver_teardown),
        TASKS_TEST(test_a_driver_that_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
