// SPDX-License-Identifier: MIT
//
// Which code takes doubles: the kernels of the oracle's corpus, with the answers that agree with Intel's compiler, so that the rules
// are tested where there is no compiler to ask. MEZ_SPIRV_FILES names the folder of the modules.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "modules.h"
#include "spirv/survey.h"

static bool is_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

static uint32_t count_names(const char *list)
{
    uint32_t count = *list != '\0';
    for (; *list; list++)
        count += *list == ' ';
    return count;
}

// Those kernels of the module take doubles, and no others.
static void expect_doubles(const char *file, const char *kernels)
{
    struct mez_spirv_module *module = open_module(file);
    struct mez_spirv_survey *survey;
    uint32_t found = 0, wrong = 0;
    assert_int_equal(
        mez_spirv_survey_create(module, MEZ_SURVEY_VALUES, NULL, &survey), MEZ_SPIRV_OK);
    for (uint32_t i = 0; i < module->entry_point_count; i++) {
        const char *name = module->entry_points[i].name;
        const bool takes = mez_aspects_has(&survey->kernels[i].required, MEZ_ASPECT_fp64);
        found += is_listed(kernels, name);
        if (takes == is_listed(kernels, name))
            continue;
        print_error("%s: kernel %s is said to take %s doubles\n", file, name, takes ? "" : "no");
        wrong++;
    }
    assert_int_equal(wrong, 0);
    assert_int_equal(found, count_names(kernels));
    mez_spirv_survey_destroy(&survey);
    mez_spirv_module_destroy(&module);
}

static void values_take_doubles_where_they_are_worked_on(void **state)
{
    (void)state;
    expect_doubles("doubles_values.spv",
        "stored_argument stored_undefined converted_constant kept_in_variable kept_for_ever "
        "struct_stored struct_changed struct_chosen vector_made vector_scaled vector_doubled "
        "specialized");
}

static void calls_hand_doubles_on(void **state)
{
    (void)state;
    expect_doubles("doubles_calls.spv", "through_pointer");
    expect_doubles("doubles_fp64_calls.spv",
        "called called_inline called_deep result_used result_unused handed_over struct_returned "
        "stored_by_helper given_through_pointer handed_back given_elsewhere "
        "computed_beside_import mathematics printed printed_double rounded rounded_to_int "
        "saturated remainder_of compared_exactly asked_of_argument through_pointer "
        "sine_of_constant async_copied async_copied_back group_sum group_told sub_group_sum "
        "sub_group_told");
}

static void scalars_take_doubles_but_for_what_is_never_used(void **state)
{
    (void)state;
    expect_doubles("doubles_fp64.spv",
        "times_tenth times_two store_constant copy from_int to_int compare bits_of value_of_bits "
        "chosen summed in_local_memory in_private_memory in_local_argument private_and_unread "
        "from_table kept used_argument struct_used_double struct_double_by_pointer one_of_two "
        "has_to_stay member_of_variable bits_as_vector dead_value dead_load dead_private "
        "runs_for_nobody");
}

static void vectors_take_doubles_where_one_is_taken_out_or_computed(void **state)
{
    (void)state;
    expect_doubles("doubles_fp64_vectors.spv",
        "one_taken one_put one_taken_by_number spread taken_and_put group_told added from_ints "
        "to_ints to_floats compared smaller summed printed mathematics fused largest dot_product "
        "not_numbers saturated");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_take_doubles_where_they_are_worked_on),
        cmocka_unit_test(calls_hand_doubles_on),
        cmocka_unit_test(scalars_take_doubles_but_for_what_is_never_used),
        cmocka_unit_test(vectors_take_doubles_where_one_is_taken_out_or_computed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
