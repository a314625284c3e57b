// SPDX-License-Identifier: MIT
//
// Kernels over ranges: every work-item runs once and knows who it is.

#include "harness.h"

typedef struct item { // as in launch.cl
    uint32_t global_id[3];
    uint32_t local_id[3];
    uint32_t group_id[3];
    uint32_t local_size[3];
    uint32_t global_size[3];
    uint32_t dimensions;
} item;

static void saxpy(void **state)
{
    mez_queue *queue = *state;
    enum { COUNT = 1000 };
    const float a = 2.0f;
    mez_kernel *kernel = mez_test_kernel("launch", "saxpy");
    float *x = mez_test_shared(COUNT * sizeof *x);
    float *y = mez_test_shared(COUNT * sizeof *y);
    for (int i = 0; i < COUNT; i++) {
        x[i] = (float)i;
        y[i] = 1.0f;
    }
    mez_test_ok(mez_submit(
        queue, kernel, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(x), MEZ_PTR(y)), NULL));
    mez_test_ok(mez_queue_wait(queue));
    for (int i = 0; i < COUNT && mez_test_has("results"); i++)
        assert_true(y[i] == 2.0f * (float)i + 1.0f);
    mez_test_free(x);
    mez_test_free(y);
    mez_kernel_destroy(&kernel);
}

// y = 2 x + y three times, then with another factor and the other way round.
static void prepared(void **state)
{
    mez_queue *queue = *state;
    enum { COUNT = 1000 };
    float a = 2.0f;
    mez_kernel *kernel = mez_test_kernel("launch", "saxpy");
    float *x = mez_test_shared(COUNT * sizeof *x);
    float *y = mez_test_shared(COUNT * sizeof *y);
    for (int i = 0; i < COUNT; i++) {
        x[i] = (float)i;
        y[i] = 1.0f;
    }
    mez_launch *launch;
    mez_event *event;
    mez_test_ok(mez_launch_create(
        queue, kernel, MEZ_RANGE(COUNT), MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(x), MEZ_PTR(y)), &launch));
    mez_kernel_destroy(&kernel);
    a = 100.0f; // it was copied
    for (int i = 0; i < 3; i++)
        mez_test_ok(mez_launch_submit(launch, i == 1 ? MEZ_TASK(.event = &event) : NULL));
    mez_test_ok(mez_launch_set_argument(launch, 0, MEZ_ARG(MEZ_VAL(a))));
    mez_test_ok(mez_launch_set_argument(launch, 1, MEZ_ARG(MEZ_PTR(y))));
    mez_test_ok(mez_launch_set_argument(launch, 2, MEZ_ARG(MEZ_PTR(x))));
    mez_test_ok(mez_launch_submit(launch, NULL));
    mez_launch_destroy(&launch);
    mez_test_ok(mez_event_wait(event));
    mez_event_destroy(&event);
    mez_test_ok(mez_queue_wait(queue));
    for (int i = 0; i < COUNT && mez_test_has("results"); i++) {
        assert_true(y[i] == 6.0f * (float)i + 1.0f);
        assert_true(x[i] == 100.0f * y[i] + (float)i);
    }
    mez_test_free(x);
    mez_test_free(y);
}

static size_t in_dimension(const size_t sizes[3], const mez_range *range, uint32_t dimension)
{
    return dimension < range->dimensions ? sizes[dimension] : 1;
}

static size_t count_items(const mez_range *range)
{
    return in_dimension(range->global, range, 0) * in_dimension(range->global, range, 1) *
           in_dimension(range->global, range, 2);
}

static void check_dimension(
    const item *item, const mez_range *range, uint32_t dimension, size_t expected)
{
    const size_t global = in_dimension(range->global, range, dimension);
    const uint32_t local = item->local_size[dimension];
    assert_int_equal(item->global_id[dimension], expected);
    assert_int_equal(item->global_size[dimension], global);
    assert_true(local > 0 && global % local == 0);
    assert_true(item->local_id[dimension] < local);
    assert_int_equal(item->group_id[dimension] * local + item->local_id[dimension], expected);
    const size_t asked = in_dimension(range->local, range, dimension);
    if (range->local[0] != 0)
        assert_int_equal(local, asked);
}

static void check_items(const item *items, const mez_range *range)
{
    const size_t width = in_dimension(range->global, range, 0);
    const size_t height = in_dimension(range->global, range, 1);
    for (size_t i = 0; i < count_items(range); i++) {
        check_dimension(&items[i], range, 0, i % width);
        check_dimension(&items[i], range, 1, i / width % height);
        check_dimension(&items[i], range, 2, i / width / height);
        const uint32_t *local = items[i].local_size;
        assert_true(local[0] * local[1] * local[2] <= mez_test_info()->max_group_size);
    }
}

static void run_over(mez_queue *queue, mez_kernel *kernel, const mez_range *range)
{
    const size_t size = count_items(range) * sizeof(item);
    item *items = mez_test_shared(size);
    memset(items, 0xff, size);
    mez_test_ok(mez_submit(queue, kernel, range, MEZ_ARGS(MEZ_PTR(items)), NULL));
    mez_test_ok(mez_queue_wait(queue));
    if (mez_test_has("results"))
        check_items(items, range);
    mez_test_free(items);
}

static void run_all(mez_queue *queue, const mez_range *ranges, size_t count)
{
    mez_kernel *kernel = mez_test_kernel("launch", "identify");
    for (size_t i = 0; i < count; i++)
        run_over(queue, kernel, &ranges[i]);
    mez_kernel_destroy(&kernel);
}
#define RUN_ALL(queue, ranges) run_all(queue, ranges, sizeof(ranges) / sizeof *(ranges))

static void chosen_work_groups(void **state)
{
    const mez_range ranges[] = {
        {1, {1}, {0}},
        {1, {64}, {0}},
        {1, {1000}, {0}},
        {1, {4096}, {0}},
        {2, {16, 16}, {0}},
        {2, {12, 50}, {0}},
        {3, {8, 6, 4}, {0}},
        {3, {1, 1, 64}, {0}},
    };
    RUN_ALL(*state, ranges);
}

// Nothing but 1 and themselves divides them, and ranges are never rounded up.
static void prime_ranges(void **state)
{
    const mez_range ranges[] = {
        {1, {7}, {0}},
        {1, {509}, {0}},
        {1, {1031}, {0}},
        {2, {31, 37}, {0}},
        {3, {3, 13, 11}, {0}},
    };
    RUN_ALL(*state, ranges);
}

static void given_work_groups(void **state)
{
    const mez_range ranges[] = {
        {1, {64}, {1}},
        {1, {96}, {32}},
        {1, {256}, {256}},
        {1, {21}, {7}},
        {2, {32, 12}, {8, 4}},
        {2, {6, 10}, {1, 10}},
        {3, {8, 4, 6}, {4, 2, 3}},
        {3, {5, 3, 2}, {5, 3, 2}},
    };
    RUN_ALL(*state, ranges);
}

static void range_macros_mean_x_first(void **state)
{
    mez_kernel *kernel = mez_test_kernel("launch", "identify");
    run_over(*state, kernel, MEZ_RANGE(6, 4, 2));
    run_over(*state, kernel, MEZ_ND_RANGE(MEZ_SIZE(6, 4), MEZ_SIZE(3, 2)));
    mez_kernel_destroy(&kernel);
}

static void required_work_group(void **state)
{
    mez_queue *queue = *state;
    mez_kernel *kernel = mez_test_kernel("launch", "required");
    item *items = mez_test_shared(16 * 8 * 4 * sizeof *items);
    const mez_args *args = MEZ_ARGS(MEZ_PTR(items));
    mez_test_ok(mez_submit(queue, kernel, MEZ_RANGE(16, 8, 4), args, NULL));
    mez_test_ok(
        mez_submit(queue, kernel, MEZ_ND_RANGE(MEZ_SIZE(16, 8, 4), MEZ_SIZE(8, 4, 2)), args, NULL));
    mez_test_ok(mez_queue_wait(queue));
    for (int i = 0; i < 16 * 8 * 4 && mez_test_has("results"); i++) {
        assert_int_equal(items[i].local_size[0], 8);
        assert_int_equal(items[i].local_size[1], 4);
        assert_int_equal(items[i].local_size[2], 2);
    }
    mez_test_fails(
        mez_submit(queue, kernel, MEZ_ND_RANGE(MEZ_SIZE(16, 8, 4), MEZ_SIZE(4, 4, 4)), args, NULL),
        MEZ_ERRC_ND_RANGE);
    mez_test_fails(mez_submit(queue, kernel, MEZ_RANGE(12, 8, 4), args, NULL), MEZ_ERRC_ND_RANGE);
    mez_test_free(items);
    mez_kernel_destroy(&kernel);
}

static void wrong_ranges_are_refused(void **state)
{
    mez_queue *queue = *state;
    mez_kernel *kernel = mez_test_kernel("launch", "identify");
    item *items = mez_test_shared(sizeof *items);
    const size_t too_many = (size_t)mez_test_info()->max_group_size * 2;
    const mez_range wrong[] = {
        {0, {1}, {0}},
        {4, {1, 1, 1}, {0}},
        {1, {0}, {0}},
        {2, {8, 0}, {0}},
        {1, {10}, {3}},
        {2, {8, 8}, {8, 0}},
        {1, {too_many}, {too_many}},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        mez_test_fails(mez_submit(queue, kernel, &wrong[i], MEZ_ARGS(MEZ_PTR(items)), NULL),
            MEZ_ERRC_ND_RANGE);
    mez_test_ok(mez_queue_wait(queue));
    mez_test_free(items);
    mez_kernel_destroy(&kernel);
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(saxpy),
        MEZ_DEVICE_TEST(prepared),
        MEZ_DEVICE_TEST(chosen_work_groups),
        MEZ_DEVICE_TEST(prime_ranges),
        MEZ_DEVICE_TEST(given_work_groups),
        MEZ_DEVICE_TEST(range_macros_mean_x_first),
        MEZ_DEVICE_TEST(required_work_group),
        MEZ_DEVICE_TEST(wrong_ranges_are_refused),
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
