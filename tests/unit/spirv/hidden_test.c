// SPDX-License-Identifier: MIT
//
// Hidden arguments reach every call of the function that a failed assert calls, and change nothing else.

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
#include "spirv/asserts.h"
#include "spirv/rewrite.h"
#include "validate.h"

static const char *const levels[] = {
    "hidden_O0.spv", "hidden_O1.spv", "hidden_O2.spv", "hidden_g.spv"};

enum { LEVELS = sizeof levels / sizeof levels[0] };

// NULL: it can't be changed.
static struct mez_spirv_module *changed(const struct mez_spirv_module *module, const char *name)
{
    struct mez_spirv_problem problem = {0};
    uint32_t *words, count;
    if (mez_spirv_add_hidden(module, &problem, &words, &count))
        fail_msg("%s: %s", name, problem.text);
    if (!words)
        return NULL;
    struct mez_spirv_module *result = read_module(words, count * sizeof *words, name);
    mez_free_memory(words);
    return result;
}

static const struct mez_spirv_function *kernel_of(
    const struct mez_spirv_module *module, const char *name)
{
    const struct mez_spirv_entry_point *entry = mez_spirv_find_entry_point(module, name);
    assert_non_null(entry);
    return &module->functions[entry->function];
}

static void test_kernels_that_assert_have_two_more(void **state)
{
    (void)state;
    static const struct {
        const char *kernel;
        uint32_t more;
    } cases[] = {{"direct", 2}, {"through", 2}, {"around", 2}, {"without", 0}, {"bare", 2}};
    for (size_t level = 0; level < LEVELS; level++) {
        struct mez_spirv_module *before = open_module(levels[level]);
        struct mez_spirv_module *after = changed(before, levels[level]);
        assert_non_null(after);
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
            assert_int_equal(kernel_of(after, cases[i].kernel)->param_count,
                kernel_of(before, cases[i].kernel)->param_count + cases[i].more);
        mez_spirv_module_destroy(&after);
        mez_spirv_module_destroy(&before);
    }
}

static bool is_hidden_pointer(const struct mez_spirv_module *module, uint32_t id)
{
    const struct mez_spirv_type *type = mez_spirv_value_type(module, id);
    const struct mez_spirv_type *to = mez_spirv_component(module, type);
    return type && type->opcode == MEZ_OP_TypePointer &&
           type->storage == MEZ_STORAGE_CROSS_WORKGROUP && to && to->opcode == MEZ_OP_TypeInt &&
           to->width == 8;
}

// What the caller passes on is what it was given last.
static void check_call(const struct mez_spirv_module *module,
    const struct mez_spirv_function *caller, struct mez_spirv_instruction call)
{
    const uint32_t *given = module->params + caller->first_param + caller->param_count - 2;
    assert_true(is_hidden_pointer(module, given[0]));
    assert_int_equal(call.words[call.length - 2], given[0]);
    assert_int_equal(call.words[call.length - 1], given[1]);
}

// How many calls of the function there are.
static unsigned check_calls(
    const struct mez_spirv_module *module, const struct mez_spirv_function *called)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < module->function_count; i++) {
        const struct mez_spirv_function *function = &module->functions[i];
        mez_spirv_each_instruction(module, in, function->first, function->end)
        {
            if (in.opcode != MEZ_OP_FunctionCall || in.words[3] != called->id)
                continue;
            check_call(module, function, in);
            count++;
        }
    }
    return count;
}

static void test_calls_pass_them_on(void **state)
{
    (void)state;
    for (size_t level = 0; level < LEVELS; level++) {
        struct mez_spirv_module *before = open_module(levels[level]);
        struct mez_spirv_module *after = changed(before, levels[level]);
        assert_non_null(after);
        const struct mez_spirv_function *fails = mez_spirv_find_assert(after);
        assert_int_equal(fails->param_count, 12);
        assert_true(check_calls(after, fails) >= 1);
        for (uint32_t i = 0; i < after->function_count; i++)
            if (strcmp(after->functions[i].name, "leaf") == 0)
                assert_true(check_calls(after, &after->functions[i]) >= 1);
        mez_spirv_module_destroy(&after);
        mez_spirv_module_destroy(&before);
    }
}

// What llvm-spirv writes with -g, spirv-val refuses from the start.
static void test_stays_valid(void **state)
{
    (void)state;
    for (size_t level = 0; level < 3; level++) {
        struct mez_spirv_module *before = open_module(levels[level]);
        struct mez_spirv_module *after = changed(before, levels[level]);
        assert_valid_spirv(after->words, after->word_count, levels[level]);
        mez_spirv_module_destroy(&after);
        mez_spirv_module_destroy(&before);
    }
}

static void test_leaves_modules_without_asserts(void **state)
{
    (void)state;
    static const char *const names[] = {"extract_O0.spv", "extract_g.spv"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct mez_spirv_module *before = open_module(names[i]);
        struct mez_spirv_module *after = changed(before, names[i]);
        assert_non_null(after);
        assert_int_equal(after->word_count, before->word_count);
        assert_memory_equal(
            after->words, before->words, before->word_count * sizeof *before->words);
        mez_spirv_module_destroy(&after);
        mez_spirv_module_destroy(&before);
    }
}

static void test_refuses_functions_whose_address_is_taken(void **state)
{
    (void)state;
    struct mez_spirv_module *module = open_module("pointers.spv");
    assert_null(changed(module, "pointers.spv"));
    mez_spirv_module_destroy(&module);
}

#define LINKAGE 5
#define DEVICE_ENQUEUE 19

static void test_refuses_modules_that_enqueue_kernels(void **state)
{
    (void)state;
    struct mez_spirv_module *before = open_module("hidden_O1.spv");
    uint32_t *words = malloc(before->word_count * sizeof *words);
    assert_non_null(words);
    memcpy(words, before->words, before->word_count * sizeof *words);
    uint32_t at = MEZ_SPIRV_HEADER_WORDS;
    while (words[at + 1] != LINKAGE) // among the capabilities, which come first
        at += 2;
    words[at + 1] = DEVICE_ENQUEUE;
    struct mez_spirv_module *module =
        read_module(words, before->word_count * sizeof *words, "enqueues");
    assert_null(changed(module, "enqueues"));
    mez_spirv_module_destroy(&module);
    free(words);
    mez_spirv_module_destroy(&before);
}

// A module that has been changed has all types, and gets none a second time.
static void test_changes_twice(void **state)
{
    (void)state;
    struct mez_spirv_module *before = open_module("hidden_O1.spv");
    struct mez_spirv_module *once = changed(before, "once");
    struct mez_spirv_module *twice = changed(once, "twice");
    assert_non_null(twice);
    assert_valid_spirv(twice->words, twice->word_count, "twice");
    assert_int_equal(
        kernel_of(twice, "direct")->param_count, kernel_of(once, "direct")->param_count + 2);
    mez_spirv_module_destroy(&twice);
    mez_spirv_module_destroy(&once);
    mez_spirv_module_destroy(&before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels_that_assert_have_two_more),
        cmocka_unit_test(test_calls_pass_them_on),
        cmocka_unit_test(test_stays_valid),
        cmocka_unit_test(test_leaves_modules_without_asserts),
        cmocka_unit_test(test_refuses_functions_whose_address_is_taken),
        cmocka_unit_test(test_refuses_modules_that_enqueue_kernels),
        cmocka_unit_test(test_changes_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
