// SPDX-License-Identifier: MIT
//
// The table of the library's variables.

#include "unit.h"

#include <stdlib.h>

#include "base/environment.h"

static void names_are_sorted_and_reported_in_full(void **state)
{
    (void)state;
    const char *before = "";
    for (mez_variable variable = 0; variable < MEZ_VARIABLE_COUNT; variable++) {
        const mez_variable_info *info = mez_variable_get_info(variable);
        assert_true(strncmp(info->name, "MEZ_", 4) == 0);
        assert_true(strcmp(before, info->name) < 0);
        assert_true(*info->values && *info->otherwise && *info->meaning);
        before = info->name;
    }
}

static void an_empty_variable_is_not_set(void **state)
{
    (void)state;
    setenv("MEZ_QUEUE", "", 1);
    assert_null(mez_setting(MEZ_VARIABLE_QUEUE));
    setenv("MEZ_QUEUE", "basic", 1);
    assert_string_equal(mez_setting(MEZ_VARIABLE_QUEUE), "basic");
    unsetenv("MEZ_QUEUE");
    assert_null(mez_setting(MEZ_VARIABLE_QUEUE));
}

static void a_refusal_names_the_values_with_a_meaning(void **state)
{
    (void)state;
    setenv("MEZ_QUEUE", "fast", 1);
    const mez_error error = mez_setting_refused(MEZ_VARIABLE_QUEUE);
    unsetenv("MEZ_QUEUE");
    assert_true(mez_error_is(error, MEZ_ERRC_INVALID_PARAMETER));
    assert_contains(story_of(error), "MEZ_QUEUE=fast is invalid: use immediate, batched or basic");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_sorted_and_reported_in_full),
        cmocka_unit_test(an_empty_variable_is_not_set),
        cmocka_unit_test(a_refusal_names_the_values_with_a_meaning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
