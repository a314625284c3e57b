// SPDX-License-Identifier: MIT
//
// The built-in table against a driver that imitates the device: all aspects and sub-group sizes, and the size of work-groups where
// the table has one. The environment says which device; the argument is the name it must have.

#include <stdlib.h>

#include <mezzanine/context.h>

#include "device/device.h"
#include "unit.h"

static mez_context *context;
static const char *wanted;

static int open_device(void **state)
{
    (void)state;
    const mez_error error = mez_context_create_at(NULL, NULL, &context);
    mez_error_print(stderr, error);
    return mez_failed(error);
}

static int close_device(void **state)
{
    (void)state;
    mez_context_destroy(&context);
    return 0;
}

static const mez_target *live(void)
{
    return &mez_context_get_device(context, 0)->target;
}

static const mez_target *listed(void)
{
    const mez_targets *targets;
    assert_ok(mez_targets_get_default(&targets));
    return mez_targets_find(targets, wanted, NULL);
}

static void the_device_is_recognised(void **state)
{
    (void)state;
    assert_string_equal(mez_device_get_architecture(mez_context_get_device(context, 0)), wanted);
}

static void the_aspects_are_the_same(void **state)
{
    (void)state;
    const mez_aspects missing = mez_aspects_except(&live()->aspects, &listed()->aspects);
    const mez_aspects surplus = mez_aspects_except(&listed()->aspects, &live()->aspects);
    mez_aspects_each(&missing, it) print_error("the table lacks %s\n", mez_aspect_name(it));
    mez_aspects_each(&surplus, it) print_error("the driver lacks %s\n", mez_aspect_name(it));
    assert_int_equal(mez_aspects_next(&missing, (mez_aspect)0), MEZ_ASPECT_COUNT);
    assert_int_equal(mez_aspects_next(&surplus, (mez_aspect)0), MEZ_ASPECT_COUNT);
}

static void the_sizes_are_the_same(void **state)
{
    (void)state;
    assert_int_equal(live()->sub_group_size_count, listed()->sub_group_size_count);
    assert_memory_equal(live()->sub_group_sizes, listed()->sub_group_sizes,
        listed()->sub_group_size_count * sizeof *listed()->sub_group_sizes);
    if (listed()->max_group_size && !getenv("OverrideMaxWorkgroupSize"))
        assert_int_equal(live()->max_group_size, listed()->max_group_size);
    if (listed()->max_local_memory)
        assert_int_equal(live()->max_local_memory, listed()->max_local_memory);
    if (listed()->max_argument_size)
        assert_int_equal(live()->max_argument_size, listed()->max_argument_size);
}

int main(int count, char **arguments)
{
    if (count != 2)
        return 2;
    wanted = arguments[1];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_device_is_recognised),
        cmocka_unit_test(the_aspects_are_the_same),
        cmocka_unit_test(the_sizes_are_the_same),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
