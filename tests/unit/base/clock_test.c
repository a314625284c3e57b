// SPDX-License-Identifier: MIT
//
// From a device's ticks to nanoseconds.

#include "unit.h"

#include "device/device.h"

static void expect(
    mez_clock clock, uint64_t start, uint64_t end, uint64_t start_ns, uint64_t end_ns)
{
    mez_clock_convert(&clock, &start, &end);
    assert_int_equal(start, start_ns);
    assert_int_equal(end, end_ns);
}

static void test_nanoseconds_a_tick(void **state)
{
    (void)state;
    const mez_clock clock = {.resolution = 83, .valid_bits = 36};
    expect(clock, 0, 0, 0, 0);
    expect(clock, 1, 3, 83, 249);
    expect(clock, 0, (UINT64_C(1) << 36) - 1, 0, 83 * ((UINT64_C(1) << 36) - 1));
}

static void test_ticks_a_second(void **state)
{
    (void)state;
    const mez_clock clock = {.resolution = 12000000, .per_second = true, .valid_bits = 36};
    expect(clock, 0, 12, 0, 1000);
    expect(clock, 1, 12000001, 83, 1000000083);
    const mez_clock odd = {.resolution = 19200000, .per_second = true, .valid_bits = 64};
    expect(odd, 19200000, 19200001, 1000000000, 1000000052);
}

// A century of a fast clock: the product of ticks and a thousand million does not fit.
static void test_large_numbers(void **state)
{
    (void)state;
    const mez_clock clock = {.resolution = 1000000000, .per_second = true, .valid_bits = 64};
    const uint64_t century = UINT64_C(3155760000) * 1000000000;
    expect(clock, century, century + 7, century, century + 7);
}

static void test_wrapping(void **state)
{
    (void)state;
    const mez_clock clock = {.resolution = 10, .valid_bits = 32};
    const uint64_t last = UINT32_MAX;
    expect(clock, last, 4, last * 10, (last + 5) * 10);
    const mez_clock seconds = {.resolution = 100000000, .per_second = true, .valid_bits = 32};
    expect(seconds, last, 4, last * 10, (last + 5) * 10);
}

// What stands above the valid bits means nothing.
static void test_invalid_bits(void **state)
{
    (void)state;
    const mez_clock clock = {.resolution = 1, .valid_bits = 32};
    const uint64_t garbage = UINT64_C(0xabcd) << 32;
    expect(clock, garbage | 5, 9, 5, 9);
    expect(clock, 5, garbage | 9, 5, 9);
}

static void test_unit_of_the_structure(void **state)
{
    (void)state;
    assert_int_equal(
        mez_clock_structure_type(ZE_API_VERSION_1_1), ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES);
    assert_int_equal(
        mez_clock_structure_type(ZE_API_VERSION_1_2), ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2);
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES,
        .timerResolution = 83,
        .kernelTimestampValidBits = 32};
    assert_false(mez_clock_of(&properties).per_second);
    properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
    assert_true(mez_clock_of(&properties).per_second);
    assert_int_equal(mez_clock_of(&properties).resolution, 83);
    assert_int_equal(mez_clock_of(&properties).valid_bits, 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nanoseconds_a_tick),
        cmocka_unit_test(test_ticks_a_second),
        cmocka_unit_test(test_large_numbers),
        cmocka_unit_test(test_wrapping),
        cmocka_unit_test(test_invalid_bits),
        cmocka_unit_test(test_unit_of_the_structure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
