// SPDX-License-Identifier: MIT
//
// Modules whose constants were given values are what the assembler makes of the text with those values. MEZ_SPIRV_FILES names
// their folder.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "spirv/module.h"
#include "spirv/rewrite.h"

static struct mez_spirv_module *open_module(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", getenv("MEZ_SPIRV_FILES"), name);
    size_t size;
    void *bytes = read_whole_file(path, &size);
    struct mez_spirv_problem problem = {0};
    struct mez_spirv_module *module;
    if (mez_spirv_module_create(bytes, size, &problem, &module))
        fail_msg("%s: %s", name, problem.text);
    free(bytes);
    return module;
}

static void constants_are_listed_with_their_sizes(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 1, 1, 2, 8, 2, 8, 4};
    struct mez_spirv_module *module = open_module("specialize_before.spv");
    struct mez_spirv_spec_constant constant;
    uint32_t found = 0, count = 0;
    for (uint32_t at = 0; mez_spirv_next_spec_constant(module, &at, &constant); count++) {
        assert_uint_in_range(constant.number, 0, 7);
        assert_int_equal(constant.size, sizes[constant.number]);
        found |= 1u << constant.number;
    }
    assert_int_equal(found, 0xff);
    assert_int_equal(count, 9); // two have the same number; what has none can't be given a value
    assert_true(mez_spirv_find_spec_constant(module, 7, &constant));
    assert_string_equal(constant.name, "width");
    assert_true(mez_spirv_find_spec_constant(module, 2, &constant));
    assert_null(constant.name);
    assert_false(mez_spirv_find_spec_constant(module, 8, &constant));
    mez_spirv_module_destroy(&module);
}

static void specialize_all(struct mez_spirv_module *module)
{
    const uint8_t no = 0, yes = 17, byte = 200;
    const int16_t number = -3;
    const uint16_t half = 0xc100; // -2.5
    const uint64_t large = 81985529216486895;
    const double tenth = 0.1;
    const uint32_t width = 64;
    const void *values[] = {&no, &yes, &byte, &number, &large, &half, &tenth, &width};
    for (uint32_t i = 0; i < 8; i++)
        mez_spirv_specialize(module, i, values[i]);
    mez_spirv_specialize(module, 8, &width); // nothing has that number
}

static void values_are_written_as_the_assembler_would(void **state)
{
    (void)state;
    struct mez_spirv_module *module = open_module("specialize_before.spv");
    struct mez_spirv_module *expected = open_module("specialize_after.spv");
    specialize_all(module);
    assert_int_equal(module->word_count, expected->word_count);
    assert_memory_equal(module->words, expected->words, module->word_count * sizeof *module->words);
    mez_spirv_module_destroy(&expected);
    mez_spirv_module_destroy(&module);
}

static void sizes_follow_once_it_is_read_anew(void **state)
{
    (void)state;
    struct mez_spirv_module *before = open_module("specialize_before.spv"), *after;
    struct mez_spirv_problem problem;
    assert_int_equal(before->functions[0].modes.local_size[0], 16);
    specialize_all(before);
    assert_int_equal(mez_spirv_module_create(before->words,
                         (size_t)before->word_count * sizeof *before->words, &problem, &after),
        MEZ_SPIRV_OK);
    assert_int_equal(after->functions[0].modes.local_size[0], 64);
    mez_spirv_module_destroy(&after);
    mez_spirv_module_destroy(&before);
}

// The first execution mode, of either kind.
static const uint32_t *find_mode(const struct mez_spirv_module *module)
{
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count)
    {
        if (in.opcode == MEZ_OP_ExecutionMode || in.opcode == MEZ_OP_ExecutionModeId)
            return in.words;
    }
    fail_msg("there is no execution mode");
    return NULL;
}

static void group_sizes_by_ids_become_numbers(void **state)
{
    (void)state;
    struct mez_spirv_module *module = open_module("specialize_after.spv");
    uint32_t expected[] = {
        6u << 16 | MEZ_OP_ExecutionMode, find_mode(module)[1], MEZ_MODE_LOCAL_SIZE, 64, 1, 1};
    mez_spirv_write_group_sizes(module);
    assert_memory_equal(find_mode(module), expected, sizeof expected);
    mez_spirv_write_group_sizes(module); // and stay so
    assert_memory_equal(find_mode(module), expected, sizeof expected);
    mez_spirv_module_destroy(&module);
}

// What may still be given a value is nobody's to write down.
static void group_sizes_that_may_change_are_not_literal(void **state)
{
    (void)state;
    struct mez_spirv_module *module = open_module("specialize_before.spv");
    uint32_t words[MEZ_SPIRV_GROUP_SIZE_WORDS];
    const uint32_t at = (uint32_t)(find_mode(module) - module->words);
    assert_false(mez_spirv_literal_group_size(module, mez_spirv_instruction_at(module, at), words));
    const struct mez_spirv_def *one = mez_spirv_find_def(module, module->words[at + 4]);
    module->words[at + 3] = one->id;
    assert_true(mez_spirv_literal_group_size(module, mez_spirv_instruction_at(module, at), words));
    assert_int_equal(words[3], 1);
    mez_spirv_module_destroy(&module);
}

static void group_sizes_that_are_computed_stay(void **state)
{
    (void)state;
    struct mez_spirv_module *module = open_module("specialize_before.spv");
    uint32_t *mode = module->words + (find_mode(module) - module->words);
    for (uint32_t i = 0; i < module->def_count; i++)
        if (mez_spirv_instruction_at(module, module->defs[i].word).opcode == MEZ_OP_SpecConstantOp)
            mode[3] = module->defs[i].id;
    mez_spirv_write_group_sizes(module);
    assert_int_equal(mode[0] & 0xffff, MEZ_OP_ExecutionModeId);
    mez_spirv_module_destroy(&module);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_are_listed_with_their_sizes),
        cmocka_unit_test(values_are_written_as_the_assembler_would),
        cmocka_unit_test(sizes_follow_once_it_is_read_anew),
        cmocka_unit_test(group_sizes_by_ids_become_numbers),
        cmocka_unit_test(group_sizes_that_may_change_are_not_literal),
        cmocka_unit_test(group_sizes_that_are_computed_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
