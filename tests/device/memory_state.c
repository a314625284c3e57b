// SPDX-License-Identifier: MIT
//
// What of a device's memory is free, with Sysman asked for: whatever the driver makes of that, nothing breaks.

#include "harness.h"

static mez_memory_state state_of(const mez_device *device)
{
    mez_memory_state state;
    mez_test_ok(mez_device_get_memory_state(device, &state));
    return state;
}

static void check(const mez_device *device)
{
    const mez_memory_state state = state_of(device);
    assert_true(state.total > 0);
    assert_true(state.free <= state.total);
    assert_true(state.free_is_known == (state.why_unknown == NULL));
    assert_true(state.free_is_known || state.free == 0);
}

static void check_tree(const mez_device *device)
{
    check(device);
    for (uint32_t i = 0; i < mez_device_get_sub_device_count(device); i++)
        check_tree(mez_device_get_sub_device(device, i));
}

static void every_device_can_be_asked(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < mez_context_get_device_count(mez_test_context()); i++)
        check_tree(mez_context_get_device(mez_test_context(), i));
}

static void memory_of_the_host_is_known(void **state)
{
    (void)state;
    if (mez_test_info()->integrated)
        assert_true(state_of(mez_test_device()).free_is_known);
}

static void refusals_report_what_is_free(void **state)
{
    (void)state;
    mez_error error;
    char story[8192];
    assert_null(mez_alloc_device(mez_test_context(), SIZE_MAX / 2, &error));
    mez_error_get_story(error, story, sizeof story);
    const bool known = state_of(mez_test_device()).free_is_known;
    assert_non_null(strstr(story, known ? "free are " : "what is free is not known: "));
}

int main(int argc, char **argv)
{
    static const mez_device_test tests[] = {
        MEZ_DEVICE_TEST(every_device_can_be_asked),
        MEZ_DEVICE_TEST(memory_of_the_host_is_known),
        MEZ_DEVICE_TEST(refusals_report_what_is_free),
    };
    return MEZ_TEST_MAIN(argc, argv, tests);
}
