// SPDX-License-Identifier: MIT
//
// fork() with a runtime: in the child every call is refused, destroying calls return, and the driver is not called; nothing hangs,
// whatever other threads of the parent did at that moment; and the parent goes on.

#include "runtime.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mezzanine/driver.h>
#include <mezzanine/level_zero.h>

enum { HANGS_AFTER = 60 }; // seconds

// --- In a child
//
// It shares cmocka's state with the parent, and must not come back to it.

typedef void in_child(runtime *r);

// cmocka's asserts would go on with the parent's tests there.
#define CHECK(condition)                                                              \
    do {                                                                              \
        if (!(condition)) {                                                           \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
            _exit(1);                                                                 \
        }                                                                             \
    } while (0)

static void expect_refused(mez_error error, const char *call, int line)
{
    char story[STORY_ROOM];
    mez_error_get_story(error, story, sizeof story);
    if (mez_error_is(error, MEZ_ERRC_WRONG_STATE) && strstr(story, "child of fork()") &&
        strstr(story, "fork_test.c"))
        return;
    fprintf(stderr, "%s:%d: %s was not refused: %s\n", __FILE__, line, call, story);
    _exit(1);
}
#define REFUSED(call) expect_refused(call, #call, __LINE__)

// Destroys, and the pointer is NULL afterwards.
#define GONE(destroy, object) \
    do {                      \
        destroy(&(object));   \
        CHECK(!(object));     \
    } while (0)

static void run_in_child(runtime *r, in_child *body)
{
    int status;
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(HANGS_AFTER);
        body(r);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("the child ended by status 0x%x (signal 14: it hung)", (unsigned)status);
}

// --- What is called

static const mez_queue_params sorts[] = {
    {.kind = MEZ_QUEUE_IMMEDIATE},
    {.kind = MEZ_QUEUE_BATCHED},
    {.kind = MEZ_QUEUE_BASIC},
    {.kind = MEZ_QUEUE_ADAPTIVE},
    {.kind = MEZ_QUEUE_IMMEDIATE, .order = MEZ_OUT_OF_ORDER},
    {.kind = MEZ_QUEUE_BATCHED, .order = MEZ_OUT_OF_ORDER},
};
enum { SORTS = sizeof sorts / sizeof sorts[0] };

static mez_queue *queues[SORTS];
static mez_launch *launches[SORTS];
static mez_event *events[SORTS];
static mez_event *user_event;
static mez_recording *recording;
static mez_image *image;

static void do_nothing(void *user)
{
    (void)user;
}

static ze_result_t do_nothing_native(void *user, ze_command_list_handle_t list)
{
    (void)user, (void)list;
    return ZE_RESULT_SUCCESS;
}

static void ignore(void *user, mez_error error)
{
    (void)user, (void)error;
}

#define SAXPY_ARGS(r) MEZ_ARGS(MEZ_VAL(2.0f), MEZ_PTR((r)->x), MEZ_PTR((r)->y))

static void make_all(runtime *r)
{
    for (size_t i = 0; i < SORTS; i++) {
        assert_ok(mez_queue_create(r->context, &sorts[i], &queues[i]));
        assert_ok(
            mez_launch_create(queues[i], r->saxpy, MEZ_RANGE(COUNT), SAXPY_ARGS(r), &launches[i]));
        for (int turn = 0; turn < 3; turn++) // the last ones take quick paths
            assert_ok(mez_submit(queues[i], r->saxpy, MEZ_RANGE(COUNT), SAXPY_ARGS(r), NULL));
        assert_ok(mez_launch_submit(launches[i], NULL));
        assert_ok(mez_barrier(queues[i], MEZ_TASK(.event = &events[i])));
    }
    assert_ok(mez_user_event_create(r->context, NULL, &user_event));
    assert_ok(mez_recording_create(r->context, NULL, &recording));
    assert_ok(mez_record_submit(recording, r->saxpy, MEZ_RANGE(COUNT), SAXPY_ARGS(r), NULL, NULL));
    assert_ok(mez_replay(queues[0], recording, NULL));
    assert_ok(mez_queue_wait(queues[0]));
    assert_ok(mez_image_load(r->context, file_of("kernels.spv"), &image));
}

static void destroy_all(void)
{
    for (size_t i = 0; i < SORTS; i++) {
        assert_ok(mez_queue_wait(queues[i]));
        assert_ok(mez_event_wait(events[i]));
        mez_event_destroy(&events[i]);
        mez_launch_destroy(&launches[i]);
        mez_queue_destroy(&queues[i]);
    }
    mez_event_destroy(&user_event);
    mez_recording_destroy(&recording);
    mez_image_destroy(&image);
}

static void call_memory(runtime *r)
{
    mez_error error;
    mez_memory_info info;
    mez_ipc_handle handle;
    void *pointer;
    int sockets[2];
    CHECK(!mez_alloc_shared(r->context, 64, &error));
    REFUSED(error);
    CHECK(!mez_alloc_host(r->context, 1 << 20, &error));
    REFUSED(error);
    CHECK(!mez_alloc_device(r->context, 64, &error));
    REFUSED(error);
    CHECK(!mez_alloc(r->context, &(mez_memory_params){.kind = MEZ_MEMORY_SHARED}, 64, &error));
    REFUSED(error);
    CHECK(!mez_alloc_shared(r->context, 64, NULL));
    REFUSED(mez_free(r->context, r->x));
    REFUSED(mez_memory_get_info(r->context, r->x, &info));
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
    REFUSED(mez_ipc_get_handle(r->context, r->x, &handle));
    REFUSED(mez_ipc_open(r->context, NULL, &handle, &pointer));
    REFUSED(mez_ipc_close(r->context, r->x));
    REFUSED(mez_ipc_send(r->context, r->x, sockets[0]));
    REFUSED(mez_ipc_receive(r->context, NULL, sockets[1], &pointer));
}

static void call_tasks(runtime *r, size_t i)
{
    mez_queue *queue = queues[i];
    mez_event *event = NULL;
    REFUSED(mez_submit(queue, r->saxpy, MEZ_RANGE(COUNT), SAXPY_ARGS(r), NULL));
    REFUSED(
        mez_submit(queue, r->saxpy, MEZ_RANGE(COUNT), SAXPY_ARGS(r), MEZ_TASK(.event = &event)));
    REFUSED(mez_submit(queue, r->saxpy, MEZ_RANGE(COUNT),
        MEZ_ARGS(MEZ_VAL(3.0f), MEZ_PTR(r->x), MEZ_PTR(r->y)), NULL));
    REFUSED(mez_submit(queue, r->nothing, MEZ_RANGE(COUNT), NULL, NULL));
    REFUSED(mez_copy(queue, r->x, r->y, sizeof *r->x, NULL));
    REFUSED(mez_copy(queue, r->x, r->y, sizeof *r->x, MEZ_TASK(.event = &event)));
    REFUSED(mez_copy_2d(queue, r->x, 16, r->y, 16, 8, 2, NULL));
    REFUSED(mez_fill(queue, r->x, "", 1, sizeof *r->x, NULL));
    REFUSED(mez_prefetch(queue, r->x, sizeof *r->x, NULL));
    REFUSED(mez_advise(queue, r->x, sizeof *r->x, MEZ_ADVICE_READ_MOSTLY, NULL));
    REFUSED(mez_marker(queue, NULL));
    REFUSED(mez_barrier(queue, NULL));
    REFUSED(mez_barrier(queue, MEZ_TASK(.event = &event)));
    REFUSED(mez_host_task(queue, do_nothing, NULL, NULL));
    REFUSED(mez_submit_native(queue, do_nothing_native, NULL, NULL));
    REFUSED(mez_replay(queue, recording, NULL));
    REFUSED(mez_launch_submit(launches[i], NULL));
    REFUSED(mez_launch_submit(launches[i], MEZ_TASK(.event = &event)));
    REFUSED(mez_launch_set_argument(launches[i], 0, MEZ_ARG(MEZ_VAL(4.0f))));
    CHECK(!event);
}

static void call_waits(size_t i)
{
    mez_event_profile profile;
    ze_event_handle_t ze;
    size_t index;
    REFUSED(mez_queue_flush(queues[i]));
    REFUSED(mez_queue_wait(queues[i]));
    REFUSED(mez_queue_wait_for(queues[i], 1));
    REFUSED(mez_event_wait(events[i]));
    REFUSED(mez_event_wait_for(events[i], 1));
    REFUSED(mez_event_get_status(events[i]));
    REFUSED(mez_event_get_profile(events[i], &profile));
    REFUSED(mez_event_set_callback(events[i], ignore, NULL));
    REFUSED(mez_event_get_ze(events[i], &ze));
    REFUSED(mez_events_wait_all(events, SORTS));
    REFUSED(mez_events_wait_all_for(events, SORTS, 1));
    REFUSED(mez_events_wait_any(events, SORTS, &index));
    REFUSED(mez_events_wait_any_for(events, SORTS, 1, &index));
}

static void call_objects(runtime *r)
{
    mez_device *device = mez_context_get_device(r->context, 0);
    mez_context *context;
    mez_queue *queue;
    mez_image *another_image;
    mez_kernel *kernel;
    mez_launch *launch;
    mez_recording *another;
    mez_event *event;
    const mez_kernel_info *info;
    mez_memory_state state;
    mez_native_asserts asserts;
    mez_drivers *drivers;
    mez_error error;
    void *variable;
    REFUSED(mez_context_create(NULL, &context));
    REFUSED(mez_queue_create(r->context, NULL, &queue));
    REFUSED(mez_image_load(r->context, file_of("kernels.spv"), &another_image));
    REFUSED(mez_kernel_create(image, "nothing", &kernel));
    REFUSED(mez_kernel_load(r->context, file_of("kernels.spv"), "nothing", &kernel));
    REFUSED(mez_kernel_build(r->saxpy, NULL));
    REFUSED(mez_kernel_get_info(r->saxpy, device, &info));
    REFUSED(mez_kernel_get_variable(r->saxpy, device, "x", &variable, NULL));
    CHECK(!mez_kernel_is_supported(r->saxpy, device, &error));
    REFUSED(error);
    REFUSED(mez_launch_create(queues[0], r->saxpy, MEZ_RANGE(COUNT), SAXPY_ARGS(r), &launch));
    REFUSED(mez_recording_create(r->context, NULL, &another));
    REFUSED(mez_record_barrier(recording, NULL, NULL));
    REFUSED(mez_recording_set_argument(recording, 0, 0, MEZ_ARG(MEZ_VAL(4.0f))));
    REFUSED(mez_user_event_create(r->context, NULL, &event));
    REFUSED(mez_user_event_signal(user_event, (mez_error){0}));
    REFUSED(mez_device_get_memory_state(device, &state));
    REFUSED(mez_device_get_native_asserts(device, &asserts));
    error = mez_drivers_create(NULL, &drivers); // has no place
    CHECK(mez_error_is(error, MEZ_ERRC_WRONG_STATE));
}

// Those that can't fail.
static void call_others(runtime *r)
{
    char text[256];
    mez_error error;
    mez_context_statistics statistics;
    mez_context_get_statistics(r->context, &statistics);
    CHECK(statistics.queues == 0);
    CHECK(!mez_queue_take_error(queues[0], &error));
    CHECK(mez_queue_describe(queues[0], text, sizeof text) > 0);
    CHECK(strstr(text, "no driver"));
}

static void destroy(runtime *r)
{
    for (size_t i = 0; i < SORTS; i++) {
        GONE(mez_event_destroy, events[i]);
        GONE(mez_launch_destroy, launches[i]);
        GONE(mez_queue_destroy, queues[i]);
    }
    GONE(mez_event_destroy, user_event);
    GONE(mez_recording_destroy, recording);
    GONE(mez_image_destroy, image);
    GONE(mez_kernel_destroy, r->saxpy);
    GONE(mez_kernel_destroy, r->nothing);
    GONE(mez_queue_destroy, r->queue);
    GONE(mez_context_destroy, r->context);
}

static void call_all(runtime *r)
{
    watch_calls();
    call_memory(r);
    for (size_t i = 0; i < SORTS; i++) {
        call_tasks(r, i);
        call_waits(i);
    }
    call_objects(r);
    call_others(r);
    destroy(r);
    if (calls()[0])
        fprintf(stderr, "the child has called the driver: %s\n", calls());
    CHECK(!calls()[0]);
}

static void test_child_is_refused(void **state)
{
    runtime *r = *state;
    make_all(r);
    run_in_child(r, call_all);
    assert_ok(mez_submit(queues[0], r->saxpy, MEZ_RANGE(COUNT), SAXPY_ARGS(r), NULL));
    assert_ok(mez_replay(queues[0], recording, NULL));
    destroy_all();
}

static void exit_orderly(runtime *r)
{
    (void)r;
    exit(0);
}

static void test_child_exits(void **state)
{
    run_in_child(*state, exit_orderly);
}

static void fork_once_more(runtime *r)
{
    REFUSED(mez_queue_wait(r->queue));
    run_in_child(r, exit_orderly);
    const pid_t child = fork();
    if (child == 0) {
        REFUSED(mez_queue_wait(r->queue));
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

static void test_child_of_a_child(void **state)
{
    run_in_child(*state, fork_once_more);
}

// --- Beside other threads

enum { THREADS = 4, FORKS = 100 };

static atomic_bool stop;
static mez_queue *_Atomic busy[THREADS];
static atomic_int started;

static void *work(void *argument)
{
    runtime *r = argument;
    mez_queue *queue;
    assert_ok(mez_queue_create(r->context, NULL, &queue));
    atomic_store(&busy[atomic_fetch_add(&started, 1)], queue);
    for (unsigned i = 0; !atomic_load(&stop); i++) {
        mez_event *event;
        mez_error error;
        void *memory = mez_alloc_shared(r->context, i % 2 ? 64 : 128 << 10, &error);
        assert_ok(error);
        assert_ok(mez_submit(queue, r->nothing, MEZ_RANGE(COUNT), NULL, MEZ_TASK(.event = &event)));
        assert_ok(mez_event_wait(event));
        mez_event_destroy(&event);
        assert_true(mez_failed(mez_submit(queue, NULL, NULL, NULL, NULL))); // makes a story
        assert_ok(mez_free(r->context, memory));
        mez_queue *another;
        assert_ok(mez_queue_create(r->context, NULL, &another));
        mez_queue_destroy(&another);
        for (int turn = 0; turn < 500; turn++)
            mez_log_set_function(NULL, NULL); // which takes a lock
    }
    return NULL;
}

static void call_some(runtime *r)
{
    mez_error error;
    REFUSED(mez_queue_wait(r->queue));
    REFUSED(mez_submit(r->queue, r->nothing, MEZ_RANGE(COUNT), NULL, NULL));
    CHECK(!mez_alloc_shared(r->context, 64, &error));
    REFUSED(mez_free(r->context, r->x));
    for (int i = 0; i < THREADS; i++)
        REFUSED(mez_submit(busy[i], r->nothing, MEZ_RANGE(COUNT), NULL, NULL));
    mez_log_set_function(NULL, NULL);
    GONE(mez_queue_destroy, r->queue);
    GONE(mez_context_destroy, r->context);
}

static void test_beside_threads(void **state)
{
    runtime *r = *state;
    pthread_t threads[THREADS];
    atomic_store(&stop, false);
    atomic_store(&started, 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, r), 0);
    for (int i = 0; i < THREADS; i++)
        while (!atomic_load(&busy[i]))
            usleep(1000);
    for (int i = 0; i < FORKS; i++)
        run_in_child(r, call_some);
    atomic_store(&stop, true);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < THREADS; i++) {
        mez_queue *queue = atomic_exchange(&busy[i], NULL);
        mez_queue_destroy(&queue);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_ORDER_TEST(test_child_is_refused),
        IN_ORDER_TEST(test_child_exits),
        RUNTIME_TEST(test_child_exits),
        IN_ORDER_TEST(test_child_of_a_child),
        IN_ORDER_TEST(test_beside_threads),
        RUNTIME_TEST(test_beside_threads),
    };
    return cmocka_run_group_tests_name("fork", tests, NULL, NULL);
}
