// SPDX-License-Identifier: MIT
//
// Stripped modules have the code of the others, word for word, and nothing that is said about it.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "modules.h"
#include "spirv/debug.h"
#include "spirv/rewrite.h"
#include "validate.h"

static struct mez_spirv_module *stripped(const struct mez_spirv_module *module, const char *name)
{
    struct mez_spirv_problem problem = {0};
    uint32_t *words, count;
    if (mez_spirv_strip(module, &problem, &words, &count))
        fail_msg("%s: %s", name, problem.text);
    struct mez_spirv_module *result = read_module(words, count * sizeof *words, name);
    mez_free_memory(words);
    return result;
}

static bool is_said_about_code(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    return in.opcode == MEZ_OP_LoopMerge || in.opcode == MEZ_OP_SelectionMerge ||
           mez_spirv_is_debug_ext_inst(module, in);
}

// How much was left out.
static unsigned compare(const struct mez_spirv_module *before, const struct mez_spirv_module *after)
{
    uint32_t at = MEZ_SPIRV_HEADER_WORDS;
    unsigned left_out = 0;
    mez_spirv_each_instruction(before, in, MEZ_SPIRV_HEADER_WORDS, before->word_count)
    {
        if (is_said_about_code(before, in)) {
            left_out++;
            continue;
        }
        assert_true(at + in.length <= after->word_count);
        assert_memory_equal(in.words, after->words + at, in.length * sizeof *in.words);
        at += in.length;
    }
    assert_int_equal(at, after->word_count);
    return left_out;
}

static void test_leaves_what_is_no_code(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool has_some;
    } cases[] = {
        {"kernels_g.spv", true},
        {"extract_g.spv", true},
        {"declares_g.spv", true},
        {"hints.spv", true},
        {"kernels_O0.spv", false},
        {"modes.spv", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mez_spirv_module *before = open_module(cases[i].name);
        struct mez_spirv_module *after = stripped(before, cases[i].name);
        assert_memory_equal(
            before->words, after->words, MEZ_SPIRV_HEADER_WORDS * sizeof *before->words);
        assert_int_equal(compare(before, after) > 0, cases[i].has_some);
        mez_spirv_module_destroy(&after);
        mez_spirv_module_destroy(&before);
    }
}

static void test_what_is_left_is_valid(void **state)
{
    (void)state;
    static const char *const names[] = {"kernels_g.spv", "hints.spv"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct mez_spirv_module *before = open_module(names[i]);
        struct mez_spirv_module *after = stripped(before, names[i]);
        assert_valid_spirv(after->words, after->word_count, names[i]);
        mez_spirv_module_destroy(&after);
        mez_spirv_module_destroy(&before);
    }
}

static void test_says_that_memory_is_short(void **state)
{
    (void)state;
    struct mez_spirv_module *module = open_module("kernels_g.spv");
    struct mez_spirv_problem problem;
    uint32_t *words, count;
    mez_alloc_fail_at(1);
    assert_int_equal(mez_spirv_strip(module, &problem, &words, &count), MEZ_SPIRV_NO_MEMORY);
    mez_alloc_fail_at(0);
    assert_null(words);
    mez_spirv_module_destroy(&module);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaves_what_is_no_code),
        cmocka_unit_test(test_what_is_left_is_valid),
        cmocka_unit_test(test_says_that_memory_is_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
