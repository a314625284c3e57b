// SPDX-License-Identifier: MIT
//
// Signatures of what a failed assert calls, as compilers write them: assert_function.cl.

#include <stdlib.h>

#include "base/file.h"
#include "check/units.h"
#include "device.h"
#include "spirv/asserts.h"

enum { OWN = 9 }; // the case that defines the function

static const struct {
    const char *deviation; // NULL: none
} cases[] = {
    [0] = {NULL},
    [1] = {NULL},
    [2] = {"it has 4 parameters, not 10"},
    [3] = {"it returns a value"},
    [4] = {"its parameter 3 is not an integer of 32 bits"},
    [5] = {"its parameter 10 is not an integer of 64 bits"},
    [6] = {"its parameter 2 is not a pointer to generic, global or constant memory"},
    [7] = {"it has 0 parameters, not 10"},
    [8] = {"its parameter 1 is not a pointer to generic, global or constant memory"},
    [OWN] = {"it has 2 parameters, not 10"},
};

enum { CASES = sizeof cases / sizeof cases[0] };

typedef struct fixture {
    mez_file file;
    mez_bundle *bundle;
    mez_check_units *units;
} fixture;

static void open_case(size_t number, bool stated, fixture *opened)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/check_assert_%zu.spv", getenv("MEZ_CHECK_FILES"), number);
    *opened = (fixture){0};
    assert_ok(mez_file_read(path, &opened->file));
    assert_ok(
        mez_bundle_read(opened->file.bytes, opened->file.size, "assert.spv", &opened->bundle));
    if (stated) {
        static const uint32_t aspects[] = {1}; // the number of cpu or gpu does not matter here
        assert_ok(mez_properties_add_numbers(&opened->bundle->binaries[0].properties,
            "SYCL/device requirements", "aspects", aspects, 1));
    }
    assert_ok(mez_check_units_create(opened->bundle, MEZ_SURVEY_VALUES, &opened->units));
}

static void close_case(fixture *opened)
{
    mez_check_units_destroy(&opened->units);
    mez_bundle_destroy(&opened->bundle);
    mez_file_finish(&opened->file);
}

static const mez_requirements *requirements_of(const fixture *opened, const char *kernel)
{
    for (uint32_t i = 0; i < opened->units->count; i++)
        if (strcmp(opened->units->units[i].kernel, kernel) == 0)
            return &opened->units->units[i].requirements;
    fail_msg("there is no kernel %s", kernel);
    return NULL;
}

static mez_check_device device_with(mez_igc compiler, const mez_target *target)
{
    mez_check_device device = mez_check_device_of("TGL", target);
    device.compiler = compiler;
    return device;
}

static mez_error judge(const mez_requirements *requirements, mez_igc compiler)
{
    const mez_target target = small_target();
    const mez_check_device device = device_with(compiler, &target);
    return mez_check_refuse(requirements, &device, NULL);
}

static void the_first_difference_is_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        fixture opened;
        char deviation[MEZ_ASSERT_DEVIATION_ROOM] = "";
        open_case(i, false, &opened);
        const struct mez_spirv_module *module = opened.units->binaries[0].module;
        const struct mez_spirv_function *function = mez_spirv_find_assert(module);
        assert_non_null(function);
        assert_int_equal(function->has_body, i == OWN);
        assert_int_equal(
            mez_spirv_assert_deviates(module, function, deviation), cases[i].deviation != NULL);
        assert_string_equal(deviation, cases[i].deviation ? cases[i].deviation : "");
        close_case(&opened);
    }
}

// Whatever compiler there is, as each brings the published one, or we do.
static void a_declaration_is_refused_with_the_call(void **state)
{
    (void)state;
    for (size_t i = 0; i < OWN; i++) {
        for (mez_igc compiler = MEZ_IGC_UNKNOWN; compiler <= MEZ_IGC_2; compiler++) {
            fixture opened;
            open_case(i, false, &opened);
            assert_ok(judge(requirements_of(&opened, "unchecked"), compiler));
            const mez_error error = judge(requirements_of(&opened, "checked"), compiler);
            if (cases[i].deviation) {
                assert_story(error, MEZ_ERRC_KERNEL_NOT_SUPPORTED,
                    "Kernel calls __devicelib_assert_fail, but the image declares it with a "
                    "signature other than the published one.");
                assert_contains(story_of(error), cases[i].deviation);
                assert_contains(story_of(error), "for OpFunctionCall in function \"checked\"");
            } else {
                assert_ok(error);
            }
            close_case(&opened);
        }
    }
}

static void a_definition_is_refused_where_compilers_replace_it(void **state)
{
    (void)state;
    fixture opened;
    open_case(OWN, false, &opened);
    const mez_requirements *requirements = requirements_of(&opened, "checked");
    assert_story(judge(requirements, MEZ_IGC_2), MEZ_ERRC_KERNEL_NOT_SUPPORTED,
        "the image defines it with a signature other");
    for (mez_igc compiler = MEZ_IGC_UNKNOWN; compiler <= MEZ_IGC_1; compiler++) {
        const mez_target target = small_target();
        const mez_check_device device = device_with(compiler, &target);
        mez_verdict verdict = {0};
        assert_ok(mez_check(requirements, &device, &verdict));
        assert_int_equal(verdict.answer, MEZ_MAY_HAVE);
        mez_verdict_finish(&verdict);
    }
    assert_ok(judge(requirements_of(&opened, "unchecked"), MEZ_IGC_2));
    close_case(&opened);
}

// Properties say nothing of it.
static void images_with_properties_are_looked_into(void **state)
{
    (void)state;
    fixture opened;
    open_case(2, true, &opened);
    assert_int_equal(opened.units->count, 1);
    assert_story(judge(&opened.units->units[0].requirements, MEZ_IGC_UNKNOWN),
        MEZ_ERRC_KERNEL_NOT_SUPPORTED, "it has 4 parameters, not 10");
    close_case(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_difference_is_named),
        cmocka_unit_test(a_declaration_is_refused_with_the_call),
        cmocka_unit_test(a_definition_is_refused_where_compilers_replace_it),
        cmocka_unit_test(images_with_properties_are_looked_into),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
