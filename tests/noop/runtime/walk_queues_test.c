// SPDX-License-Identifier: MIT
//
// A walk over the error paths of each kind of queue, in both orders, on a part of a device, with what walk_test.c does not call:
// images from bytes and cooperative launches.

#include "walk.h"

#include <stdlib.h>

static mez_queue_params wanted;

static void prepare(void)
{
    struct noop_config config = noop_config_default();
    config.api_version = (ze_api_version_t)ZE_MAKE_VERSION(1, 7); // has in-order lists
    config.sub_devices = 2;
    noop_configure(&config);
}

typedef struct program {
    mez_context *context;
    mez_queue *queue;
    mez_image *image;
    mez_kernel *nothing, *saxpy;
    mez_event *filled, *launched;
    float *x, *y;
} program;

static bool create_kernels(program *p)
{
    mez_image_params params = {.debug_name = "from bytes"};
    params.code = bytes_of("kernels.spv", &params.size);
    return walk_went_well(mez_image_create(p->context, &params, &p->image)) &&
           walk_went_well(mez_kernel_create(p->image, "nothing", &p->nothing)) &&
           walk_went_well(mez_kernel_create(p->image, "saxpy", &p->saxpy));
}

static bool create_memory(program *p)
{
    mez_error error;
    p->x = mez_alloc_shared(p->context, COUNT * sizeof(float), &error);
    bool all = walk_went_well(error);
    p->y = mez_alloc_device(p->context, COUNT * sizeof(float), &error);
    all &= walk_went_well(error);
    return all;
}

static bool create(program *p)
{
    if (!walk_went_well(mez_context_create(NULL, &p->context)))
        return false;
    mez_device *device = mez_context_get_device(p->context, 0);
    wanted.device = mez_device_get_sub_device(device, 1);
    return create_memory(p) && create_kernels(p) &&
           walk_went_well(mez_queue_create(p->context, &wanted, &p->queue));
}

static void launch(program *p, const mez_task_params *task)
{
    const float a = 2;
    const mez_args *args = MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(p->x), MEZ_PTR(p->y));
    walk_went_well(mez_submit(p->queue, p->saxpy, MEZ_RANGE(COUNT), args, task));
}

static void wait_for_both(const program *p)
{
    mez_event *events[2];
    size_t count = 0, index;
    if (p->filled)
        events[count++] = p->filled;
    if (p->launched)
        events[count++] = p->launched;
    if (count == 0)
        return;
    walk_went_well(mez_events_wait_any(events, count, &index));
    walk_went_well(mez_events_wait_any_for(events, count, 1000ull * MILLISECOND, &index));
    walk_went_well(mez_events_wait_all(events, count));
    walk_went_well(mez_events_wait_all_for(events, count, 1000ull * MILLISECOND));
}

static void wait_for_the_program(program *p)
{
    mez_event *go;
    if (!walk_went_well(mez_user_event_create(p->context, NULL, &go)))
        return;
    walk_went_well(mez_barrier(p->queue, MEZ_TASK(.wait_for = &go, .wait_count = 1)));
    walk_went_well(mez_user_event_signal(go, mez_ok()));
    walk_went_well(mez_event_wait_for(go, 1000ull * MILLISECOND));
    mez_event_destroy(&go);
}

static void run(program *p)
{
    const char zero = 0;
    const size_t size = COUNT * sizeof(float);
    walk_went_well(mez_fill(p->queue, p->x, &zero, 1, size, MEZ_TASK(.event = &p->filled)));
    const mez_task_params after = {
        .wait_for = &p->filled, .wait_count = p->filled ? 1 : 0, .event = &p->launched};
    launch(p, &after);
    launch(p, NULL);
    walk_went_well(
        mez_submit(p->queue, p->nothing, MEZ_RANGE(COUNT), NULL, MEZ_TASK(.cooperative = true)));
    walk_went_well(mez_copy(p->queue, p->y, p->x, size, NULL));
    walk_went_well(mez_copy_2d(p->queue, p->y, 16, p->x, 32, 8, 4, NULL));
    walk_went_well(mez_copy_3d(p->queue,
        &(mez_copy_3d_params){
            .to = p->y, .to_slice_pitch = 64, .from = p->x, .width = 8, .rows = 2, .slices = 2},
        NULL));
    walk_went_well(mez_barrier(p->queue, NULL));
    walk_went_well(mez_queue_flush(p->queue));
    if (p->launched)
        walk_went_well(mez_event_wait(p->launched));
    wait_for_both(p);
    wait_for_the_program(p);
    mez_error error = mez_queue_wait(p->queue);
    do
        walk_went_well(error);
    while (mez_queue_take_error(p->queue, &error));
    launch(p, NULL); // with what was recycled
    walk_went_well(mez_queue_wait_for(p->queue, 1000ull * MILLISECOND));
}

static void play(void)
{
    program p = {0};
    if (create(&p))
        run(&p);
    mez_event_destroy(&p.filled);
    mez_event_destroy(&p.launched);
    mez_queue_destroy(&p.queue);
    mez_kernel_destroy(&p.nothing);
    mez_kernel_destroy(&p.saxpy);
    mez_image_destroy(&p.image);
    if (p.context) {
        walk_went_well(mez_free(p.context, p.x));
        walk_went_well(mez_free(p.context, p.y));
    }
    mez_context_destroy(&p.context);
}

// A wait that only looks whether a batch has ended: the next one reports the failure. A launch like the one before that fails: it is tried
// again with all checks.
static bool is_excused(const char *call)
{
    return strcmp(call, "zeFenceHostSynchronize") == 0 ||
           ((wanted.kind == MEZ_QUEUE_IMMEDIATE || wanted.kind == MEZ_QUEUE_ADAPTIVE) &&
               strcmp(call, "zeCommandListAppendLaunchKernel") == 0);
}

static const walk the_walk = {.prepare = prepare,
    .play = play,
    .is_excused = is_excused,
    .allocations_unheard = 2}; // the completion thread's: without it, waits report

static void walk_in_both_orders(mez_queue_kind kind)
{
    static const mez_queue_order orders[] = {MEZ_IN_ORDER, MEZ_OUT_OF_ORDER};
    for (size_t i = 0; i < 2; i++) {
        wanted = (mez_queue_params){.kind = kind, .order = orders[i]};
        walk_clean(&the_walk);
        assert_true(walk_calls(&the_walk, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY) > 60);
        assert_true(walk_calls(&the_walk, ZE_RESULT_ERROR_DEVICE_LOST) > 60);
        assert_true(walk_allocations(&the_walk) > 20);
    }
}

static void test_immediate(void **state)
{
    (void)state;
    walk_in_both_orders(MEZ_QUEUE_IMMEDIATE);
}

static void test_batched(void **state)
{
    (void)state;
    walk_in_both_orders(MEZ_QUEUE_BATCHED);
}

static void test_basic(void **state)
{
    (void)state;
    walk_in_both_orders(MEZ_QUEUE_BASIC);
}

static void test_adaptive(void **state)
{
    (void)state;
    walk_in_both_orders(MEZ_QUEUE_ADAPTIVE);
}

static void count_error(void *user, mez_error error)
{
    (void)user;
    walk_went_well(error);
}

// The completion thread watches every task.
static void test_with_an_error_handler(void **state)
{
    (void)state;
    static const mez_queue_kind kinds[] = {
        MEZ_QUEUE_IMMEDIATE, MEZ_QUEUE_BATCHED, MEZ_QUEUE_ADAPTIVE};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        wanted = (mez_queue_params){.kind = kinds[i], .on_error = {.function = count_error}};
        walk_clean(&the_walk);
        assert_true(walk_calls(&the_walk, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY) > 60);
        assert_true(walk_allocations(&the_walk) > 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_immediate),
        cmocka_unit_test(test_batched),
        cmocka_unit_test(test_basic),
        cmocka_unit_test(test_adaptive),
        cmocka_unit_test(test_with_an_error_handler),
    };
    walk_clean(&the_walk);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
