// SPDX-License-Identifier: MIT
//
// Operations beside launches, copies and fills: barriers, rectangles, hints, and what events return.

#include <stdatomic.h>

#include "harness.h"
#include "random.h"

enum { WIDTH = 256 };

static uint32_t *numbers(uint32_t first)
{
    uint32_t *values = mez_test_shared(WIDTH * sizeof *values);
    for (uint32_t i = 0; i < WIDTH; i++)
        values[i] = first + i;
    return values;
}

static void submit_step(
    mez_queue *queue, mez_kernel *kernel, uint32_t *values, uint32_t k, const mez_task_params *task)
{
    mez_test_ok(
        mez_submit(queue, kernel, MEZ_RANGE(WIDTH), MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(k)), task));
}

// Takes its time: half a billion turns of a loop.
static mez_event *submit_slow(mez_queue *queue, uint32_t *values)
{
    mez_kernel *slow = mez_test_kernel("order", "slow_step");
    const uint32_t turns = 1000000;
    mez_event *event;
    mez_test_ok(mez_submit(queue, slow, MEZ_RANGE(WIDTH), MEZ_ARGS(MEZ_PTR(values), MEZ_VAL(turns)),
        MEZ_TASK(.event = &event)));
    mez_kernel_destroy(&slow);
    return event;
}

// --- Barriers

static void barriers_keep_the_order(void **state)
{
    mez_queue *queue = *state;
    mez_kernel *step = mez_test_kernel("order", "step_once");
    uint32_t *values = mez_test_shared(WIDTH * sizeof *values);
    memset(values, 0, WIDTH * sizeof *values);
    uint32_t expected = 0;
    for (uint32_t k = 0; k < 40; k++) {
        submit_step(queue, step, values, k, NULL);
        mez_test_ok(mez_barrier(queue, NULL));
        expected = expected * 3 + k;
    }
    mez_test_ok(mez_queue_wait(queue));
    for (int i = 0; i < WIDTH && mez_test_has("results"); i++)
        assert_int_equal(values[i], expected);
    mez_test_free(values);
    mez_kernel_destroy(&step);
}

// The event of a barrier: everything before it, and what it waits for on another queue.
static void a_barrier_waits_for_both(void **state)
{
    mez_queue *queue = *state, *other;
    mez_test_ok(mez_queue_create(mez_test_context(), NULL, &other));
    uint32_t *here = numbers(0), *there = numbers(0);
    mez_event *elsewhere = submit_slow(other, there), *before = submit_slow(queue, here), *all;
    mez_test_ok(
        mez_barrier(queue, MEZ_TASK(.wait_for = &elsewhere, .wait_count = 1, .event = &all)));
    mez_test_ok(mez_event_wait(all));
    mez_test_ok(mez_event_get_status(elsewhere));
    mez_test_ok(mez_event_get_status(before));
    mez_event_destroy(&elsewhere);
    mez_event_destroy(&before);
    mez_event_destroy(&all);
    mez_queue_destroy(&other);
    mez_test_free(here);
    mez_test_free(there);
}

// What comes behind a barrier starts only when the other queue's task has ended.
static void tasks_stay_behind_a_barrier(void **state)
{
    mez_queue *queue = *state, *other;
    mez_test_ok(mez_queue_create(mez_test_context(), NULL, &other));
    uint32_t *from = numbers(1), *to = numbers(0);
    uint32_t expected = 1;
    for (uint32_t turn = 0; turn < 1000000; turn++)
        expected = expected * 1664525u + 1013904223u;
    mez_event *elsewhere = submit_slow(other, from);
    mez_test_ok(mez_barrier(queue, MEZ_TASK(.wait_for = &elsewhere, .wait_count = 1)));
    mez_test_ok(mez_copy(queue, to, from, WIDTH * sizeof *to, NULL));
    mez_test_ok(mez_queue_wait(queue));
    if (mez_test_has("results"))
        assert_int_equal(to[0], expected);
    mez_event_destroy(&elsewhere);
    mez_queue_destroy(&other);
    mez_test_free(from);
    mez_test_free(to);
}

// --- Rectangles

enum { TO_PITCH = 48, FROM_PITCH = 64, LINE = 20, ROWS = 9, ROOM = 1024 };

static void copy_rectangle(mez_queue *queue, mez_memory_kind to_kind, mez_memory_kind from_kind)
{
    unsigned char source[ROOM], result[ROOM];
    void *from = mez_test_alloc(from_kind, ROOM), *to = mez_test_alloc(to_kind, ROOM);
    const unsigned char nothing = 0xee;
    for (int i = 0; i < ROOM; i++)
        source[i] = (unsigned char)(i * 7);
    mez_test_ok(mez_copy(queue, from, source, ROOM, NULL));
    mez_test_ok(mez_fill(queue, to, &nothing, 1, ROOM, NULL));
    mez_test_ok(mez_copy_2d(queue, to, TO_PITCH, from, FROM_PITCH, LINE, ROWS, NULL));
    mez_test_ok(mez_copy(queue, result, to, ROOM, NULL));
    mez_test_ok(mez_queue_wait(queue));
    for (int i = 0; i < ROOM && mez_test_has("results"); i++) {
        const int row = i / TO_PITCH, column = i % TO_PITCH;
        const bool inside = row < ROWS && column < LINE;
        assert_int_equal(result[i], inside ? source[row * FROM_PITCH + column] : nothing);
    }
    mez_test_free(from);
    mez_test_free(to);
}

static void rectangles(void **state)
{
    for (int to = MEZ_MEMORY_DEVICE; to <= MEZ_MEMORY_SHARED; to++)
        for (int from = MEZ_MEMORY_DEVICE; from <= MEZ_MEMORY_SHARED; from++)
            copy_rectangle(*state, (mez_memory_kind)to, (mez_memory_kind)from);
}

// The left half of each row goes to the right half.
static void rectangles_side_by_side(void **state)
{
    mez_queue *queue = *state;
    uint32_t *values = numbers(0);
    const size_t pitch = 16 * sizeof *values, half = 8 * sizeof *values;
    mez_test_ok(mez_copy_2d(queue, values + 8, pitch, values, pitch, half, 16, NULL));
    mez_test_ok(mez_queue_wait(queue));
    for (uint32_t i = 0; i < WIDTH && mez_test_has("results"); i++)
        assert_int_equal(values[i], i % 16 < 8 ? i : i - 8);
    mez_test_free(values);
}

// --- Boxes

enum { EDGE = 6, SLICES = 4, BOX_ROOM = 2048 };

// Random extents and pitches, compared with loops; a third of them are submitted as recordings.
static mez_copy_3d_params random_box(uint64_t *random, void *to, const void *from)
{
    mez_copy_3d_params box = {.to = to, .from = from};
    box.width = 1 + mez_test_random_below(random, 2 * EDGE);
    box.rows = 1 + mez_test_random_below(random, EDGE);
    box.slices = 1 + mez_test_random_below(random, SLICES);
    box.to_row_pitch = box.width + mez_test_random_below(random, 3) * 4;
    box.from_row_pitch = box.width + mez_test_random_below(random, 3) * 4;
    box.to_slice_pitch = box.rows * box.to_row_pitch + mez_test_random_below(random, 3) * 8;
    box.from_slice_pitch = box.rows * box.from_row_pitch + mez_test_random_below(random, 3) * 8;
    return box;
}

static void copy_by_loops(
    const mez_copy_3d_params *box, unsigned char *to, const unsigned char *from)
{
    for (size_t z = 0; z < box->slices; z++)
        for (size_t y = 0; y < box->rows; y++)
            memcpy(to + z * box->to_slice_pitch + y * box->to_row_pitch,
                from + z * box->from_slice_pitch + y * box->from_row_pitch, box->width);
}

static void replay_box(mez_queue *queue, const mez_copy_3d_params *box)
{
    mez_recording *recording;
    mez_test_ok(mez_recording_create(mez_test_context(), NULL, &recording));
    mez_test_ok(mez_record_copy_3d(recording, box, NULL, NULL));
    mez_test_ok(mez_replay(queue, recording, NULL));
    mez_recording_destroy(&recording);
}

static void copy_box(mez_queue *queue, uint64_t *random)
{
    unsigned char source[BOX_ROOM], expected[BOX_ROOM], result[BOX_ROOM];
    void *from = mez_test_alloc((mez_memory_kind)mez_test_random_below(random, 3), BOX_ROOM);
    void *to = mez_test_alloc((mez_memory_kind)mez_test_random_below(random, 3), BOX_ROOM);
    const mez_copy_3d_params box = random_box(random, to, from);
    const unsigned char nothing = 0xee;
    for (int i = 0; i < BOX_ROOM; i++)
        source[i] = (unsigned char)(i * 7);
    memset(expected, nothing, sizeof expected);
    copy_by_loops(&box, expected, source);
    mez_test_ok(mez_copy(queue, from, source, BOX_ROOM, NULL));
    mez_test_ok(mez_fill(queue, to, &nothing, 1, BOX_ROOM, NULL));
    if (mez_test_random_below(random, 3) == 0)
        replay_box(queue, &box);
    else
        mez_test_ok(mez_copy_3d(queue, &box, NULL));
    mez_test_ok(mez_copy(queue, result, to, BOX_ROOM, NULL));
    mez_test_ok(mez_queue_wait(queue));
    if (mez_test_has("results"))
        assert_memory_equal(result, expected, BOX_ROOM);
    mez_test_free(from);
    mez_test_free(to);
}

static void boxes(void **state)
{
    uint64_t random = 3;
    for (int i = 0; i < 60; i++)
        copy_box(*state, &random);
}

// A box that waits in the runtime needs nothing of the caller.
static void open_soon(void *user)
{
    atomic_bool *open = user;
    while (!atomic_load(open))
        ;
}

static void boxes_behind_a_host_task(void **state)
{
    mez_queue *queue = *state;
    atomic_bool open = false;
    unsigned char *bytes = mez_test_alloc(MEZ_MEMORY_HOST, 256);
    for (int i = 0; i < 256; i++)
        bytes[i] = (unsigned char)i;
    mez_copy_3d_params box = {.to = bytes + 128,
        .to_slice_pitch = 32,
        .from = bytes,
        .from_row_pitch = 16,
        .width = 4,
        .rows = 2,
        .slices = 3};
    mez_test_ok(mez_host_task(queue, open_soon, &open, NULL));
    mez_test_ok(mez_copy_3d(queue, &box, NULL));
    memset(&box, 0xff, sizeof box);
    atomic_store(&open, true);
    mez_test_ok(mez_queue_wait(queue));
    for (int i = 0; i < 96 && mez_test_has("results"); i++) {
        const int slice = i / 32, row = i % 32 / 4, column = i % 4;
        assert_int_equal(bytes[128 + i], row < 2 ? slice * 32 + row * 16 + column : 128 + i);
    }
    mez_test_free(bytes);
}

// --- Hints

static void hints_change_nothing(void **state)
{
    mez_queue *queue = *state;
    mez_kernel *step = mez_test_kernel("order", "step_once");
    uint32_t *values = numbers(0);
    const size_t size = WIDTH * sizeof *values;
    mez_event *first, *second;
    mez_test_ok(mez_advise(queue, values, size, MEZ_ADVICE_PREFER_DEVICE, NULL));
    submit_step(queue, step, values, 1, MEZ_TASK(.event = &first));
    mez_test_ok(mez_prefetch(
        queue, values, size, MEZ_TASK(.wait_for = &first, .wait_count = 1, .event = &second)));
    submit_step(queue, step, values, 2, NULL);
    mez_test_ok(mez_advise(queue, values, size, MEZ_ADVICE_PREFER_NOWHERE, NULL));
    mez_test_ok(mez_event_wait(second));
    mez_test_ok(mez_queue_wait(queue));
    for (uint32_t i = 0; i < WIDTH && mez_test_has("results"); i++)
        assert_int_equal(values[i], (i * 3 + 1) * 3 + 2);
    mez_event_destroy(&first);
    mez_event_destroy(&second);
    mez_test_free(values);
    mez_kernel_destroy(&step);
}

// --- Cooperative launches

static void groups_wait_for_each_other(void **state)
{
    enum { GROUPS = 2 };
    mez_queue *queue = *state;
    mez_test_needs("cooperation");
    mez_kernel *meet = mez_test_kernel("order", "meet");
    uint32_t *seen = numbers(0), *arrived = numbers(0);
    const mez_args *args = MEZ_ARGS(MEZ_PTR(arrived), MEZ_PTR(seen));
    const mez_range *range = MEZ_ND_RANGE(MEZ_SIZE(GROUPS * 8), MEZ_SIZE(8));
    const mez_error error = mez_submit(queue, meet, range, args, MEZ_TASK(.cooperative = true));
    if (mez_error_is(error, MEZ_ERRC_FEATURE_NOT_SUPPORTED)) {
        mez_test_free(seen);
        mez_test_free(arrived);
        mez_kernel_destroy(&meet);
        return;
    }
    mez_test_ok(error);
    mez_test_ok(mez_queue_wait(queue));
    for (int i = 0; i < GROUPS * 8 && mez_test_has("results"); i++)
        assert_int_equal(seen[i], GROUPS);
    const mez_range *many = MEZ_ND_RANGE(MEZ_SIZE((size_t)1 << 30), MEZ_SIZE(1));
    mez_test_fails(
        mez_submit(queue, meet, many, args, MEZ_TASK(.cooperative = true)), MEZ_ERRC_ND_RANGE);
    mez_test_free(seen);
    mez_test_free(arrived);
    mez_kernel_destroy(&meet);
}

// --- Events

static void status_becomes_ready(void **state)
{
    mez_queue *queue = *state;
    uint32_t *values = numbers(0);
    mez_event *event = submit_slow(queue, values);
    mez_error status = mez_event_get_status(event);
    if (mez_test_has("results"))
        mez_test_fails(status, MEZ_ERRC_NOT_READY);
    while (mez_error_is(status, MEZ_ERRC_NOT_READY))
        status = mez_event_get_status(event);
    mez_test_ok(status);
    mez_test_ok(mez_event_wait_for(event, 0));
    mez_event_destroy(&event);
    mez_test_free(values);
}

typedef struct follower {
    mez_queue *queue;
    mez_kernel *kernel;
    uint32_t *values;
    mez_error error;
} follower;

// Submits to another queue from the thread that calls it.
static void follow(void *user, mez_error outcome)
{
    follower *my = user;
    const uint32_t k = 5;
    my->error = mez_failed(outcome) ? outcome
                                    : mez_submit(my->queue, my->kernel, MEZ_RANGE(WIDTH),
                                          MEZ_ARGS(MEZ_PTR(my->values), MEZ_VAL(k)), NULL);
}

static void callbacks_may_submit(void **state)
{
    mez_queue *queue;
    mez_test_ok(mez_queue_create(mez_test_context(), NULL, &queue));
    follower follower = {.queue = *state, .values = numbers(0)};
    follower.kernel = mez_test_kernel("order", "step_once");
    mez_event *event = submit_slow(queue, follower.values);
    const uint32_t zero = 0;
    mez_event_destroy(&event);
    mez_test_ok(mez_fill(queue, follower.values, &zero, sizeof zero,
        WIDTH * sizeof *follower.values, MEZ_TASK(.event = &event)));
    mez_test_ok(mez_event_set_callback(event, follow, &follower));
    mez_event_destroy(&event);
    mez_queue_destroy(&queue); // waits for the callback
    mez_test_ok(follower.error);
    mez_test_ok(mez_queue_wait(follower.queue));
    for (int i = 0; i < WIDTH && mez_test_has("results"); i++)
        assert_int_equal(follower.values[i], 5);
    mez_test_free(follower.values);
    mez_kernel_destroy(&follower.kernel);
}

// Where nothing runs the driver finds no times behind a barrier that it calls over.
static void get_times(mez_event *event, mez_event_profile *profile)
{
    const mez_error error = mez_event_get_profile(event, profile);
    if (mez_test_has("results") || !mez_error_is(error, MEZ_ERRC_NOT_READY))
        mez_test_ok(error);
}

// Two tasks in order take their times in order, and the long one takes longer than the short one.
static void times_of_tasks(void **state)
{
    (void)state;
    mez_queue *queue;
    mez_test_ok(
        mez_queue_create(mez_test_context(), &(const mez_queue_params){.profiling = true}, &queue));
    uint32_t *values = numbers(0);
    mez_event *slow = submit_slow(queue, values), *quick, *behind;
    mez_test_ok(mez_copy(queue, values, values + 4, 16, MEZ_TASK(.event = &quick)));
    mez_test_ok(mez_barrier(queue, MEZ_TASK(.event = &behind)));
    mez_event_profile first, second, third;
    mez_test_ok(mez_event_wait(behind));
    get_times(slow, &first);
    get_times(quick, &second);
    get_times(behind, &third);
    if (mez_test_has("results")) {
        assert_true(first.start < first.end && first.end <= second.start);
        assert_true(second.start <= second.end && second.end <= third.end);
        assert_true(first.end - first.start > second.end - second.start);
        assert_uint_in_range(
            first.end - first.start, 1000000, 60000000000); // a millisecond, a minute
    }
    mez_event_destroy(&slow);
    mez_event_destroy(&quick);
    mez_event_destroy(&behind);
    mez_queue_destroy(&queue);
    mez_test_free(values);
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(barriers_keep_the_order),
        MEZ_DEVICE_TEST(a_barrier_waits_for_both),
        MEZ_DEVICE_TEST(tasks_stay_behind_a_barrier),
        MEZ_DEVICE_TEST(rectangles),
        MEZ_DEVICE_TEST(rectangles_side_by_side),
        MEZ_DEVICE_TEST(boxes),
        MEZ_DEVICE_TEST(boxes_behind_a_host_task),
        MEZ_DEVICE_TEST(hints_change_nothing),
        MEZ_DEVICE_TEST(groups_wait_for_each_other),
        MEZ_DEVICE_TEST(status_becomes_ready),
        MEZ_DEVICE_TEST(callbacks_may_submit),
        MEZ_DEVICE_TEST(times_of_tasks),
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
