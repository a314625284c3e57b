// SPDX-License-Identifier: MIT
//
// Kernels that a device is lost with: they fault, or they hang and are reset (ZE_CPU_RESET_MS). Each test has a context of its own, as
// nothing runs in one after a loss; the next context works.

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "harness.h"

enum { COUNT = 64, GROUP = 8, WHERE = 21 };

#define EXPRESSION "local id: [3,0,0] Assertion `i != 3` failed."

typedef struct lab {
    mez_context *context;
    mez_queue *queue;
    mez_kernel *kernel;
    int32_t *values;
    atomic_int *go_on; // never
} lab;

static void *alloc(const lab *l, size_t size)
{
    mez_error error;
    void *memory = mez_alloc_shared(l->context, size, &error);
    mez_test_ok(error);
    return memset(memory, 0, size);
}

static lab open_lab(const mez_queue_params *params, const char *file, const char *kernel)
{
    lab l = {0};
    mez_test_ok(mez_context_create(NULL, &l.context));
    mez_test_ok(mez_queue_create(l.context, params, &l.queue));
    mez_test_ok(mez_kernel_load(l.context, mez_test_kernel_path(file), kernel, &l.kernel));
    l.values = alloc(&l, COUNT * sizeof *l.values);
    l.go_on = alloc(&l, sizeof *l.go_on);
    return l;
}

static void close_lab(lab *l)
{
    mez_queue_destroy(&l->queue);
    mez_kernel_destroy(&l->kernel);
    mez_error_ignore(mez_free(l->context, l->values));
    mez_error_ignore(mez_free(l->context, l->go_on));
    mez_context_destroy(&l->context);
}

// In a new context.
static void check_next(void)
{
    lab l = open_lab(NULL, "faults", "numbers");
    mez_test_ok(mez_submit(l.queue, l.kernel, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_PTR(l.values)), NULL));
    mez_test_ok(mez_queue_wait(l.queue));
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(l.values[i], i);
    close_lab(&l);
}

static void check_loss(mez_error error, const char *kernel, const char *why)
{
    char text[2048];
    mez_test_fails(error, MEZ_ERRC_DEVICE_LOST);
    assert_true(mez_error_find_field(error, "driver says", text, sizeof text) > 0);
    assert_non_null(strstr(text, kernel));
    if (!strstr(text, why))
        fail_msg("\"%s\" is not in \"%s\"", why, text);
}

// --- Faults

static mez_error submit_stray(lab *l, bool barrier, const mez_task_params *task)
{
    const uint64_t at = 64;
    const uint32_t where = WHERE;
    return barrier ? mez_submit(l->queue, l->kernel, MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(GROUP)),
                         MEZ_ARGS(MEZ_PTR(l->values), MEZ_VAL(at), MEZ_VAL(where),
                             MEZ_LOCAL(GROUP * sizeof(uint32_t))),
                         task)
                   : mez_submit(l->queue, l->kernel, MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(GROUP)),
                         MEZ_ARGS(MEZ_PTR(l->values), MEZ_VAL(at), MEZ_VAL(where)), task);
}

static void check_fault(const char *kernel, bool barrier)
{
    char name[64];
    mez_event *event;
    snprintf(name, sizeof name, "kernel \"%s\"", kernel);
    lab l = open_lab(NULL, "faults", kernel);
    mez_test_ok(submit_stray(&l, barrier, MEZ_TASK(.event = &event)));
    check_loss(mez_event_wait(event), name, "group: [2,0,0]");
    check_loss(mez_queue_wait(l.queue), name, "address 0x40");
    check_loss(submit_stray(&l, barrier, NULL), name, "address 0x40");
    mez_event_destroy(&event);
    close_lab(&l);
    check_next();
}

static void a_fault_is_explained(void **state)
{
    (void)state;
    mez_test_needs("faults");
    check_fault("stray", false);
    check_fault("stray_behind_barrier", true);
}

static atomic_int handled;

static void handle(void *user, mez_error error)
{
    (void)user;
    handled += mez_error_is(error, MEZ_ERRC_DEVICE_LOST);
}

static void a_handler_is_called(void **state)
{
    (void)state;
    mez_test_needs("faults");
    handled = 0;
    lab l = open_lab(&(mez_queue_params){.on_error = {.function = handle}}, "faults", "stray");
    mez_test_ok(submit_stray(&l, false, NULL));
    mez_error_ignore(mez_queue_flush(l.queue)); // it may be lost by now
    for (int i = 0; i < 20000 && handled == 0; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    close_lab(&l);
    assert_int_equal(handled, 1);
}

// Two contexts lose their devices at the same time, and a third works.
static void faults_in_two_contexts(void **state)
{
    (void)state;
    mez_test_needs("faults");
    lab labs[2];
    for (int i = 0; i < 2; i++)
        labs[i] = open_lab(NULL, "faults", i == 0 ? "stray" : "stray_behind_barrier");
    for (int i = 0; i < 2; i++) {
        mez_test_ok(submit_stray(&labs[i], i == 1, NULL));
        mez_error_ignore(mez_queue_flush(labs[i].queue));
    }
    check_next();
    check_loss(mez_queue_wait(labs[0].queue), "kernel \"stray\"", "group: [2,0,0]");
    check_loss(mez_queue_wait(labs[1].queue), "kernel \"stray_behind_barrier\"", "group: [2,0,0]");
    for (int i = 0; i < 2; i++)
        close_lab(&labs[i]);
}

// --- Resets

static void submit_hanging(lab *l)
{
    mez_test_ok(mez_submit(l->queue, l->kernel, MEZ_ND_RANGE(MEZ_SIZE(GROUP), MEZ_SIZE(GROUP)),
        MEZ_ARGS(MEZ_PTR(l->values), MEZ_PTR(l->go_on)), NULL));
}

static void check_assert(mez_error error)
{
    char story[4096];
    mez_assert_record record;
    mez_test_fails(error, MEZ_ERRC_ASSERT);
    mez_error_get_story(error, story, sizeof story);
    assert_non_null(strstr(story, EXPRESSION));
    assert_non_null(strstr(story, "it is lost, too"));
    assert_true(mez_error_get_assert(error, &record));
    assert_int_equal(record.global_id[0], 3);
}

static void a_reset_is_explained(void **state)
{
    (void)state;
    mez_test_needs("resets");
    lab l = open_lab(NULL, "failures", "hangs");
    mez_test_ok(mez_submit(l.queue, l.kernel, MEZ_RANGE(1), MEZ_ARGS(MEZ_PTR(l.go_on)), NULL));
    check_loss(mez_queue_wait(l.queue), "kernel \"hangs\"", "was ended by a reset");
    close_lab(&l);
    check_next();
}

static void an_assert_before_a_reset(void **state)
{
    (void)state;
    mez_test_needs("resets");
    const mez_queue_params params = {.asserts = {.policy = MEZ_ASSERT_ERROR}};
    lab l = open_lab(&params, "failures", "fails_and_hangs");
    submit_hanging(&l);
    check_assert(mez_queue_wait(l.queue));
    check_loss(mez_queue_wait(l.queue), "kernel \"fails_and_hangs\"", "was ended by a reset");
    close_lab(&l);
    check_next();
}

static void child_aborts(void)
{
    lab l = open_lab(NULL, "failures", "fails_and_hangs");
    submit_hanging(&l);
    mez_error_ignore(mez_queue_wait(l.queue));
    printf("not aborted\n");
}

static void an_assert_before_a_reset_aborts(void **state)
{
    (void)state;
    mez_test_needs("resets");
    mez_test_death death;
    mez_test_run_child("aborts", &death);
    mez_test_check_death(&death, SIGABRT, EXPRESSION "\n");
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(a_fault_is_explained),
        MEZ_DEVICE_TEST(a_handler_is_called),
        MEZ_DEVICE_TEST(faults_in_two_contexts),
        MEZ_DEVICE_TEST(a_reset_is_explained),
        MEZ_DEVICE_TEST(an_assert_before_a_reset),
        MEZ_DEVICE_TEST(an_assert_before_a_reset_aborts),
    };
    static const mez_test_child children[] = {
        {"aborts", child_aborts},
        {NULL, NULL},
    };
    return MEZ_TEST_MAIN_WITH(argc, argv, tests, children);
}
