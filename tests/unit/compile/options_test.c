// SPDX-License-Identifier: MIT
//
// Which options a kernel may be compiled with, and what they say of optimisation and debug information.

#include "compile/command.h"
#include "unit.h"

static mez_error read(const char *text, mez_compile_options *options)
{
    mez_words words = {0};
    assert_ok(mez_words_split(&words, text));
    const mez_error error = mez_compile_options_read(&words, options);
    mez_words_finish(&words);
    return error;
}

static mez_compile_options good(const char *text)
{
    mez_compile_options options;
    assert_ok(read(text, &options));
    return options;
}

static void nothing_said_is_optimised(void **state)
{
    (void)state;
    mez_compile_options options;
    assert_ok(mez_compile_options_read(NULL, &options));
    assert_true(options.optimise);
    assert_false(options.level);
    assert_false(options.standard);
}

static void the_last_level_holds(void **state)
{
    (void)state;
    assert_false(good("-O0").optimise);
    assert_true(good("-O0 -O3").optimise);
    assert_false(good("-Os -O0").optimise);
    assert_false(good("-cl-opt-disable").optimise);
    assert_true(good("-O2 -cl-opt-disable").optimise);
    assert_true(good("-O").level);
}

static void the_standard_is_seen(void **state)
{
    (void)state;
    assert_true(good("-cl-std=CL3.0").standard);
    assert_false(good("-D -cl-std=CL3.0").standard);
}

static void a_value_may_be_a_word_of_its_own(void **state)
{
    (void)state;
    good("-D NAME=4 -DM -I folder -Iother -include x.h -Xclang -cl-ext=+all -mllvm -x");
}

static void what_is_no_option_is_refused(void **state)
{
    (void)state;
    mez_compile_options options;
    assert_story(
        read("-DA b.cl", &options), MEZ_ERRC_INVALID_PARAMETER, "\"b.cl\" is not an option");
    assert_story(read("''", &options), MEZ_ERRC_INVALID_PARAMETER, "\"\" is not an option");
    assert_story(read("-O2 -I", &options), MEZ_ERRC_INVALID_PARAMETER, "-I has no value");
}

static void what_chooses_something_else_is_refused(void **state)
{
    (void)state;
    static const char *const words[] = {"-c", "-S", "-E", "-o", "-ox", "-xc", "-emit-llvm",
        "-target", "--target=spir", "-MD", "-M", "-save-temps", "-fsyntax-only", "-###", "@file",
        "-", "--version", "-print-targets"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        mez_compile_options options;
        assert_story(read(words[i], &options), MEZ_ERRC_INVALID_PARAMETER, words[i]);
        assert_story(read(words[i], &options), MEZ_ERRC_INVALID_PARAMETER, "can't be used here");
    }
}

static void what_is_handed_on_to_choose_something_else_is_refused(void **state)
{
    (void)state;
    static const char *const words[] = {"-ccc-print-phases", "-Xclang -fsyntax-only",
        "-Xclang=-fsyntax-only", "-Xclang -emit-obj", "-mllvm --version", "-mllvm=--version",
        "--output=x", "--language=c", "--compile", "--write-dependencies", "-Wp,-MD,FILE",
        "-Wp,-DA,-MMD,FILE", "-Xpreprocessor -MD", "--driver-mode=g++"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        mez_compile_options options;
        assert_story(read(words[i], &options), MEZ_ERRC_INVALID_PARAMETER, words[i]);
        assert_story(read(words[i], &options), MEZ_ERRC_INVALID_PARAMETER, "can't be used here");
    }
    good("-Xclang -cl-ext=+all -mllvm -print-after-all -Wp,-DA=1 -Xclang -finclude-default-header");
    assert_true(good("-cl-std=CL3.0 -cl-std=clc++2021").cxx);
    assert_false(good("-cl-std=CLC++ -cl-std=CL3.0").cxx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_said_is_optimised),
        cmocka_unit_test(the_last_level_holds),
        cmocka_unit_test(the_standard_is_seen),
        cmocka_unit_test(a_value_may_be_a_word_of_its_own),
        cmocka_unit_test(what_is_no_option_is_refused),
        cmocka_unit_test(what_chooses_something_else_is_refused),
        cmocka_unit_test(what_is_handed_on_to_choose_something_else_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
