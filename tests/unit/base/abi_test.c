// SPDX-License-Identifier: MIT
//
// The layout of what programs are compiled against. A change here breaks them: the soname's number moves with it, unless it has
// moved since the last release (CONTRIBUTING.md).

#include "unit.h"

#include <mezzanine/mezzanine.h>

#define SIZE(type, size) _Static_assert(sizeof(type) == (size), #type)
#define OFFSET(type, member, offset) \
    _Static_assert(offsetof(type, member) == (offset), #type "." #member)

#if UINTPTR_MAX == UINT64_MAX
SIZE(mez_error, 8);
SIZE(mez_location, 24);
SIZE(mez_context_params, 64);
SIZE(mez_memory_usage, 48);
SIZE(mez_context_statistics, 176);
SIZE(mez_device_info, 144);
SIZE(mez_driver_extension, 16);
SIZE(mez_driver_function, 16);
SIZE(mez_driver_info, 48);
SIZE(mez_memory_state, 32);
SIZE(mez_image_params, 88);
OFFSET(mez_image_params, path, 64);
SIZE(mez_spec_constant, 24);
SIZE(mez_arg, 24);
SIZE(mez_args, 16);
SIZE(mez_memory_params, 40);
SIZE(mez_memory_info, 48);
SIZE(mez_ipc_handle, 128);
SIZE(mez_queue_params, 80);
SIZE(mez_assert_params, 24);
SIZE(mez_error_handler, 16);
SIZE(mez_assert_report, 48);
SIZE(mez_recording_params, 24);
SIZE(mez_range, 56);
SIZE(mez_task_params, 40);
SIZE(mez_event_profile, 16);
SIZE(mez_assert_record, 704);
OFFSET(mez_range, global, 8);
OFFSET(mez_range, local, 32);
OFFSET(mez_arg, data, 16);
OFFSET(mez_task_params, event, 24);
OFFSET(mez_task_params, cooperative, 32);
#endif

static void test_errors_travel_in_a_register(void **state)
{
    (void)state;
    const mez_error error = {.value = 0x101, .origin = 0x00000201};
    uint64_t bits;
    memcpy(&bits, &error, sizeof bits);
    assert_true(bits == 0x0000020100000101u || bits == 0x0000010100000201u);
}

static void test_zero_is_the_default(void **state)
{
    (void)state;
    assert_int_equal(MEZ_MEMORY_DEVICE, 0);
    assert_int_equal(MEZ_ARG_VALUE, 0);
    assert_int_equal(MEZ_SUCCESS, 0);
    assert_true(MEZ_FOREVER == UINT64_MAX);
}

static void test_ranges_and_arguments_by_macro(void **state)
{
    (void)state;
    const mez_range *range = MEZ_RANGE(7, 8, 9);
    assert_int_equal(range->dimensions, 3);
    assert_int_equal(range->global[0], 7);
    assert_int_equal(range->global[2], 9);
    assert_int_equal(range->local[0], 0);
    const mez_range *grouped = MEZ_ND_RANGE(MEZ_SIZE(64, 2), MEZ_SIZE(8, 1));
    assert_int_equal(grouped->dimensions, 2);
    assert_int_equal(grouped->local[0], 8);

    const float a = 2;
    int target;
    const mez_args *args = MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(&target), MEZ_LOCAL(256));
    assert_int_equal(args->count, 3);
    assert_int_equal(args->items[0].size, sizeof a);
    assert_memory_equal(args->items[0].data, &a, sizeof a);
    assert_ptr_equal(args->items[1].data, &target);
    assert_int_equal(args->items[2].size, 256);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors_travel_in_a_register),
        cmocka_unit_test(test_zero_is_the_default),
        cmocka_unit_test(test_ranges_and_arguments_by_macro),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
