// SPDX-License-Identifier: MIT
//
// Renamed modules are what the assembler makes of the text with the other name.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "modules.h"
#include "spirv/rewrite.h"

static struct mez_spirv_module *renamed(
    const struct mez_spirv_module *module, const char *from, const char *to, uint32_t what)
{
    struct mez_spirv_problem problem = {0};
    uint32_t *words, count;
    if (mez_spirv_rename(module, from, to, what, &problem, &words, &count))
        fail_msg("%s to %s: %s", from, to, problem.text);
    struct mez_spirv_module *result = read_module(words, count * sizeof *words, to);
    mez_free_memory(words);
    return result;
}

static void assert_same_words(const struct mez_spirv_module *a, const struct mez_spirv_module *b)
{
    assert_int_equal(a->word_count, b->word_count);
    assert_memory_equal(a->words, b->words, a->word_count * sizeof *a->words);
}

static void test_renames_as_the_assembler_would(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
        uint32_t what;
        const char *expected;
    } cases[] = {
        {"imported", "short", MEZ_RENAME_IMPORTS, "rename_short.spv"},
        {"imported", "abc", MEZ_RENAME_IMPORTS, "rename_abc.spv"},
        {"imported", "four", MEZ_RENAME_IMPORTS, "rename_four.spv"},
        {"imported", "a_much_longer_name", MEZ_RENAME_IMPORTS | MEZ_RENAME_EXPORTS,
            "rename_long.spv"},
        {"exported", "__offered_again", MEZ_RENAME_EXPORTS, "rename_export.spv"},
        {"there", "elsewhere", MEZ_RENAME_IMPORTS, "rename_variable.spv"},
    };
    struct mez_spirv_module *before = open_module("rename_before.spv");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mez_spirv_module *after = renamed(before, cases[i].from, cases[i].to, cases[i].what);
        struct mez_spirv_module *expected = open_module(cases[i].expected);
        assert_same_words(after, expected);
        struct mez_spirv_module *back = renamed(after, cases[i].to, cases[i].from, cases[i].what);
        assert_same_words(back, before);
        mez_spirv_module_destroy(&back);
        mez_spirv_module_destroy(&expected);
        mez_spirv_module_destroy(&after);
    }
    mez_spirv_module_destroy(&before);
}

static void test_leaves_what_is_not_meant(void **state)
{
    (void)state;
    struct mez_spirv_module *before = open_module("rename_before.spv");
    static const struct {
        const char *from;
        uint32_t what;
    } cases[] = {
        {"imported", MEZ_RENAME_EXPORTS},
        {"exported", MEZ_RENAME_IMPORTS},
        {"k", MEZ_RENAME_IMPORTS | MEZ_RENAME_EXPORTS}, // an entry point
        {"variable", MEZ_RENAME_IMPORTS},               // a name that says nothing to linkers
        {"import", MEZ_RENAME_IMPORTS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mez_spirv_module *after = renamed(before, cases[i].from, "new", cases[i].what);
        assert_same_words(after, before);
        mez_spirv_module_destroy(&after);
    }
    mez_spirv_module_destroy(&before);
}

#define OP_WORD(length, opcode) ((uint32_t)(length) << 16 | (opcode))

static void test_keeps_unknown_instructions(void **state)
{
    (void)state;
    static const uint32_t words[] = {0x07230203, 0x00010000, 0, 100, 0, OP_WORD(4, 60000), 'f', 7,
        8, OP_WORD(5, 71), 3, 41, 'f', 1, OP_WORD(2, 19), 1, OP_WORD(3, 33), 2, 1, OP_WORD(5, 54),
        1, 3, 0, 2, OP_WORD(1, 56), OP_WORD(1, 60001)};
    static const uint32_t expected[] = {0x07230203, 0x00010000, 0, 100, 0, OP_WORD(4, 60000), 'f',
        7, 8, OP_WORD(6, 71), 3, 41, 0x67676767, 0, 1, OP_WORD(2, 19), 1, OP_WORD(3, 33), 2, 1,
        OP_WORD(5, 54), 1, 3, 0, 2, OP_WORD(1, 56), OP_WORD(1, 60001)};
    struct mez_spirv_module *before = read_module(words, sizeof words, "copy");
    struct mez_spirv_module *after = renamed(before, "f", "gggg", MEZ_RENAME_IMPORTS);
    assert_int_equal(after->word_count, sizeof expected / sizeof expected[0]);
    assert_memory_equal(after->words, expected, sizeof expected);
    mez_spirv_module_destroy(&after);
    mez_spirv_module_destroy(&before);
}

static void test_refuses_names_that_fit_no_instruction(void **state)
{
    (void)state;
    struct mez_spirv_module *before = open_module("rename_before.spv");
    char *name = malloc(65536 * 4);
    memset(name, 'x', 65536 * 4);
    uint32_t *words, count;
    struct mez_spirv_problem problem;

    // The decoration has four words besides its string.
    name[(65535 - 4) * 4 - 1] = '\0';
    assert_int_equal(
        mez_spirv_rename(before, "imported", name, MEZ_RENAME_IMPORTS, &problem, &words, &count),
        MEZ_SPIRV_OK);
    mez_free_memory(words);
    name[(65535 - 4) * 4 - 1] = 'x';
    name[(65535 - 4) * 4] = '\0';
    assert_int_equal(
        mez_spirv_rename(before, "imported", name, MEZ_RENAME_IMPORTS, &problem, &words, &count),
        MEZ_SPIRV_TOO_LARGE);
    assert_null(words);
    free(name);
    mez_spirv_module_destroy(&before);
}

static void test_survives_a_failed_allocation(void **state)
{
    (void)state;
    struct mez_spirv_module *before = open_module("rename_before.spv");
    uint32_t *words, count;
    mez_alloc_fail_at(1);
    assert_int_equal(
        mez_spirv_rename(before, "imported", "x", MEZ_RENAME_IMPORTS, NULL, &words, &count),
        MEZ_SPIRV_NO_MEMORY);
    mez_alloc_fail_at(0);
    assert_null(words);
    mez_spirv_module_destroy(&before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_renames_as_the_assembler_would),
        cmocka_unit_test(test_leaves_what_is_not_meant),
        cmocka_unit_test(test_keeps_unknown_instructions),
        cmocka_unit_test(test_refuses_names_that_fit_no_instruction),
        cmocka_unit_test(test_survives_a_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
