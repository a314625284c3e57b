// SPDX-License-Identifier: MIT
//
// Asserts that fail in several threads at the same time, in one image or in two.

#include <pthread.h>
#include <signal.h>
#include <stdio.h>

#include "harness.h"

enum { COUNT = 16 };

#define AT_13                                                          \
    "asserts.cl:10: fails_at: global id: [13,0,0], local id: [1,0,0] " \
    "Assertion `i != bad && \"from assert statement\"` failed.\n"
#define IN_SECOND_UNIT                                                    \
    "units_second.cl:9: calculus: global id: [5,0,0], local id: [1,0,0] " \
    "Assertion `x && \"this message from calculus\"` failed.\n"

static mez_queue *child_queue(void)
{
    mez_queue *queue;
    mez_test_ok(mez_queue_create(mez_test_context(), NULL, &queue));
    return queue;
}

static void finish(mez_queue *queue)
{
    mez_test_ok(mez_queue_wait(queue));
    mez_queue_destroy(&queue);
    printf("the end\n");
}

// A million work-items, of which one fails.
static void *fail_in_plane(void *argument)
{
    (void)argument;
    const uint32_t x = 9, y = 7, z = 0;
    mez_queue *queue = child_queue();
    mez_kernel *kernel = mez_test_kernel("asserts", "fails_in_space");
    int32_t *values = mez_test_shared(sizeof *values);
    mez_test_ok(mez_submit(queue, kernel, MEZ_ND_RANGE(MEZ_SIZE(1024, 1024), MEZ_SIZE(1, 1)),
        MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(x), MEZ_VAL(y), MEZ_VAL(z)), NULL));
    finish(queue);
    return NULL;
}

// Two images at the same time: each has a record of its own.
static void *fail_in_either_image(void *argument)
{
    mez_queue *queue = child_queue();
    const bool first = (intptr_t)argument % 2;
    mez_kernel *kernel =
        first ? mez_test_kernel("units", "ask_calculus") : mez_test_kernel("asserts", "fails_at");
    const int32_t bad = 13;
    int32_t *values = mez_test_shared(COUNT * sizeof *values);
    mez_test_ok(mez_submit(queue, kernel, MEZ_ND_RANGE(MEZ_SIZE(COUNT), MEZ_SIZE(4)),
        first ? MEZ_ARGS(MEZ_PTR(values)) : MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(bad)), NULL));
    finish(queue);
    return NULL;
}

static void run_four_threads(void *(*function)(void *argument))
{
    pthread_t threads[4];
    for (intptr_t i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, function, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("the end of all\n");
}

static void child_in_a_plane(void)
{
    run_four_threads(fail_in_plane);
}

static void child_several_images(void)
{
    run_four_threads(fail_in_either_image);
}

static const mez_test_child children[] = {
    {"in a plane", child_in_a_plane},
    {"several images", child_several_images},
    {NULL, NULL},
};

static void in_a_plane_from_several_threads(void **state)
{
    (void)state;
    mez_test_death death;
    mez_test_needs("results");
    mez_test_run_child("in a plane", &death);
    mez_test_check_death(&death, SIGABRT,
        "asserts.cl:27: fails_in_space: global id: [9,7,0], local id: [0,0,0] Assertion ");
    assert_null(strstr(death.output, "the end"));
}

static void several_images_at_the_same_time(void **state)
{
    (void)state;
    mez_test_death death;
    mez_test_needs("results");
    mez_test_run_child("several images", &death);
    mez_test_check_death(&death, SIGABRT, "Assertion ");
    assert_true(strstr(death.output, AT_13) || strstr(death.output, IN_SECOND_UNIT));
    assert_null(strstr(death.output, "the end of all"));
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(in_a_plane_from_several_threads),
        MEZ_DEVICE_TEST(several_images_at_the_same_time),
    };
    return MEZ_TEST_MAIN_WITH(argc, argv, tests, children);
}
