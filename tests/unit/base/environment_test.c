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

static bool is_secure;

// glibc's, as in a program that has more rights than its user.
char *secure_getenv(const char *name)
{
    return is_secure ? NULL : getenv(name);
}

static void what_leads_to_files_needs_a_program_of_the_users(void **state)
{
    (void)state;
    static const mez_variable paths[] = {MEZ_VARIABLE_CACHE, MEZ_VARIABLE_CLANG,
        MEZ_VARIABLE_CPU_DRIVER, MEZ_VARIABLE_DEVICE_CONFIG, MEZ_VARIABLE_LLVM_SPIRV,
        MEZ_VARIABLE_TRACE, MEZ_VARIABLE_TRACE_MEMORY};
    size_t count = 0;
    for (mez_variable variable = 0; variable < MEZ_VARIABLE_COUNT; variable++) {
        const mez_variable_info *info = mez_variable_get_info(variable);
        const bool is_path = count < sizeof paths / sizeof *paths && paths[count] == variable;
        count += is_path;
        setenv(info->name, "/a/path", 1);
        assert_string_equal(mez_setting(variable), "/a/path");
        is_secure = true;
        assert_int_equal(mez_setting(variable) == NULL, is_path);
        is_secure = false;
        unsetenv(info->name);
        if (!is_path && (strstr(info->values, "path") || strstr(info->values, "file")))
            fail_msg("%s leads to a file", info->name);
    }
    assert_int_equal(count, sizeof paths / sizeof *paths);
}

static void a_size_has_a_unit(void **state)
{
    (void)state;
    uint64_t size;
    assert_ok(mez_setting_read_size(MEZ_VARIABLE_UNPACK_LIMIT, 7, &size));
    assert_int_equal(size, 7);
    setenv("MEZ_UNPACK_LIMIT", "3K", 1);
    assert_ok(mez_setting_read_size(MEZ_VARIABLE_UNPACK_LIMIT, 7, &size));
    assert_int_equal(size, 3072);
    setenv("MEZ_UNPACK_LIMIT", "0", 1);
    assert_story(mez_setting_read_size(MEZ_VARIABLE_UNPACK_LIMIT, 7, &size),
        MEZ_ERRC_INVALID_PARAMETER, "MEZ_UNPACK_LIMIT=0 is invalid");
    unsetenv("MEZ_UNPACK_LIMIT");
}

static void a_refusal_names_the_values_with_a_meaning(void **state)
{
    (void)state;
    setenv("MEZ_QUEUE", "fast", 1);
    const mez_error error = mez_setting_refused(MEZ_VARIABLE_QUEUE);
    unsetenv("MEZ_QUEUE");
    assert_true(mez_error_is(error, MEZ_ERRC_INVALID_PARAMETER));
    assert_contains(
        story_of(error), "MEZ_QUEUE=fast is invalid: use immediate, batched, basic or adaptive");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_sorted_and_reported_in_full),
        cmocka_unit_test(an_empty_variable_is_not_set),
        cmocka_unit_test(what_leads_to_files_needs_a_program_of_the_users),
        cmocka_unit_test(a_size_has_a_unit),
        cmocka_unit_test(a_refusal_names_the_values_with_a_meaning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
