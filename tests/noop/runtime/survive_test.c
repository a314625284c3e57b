// SPDX-License-Identifier: MIT
//
// A walk over the error paths of asserts that programs survive: whatever fails while a failed assert is reported, somebody receives
// it, nothing is left, and the program goes on.

#include "walk.h"

#include <string.h>

#define RECORD "__SYCL_AssertHappenedMem"

static mez_assert_params wanted;
static unsigned heard; // failed asserts, of all turns
static bool planted;   // in this turn the device has failed one
static bool
    disturbed; // the runtime could not do all that it was asked for, and reported that to the program
static unsigned heard_before;

static void prepare(void)
{
    const struct noop_config config = linking_config();
    noop_configure(&config);
}

typedef struct program {
    mez_context *context;
    mez_queue *queue;
    mez_image *image;
    mez_kernel *kernel;
    int *memory;
} program;

// The failed assert is what the program waits for; all else is for the walk.
static bool went_well(mez_error error)
{
    if (mez_error_is(error, MEZ_ERRC_ASSERT)) {
        heard++;
        return true;
    }
    disturbed |= mez_failed(error);
    return walk_went_well(error);
}

static bool create(program *p)
{
    const mez_context_params params = {.asserts = wanted};
    mez_error error = {0};
    if (!walk_went_well(mez_context_create(&params, &p->context)))
        return false;
    p->memory = mez_alloc_shared(p->context, COUNT * sizeof *p->memory, &error);
    return walk_went_well(error) &&
           walk_went_well(mez_image_load(p->context, file_of("asserts.spv"), &p->image)) &&
           walk_went_well(mez_kernel_create(p->image, "checked", &p->kernel)) &&
           walk_went_well(mez_queue_create(p->context, NULL, &p->queue));
}

static bool run(program *p, mez_event **event)
{
    const mez_error error = mez_submit(p->queue, p->kernel, MEZ_RANGE(COUNT),
        MEZ_ARGS(MEZ_PTR(p->memory)), MEZ_TASK(.event = event));
    return went_well(error) && went_well(mez_queue_wait(p->queue));
}

// What the device would write.
static void fail_assert(void)
{
    mez_assert_record *record = noop_global(RECORD);
    strcpy(record->expression, "y[i] < limit");
    strcpy(record->file, "saxpy.cl");
    strcpy(record->function, "saxpy");
    record->line = 7;
    record->serial++;
    record->flag = 2;
}

static void play(void)
{
    program p = {0};
    mez_event *event = NULL;
    planted = disturbed = false;
    heard_before = heard;
    if (create(&p) && run(&p, NULL)) { // the record exists from here on
        fail_assert();
        planted = true;
        run(&p, &event);
        if (event)
            went_well(mez_event_wait(event));
        run(&p, NULL);
    }
    mez_event_destroy(&event);
    mez_queue_destroy(&p.queue);
    mez_kernel_destroy(&p.kernel);
    mez_image_destroy(&p.image);
    if (p.context)
        walk_went_well(mez_free(p.context, p.memory));
    mez_context_destroy(&p.context);
}

// Whatever else fails, it is reported.
static void check(void)
{
    if (planted && !disturbed && heard == heard_before)
        fail_msg("a failed assert went unheard");
}

// Waits that only look whether a batch has ended: the next one reports the failure.
static bool is_a_look(const char *call)
{
    return strcmp(call, "zeFenceHostSynchronize") == 0;
}

// Words of the story and copies of the record may be missing: the code is there all the same.
static const walk the_walk = {.prepare = prepare,
    .play = play,
    .check = check,
    .is_excused = is_a_look,
    .allocations_unheard = 32};

static void walk_with(const mez_assert_params *params)
{
    wanted = *params;
    heard = 0;
    walk_clean(&the_walk);
    assert_true(heard > 0);
    assert_true(walk_calls(&the_walk, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY) > 60);
    assert_true(walk_allocations(&the_walk) > 20);
}

static void test_an_error(void **state)
{
    (void)state;
    walk_with(&(mez_assert_params){.policy = MEZ_ASSERT_ERROR});
}

static void test_many(void **state)
{
    (void)state;
    walk_with(&(mez_assert_params){.policy = MEZ_ASSERT_ERROR, .limit = 8});
}

static void hear(void *user, const mez_assert_report *report)
{
    (void)user, (void)report;
}

static void test_a_function(void **state)
{
    (void)state;
    walk_with(&(mez_assert_params){.policy = MEZ_ASSERT_CALLBACK, .function = hear});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_error),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_a_function),
    };
    wanted.policy = MEZ_ASSERT_ERROR;
    walk_clean(&the_walk);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
