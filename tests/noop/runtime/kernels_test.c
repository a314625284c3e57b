// SPDX-License-Identifier: MIT
//
// Many kernels on one queue: each is made once, and found again among all others.

#include "runtime.h"

#include <stdlib.h>

#include "base/alloc.h"

enum { MOST = 2000 };

static mez_image *image;
static mez_kernel *kernels[MOST];

static void load_image(const runtime *r)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/kernels.spv", getenv("MEZ_TEST_FILES"));
    assert_ok(mez_image_load(r->context, path, &image));
}

static void make_kernels(size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_ok(mez_kernel_create(image, "nothing", &kernels[i]));
}

static void destroy_kernels(size_t first, size_t count, size_t step)
{
    for (size_t i = first; i < count; i += step)
        mez_kernel_destroy(&kernels[i]);
}

static void submit_each(runtime *r, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_ok(mez_submit(r->queue, kernels[i], MEZ_RANGE(COUNT), NULL, NULL));
    assert_ok(mez_queue_wait(r->queue));
}

static void expect_found(runtime *r, size_t count)
{
    const uint64_t before = noop_calls("zeKernelCreate");
    make_kernels(count);
    for (int round = 0; round < 3; round++)
        submit_each(r, count);
    assert_int_equal(noop_calls("zeKernelCreate"), before + count);
    destroy_kernels(1, count, 2);
    for (size_t i = 1; i < count; i += 2)
        assert_ok(mez_kernel_create(image, "nothing", &kernels[i]));
    for (int round = 0; round < 2; round++)
        submit_each(r, count);
    assert_int_equal(noop_calls("zeKernelCreate"), before + count + count / 2);
    destroy_kernels(0, count, 1);
}

static void test_each_is_found_again(void **state)
{
    const size_t counts[] = {1, 7, 8, 9, 16, 17, 64, 65, MOST};
    load_image(*state);
    noop_count_exactly(true);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        expect_found(*state, counts[i]);
    mez_image_destroy(&image);
}

// Kernels that come and go leave nothing behind that others have to pass by.
static void test_one_after_the_other(void **state)
{
    runtime *r = *state;
    load_image(r);
    noop_count_exactly(true);
    for (unsigned i = 0; i < MOST; i++) {
        const uint64_t before = noop_calls("zeKernelCreate");
        make_kernels(1);
        submit_each(r, 1);
        submit_each(r, 1);
        assert_int_equal(noop_calls("zeKernelCreate"), before + 1);
        destroy_kernels(0, 1, 1);
    }
    mez_image_destroy(&image);
}

// The table that finds them can't grow: they are found by a longer way.
static void test_without_memory_for_all(void **state)
{
    runtime *r = *state;
    enum { SOME = 40 };
    load_image(r);
    noop_count_exactly(true);
    make_kernels(SOME);
    for (size_t i = 0; i < SOME; i++) {
        assert_ok(mez_kernel_build(kernels[i], NULL));
        mez_alloc_fail_at(1);
        assert_ok(mez_submit(r->queue, kernels[i], MEZ_RANGE(COUNT), NULL, NULL));
        mez_alloc_fail_at(0);
    }
    const uint64_t before = noop_calls("zeKernelCreate");
    for (int round = 0; round < 3; round++)
        submit_each(r, SOME);
    assert_int_equal(noop_calls("zeKernelCreate"), before);
    destroy_kernels(0, SOME, 1);
    mez_image_destroy(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_ORDER_TEST(test_each_is_found_again),
        RUNTIME_TEST(test_each_is_found_again),
        IN_ORDER_TEST(test_one_after_the_other),
        IN_ORDER_TEST(test_without_memory_for_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
