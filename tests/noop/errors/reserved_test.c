// SPDX-License-Identifier: MIT
//
// Members of later versions: every struct that programs fill is refused where one of its reserved words is not zero, by each call
// that takes it, whichever word it is.

#include "tasks.h"

#include "base/alloc.h"

#define WORDS(params) (sizeof(params).reserved / sizeof *(params).reserved)

#define REFUSED(call, type) \
    assert_story(           \
        call, MEZ_ERRC_INVALID_PARAMETER, type ".reserved is not zero: either the program ")

static void test_contexts(void **state)
{
    (void)state;
    mez_context *context = (mez_context *)state;
    mez_context_params params = {.debug_name = "newer"};
    for (size_t i = 0; i < WORDS(params); i++) {
        params.reserved[i] = 1;
        REFUSED(mez_context_create(&params, &context), "mez_context_params");
        assert_null(context);
        params.reserved[i] = 0;
    }
    for (size_t i = 0; i < WORDS(params.asserts); i++) {
        params.asserts.reserved[i] = UINT64_C(1) << 63;
        REFUSED(mez_context_create(&params, &context), "mez_assert_params");
        params.asserts.reserved[i] = 0;
    }
    for (size_t i = 0; i < WORDS(params.on_error); i++) {
        params.on_error.reserved[i] = UINT64_MAX;
        REFUSED(mez_context_create(&params, &context), "mez_error_handler");
        params.on_error.reserved[i] = 0;
    }
    assert_ok(mez_context_create(&params, &context));
    mez_context_destroy(&context);
}

static void test_adopted_contexts(void **state)
{
    tasks *t = *state;
    mez_context *context = NULL;
    mez_context_adopt_params params = {.ze_driver = mez_context_get_ze_driver(t->r->context),
        .ze_context = mez_context_get_ze(t->r->context)};
    for (size_t i = 0; i < WORDS(params); i++) {
        params.reserved[i] = 1;
        REFUSED(mez_context_adopt(&params, &context), "mez_context_adopt_params");
        assert_null(context);
        params.reserved[i] = 0;
    }
    assert_ok(mez_context_adopt(&params, &context));
    mez_context_destroy(&context);
}

static void test_queues(void **state)
{
    tasks *t = *state;
    mez_queue *queue;
    mez_queue_params params = {.debug_name = "newer"};
    for (size_t i = 0; i < WORDS(params); i++) {
        params.reserved[i] = 1;
        REFUSED(mez_queue_create(t->r->context, &params, &queue), "mez_queue_params");
        assert_null(queue);
        params.reserved[i] = 0;
    }
    for (size_t i = 0; i < WORDS(params.asserts); i++) {
        params.asserts.reserved[i] = 1;
        REFUSED(mez_queue_create(t->r->context, &params, &queue), "mez_assert_params");
        params.asserts.reserved[i] = 0;
    }
    for (size_t i = 0; i < WORDS(params.on_error); i++) {
        params.on_error.reserved[i] = 1;
        REFUSED(mez_queue_create(t->r->context, &params, &queue), "mez_error_handler");
        params.on_error.reserved[i] = 0;
    }
    assert_ok(mez_queue_create(t->r->context, &params, &queue));
    mez_queue_destroy(&queue);
}

static void test_recordings(void **state)
{
    tasks *t = *state;
    mez_recording *recording;
    mez_recording_params params = {.debug_name = "newer"};
    for (size_t i = 0; i < WORDS(params); i++) {
        params.reserved[i] = 1;
        REFUSED(mez_recording_create(t->r->context, &params, &recording), "mez_recording_params");
        assert_null(recording);
        params.reserved[i] = 0;
    }
}

static void test_user_events(void **state)
{
    tasks *t = *state;
    mez_event *event;
    mez_user_event_params params = {.debug_name = "newer"};
    for (size_t i = 0; i < WORDS(params); i++) {
        params.reserved[i] = 1;
        REFUSED(mez_user_event_create(t->r->context, &params, &event), "mez_user_event_params");
        assert_null(event);
        params.reserved[i] = 0;
    }
}

static void test_images(void **state)
{
    tasks *t = *state;
    mez_image *image;
    mez_image_params params = {0};
    params.code = bytes_of("kernels.spv", &params.size);
    for (size_t i = 0; i < WORDS(params); i++) {
        params.reserved[i] = 1;
        REFUSED(mez_image_create(t->r->context, &params, &image), "mez_image_params");
        assert_null(image);
        REFUSED(mez_image_create_registered(t->r->context, &params, &image), "mez_image_params");
        assert_null(image);
        params.reserved[i] = 0;
    }
}

// Small memory comes from a pool, by a quick path.
static void test_memory(void **state)
{
    tasks *t = *state;
    mez_memory_params params = {.kind = MEZ_MEMORY_DEVICE};
    for (size_t i = 0; i < 2 * WORDS(params); i++) {
        const size_t size = i % 2 ? 64 : (size_t)1 << 20;
        mez_error error;
        void *memory = mez_alloc(t->r->context, &params, size, &error);
        assert_ok(error);
        assert_ok(mez_free(t->r->context, memory));
        params.reserved[i / 2] = 1;
        assert_null(mez_alloc(t->r->context, &params, size, &error));
        assert_story_of(
            mez_alloc, error, MEZ_ERRC_INVALID_PARAMETER, "mez_memory_params.reserved is not zero");
        params.reserved[i / 2] = 0;
    }
}

static void test_boxes(void **state)
{
    tasks *t = *state;
    mez_copy_3d_params box = {
        .to = t->r->x, .from = t->r->y, .width = sizeof *t->r->x, .rows = 1, .slices = 1};
    for (size_t i = 0; i < WORDS(box); i++) {
        box.reserved[i] = 1;
        REFUSED(mez_copy_3d(t->r->queue, &box, NULL), "mez_copy_3d_params");
        REFUSED(mez_record_copy_3d(t->recording, &box, NULL, NULL), "mez_copy_3d_params");
        box.reserved[i] = 0;
    }
    assert_ok(mez_copy_3d(t->r->queue, &box, NULL));
}

typedef mez_error way(tasks *t, const mez_task_params *task);

static void refuse(tasks *t, way *submit_one, mez_task_params *task)
{
    mez_event *event = (mez_event *)t;
    if (task->event)
        task->event = &event;
    assert_story_of(mez_submit, submit_one(t, task), MEZ_ERRC_INVALID_PARAMETER,
        "mez_task_params.reserved is not zero");
    if (task->event)
        assert_null(event);
}

// Each has been submitted before, so that a quick path knows it.
static void refuse_each_word(tasks *t, way *submit_one, mez_task_params task)
{
    for (int i = 0; i < 2; i++)
        assert_ok(submit_one(t, NULL));
    for (size_t i = 0; i < WORDS(task); i++) {
        task.reserved[i] = 1;
        refuse(t, submit_one, &task);
        task.reserved[i] = 0;
    }
    for (size_t i = 0; i < sizeof task.reserved_flags; i++) {
        task.reserved_flags[i] = 1;
        refuse(t, submit_one, &task);
        task.reserved_flags[i] = 0;
    }
}

static void test_tasks(void **state)
{
    static way *const ways[] = {submit, submit_launch, submit_appended, copy, fill, copy_2d,
        copy_3d, prefetch, advise, barrier, marker, host_task, replay};
    tasks *t = *state;
    mez_event *event;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        refuse_each_word(t, ways[i], (mez_task_params){.debug_name = "newer"});
        refuse_each_word(t, ways[i], (mez_task_params){.event = &event});
    }
    assert_ok(mez_queue_wait(t->r->queue));
}

static void test_recorded_tasks(void **state)
{
    static way *const ways[] = {
        record_submit, record_copy, record_fill, record_copy_2d, record_copy_3d, record_barrier};
    tasks *t = *state;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        refuse_each_word(t, ways[i], (mez_task_params){.debug_name = "newer"});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_contexts, driver_setup, driver_teardown),
        TASKS_TEST(test_adopted_contexts),
        TASKS_TEST(test_queues),
        TASKS_TEST(test_recordings),
        TASKS_TEST(test_user_events),
        TASKS_TEST(test_images),
        TASKS_TEST(test_memory),
        TASKS_TEST(test_boxes),
        TASKS_TEST(test_tasks),
        TASKS_TEST(test_recorded_tasks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
