// SPDX-License-Identifier: MIT
//
// A walk over the error paths of recordings: every operation is recorded, replayed on a queue of each kind, changed, and replayed
// again, with an event before and one after.

#include "walk.h"

static mez_queue_kind kind;
static mez_queue_order order;

static void prepare(void)
{
    struct noop_config config = noop_config_default();
    config.api_version = (ze_api_version_t)ZE_MAKE_VERSION(1, 14); // has in-order lists
    noop_configure(&config);
}

typedef struct program {
    mez_context *context;
    mez_queue *queue, *other;
    mez_kernel *kernel;
    mez_recording *recording;
    mez_event *before, *after;
    float *x, *y;
} program;

static void *allocate(program *p)
{
    mez_error error;
    void *memory = mez_alloc_host(p->context, COUNT * sizeof(float), &error);
    walk_went_well(error);
    return memory;
}

static bool create(program *p)
{
    const mez_queue_params params = {.kind = kind, .order = order};
    const mez_recording_params in_order = {.debug_name = "steps"};
    if (!walk_went_well(mez_context_create(NULL, &p->context)))
        return false;
    p->x = allocate(p);
    p->y = allocate(p);
    return p->x && p->y && walk_went_well(mez_queue_create(p->context, &params, &p->queue)) &&
           walk_went_well(mez_queue_create(p->context, NULL, &p->other)) &&
           walk_went_well(
               mez_kernel_load(p->context, file_of("kernels.spv"), "saxpy", &p->kernel)) &&
           walk_went_well(mez_recording_create(p->context, &in_order, &p->recording));
}

// What fails is not in the recording, and the next one is.
static bool record(program *p, uint32_t *launch)
{
    const float factor = 2;
    const int zero = 0;
    const mez_args *args = MEZ_ARGS(MEZ_VAL(factor), MEZ_PTR(p->x), MEZ_PTR(p->y));
    mez_recording *r = p->recording;
    walk_went_well(mez_record_copy(r, p->x, p->y, COUNT, NULL, NULL));
    walk_went_well(mez_record_fill(r, p->x, &zero, sizeof zero, COUNT, NULL, NULL));
    walk_went_well(mez_record_copy_2d(r, p->x, 16, p->y, 32, 8, 4, NULL, NULL));
    walk_went_well(mez_record_copy_3d(r,
        &(mez_copy_3d_params){
            .to = p->x, .to_slice_pitch = 64, .from = p->y, .width = 8, .rows = 2, .slices = 2},
        NULL, NULL));
    walk_went_well(mez_record_barrier(r, NULL, NULL));
    return walk_went_well(mez_record_submit(r, p->kernel, MEZ_RANGE(COUNT), args, NULL, launch));
}

static void replay(program *p)
{
    walk_went_well(mez_copy(p->other, p->x, p->y, COUNT, MEZ_TASK(.event = &p->before)));
    const mez_task_params between = {
        .wait_for = &p->before, .wait_count = p->before ? 1 : 0, .event = &p->after};
    walk_went_well(mez_replay(p->queue, p->recording, &between));
    for (int i = 0; i < 5; i++) // one more than are in flight
        walk_went_well(mez_replay(p->queue, p->recording, NULL));
    if (p->after)
        walk_went_well(mez_event_wait(p->after));
}

static void change(program *p, uint32_t launch)
{
    const float other = 3;
    const mez_arg argument = MEZ_VAL(other);
    walk_went_well(mez_recording_set_argument(p->recording, launch, 0, &argument));
    walk_went_well(mez_recording_set_range(p->recording, launch, MEZ_RANGE(COUNT / 2)));
    walk_went_well(mez_replay(p->queue, p->recording, NULL));
}

static void play(void)
{
    program p = {0};
    uint32_t launch;
    if (create(&p)) {
        const bool launches = record(&p, &launch);
        replay(&p);
        if (launches)
            change(&p, launch);
        walk_went_well(mez_queue_wait(p.other));
        walk_went_well(mez_queue_wait(p.queue));
    }
    mez_event_destroy(&p.before);
    mez_event_destroy(&p.after);
    mez_recording_destroy(&p.recording);
    mez_queue_destroy(&p.queue);
    mez_queue_destroy(&p.other);
    mez_kernel_destroy(&p.kernel);
    if (p.context) {
        walk_went_well(mez_free(p.context, p.x));
        walk_went_well(mez_free(p.context, p.y));
    }
    mez_context_destroy(&p.context);
}

// Waits that only look whether something has ended: the next one reports the failure.
static bool is_a_look(const char *call)
{
    return strcmp(call, "zeFenceHostSynchronize") == 0 ||
           strcmp(call, "zeCommandListHostSynchronize") == 0;
}

static const walk the_walk = {.prepare = prepare,
    .play = play,
    .is_excused = is_a_look,
    .allocations_unheard = 2}; // the completion thread's: without it, waits report

static void walk_on(mez_queue_kind wanted)
{
    kind = wanted;
    for (int i = 0; i < 2; i++) {
        order = i == 0 ? MEZ_IN_ORDER : MEZ_OUT_OF_ORDER;
        walk_clean(&the_walk);
        assert_true(walk_calls(&the_walk, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY) > 60);
        assert_true(walk_allocations(&the_walk) > 40);
    }
    assert_true(walk_calls(&the_walk, ZE_RESULT_ERROR_DEVICE_LOST) > 60);
}

static void test_immediate(void **state)
{
    (void)state;
    walk_on(MEZ_QUEUE_IMMEDIATE);
}

static void test_batched(void **state)
{
    (void)state;
    walk_on(MEZ_QUEUE_BATCHED);
}

static void test_basic(void **state)
{
    (void)state;
    walk_on(MEZ_QUEUE_BASIC);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_immediate),
        cmocka_unit_test(test_batched),
        cmocka_unit_test(test_basic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
