// SPDX-License-Identifier: MIT
//
// What not every device can do: it runs where the device can, and is refused, with the reason, where it can't.

#include <math.h>

#include "harness.h"

static void check_refused(mez_error error, const char *reason)
{
    char story[4096];
    mez_test_fails(error, MEZ_ERRC_KERNEL_NOT_SUPPORTED);
    mez_error_get_story(error, story, sizeof story);
    if (!strstr(story, reason) || !strstr(story, "feature"))
        fail_msg("the story does not name the kernel and \"%s\":\n%s", reason, story);
}

// Submits over 32 work-items. True where it ran; false where it was rightly refused.
static bool run_or_refuse(
    mez_queue *queue, const char *file, const char *capability, const char *reason, void *values)
{
    mez_kernel *kernel = mez_test_kernel(file, "feature");
    const mez_error built = mez_kernel_build(kernel, mez_test_device());
    const mez_error error = mez_submit(
        queue, kernel, MEZ_ND_RANGE(MEZ_SIZE(32), MEZ_SIZE(32)), MEZ_ARGS(MEZ_PTR(values)), NULL);
    const bool has = mez_test_has(capability);
    if (has) {
        mez_test_ok(built);
        mez_test_ok(error);
    } else {
        check_refused(built, reason);
        check_refused(error, reason);
    }
    mez_test_ok(mez_queue_wait(queue));
    mez_kernel_destroy(&kernel);
    return has && mez_test_has("results");
}

static void double_precision(void **state)
{
    double *values = mez_test_shared(32 * sizeof *values);
    for (int i = 0; i < 32; i++)
        values[i] = i + 0.1;
    if (run_or_refuse(*state, "fp64", "fp64", "fp64", values))
        for (int i = 0; i < 32; i++)
            assert_true(fabs(values[i] - sqrt(i + 0.1) / 3) < 1e-15 * (i + 1));
    mez_test_free(values);
}

// Small whole numbers and halves of them are exact; their bits: sign, 5 bits of exponent, 10 of fraction.
static void half_precision(void **state)
{
    uint16_t *values = mez_test_shared(32 * sizeof *values);
    for (int i = 0; i < 32; i++)
        values[i] = 0x4000; // 2.0
    if (run_or_refuse(*state, "fp16", "fp16", "fp16", values))
        for (int i = 0; i < 32; i++)
            assert_int_equal(values[i], 0x4480); // 4.5
    mez_test_free(values);
}

static void sub_groups_of(mez_queue *queue, uint32_t size)
{
    char file[32];
    uint32_t *sizes = mez_test_shared(2 * 32 * sizeof *sizes);
    snprintf(file, sizeof file, "sub_group_%u", size);
    if (run_or_refuse(queue, file, file, "sub-group", sizes))
        for (int i = 0; i < 64; i++)
            assert_int_equal(sizes[i], size);
    mez_test_free(sizes);
}

static void sub_groups_of_required_size(void **state)
{
    sub_groups_of(*state, 8);
    sub_groups_of(*state, 16);
    sub_groups_of(*state, 32);
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(double_precision),
        MEZ_DEVICE_TEST(half_precision),
        MEZ_DEVICE_TEST(sub_groups_of_required_size),
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
