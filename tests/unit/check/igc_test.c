// SPDX-License-Identifier: MIT
//
// Which generation of Intel's compiler goes with what is known of it. Releases and builds are those of published drivers.

#include "check/requirements.h"
#include "unit.h"

static void a_version_names_its_generation(void **state)
{
    (void)state;
    static const struct {
        const char *version;
        mez_igc compiler; // MEZ_IGC_UNKNOWN: there is none of that number
    } cases[] = {
        {"1", MEZ_IGC_1},
        {"1.", MEZ_IGC_1},
        {"1.0", MEZ_IGC_1},
        {"1.0.12504", MEZ_IGC_1},
        {"1.0.17791.9", MEZ_IGC_1},
        {"2", MEZ_IGC_2},
        {"2.1.12", MEZ_IGC_2},
        {"2.40", MEZ_IGC_2},
        {"", MEZ_IGC_UNKNOWN},
        {"0", MEZ_IGC_UNKNOWN},
        {"3", MEZ_IGC_UNKNOWN},
        {"10", MEZ_IGC_UNKNOWN},
        {"24.45", MEZ_IGC_UNKNOWN},
        {".1", MEZ_IGC_UNKNOWN},
        {"1-2", MEZ_IGC_UNKNOWN},
        {"2.40 ", MEZ_IGC_UNKNOWN},
        {"v2.40", MEZ_IGC_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mez_igc compiler = MEZ_IGC_UNKNOWN;
        assert_int_equal(
            mez_igc_find(cases[i].version, &compiler), cases[i].compiler != MEZ_IGC_UNKNOWN);
        assert_int_equal(compiler, cases[i].compiler);
    }
}

// The lower half is the build; drivers of the old branch for older GPUs, 24.35, keep theirs to this day.
static void a_driver_names_it_by_its_build(void **state)
{
    (void)state;
    static const struct {
        uint32_t version;
        mez_igc compiler;
    } cases[] = {
        {0x01030000 + 24595, MEZ_IGC_1}, // 22.43
        {0x01030000 + 30872, MEZ_IGC_1}, // 24.35
        {0x01030000 + 31294, MEZ_IGC_1}, // 24.39
        {0x01030000 + 31740, MEZ_IGC_2}, // 24.45
        {0x01030000 + 31907, MEZ_IGC_2}, // 24.48
        {0x01030000 + 39122, MEZ_IGC_2}, // 26.27
        {0x01030000 + 65535, MEZ_IGC_2},
        {0, MEZ_IGC_UNKNOWN},
        {31740, MEZ_IGC_UNKNOWN},
        {0x01020000 + 31740, MEZ_IGC_UNKNOWN},
        {0x01040000, MEZ_IGC_UNKNOWN},
        {UINT32_MAX, MEZ_IGC_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(mez_igc_of_driver(cases[i].version), cases[i].compiler);
}

static void a_release_names_it(void **state)
{
    (void)state;
    static const struct {
        const char *release;
        mez_igc compiler;
    } cases[] = {
        {"22.43.24595.41", MEZ_IGC_1},
        {"24.35.30872.45", MEZ_IGC_1},
        {"24.39.31294.21", MEZ_IGC_1},
        {"24.45", MEZ_IGC_2},
        {"24.45.31740.8", MEZ_IGC_2},
        {"24.45.31740.15", MEZ_IGC_2},
        {"24.48.31907.5", MEZ_IGC_2},
        {"25.05.32567.17", MEZ_IGC_2},
        {"26.27.039122", MEZ_IGC_2},
        {"", MEZ_IGC_UNKNOWN},
        {"24", MEZ_IGC_UNKNOWN},
        {"release 24.45.1", MEZ_IGC_UNKNOWN},
        {"2024.45.31740", MEZ_IGC_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(mez_igc_of_release(cases[i].release), cases[i].compiler);
}

static void each_has_a_name(void **state)
{
    (void)state;
    assert_string_equal(mez_igc_name(MEZ_IGC_1), "IGC 1");
    assert_string_equal(mez_igc_name(MEZ_IGC_2), "IGC 2");
    assert_contains(mez_igc_name(MEZ_IGC_UNKNOWN), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_version_names_its_generation),
        cmocka_unit_test(a_driver_names_it_by_its_build),
        cmocka_unit_test(a_release_names_it),
        cmocka_unit_test(each_has_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
