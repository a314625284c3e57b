// SPDX-License-Identifier: MIT
//
// The command line of `mez run`, and an error's story in one line.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <mezzanine/event.h>

#include "options.h"
#include "request.h"
#include "story_line.h"

#define MOST_WORDS 32

// Splits at spaces, as a shell would. The request points into `text`.
static bool read_line(char *text, struct run_request *request, struct problem *problem)
{
    char *words[MOST_WORDS];
    int count = 0;
    for (char *word = strtok(text, " "); word && count < MOST_WORDS; word = strtok(NULL, " "))
        words[count++] = word;
    assert_true(run_request_init(request, count));
    return run_request_read(request, count, words, problem);
}

static void refused(const char *line, const char *words)
{
    char text[512];
    struct run_request request;
    struct problem problem = {""};
    snprintf(text, sizeof text, "%s", line);
    if (read_line(text, &request, &problem))
        fail_msg("%s was accepted", line);
    if (!strstr(problem.text, words))
        fail_msg("%s: \"%s\" does not say \"%s\"", line, problem.text, words);
    run_request_finish(&request);
}

static void whole_command_lines(void **state)
{
    (void)state;
    char text[] = "a.spv k --global 8,4 --local=4,2 f32:1 buf:int:10 out:int:20 --print 1:2:3 "
                  "--print=2:5 --save 1=x=y --repeat 3 --time --timeout 0.5 --device cpu "
                  "--flags=-ze-opt-disable --all --expect 2=iota --tolerance=1e-3 --swap 1,1 "
                  "-- local:4";
    struct run_request request;
    struct problem problem = {""};
    if (!read_line(text, &request, &problem))
        fail_msg("%s", problem.text);
    assert_string_equal(request.file, "a.spv");
    assert_string_equal(request.kernel, "k");
    assert_int_equal(request.range.dimensions, 2);
    assert_int_equal(request.range.global[1], 4);
    assert_int_equal(request.range.local[0], 4);
    assert_int_equal(request.argument_count, 4);
    assert_int_equal(request.print_count, 3); // that of out: is one
    assert_int_equal(request.prints[0].argument, 2);
    assert_int_equal(request.prints[0].count, 20);
    assert_int_equal(request.prints[1].count, 3);
    assert_int_equal(request.prints[2].count, 15);
    assert_string_equal(request.saves[0].file, "x=y");
    assert_int_equal(request.repeat, 3);
    assert_int_equal(request.timeout, 500000000);
    assert_string_equal(request.device, "cpu");
    assert_string_equal(request.flags, "-ze-opt-disable");
    assert_true(request.time && request.all);
    assert_int_equal(request.expect_count, 1);
    assert_int_equal(request.expects[0].argument, 2);
    assert_int_equal(request.expects[0].spec.start, BUFFER_IOTA);
    assert_int_equal(request.expects[0].spec.count, 20);
    assert_true(request.tolerance == 1e-3);
    assert_int_equal(request.swap_count, 1);
    assert_int_equal(request.swaps[0].arguments[1], 1);
    run_request_finish(&request);
}

static void compiler_options_go_along(void **state)
{
    (void)state;
    char text[] = "-DA=1 a.cl -I folder k --global 8 -g -O3 -cl-mad-enable buf:int:8 -D B";
    struct run_request request;
    struct problem problem = {""};
    if (!read_line(text, &request, &problem))
        fail_msg("%s", problem.text);
    char *joined = compiler_options_join(&request.compiler);
    assert_string_equal(joined, "-DA=1 -I folder -g -O3 -cl-mad-enable -D B ");
    assert_string_equal(request.kernel, "k");
    assert_int_equal(request.argument_count, 1);
    free(joined);
    run_request_finish(&request);
}

static void defaults(void **state)
{
    (void)state;
    char text[] = "a.spv k --global 8";
    struct run_request request;
    struct problem problem;
    assert_true(read_line(text, &request, &problem));
    assert_true(request.timeout == MEZ_FOREVER);
    assert_int_equal(request.repeat, 1);
    assert_null(request.device);
    assert_false(request.time || request.all);
    run_request_finish(&request);
}

static void what_is_missing_is_named(void **state)
{
    (void)state;
    refused("", "the input file is missing");
    refused("a.spv", "`mez kernels a.spv` lists the kernels");
    refused("a.spv k", "--global");
    refused("a.spv k --global", "--global needs a value: --global N[,M[,K]]");
    refused("a.spv k --global 8 --local 2,2", "the same number of sizes, but have 1 and 2");
}

static void wrong_options_are_named(void **state)
{
    (void)state;
    refused("--globl 8", "unknown option --globl");
    refused("a k --global 8 -g", "option -g is for OpenCL C sources, but a is not one");
    refused("--time=3", "--time takes no value");
    refused("a k --global 8x", "--global: \"8x\" is not a whole number");
    refused("a k --global 0", "at least 1");
    refused("a k --global 8,", "is not a whole number");
    refused("a k --global 1,2,3,4", "there are more than three sizes");
    refused("a k --global 99999999999999999999", "too large");
    refused("a k --global 8 --repeat 0", "at least 1");
    refused("a k --global 8 --repeat 1000001", "too large: the maximum is 1000000");
    refused("a k --global 8 --timeout 0", "is not a time");
    refused("a k --global 8 --timeout nan", "is not a time");
    refused("a k --global 8 --timeout 2e9", "is not a time");
    refused("a k --global 8 --timeout soon", "--timeout: \"soon\" is not a number");
    refused("a k --global 8 --save 0", "the file is missing");
    refused("a k --global 8 --save 0=", "the file is missing");
    refused("a k --global 8 --device=", "name of a device is missing");
    refused("a k --global 8 i8:300", "argument 0: i8:300 is out of range");
}

// Those of lib/compile/command.c.
static void options_of_the_compiler_take_their_values(void **state)
{
    static const char *const options[] = {"-D", "-U", "-I", "-include", "-imacros", "-isystem",
        "-idirafter", "-iquote", "-iprefix", "-iwithprefix", "-iwithprefixbefore", "-isysroot",
        "-Xclang", "-Xpreprocessor", "-mllvm"};
    (void)state;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        char text[64];
        struct run_request request;
        struct problem problem = {""};
        snprintf(text, sizeof text, "a.cl k %s value --global 1", options[i]);
        if (!read_line(text, &request, &problem))
            fail_msg("%s: %s", options[i], problem.text);
        assert_int_equal(request.compiler.count, 2);
        assert_string_equal(request.compiler.words[1], "value");
        run_request_finish(&request);
    }
}

static void outputs_must_exist(void **state)
{
    (void)state;
    refused("a k --global 8 --print 0", "0 are given");
    refused("a k --global 8 i32:1 --print 0", "is not a buffer");
    refused("a k --global 8 null --save 0=x", "is not a buffer");
    refused("a k --global 8 --expect 0", "the expected contents are missing: write INDEX=START");
    refused("a k --global 8 --expect 0=1 i32:1", "--expect 0: that argument is not a buffer");
    refused("a k --global 8 --expect 0=x buf:int:8", "--expect 0: \"x\" is not a number");
    refused("a k --global 8 --expect 0=3e9 buf:int:8", "is not a number");
    refused("a k --global 8 --tolerance -1", "is not a tolerance");
    refused("a k --global 8 --tolerance inf", "is not a tolerance");
    refused("a k --global 8 --swap 0", "two arguments are needed: write INDEX,INDEX");
    refused("a k --global 8 --swap 0,1,2", "is not a whole number");
    refused(
        "a k --global 8 --swap 0,1 buf:int:8", "--swap 1: there is no such argument: 1 are given");
    refused("a k --global 8 --swap 0,1 buf:int:8 i32:1", "--swap 1: that argument is not a buffer");
    refused("a k --global 8 --swap 0,1 buf:int:8 buf:uint:8", "differ in type or count");
    refused("a k --global 8 --swap 0,1 buf:int:8 buf:int:9", "differ in type or count");
    refused("a k --global 8 buf:int:4 --print 0:4", "the buffer has 4 elements");
    refused("a k --global 8 buf:int:4 --print 0:2:3", "the buffer has 4 elements");
    refused("a k --global 8 buf:int:4 --print 0:1:18446744073709551615", "has 4 elements");
    refused("a k --global 8 buf:int:4 --print 0:1:0", "COUNT must be at least 1");
    refused("a k --global 8 buf:int:4 --print 0:1:1:1", "more than three numbers");
}

static void help_is_found_before_the_end_of_options(void **state)
{
    (void)state;
    char *const asks[] = {"a.spv", "--help"};
    char *const does_not[] = {"a.spv", "--", "--help"};
    assert_true(command_line_wants_help(2, asks));
    assert_false(command_line_wants_help(3, does_not));
}

static void line_is(const char *story, const char *detail, size_t size, const char *wanted)
{
    char line[64];
    assert_true(size <= sizeof line);
    story_line(story, detail, line, size);
    assert_string_equal(line, wanted);
}

static void stories_become_one_line(void **state)
{
    (void)state;
    static const char story[] =
        "mezzanine: it failed\n    because: first\n    call: x\n    because: root\n    nodes: y";
    line_is(story, NULL, 64, "it failed: root");
    line_is(story, "node", 64, "it failed: root (nodes: y)");
    line_is(story, "zzz", 64, "it failed: root");
    line_is(story, "node", 12, "it failed: ");
    line_is("no reason", "node", 64, "no reason");
    line_is("", "node", 64, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_command_lines),
        cmocka_unit_test(compiler_options_go_along),
        cmocka_unit_test(defaults),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(wrong_options_are_named),
        cmocka_unit_test(options_of_the_compiler_take_their_values),
        cmocka_unit_test(outputs_must_exist),
        cmocka_unit_test(help_is_found_before_the_end_of_options),
        cmocka_unit_test(stories_become_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
