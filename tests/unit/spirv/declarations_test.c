// SPDX-License-Identifier: MIT
//
// What authors declare of their functions, and which warnings they get.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "modules.h"
#include "surveyed.h"

static void check_declarations(const char *file)
{
    struct surveyed it = open_survey(file, MEZ_SURVEY_VALUES);
    const struct mez_spirv_kernel_needs *solve = kernel_of(&it, "solve");
    assert_true(solve->has_declaration);
    assert_aspects(solve->used, "ext_oneapi_srgb ext_intel_matrix");
    assert_aspects(solve->declared, "gpu ext_oneapi_srgb");
    assert_aspects(solve->required, "gpu ext_oneapi_srgb ext_intel_matrix");

    assert_aspects(kernel_of(&it, "content")->used, "fp64");
    assert_aspects(kernel_of(&it, "content")->required, "cpu fp16 fp64");
    assert_aspects(kernel_of(&it, "misspelt")->declared, "");
    assert_true(kernel_of(&it, "none")->has_declaration);
    assert_aspects(kernel_of(&it, "none")->required, "fp16");
    assert_false(kernel_of(&it, "imports")->has_declaration);
    assert_aspects(kernel_of(&it, "imports")->required, "ext_oneapi_graph");
    assert_aspects(function_of(&it, "helper")->required, "fp64");

    struct mez_spirv_place place = find_use(&it, "imports", MEZ_ASPECT_ext_oneapi_graph);
    assert_true(place.declared);
    assert_string_equal(place.function->name, "outside");
    mez_spirv_place_finish(&place);
    close_survey(&it);
}

static void test_reads_declarations_whatever_the_optimisation(void **state)
{
    (void)state;
    check_declarations("declares_O0.spv");
    check_declarations("declares_O1.spv");
    check_declarations("declares_O2.spv");
    check_declarations("declares_g.spv");
}

// The warnings that are expected, one after the other.
struct expected {
    const char *const *warnings;
    size_t count, heard;
};

// Cuts the folder off each file name: the source may lie anywhere.
static void cut_folders(const char *text, mez_text *cut)
{
    while (*text) {
        const size_t length = strcspn(text, " \n");
        const char *name = text;
        for (const char *at = text; at < text + length; at++)
            if (*at == '/')
                name = at + 1;
        const char *end = text + length + (text[length] != '\0');
        mez_text_add(cut, "%-.*s", (int)(end - name), name);
        text = end;
    }
}

static void expect(void *context, const char *text)
{
    struct expected *expected = context;
    mez_text cut = {0};
    cut_folders(text, &cut);
    if (expected->heard == expected->count)
        fail_msg("not expected: %s", text);
    assert_string_equal(mez_text_get(&cut), expected->warnings[expected->heard++]);
    mez_text_finish(&cut);
}

static void assert_warnings(const struct surveyed *it, const char *const *warnings, size_t count)
{
    struct expected expected = {.warnings = warnings, .count = count};
    assert_int_equal(mez_spirv_survey_warn(it->survey, expect, &expected, NULL), MEZ_SPIRV_OK);
    assert_int_equal(expected.heard, count);
}

#define COUNT(list) (sizeof(list) / sizeof(list)[0])
#define USE(function, aspect, chain)                                           \
    "warning: function '" function "' uses aspect '" aspect "' not listed in " \
    "'sycl::device_has'\nuse is from this call chain:\n  " chain
#define UNKNOWN(function, aspect, chain) \
    USE(function, aspect, chain) "\ncompile with '-g' to get source location"
#define KNOWN(line, function, aspect, chain) "declares.cl:" line ": " USE(function, aspect, chain)
#define NO_ASPECT(function, name) \
    "warning: function '" function "' declares '" name "', which is not an aspect"
#define ABSENT(function) \
    "warning: aspects are declared for function '" function "', which the module does not have"

static void test_warns_in_the_published_words(void **state)
{
    (void)state;
    static const char *const expected[] = {
        NO_ASPECT("misspelt", "fp65") "; is 'fp64' meant?",
        NO_ASPECT("misspelt", "nonsense"),
        ABSENT("absent"),
        UNKNOWN("solve", "ext_intel_matrix", "solve()\n  middle()\n  quiet()"),
        UNKNOWN("misspelt", "fp64", "misspelt()"),
        UNKNOWN("none", "fp16", "none()"),
        UNKNOWN("limited", "ext_oneapi_graph", "limited()\n  outside()"),
    };
    struct surveyed it = open_survey("declares_O1.spv", MEZ_SURVEY_VALUES);
    assert_warnings(&it, expected, COUNT(expected));
    close_survey(&it);
}

static void test_warns_with_lines_of_the_source(void **state)
{
    (void)state;
    static const char *const expected[] = {
        NO_ASPECT("misspelt", "fp65") "; is 'fp64' meant?",
        NO_ASPECT("misspelt", "nonsense"),
        ABSENT("absent"),
        KNOWN("13:5", "solve", "ext_intel_matrix",
            "solve()\n  middle() declares.cl:25:5\n  quiet() declares.cl:19:5"),
        KNOWN("37:10", "misspelt", "fp64", "misspelt()"),
        KNOWN("43:13", "none", "fp16", "none()"),
        KNOWN("57:12", "limited", "ext_oneapi_graph", "limited()\n  outside() declares.cl:57:12"),
    };
    struct surveyed it = open_survey("declares_g.spv", MEZ_SURVEY_VALUES);
    assert_warnings(&it, expected, COUNT(expected));
    close_survey(&it);
}

static void test_warns_of_cycles_and_wrappers(void **state)
{
    (void)state;
    static const char *const expected[] = {
        UNKNOWN("first", "gpu", "first()\n  second()\n  third()"),
        UNKNOWN("first", "fp16", "first()\n  second()"),
        UNKNOWN("first", "ext_oneapi_srgb", "first()\n  second()"),
        UNKNOWN("third", "ext_oneapi_srgb", "third()\n  second()"),
        UNKNOWN("wrapped", "fp16", "wrapped()"),
    };
    struct surveyed it = open_survey("aspects.spv", MEZ_SURVEY_VALUES);
    assert_warnings(&it, expected, COUNT(expected));
    close_survey(&it);
}

static void test_warns_of_nothing_where_nothing_is_declared(void **state)
{
    (void)state;
    struct surveyed it = open_survey("kernels.spv", MEZ_SURVEY_VALUES);
    assert_warnings(&it, NULL, 0);
    close_survey(&it);
}

// A declaration whose list has `length` letters. Ids: 1 void, 2 its function, 3 char, 4 the letter, 5
// the array, 6 its pointer, 7 the list, 8 the variable, 9 and 10 the length.
static struct surveyed declare_letters(uint32_t length)
{
    const uint32_t head[] = {0x07230203, 0x00010000, 0, 20, 0, WORD(7, 5), 8, 0x5F7A656D,
        0x69766564, 0x685F6563, 0x5F5F7361, 'k', WORD(2, 19), 1, WORD(3, 33), 2, 1, WORD(4, 21), 3,
        8, 0, WORD(4, 21), 9, 32, 0, WORD(4, 43), 3, 4, 'a', WORD(4, 43), 9, 10, length,
        WORD(4, 28), 5, 3, 10, WORD(4, 32), 6, 0, 5, WORD(3 + length, 44), 5, 7};
    const uint32_t tail[] = {WORD(5, 59), 6, 8, 0, 7};
    const size_t size = sizeof head + length * sizeof *head + sizeof tail;
    uint32_t *words = malloc(size), *letters = words + sizeof head / sizeof *head;
    memcpy(words, head, sizeof head);
    for (uint32_t i = 0; i < length; i++)
        letters[i] = 4;
    memcpy(letters + length, tail, sizeof tail);
    struct surveyed it = survey_module(read_module(words, size, "letters"), MEZ_SURVEY_VALUES);
    free(words);
    return it;
}

#define EIGHT "aaaaaaaa"
#define EIGHTY EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT

static void test_cuts_endless_lists(void **state)
{
    (void)state;
    static const char *const whole[] = {ABSENT("k"), NO_ASPECT("k", EIGHT)};
    struct surveyed it = declare_letters(8);
    assert_warnings(&it, whole, COUNT(whole));
    close_survey(&it);

    static const char *const cut[] = {
        ABSENT("k"),
        "warning: function 'k' declares more than all aspects: the end of its list is ignored",
        NO_ASPECT("k", EIGHTY),
    };
    it = declare_letters(9000);
    assert_warnings(&it, cut, COUNT(cut));
    close_survey(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_declarations_whatever_the_optimisation),
        cmocka_unit_test(test_warns_in_the_published_words),
        cmocka_unit_test(test_warns_with_lines_of_the_source),
        cmocka_unit_test(test_warns_of_cycles_and_wrappers),
        cmocka_unit_test(test_warns_of_nothing_where_nothing_is_declared),
        cmocka_unit_test(test_cuts_endless_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
