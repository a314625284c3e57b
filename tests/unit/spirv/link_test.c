// SPDX-License-Identifier: MIT
//
// Modules that are linked with each other. MEZ_SPIRV_FILES names the folder of the modules, MEZ_SPIRV_VAL the judge.

#include "base/alloc.h"
#include "modules.h"
#include "spirv/extract.h"
#include "spirv/link.h"
#include "spirv/module.h"
#include "unit.h"
#include "validate.h"

static enum mez_spirv_status link_two(const struct mez_spirv_module *a,
    const struct mez_spirv_module *b, struct mez_spirv_problem *problem, uint32_t first_ids[2],
    uint32_t **words, uint32_t *count)
{
    const struct mez_spirv_link_input inputs[] = {{a, "a"}, {b, "b"}};
    *problem = (struct mez_spirv_problem){0};
    return mez_spirv_link(inputs, 2, problem, first_ids, words, count);
}

static struct mez_spirv_module *linked_words(
    const struct mez_spirv_module *a, const struct mez_spirv_module *b, uint32_t first_ids[2])
{
    struct mez_spirv_problem problem;
    struct mez_spirv_module *module = NULL;
    uint32_t *words, count;
    if (link_two(a, b, &problem, first_ids, &words, &count) ||
        mez_spirv_module_create(words, count * sizeof *words, &problem, &module))
        fail_msg("word %zu: %s", problem.word, problem.text);
    mez_free_memory(words);
    return module;
}

static struct mez_spirv_module *linked(const char *a, const char *b, uint32_t first_ids[2])
{
    struct mez_spirv_module *one = open_module(a), *two = open_module(b);
    struct mez_spirv_module *result = linked_words(one, two, first_ids);
    mez_spirv_module_destroy(&one);
    mez_spirv_module_destroy(&two);
    return result;
}

static void assert_conflict(const char *a, const char *b, const char *words)
{
    struct mez_spirv_module *one = open_module(a), *two = open_module(b);
    struct mez_spirv_problem problem;
    uint32_t first_ids[2], *result, count;
    assert_int_equal(link_two(one, two, &problem, first_ids, &result, &count), MEZ_SPIRV_CONFLICT);
    assert_contains(problem.text, words);
    assert_null(result);
    mez_spirv_module_destroy(&one);
    mez_spirv_module_destroy(&two);
}

static const struct mez_spirv_symbol *find_symbol(
    const struct mez_spirv_symbol *symbols, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(symbols[i].name, name) == 0)
            return &symbols[i];
    }
    return NULL;
}

static void what_one_imports_and_the_other_exports_is_joined(void **state)
{
    (void)state;
    uint32_t first_ids[2];
    struct mez_spirv_module *module = linked("link_a_O1.spv", "link_b_O1.spv", first_ids);
    assert_int_equal(module->entry_point_count, 4);
    assert_int_equal(module->import_count, 1); // both want it, nobody has it
    assert_string_equal(module->imports[0].name, "from_nowhere");
    static const char *const exports[] = {"helper", "tool", "widen", "table"};
    for (size_t i = 0; i < 4; i++) {
        const struct mez_spirv_symbol *symbol =
            find_symbol(module->exports, module->export_count, exports[i]);
        assert_non_null(symbol);
        assert_true(symbol->id >= first_ids[1]); // of the second module
    }
    assert_true(module->functions[module->entry_points[0].function].id < first_ids[1]);
    mez_spirv_module_destroy(&module);
}

static void either_order_gives_valid_modules(void **state)
{
    (void)state;
    static const char *const levels[] = {"O0", "O1"};
    for (size_t i = 0; i < 2; i++) {
        char a[32], b[32];
        uint32_t first_ids[2];
        snprintf(a, sizeof a, "link_a_%s.spv", levels[i]);
        snprintf(b, sizeof b, "link_b_%s.spv", levels[i]);
        struct mez_spirv_module *ab = linked(a, b, first_ids), *ba = linked(b, a, first_ids);
        assert_valid_spirv(ab->words, ab->word_count, a);
        assert_valid_spirv(ba->words, ba->word_count, b);
        assert_int_equal(ab->def_count, ba->def_count);
        mez_spirv_module_destroy(&ab);
        mez_spirv_module_destroy(&ba);
    }
}

static void a_kernel_of_one_takes_code_of_the_other_along(void **state)
{
    (void)state;
    uint32_t first_ids[2];
    struct mez_spirv_module *module = linked("link_a_O0.spv", "link_b_O0.spv", first_ids);
    struct mez_spirv_pieces *pieces;
    assert_int_equal(mez_spirv_pieces_create(module, NULL, &pieces), MEZ_SPIRV_OK);
    const struct mez_spirv_entry_point *entry = mez_spirv_find_entry_point(module, "wide");
    const uint32_t root = module->functions[entry->function].id;
    uint32_t *words, count;
    assert_int_equal(mez_spirv_extract(pieces, &root, 1, NULL, NULL, &words, &count), MEZ_SPIRV_OK);
    assert_valid_spirv(words, count, "wide");
    mez_free_memory(words);
    mez_spirv_pieces_destroy(&pieces);
    mez_spirv_module_destroy(&module);
}

static void functions_linked_once_are_there_once(void **state)
{
    (void)state;
    uint32_t first_ids[2];
    struct mez_spirv_module *module = linked("link_once_64.spv", "link_once_64.spv", first_ids);
    assert_int_equal(module->function_count, 1);
    assert_int_equal(module->export_count, 1);
    uint32_t types = 0, changed = 0, parameters = 0;
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count)
    {
        types += mez_spirv_is_type(in.opcode);
        changed += in.opcode == MEZ_OP_SpecConstant;
        parameters += in.opcode == MEZ_OP_Decorate && in.words[2] == MEZ_DECORATION_FUNC_PARAM_ATTR;
    }
    assert_int_equal(types, 3);
    assert_int_equal(changed, 2);
    assert_int_equal(parameters, 1);
    assert_valid_spirv(module->words, module->word_count, "once");
    mez_spirv_module_destroy(&module);
}

static void what_does_not_fit_is_reported(void **state)
{
    (void)state;
    assert_conflict("link_a_O0.spv", "link_a_O1.spv", "kernel 'lost' is in 'a' and in 'b'");
    assert_conflict("link_once_64.spv", "link_once_32.spv", "different addressing");
    assert_conflict("rename_before.spv", "rename_long.spv", "'a' and");
}

#define OP(length, opcode) ((uint32_t)(length) << 16 | (opcode))

// A module that imports the function "f", which takes `width` bits, with one instruction more: `extra` and a word.
static struct mez_spirv_module *one_function(uint32_t linkage, uint32_t width, uint32_t extra)
{
    const uint32_t words[] = {0x07230203, 0x00010000, 0, 100, 0, OP(2, 17), 5, OP(2, 17), 6,
        OP(3, 14), 2, 2, OP(5, 71), 10, 41, 'f', linkage, OP(4, 21), 1, width, 0, OP(4, 33), 2, 1,
        1, OP(2, extra), 6, OP(5, 54), 1, 10, 0, 2, OP(3, 55), 1, 11, OP(1, 56)};
    struct mez_spirv_module *module;
    assert_int_equal(mez_spirv_module_create(words, sizeof words, NULL, &module), MEZ_SPIRV_OK);
    return module;
}

static enum mez_spirv_status try_link(
    uint32_t other_width, uint32_t extra, struct mez_spirv_problem *problem)
{
    struct mez_spirv_module *a = one_function(MEZ_LINKAGE_IMPORT, 32, 17);
    struct mez_spirv_module *b = one_function(MEZ_LINKAGE_IMPORT, other_width, extra);
    uint32_t first_ids[2], *words, count;
    const enum mez_spirv_status status = link_two(a, b, problem, first_ids, &words, &count);
    mez_free_memory(words);
    mez_spirv_module_destroy(&a);
    mez_spirv_module_destroy(&b);
    return status;
}

static void types_and_unknown_instructions_are_looked_at(void **state)
{
    (void)state;
    struct mez_spirv_problem problem;
    assert_int_equal(try_link(32, 17, &problem), MEZ_SPIRV_OK);
    assert_int_equal(try_link(16, 17, &problem), MEZ_SPIRV_CONFLICT);
    assert_contains(problem.text, "'f' has one type in 'a' and another in 'b'");
    assert_int_equal(try_link(32, 60000, &problem), MEZ_SPIRV_CONFLICT);
    assert_contains(problem.text, "which words of its opcode 60000 at word 25 are ids");
    assert_int_equal(try_link(32, 74, &problem), MEZ_SPIRV_CONFLICT);
    assert_contains(problem.text, "OpGroupDecorate at word 25 uses id 6, which nothing defines");
}

static void every_failed_allocation_is_reported(void **state)
{
    (void)state;
    struct mez_spirv_module *a = open_module("link_a_O0.spv"), *b = open_module("link_b_O0.spv");
    enum mez_spirv_status status = MEZ_SPIRV_NO_MEMORY;
    uint64_t n = 0;
    while (status == MEZ_SPIRV_NO_MEMORY) {
        struct mez_spirv_problem problem;
        uint32_t first_ids[2], *words, count;
        mez_alloc_fail_at(++n);
        status = link_two(a, b, &problem, first_ids, &words, &count);
        mez_alloc_fail_at(0);
        mez_free_memory(words);
    }
    assert_int_equal(status, MEZ_SPIRV_OK);
    assert_true(n > 20);
    mez_spirv_module_destroy(&a);
    mez_spirv_module_destroy(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_one_imports_and_the_other_exports_is_joined),
        cmocka_unit_test(either_order_gives_valid_modules),
        cmocka_unit_test(a_kernel_of_one_takes_code_of_the_other_along),
        cmocka_unit_test(functions_linked_once_are_there_once),
        cmocka_unit_test(what_does_not_fit_is_reported),
        cmocka_unit_test(types_and_unknown_instructions_are_looked_at),
        cmocka_unit_test(every_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
