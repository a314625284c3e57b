// SPDX-License-Identifier: MIT
//
// Files of traces: no two traces are written to one, and several programs can be given one name.

#include "output.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "unit.h"

enum { PROCESS = 1234 };

static void expect_name(const char *pattern, unsigned turn, const char *expected)
{
    char *name = trace_output_name(pattern, PROCESS, turn);
    assert_string_equal(name, expected);
    mez_free_memory(name);
}

static void names_may_have_the_number_of_the_process(void **state)
{
    (void)state;
    expect_name("t.json", 0, "t.json");
    expect_name("%p.json", 0, "1234.json");
    expect_name("a/%p/t-%p.json", 0, "a/1234/t-1234.json");
    expect_name("100%.json", 0, "100%.json");
    expect_name("%%p%q.json", 0, "%1234%q.json");
}

static void later_turns_have_it_before_the_ending(void **state)
{
    (void)state;
    expect_name("t.json", 1, "t.1234.json");
    expect_name("t.json", 2, "t.1234-2.json");
    expect_name("a.b/t.u.json", 1, "a.b/t.u.1234.json");
    expect_name("a.b/t", 1, "a.b/t.1234");
    expect_name("%p.json", 1, "1234.1234.json");
}

static int enter_folder(void **state)
{
    static char folder[] = "/tmp/mez-output-XXXXXX";
    *state = mkdtemp(folder);
    return *state && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
    unlink("t.json");
    unlink("t.1234.json");
    return chdir("/") == 0 && rmdir(*state) == 0 ? 0 : -1;
}

static void a_file_is_written_by_one_at_a_time(void **state)
{
    FILE *first, *second;
    (void)state;
    assert_ok(trace_output_open("t.json", &first));
    assert_story(trace_output_open("t.json", &second), MEZ_ERRC_FILE,
        "another trace is being written to it");
    assert_null(second);
    fclose(first);
    assert_ok(trace_output_open("t.json", &second));
    fclose(second);
}

static void whoever_comes_second_gets_a_name_of_its_own(void **state)
{
    FILE *first, *second;
    char *name;
    (void)state;
    assert_ok(trace_output_open("t.json", &first));
    fputs("first", first);
    assert_ok(trace_output_open_own("t.json", PROCESS, &second, &name));
    assert_string_equal(name, "t.1234.json");
    fputs("second", second);
    fclose(first);
    fclose(second);
    mez_free_memory(name);
    char text[16] = "";
    first = fopen("t.json", "r");
    assert_non_null(first);
    assert_non_null(fgets(text, sizeof text, first));
    assert_string_equal(text, "first");
    fclose(first);
}

static void files_that_can_not_be_opened_are_reported(void **state)
{
    FILE *file;
    char *name;
    (void)state;
    assert_story(trace_output_open("no/t.json", &file), MEZ_ERRC_FILE, "no/t.json");
    assert_story(
        trace_output_open_own("no/%p.json", PROCESS, &file, &name), MEZ_ERRC_FILE, "no/1234.json");
    assert_null(name);
}

static void without_memory_there_is_no_file(void **state)
{
    (void)state;
    for (unsigned which = 1; which <= 2; which++) {
        FILE *file;
        char *name;
        mez_alloc_fail_at(which);
        const mez_error error = trace_output_open_own("%p.json", PROCESS, &file, &name);
        mez_alloc_fail_at(0);
        assert_condition(error, MEZ_ERRC_OUT_OF_HOST_MEMORY);
        assert_null(name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_may_have_the_number_of_the_process),
        cmocka_unit_test(later_turns_have_it_before_the_ending),
        cmocka_unit_test(a_file_is_written_by_one_at_a_time),
        cmocka_unit_test(whoever_comes_second_gets_a_name_of_its_own),
        cmocka_unit_test(files_that_can_not_be_opened_are_reported),
        cmocka_unit_test(without_memory_there_is_no_file),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
