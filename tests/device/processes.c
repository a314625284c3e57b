// SPDX-License-Identifier: MIT
//
// The beginning and the end of processes: forks while work is in flight, ends of a program that destroys nothing, or does so later than
// most, and several copies of the library.

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

enum { COUNT = 1024, TURNS = 1 << 18, HANGS_AFTER = 120 }; // the last in seconds

static mez_queue *queue;
static mez_kernel *slow;
static uint32_t *memory;

static void do_nothing(void *user)
{
    (void)user;
}

// The host task is run by a thread of the library.
static void start_work(void)
{
    mez_test_ok(mez_queue_create(mez_test_context(), NULL, &queue));
    slow = mez_test_kernel("order", "slow_step");
    memory = mez_test_shared(COUNT * sizeof *memory);
    const uint32_t turns = TURNS;
    for (int i = 0; i < 20; i++)
        mez_test_ok(mez_submit(
            queue, slow, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_PTR(memory), MEZ_VAL(turns)), NULL));
    mez_test_ok(mez_host_task(queue, do_nothing, NULL, NULL));
}

static void end_work(void)
{
    mez_test_ok(mez_queue_wait(queue));
    mez_test_free(memory);
    mez_kernel_destroy(&slow);
    mez_queue_destroy(&queue);
}

// --- Forks

static bool is_forked;

// LeakSanitizer asks: what only the stacks of the parent's threads point to is not a leak of the child's.
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return is_forked;
}

static void be_the_child(mez_event *event)
{
    is_forked = true;
    alarm(HANGS_AFTER);
    bool right = mez_error_is(mez_queue_wait(queue), MEZ_ERRC_WRONG_STATE) &&
                 mez_error_is(mez_event_wait(event), MEZ_ERRC_WRONG_STATE) &&
                 mez_error_is(mez_copy(queue, memory, memory + 1, 4, NULL), MEZ_ERRC_WRONG_STATE);
    mez_queue_destroy(&queue);
    exit(right && !queue ? 0 : 1); // with all that runs at the end of a program
}

static void expect_success(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("the child ended by status 0x%x", (unsigned)status);
}

static void forks_with_work_in_flight(void **state)
{
    (void)state;
    mez_event *event;
    start_work();
    mez_test_ok(mez_barrier(queue, MEZ_TASK(.event = &event)));
    for (int i = 0; i < 17; i++) {
        fflush(NULL);
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            be_the_child(event);
        expect_success(child);
    }
    mez_test_ok(mez_event_wait(event));
    mez_event_destroy(&event);
    end_work();
}

// --- Ends

static void return_from_main(void)
{
    alarm(HANGS_AFTER);
    start_work();
}

static void exit_with_work_in_flight(void)
{
    alarm(HANGS_AFTER);
    start_work();
    exit(0);
}

static void *wait_for_work(void *unused)
{
    mez_error_print(stdout, mez_queue_wait(queue)); // it may see that the program ends
    return unused;
}

// A thread that is in the middle of a call of the driver then has its fate in the driver's hands; one that waits has not.
static void exit_beside_a_wait(void)
{
    pthread_t thread;
    alarm(HANGS_AFTER);
    start_work();
    pthread_create(&thread, NULL, wait_for_work, NULL);
    pthread_detach(thread);
    usleep(20000);
    exit(0);
}

static void note(bool *went_well, mez_error error)
{
    *went_well = *went_well && !mez_failed(error);
    mez_error_print(stdout, error);
}

static void call_late(void)
{
    bool went_well = true;
    mez_error error;
    void *more = mez_alloc_shared(mez_test_context(), 1 << 20, &error);
    note(&went_well, error);
    note(&went_well, mez_copy(queue, memory, memory + 1, sizeof *memory, NULL));
    note(&went_well, mez_queue_wait(queue));
    note(&went_well, mez_free(mez_test_context(), more));
    note(&went_well, mez_free(mez_test_context(), memory));
    mez_kernel_destroy(&slow);
    mez_queue_destroy(&queue);
    if (went_well)
        puts("as usual");
}

// Called before what the loader and the drivers have registered.
static void exit_calls_a_late_handler(void)
{
    alarm(HANGS_AFTER);
    start_work();
    atexit(call_late);
    exit(0);
}

// Called after that.
static atomic_bool calls_from_an_early_handler, calls_from_a_destructor;

static void handle_early(void)
{
    if (atomic_load(&calls_from_an_early_handler))
        call_late();
}

__attribute__((constructor)) static void beginning_of_the_program(void)
{
    atexit(handle_early);
}

__attribute__((destructor)) static void end_of_the_program(void)
{
    if (atomic_load(&calls_from_a_destructor))
        call_late();
}

static void exit_calls_an_early_handler(void)
{
    alarm(HANGS_AFTER);
    start_work();
    atomic_store(&calls_from_an_early_handler, true);
    exit(0);
}

static void exit_calls_a_destructor(void)
{
    alarm(HANGS_AFTER);
    start_work();
    atomic_store(&calls_from_a_destructor, true);
    exit(0);
}

static void ends_well(const char *child, const char *output)
{
    mez_test_death death;
    mez_test_run_child(child, &death);
    if (death.signal || death.exit_code || !strstr(death.output, output))
        fail_msg("child \"%s\": signal %d, exit code %d and\n%s", child, death.signal,
            death.exit_code, death.output);
}

static void programs_end_as_they_like(void **state)
{
    (void)state;
    ends_well("return from main", "");
    ends_well("exit", "");
    ends_well("exit beside a wait", "");
    ends_well("exit, late handler", "as usual");
    ends_well("exit, early handler", "MEZ_ERRC_WRONG_STATE");
    ends_well("exit, destructor", "MEZ_ERRC_WRONG_STATE");
}

// --- Copies of the library

typedef struct copy {
    void *handle; // of dlopen
    mez_error (*context_create)(
        const mez_location *where, const mez_context_params *params, mez_context **context);
    mez_error (*queue_create)(const mez_location *where, mez_context *context,
        const mez_queue_params *params, mez_queue **queue);
    mez_error (*kernel_load)(const mez_location *where, mez_context *context, const char *path,
        const char *name, mez_kernel **kernel);
    void *(*alloc_shared)(
        const mez_location *where, mez_context *context, size_t size, mez_error *error);
    mez_error (*submit)(const mez_location *where, mez_queue *queue, mez_kernel *kernel,
        const mez_range *range, const mez_args *args, const mez_task_params *task);
    mez_error (*queue_wait)(const mez_location *where, mez_queue *queue);
    mez_error (*host_task)(const mez_location *where, mez_queue *queue, mez_host_function function,
        void *user, const mez_task_params *task);
    mez_error (*user_event_create)(const mez_location *where, mez_context *context,
        const mez_user_event_params *params, mez_event **event);
    mez_error (*user_event_signal)(const mez_location *where, mez_event *event, mez_error outcome);
    mez_error (*event_wait)(const mez_location *where, mez_event *event);
    size_t (*get_story)(mez_error error, char *buffer, size_t size);
    mez_context *context;
    mez_queue *queue;
    mez_kernel *step;
    uint32_t *value;
} copy;

// Of the library, in memory. Its descriptor stays open, so that the next copy has another path.
static int make_copy(void)
{
    Dl_info info;
    struct stat status;
    assert_true(dladdr((void *)(uintptr_t)mez_context_create_at, &info));
    const int from = open(info.dli_fname, O_RDONLY | O_CLOEXEC);
    const int to = memfd_create("copy", MFD_CLOEXEC);
    assert_true(from >= 0 && to >= 0 && fstat(from, &status) == 0);
    off_t at = 0;
    while (at < status.st_size)
        assert_true(sendfile(to, from, &at, (size_t)(status.st_size - at)) > 0);
    close(from);
    return to;
}

static void look_up(void *handle, const char *name, void *function)
{
    void *address = dlsym(handle, name);
    assert_non_null(address);
    memcpy(function, &address, sizeof address);
}

static void open_copy(copy *c)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", make_copy());
    c->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!c->handle)
        fail_msg("%s", dlerror());
    look_up(c->handle, "mez_context_create_at", &c->context_create);
    look_up(c->handle, "mez_queue_create_at", &c->queue_create);
    look_up(c->handle, "mez_kernel_load_at", &c->kernel_load);
    look_up(c->handle, "mez_alloc_shared_at", &c->alloc_shared);
    look_up(c->handle, "mez_submit_at", &c->submit);
    look_up(c->handle, "mez_queue_wait_at", &c->queue_wait);
    look_up(c->handle, "mez_host_task_at", &c->host_task);
    look_up(c->handle, "mez_user_event_create_at", &c->user_event_create);
    look_up(c->handle, "mez_user_event_signal_at", &c->user_event_signal);
    look_up(c->handle, "mez_event_wait_at", &c->event_wait);
    look_up(c->handle, "mez_error_get_story", &c->get_story);
}

static void start(copy *c)
{
    mez_error error;
    const char *path = mez_test_kernel_path("order");
    mez_test_ok(c->context_create(NULL, NULL, &c->context));
    mez_test_ok(c->queue_create(NULL, c->context, NULL, &c->queue));
    mez_test_ok(c->kernel_load(NULL, c->context, path, "step_once", &c->step));
    c->value = c->alloc_shared(NULL, c->context, COUNT * sizeof *c->value, &error);
    mez_test_ok(error);
    memset(c->value, 0, COUNT * sizeof *c->value);
}

static void step(copy *c, uint32_t k)
{
    mez_test_ok(c->submit(
        NULL, c->queue, c->step, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_PTR(c->value), MEZ_VAL(k)), NULL));
}

// Each has its own stories, and neither takes the other's errors for its own.
static void expect_own_stories(copy *first, copy *second)
{
    char story[1024];
    for (int i = 0; i < 17; i++) {
        const mez_error error = first->submit(NULL, NULL, first->step, MEZ_RANGE(1), NULL, NULL);
        const mez_error other = second->queue_wait(NULL, NULL);
        first->get_story(error, story, sizeof story);
        assert_non_null(strstr(story, "mez_submit needs"));
        second->get_story(other, story, sizeof story);
        assert_non_null(strstr(story, "mez_queue_wait needs"));
        second->get_story(error, story, sizeof story);
        assert_null(strstr(story, "needs"));
        assert_non_null(strstr(story, "MEZ_ERRC_INVALID_PARAMETER"));
    }
}

// Inside it calls its own functions: what the first copy has of the same name retains nothing of the second one's.
static void expect_kept_story(copy *second)
{
    char story[1024];
    mez_event *event;
    mez_test_ok(second->user_event_create(NULL, second->context, NULL, &event));
    const mez_error failure = second->queue_wait(NULL, NULL);
    mez_test_ok(second->user_event_signal(NULL, event, failure));
    for (int i = 0; i < 2000; i++)
        mez_test_fails(second->queue_wait(NULL, NULL), MEZ_ERRC_INVALID_PARAMETER);
    second->get_story(second->event_wait(NULL, event), story, sizeof story);
    assert_non_null(strstr(story, "mez_queue_wait needs"));
}

static void two_copies_work_beside_each_other(void **state)
{
    (void)state;
    copy first = {
        .context_create = mez_context_create_at,
        .queue_create = mez_queue_create_at,
        .kernel_load = mez_kernel_load_at,
        .alloc_shared = mez_alloc_shared_at,
        .submit = mez_submit_at,
        .queue_wait = mez_queue_wait_at,
        .get_story = mez_error_get_story,
    };
    copy second = {.handle = NULL};
    open_copy(&second);
    start(&first);
    start(&second);
    for (uint32_t k = 0; k < 17; k++) {
        step(&first, k);
        step(&second, 2 * k);
    }
    mez_test_ok(first.queue_wait(NULL, first.queue));
    mez_test_ok(second.queue_wait(NULL, second.queue));
    for (int i = 0; i < COUNT && mez_test_has("results"); i++)
        assert_int_equal(second.value[i], 2 * first.value[i]);
    expect_own_stories(&first, &second);
    expect_kept_story(&second);
    mez_kernel_destroy(&first.step);
    mez_queue_destroy(&first.queue);
    mez_test_ok(mez_free(first.context, first.value));
    mez_context_destroy(&first.context);
}

// What was left has threads, which go on.
static void close_with_work_in_flight(void)
{
    alarm(HANGS_AFTER);
    copy c;
    for (int i = 0; i < 3; i++) {
        open_copy(&c);
        start(&c);
        for (uint32_t k = 0; k < 17; k++)
            step(&c, k);
        mez_test_ok(c.host_task(NULL, c.queue, do_nothing, NULL, NULL));
        dlclose(c.handle);
    }
    usleep(300000);
    exit(0);
}

static void libraries_are_closed(void **state)
{
    (void)state;
    ends_well("close", "");
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(forks_with_work_in_flight),
        MEZ_DEVICE_TEST(programs_end_as_they_like),
        MEZ_DEVICE_TEST(two_copies_work_beside_each_other),
        MEZ_DEVICE_TEST(libraries_are_closed),
    };
    static const mez_test_child children[] = {
        {"return from main", return_from_main},
        {"exit", exit_with_work_in_flight},
        {"exit beside a wait", exit_beside_a_wait},
        {"exit, late handler", exit_calls_a_late_handler},
        {"exit, early handler", exit_calls_an_early_handler},
        {"exit, destructor", exit_calls_a_destructor},
        {"close", close_with_work_in_flight},
        {NULL, NULL},
    };
    return MEZ_TEST_MAIN_WITH(argc, argv, tests, children);
}
