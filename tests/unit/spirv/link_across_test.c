// SPDX-License-Identifier: MIT
//
// Modules of compilers that do not agree on what pointers point to, linked with each other. MEZ_SPIRV_FILES names the folder of the
// modules, MEZ_SPIRV_VAL the judge.

#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "modules.h"
#include "spirv/extract.h"
#include "spirv/link.h"
#include "spirv/module.h"
#include "unit.h"
#include "validate.h"

#define MOST_INPUTS 3

static enum mez_spirv_status try_to_link(struct mez_spirv_module *const *modules, uint32_t count,
    struct mez_spirv_problem *problem, uint32_t **words, uint32_t *word_count)
{
    static const char *const names[MOST_INPUTS] = {"a", "b", "c"};
    struct mez_spirv_link_input inputs[MOST_INPUTS];
    uint32_t first_ids[MOST_INPUTS];
    *problem = (struct mez_spirv_problem){0};
    for (uint32_t i = 0; i < count; i++)
        inputs[i] = (struct mez_spirv_link_input){modules[i], names[i]};
    return mez_spirv_link(inputs, count, problem, first_ids, words, word_count);
}

static struct mez_spirv_module *link_all(struct mez_spirv_module *const *modules, uint32_t count)
{
    struct mez_spirv_problem problem;
    struct mez_spirv_module *result = NULL;
    uint32_t *words, word_count;
    if (try_to_link(modules, count, &problem, &words, &word_count) ||
        mez_spirv_module_create(words, word_count * sizeof *words, &problem, &result))
        fail_msg("word %zu: %s", problem.word, problem.text);
    mez_free_memory(words);
    return result;
}

static struct mez_spirv_module *link_files(const char *a, const char *b)
{
    struct mez_spirv_module *modules[] = {open_module(a), open_module(b)};
    struct mez_spirv_module *result = link_all(modules, 2);
    mez_spirv_module_destroy(&modules[0]);
    mez_spirv_module_destroy(&modules[1]);
    return result;
}

// What an importer calls has its own type still: a function of that type, and no import.
static void assert_all_is_resolved(const struct mez_spirv_module *module, const char *what)
{
    assert_valid_spirv(module->words, module->word_count, what);
    assert_int_equal(module->import_count, 0);
    for (uint32_t i = 0; i < module->function_count; i++)
        assert_true(module->functions[i].has_body);
}

static void assert_names_are_different(const struct mez_spirv_module *module)
{
    for (uint32_t i = 0; i < module->function_count; i++) {
        const struct mez_spirv_def *one = mez_spirv_find_def(module, module->functions[i].id);
        for (uint32_t j = 0; j < i; j++) {
            const struct mez_spirv_def *two = mez_spirv_find_def(module, module->functions[j].id);
            if (one->name && two->name)
                assert_string_not_equal(
                    (char *)(module->words + one->name), (char *)(module->words + two->name));
        }
    }
}

static void check_pair(const char *a, const char *b)
{
    struct mez_spirv_module *module = link_files(a, b);
    assert_all_is_resolved(module, a);
    assert_names_are_different(module);
    mez_spirv_module_destroy(&module);
}

static void check_both_orders(const char *a, const char *b)
{
    check_pair(a, b);
    check_pair(b, a);
}

static void generations_of_compilers_link_with_each_other(void **state)
{
    (void)state;
    check_both_orders("link_across_a_15.spv", "link_across_b_15.spv");
    check_both_orders("link_across_a_15.spv", "link_across_b_22.spv");
    check_both_orders("link_across_a_22.spv", "link_across_b_15.spv");
    check_both_orders("link_across_a_22.spv", "link_across_b_22.spv");
}

// MEZ_SPIRV_COMPILERS has the numbers of the compilers that are installed here.
static void installed_compilers_link_with_each_other(void **state)
{
    (void)state;
    static const char *const others[] = {"15", "22"};
    const char *installed = getenv("MEZ_SPIRV_COMPILERS");
    for (; installed && *installed;
         installed += strcspn(installed, " "), installed += *installed == ' ') {
        const int length = (int)strcspn(installed, " ");
        char a[64], b[64], other[64];
        snprintf(a, sizeof a, "link_across_a_here_%.*s.spv", length, installed);
        snprintf(b, sizeof b, "link_across_b_here_%.*s.spv", length, installed);
        check_both_orders(a, b);
        for (size_t i = 0; i < 2; i++) {
            snprintf(other, sizeof other, "link_across_b_%s.spv", others[i]);
            check_both_orders(a, other);
            snprintf(other, sizeof other, "link_across_a_%s.spv", others[i]);
            check_both_orders(b, other);
        }
    }
}

static void a_kernel_takes_what_it_calls_along(void **state)
{
    (void)state;
    struct mez_spirv_module *module = link_files("link_across_a_15.spv", "link_across_b_22.spv");
    struct mez_spirv_module *taken;
    struct mez_spirv_pieces *pieces;
    assert_int_equal(mez_spirv_pieces_create(module, NULL, &pieces), MEZ_SPIRV_OK);
    const struct mez_spirv_entry_point *entry = mez_spirv_find_entry_point(module, "across");
    const uint32_t root = module->functions[entry->function].id;
    uint32_t *words, count;
    assert_int_equal(mez_spirv_extract(pieces, &root, 1, NULL, NULL, &words, &count), MEZ_SPIRV_OK);
    assert_int_equal(mez_spirv_module_create(words, count * sizeof *words, NULL, &taken), 0);
    assert_all_is_resolved(taken, "across");
    mez_spirv_module_destroy(&taken);
    mez_free_memory(words);
    mez_spirv_pieces_destroy(&pieces);
    mez_spirv_module_destroy(&module);
}

static void structs_with_pointers_go_by_value(void **state)
{
    (void)state;
    check_both_orders("link_by_value_a.spv", "link_by_value_b.spv");
}

static uint32_t count_instructions(const struct mez_spirv_module *module, uint16_t opcode)
{
    uint32_t count = 0;
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count) count +=
        in.opcode == opcode;
    return count;
}

// Two variables, of which one has two types; nothing is used before it is there, which the validator looks at.
static void constants_name_variables_of_other_modules(void **state)
{
    (void)state;
    check_both_orders("link_variables_a.spv", "link_variables_b.spv");
    struct mez_spirv_module *module = link_files("link_variables_a.spv", "link_variables_b.spv");
    assert_int_equal(count_instructions(module, MEZ_OP_SpecConstantOp), 1);
    mez_spirv_module_destroy(&module);
}

// The pointer's type is the importer's: so has to be the function's.
static void an_address_is_of_a_function_of_its_type(void **state)
{
    (void)state;
    struct mez_spirv_module *module = link_files("link_taken_a.spv", "link_by_value_b.spv");
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count)
    {
        if (in.opcode != MEZ_OP_ConstantFunctionPointerINTEL)
            continue;
        const struct mez_spirv_type *pointer = mez_spirv_find_type(module, in.words[1]);
        const struct mez_spirv_function *function = mez_spirv_find_function(module, in.words[3]);
        assert_true(function->has_body);
        assert_int_equal(pointer->component, function->type);
    }
    assert_int_equal(count_instructions(module, MEZ_OP_ConstantFunctionPointerINTEL), 1);
    mez_spirv_module_destroy(&module);
}

// --- Modules made here

#define OP(length, opcode) ((uint32_t)(length) << 16 | (opcode))
#define WORDS_ROOM 65536

enum { ID_NUMBER = 1, ID_FLOAT, ID_POINTER, ID_TYPE, ID_VOID, ID_FIRST };

struct made {
    uint32_t words[WORDS_ROOM];
    uint32_t count;
};

static void add(struct made *made, const uint32_t *words, uint32_t count)
{
    assert_true(made->count + count <= WORDS_ROOM);
    memcpy(made->words + made->count, words, count * sizeof *words);
    made->count += count;
}

#define ADD(made, ...)                         \
    add(made, (const uint32_t[]){__VA_ARGS__}, \
        (uint32_t)(sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)))

// "fun0000" and so on, in two words.
static void add_linkage(struct made *made, uint32_t id, uint32_t number, uint32_t linkage)
{
    uint32_t name[2] = {0};
    snprintf((char *)name, sizeof name, "fun%04" PRIu32, number);
    ADD(made, OP(6, MEZ_OP_Decorate), id, MEZ_DECORATION_LINKAGE_ATTRIBUTES, name[0], name[1],
        linkage);
}

static void add_extension(struct made *made, const char *name)
{
    uint32_t words[8] = {0};
    snprintf((char *)words, sizeof words, "%s", name);
    const uint32_t count = (uint32_t)strlen(name) / 4 + 1;
    ADD(made, OP(count + 1, MEZ_OP_Extension));
    add(made, words, count);
}

// A module with functions fun`first` and so on that take a pointer in a storage class, to numbers or floats, and return it, or nothing.
struct wanted {
    uint32_t first, count, linkage, storage;
    bool of_floats, returns_nothing;
};

static void add_function(struct made *made, const struct wanted *wanted, uint32_t id)
{
    const uint32_t result = wanted->returns_nothing ? ID_VOID : ID_POINTER;
    ADD(made, OP(5, MEZ_OP_Function), result, id, 0, ID_TYPE);
    ADD(made, OP(3, MEZ_OP_FunctionParameter), ID_POINTER, id + 1);
    if (wanted->linkage != MEZ_LINKAGE_IMPORT) {
        ADD(made, OP(2, MEZ_OP_Label), id + 2);
        if (wanted->returns_nothing)
            ADD(made, OP(1, MEZ_OP_Return));
        else
            ADD(made, OP(2, MEZ_OP_ReturnValue), id + 1);
    }
    ADD(made, OP(1, MEZ_OP_FunctionEnd));
}

static struct mez_spirv_module *make(const struct wanted *wanted)
{
    static struct made made;
    made.count = 0;
    ADD(&made, MEZ_SPIRV_MAGIC, 0x00010200, 0, ID_FIRST + 3 * wanted->count, 0);
    ADD(&made, OP(2, MEZ_OP_Capability), 4, OP(2, MEZ_OP_Capability), 5);
    ADD(&made, OP(2, MEZ_OP_Capability), 6);
    if (wanted->linkage == MEZ_LINKAGE_LINK_ONCE_ODR)
        add_extension(&made, "SPV_KHR_linkonce_odr");
    ADD(&made, OP(3, MEZ_OP_MemoryModel), 2, 2);
    for (uint32_t i = 0; i < wanted->count; i++)
        add_linkage(&made, ID_FIRST + 3 * i, wanted->first + i, wanted->linkage);
    ADD(&made, OP(4, MEZ_OP_TypeInt), ID_NUMBER, 32, 0, OP(3, MEZ_OP_TypeFloat), ID_FLOAT, 32);
    ADD(&made, OP(2, MEZ_OP_TypeVoid), ID_VOID);
    ADD(&made, OP(4, MEZ_OP_TypePointer), ID_POINTER, wanted->storage,
        wanted->of_floats ? ID_FLOAT : ID_NUMBER);
    ADD(&made, OP(4, MEZ_OP_TypeFunction), ID_TYPE, wanted->returns_nothing ? ID_VOID : ID_POINTER,
        ID_POINTER);
    for (uint32_t i = 0; i < wanted->count; i++)
        add_function(&made, wanted, ID_FIRST + 3 * i);
    struct mez_spirv_module *module;
    assert_int_equal(
        mez_spirv_module_create(made.words, made.count * sizeof *made.words, NULL, &module),
        MEZ_SPIRV_OK);
    return module;
}

static const struct wanted importer = {
    .count = 1, .linkage = MEZ_LINKAGE_IMPORT, .storage = MEZ_STORAGE_CROSS_WORKGROUP};
static const struct wanted exporter = {.count = 1,
    .linkage = MEZ_LINKAGE_EXPORT,
    .storage = MEZ_STORAGE_CROSS_WORKGROUP,
    .of_floats = true};

static void any_number_of_imports_is_resolved(void **state)
{
    (void)state;
    static const uint32_t counts[] = {1, 15, 16, 17, 31, 32, 33, 2000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct wanted wanted = importer, given = exporter;
        wanted.count = given.count = counts[i];
        struct mez_spirv_module *modules[] = {make(&wanted), make(&given)};
        struct mez_spirv_module *result = link_all(modules, 2);
        assert_int_equal(result->function_count, 2 * counts[i]);
        assert_int_equal(result->export_count, counts[i]);
        assert_int_equal(count_instructions(result, MEZ_OP_FunctionCall), counts[i]);
        assert_int_equal(count_instructions(result, MEZ_OP_Bitcast), 2 * counts[i]);
        assert_all_is_resolved(result, "many");
        mez_spirv_module_destroy(&result);
        mez_spirv_module_destroy(&modules[0]);
        mez_spirv_module_destroy(&modules[1]);
    }
}

static void three_modules_may_have_three_types(void **state)
{
    (void)state;
    struct wanted other = exporter, wanted = importer;
    other.of_floats = false;
    other.first = 1;
    wanted.of_floats = true;
    wanted.count = 2;
    // f0 with floats, wanted with numbers; f1 with numbers, wanted with floats; and f1 wanted as it is.
    struct mez_spirv_module *modules[] = {make(&exporter), make(&other), make(&wanted)};
    struct mez_spirv_module *result = link_all(modules, 3);
    assert_all_is_resolved(result, "three");
    assert_int_equal(result->function_count, 3); // f0 is wanted as it is
    for (uint32_t i = 0; i < 3; i++)
        mez_spirv_module_destroy(&modules[i]);
    mez_spirv_module_destroy(&result);
}

static void what_nobody_defines_is_imported_once(void **state)
{
    (void)state;
    struct wanted other = importer;
    other.of_floats = true;
    struct mez_spirv_module *modules[] = {make(&importer), make(&other)};
    struct mez_spirv_module *result = link_all(modules, 2);
    assert_valid_spirv(result->words, result->word_count, "nobody");
    assert_int_equal(result->import_count, 1);
    assert_int_equal(result->function_count, 2);
    mez_spirv_module_destroy(&result);
    mez_spirv_module_destroy(&modules[0]);
    mez_spirv_module_destroy(&modules[1]);
}

static void functions_linked_once_may_have_two_types(void **state)
{
    (void)state;
    struct wanted one = exporter, two = exporter;
    one.linkage = two.linkage = MEZ_LINKAGE_LINK_ONCE_ODR;
    two.of_floats = false;
    struct mez_spirv_module *modules[] = {make(&one), make(&two)};
    struct mez_spirv_module *result = link_all(modules, 2);
    assert_all_is_resolved(result, "once");
    assert_int_equal(result->export_count, 1);
    assert_int_equal(count_instructions(result, MEZ_OP_FunctionCall), 1);
    mez_spirv_module_destroy(&result);
    mez_spirv_module_destroy(&modules[0]);
    mez_spirv_module_destroy(&modules[1]);
}

static void assert_conflict(const struct wanted *a, const struct wanted *b)
{
    struct mez_spirv_module *modules[] = {make(a), make(b)};
    struct mez_spirv_problem problem;
    uint32_t *words, count;
    assert_int_equal(try_to_link(modules, 2, &problem, &words, &count), MEZ_SPIRV_CONFLICT);
    assert_contains(problem.text, "'fun0000' has one type in 'b' and another in 'a'");
    assert_null(words);
    mez_spirv_module_destroy(&modules[0]);
    mez_spirv_module_destroy(&modules[1]);
}

static void other_differences_are_refused(void **state)
{
    (void)state;
    struct wanted other = exporter;
    other.storage = MEZ_STORAGE_FUNCTION;
    assert_conflict(&importer, &other);
    other = exporter;
    other.returns_nothing = true;
    assert_conflict(&importer, &other);
}

static void every_failed_allocation_is_reported(void **state)
{
    (void)state;
    struct mez_spirv_module *modules[] = {
        open_module("link_across_a_15.spv"), open_module("link_across_b_22.spv")};
    enum mez_spirv_status status = MEZ_SPIRV_NO_MEMORY;
    uint64_t n = 0;
    while (status == MEZ_SPIRV_NO_MEMORY) {
        struct mez_spirv_problem problem;
        uint32_t *words, count;
        mez_alloc_fail_at(++n);
        status = try_to_link(modules, 2, &problem, &words, &count);
        mez_alloc_fail_at(0);
        mez_free_memory(words);
    }
    assert_int_equal(status, MEZ_SPIRV_OK);
    assert_true(n > 30);
    mez_spirv_module_destroy(&modules[0]);
    mez_spirv_module_destroy(&modules[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generations_of_compilers_link_with_each_other),
        cmocka_unit_test(installed_compilers_link_with_each_other),
        cmocka_unit_test(a_kernel_takes_what_it_calls_along),
        cmocka_unit_test(structs_with_pointers_go_by_value),
        cmocka_unit_test(constants_name_variables_of_other_modules),
        cmocka_unit_test(an_address_is_of_a_function_of_its_type),
        cmocka_unit_test(any_number_of_imports_is_resolved),
        cmocka_unit_test(three_modules_may_have_three_types),
        cmocka_unit_test(what_nobody_defines_is_imported_once),
        cmocka_unit_test(functions_linked_once_may_have_two_types),
        cmocka_unit_test(other_differences_are_refused),
        cmocka_unit_test(every_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
