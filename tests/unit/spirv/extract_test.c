// SPDX-License-Identifier: MIT
//
// Kernels taken out of modules that a compiler and an assembler make here. MEZ_SPIRV_FILES names their folder, MEZ_SPIRV_VAL
// the judge.

#include "base/alloc.h"
#include "modules.h"
#include "spirv/extract.h"
#include "spirv/module.h"
#include "unit.h"
#include "validate.h"

static struct mez_spirv_pieces *cut_module(const struct mez_spirv_module *module)
{
    struct mez_spirv_pieces *pieces;
    assert_int_equal(mez_spirv_pieces_create(module, NULL, &pieces), MEZ_SPIRV_OK);
    return pieces;
}

static uint32_t kernel_id(const struct mez_spirv_module *module, const char *kernel)
{
    const struct mez_spirv_entry_point *entry = mez_spirv_find_entry_point(module, kernel);
    if (!entry)
        fail_msg("there is no kernel %s", kernel);
    return module->functions[entry->function].id;
}

static uint32_t named_id(const struct mez_spirv_module *module, const char *name)
{
    for (uint32_t i = 0; i < module->def_count; i++) {
        const struct mez_spirv_def *def = &module->defs[i];
        if (def->name && strcmp((const char *)(module->words + def->name), name) == 0)
            return def->id;
    }
    return 0;
}

static struct mez_spirv_module *extract_roots(const struct mez_spirv_module *module,
    const uint32_t *roots, uint32_t count, const struct mez_spirv_extract_options *options)
{
    struct mez_spirv_pieces *pieces = cut_module(module);
    struct mez_spirv_problem problem = {0};
    uint32_t *words, word_count;
    if (mez_spirv_extract(pieces, roots, count, options, &problem, &words, &word_count))
        fail_msg("word %zu: %s", problem.word, problem.text);
    struct mez_spirv_module *part =
        read_module(words, word_count * sizeof *words, "what was taken out");
    mez_free_memory(words);
    mez_spirv_pieces_destroy(&pieces);
    return part;
}

// One kernel of a file.
static struct mez_spirv_module *extract_kernel(const char *file, const char *kernel)
{
    struct mez_spirv_module *module = open_module(file);
    const uint32_t root = kernel_id(module, kernel);
    struct mez_spirv_module *part = extract_roots(module, &root, 1, NULL);
    mez_spirv_module_destroy(&module);
    return part;
}

static uint32_t count_instructions(const struct mez_spirv_module *module, uint16_t opcode)
{
    uint32_t count = 0;
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count) count +=
        in.opcode == opcode;
    return count;
}

static bool declares(const struct mez_spirv_module *module, uint32_t capability)
{
    for (uint32_t i = 0; i < module->capability_count; i++) {
        if (module->capabilities[i] == capability)
            return true;
    }
    return false;
}

static bool extends(const struct mez_spirv_module *module, const char *extension)
{
    for (uint32_t i = 0; i < module->extension_count; i++) {
        if (strcmp(module->extensions[i], extension) == 0)
            return true;
    }
    return false;
}

static bool exports(const struct mez_spirv_module *module, const char *name)
{
    for (uint32_t i = 0; i < module->def_count; i++) {
        const struct mez_spirv_def *def = &module->defs[i];
        if (def->linkage == MEZ_LINKAGE_EXPORT &&
            strcmp((const char *)(module->words + def->link), name) == 0)
            return true;
    }
    return false;
}

// Of the function that a kernel's code stands in, by whatever name that is exported.
static bool exports_code(const struct mez_spirv_module *module, const char *kernel)
{
    for (uint32_t i = 0; i < module->function_count; i++) {
        const struct mez_spirv_function *function = &module->functions[i];
        if (mez_spirv_find_def(module, function->id)->linkage == MEZ_LINKAGE_EXPORT &&
            strcmp(function->name, kernel) == 0)
            return true;
    }
    return false;
}

enum {
    CAPABILITY_LINKAGE = 5,
    CAPABILITY_DOUBLE = 10,
    CAPABILITY_INT64 = 11,
    CAPABILITY_INT64_ATOMICS = 12,
    CAPABILITY_IMAGE = 13,
    CAPABILITY_GROUPS = 18,
    CAPABILITY_GENERIC = 38,
    CAPABILITY_SUBGROUP_DISPATCH = 58,
    CAPABILITY_FUNCTION_POINTERS = 5603,
};

// As far as the kernel calls it, and for the kernel's own module alone.
static void kernel_code_stays_with_its_kernel(void **state)
{
    (void)state;
    static const char *const kernels[] = {"calls", "has"};
    static const uint32_t functions[] = {2, 1};
    for (size_t i = 0; i < 2; i++) {
        struct mez_spirv_module *part = extract_kernel("kernel_code.spv", kernels[i]);
        assert_int_equal(part->function_count, functions[i]);
        assert_true(exports(part, "__clang_ocl_kern_imp_calls") == (i == 0));
        mez_spirv_module_destroy(&part);
    }
}

static void each_kernel_is_a_valid_module(void **state)
{
    (void)state;
    static const char *const files[] = {"extract_O0.spv", "extract_O1.spv", "extract_O2.spv",
        "extract_g.spv", "kernels.spv", "kernels_O0.spv", "kernels_g.spv", "modes.spv",
        "recursion.spv", "extract.spv"};
    const struct mez_spirv_extract_options options = {.without_debug_info = true};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct mez_spirv_module *module = open_module(files[i]);
        assert_true(module->entry_point_count > 0);
        for (uint32_t k = 0; k < module->entry_point_count; k++) {
            const char *kernel = module->entry_points[k].name;
            const uint32_t root = kernel_id(module, kernel);
            struct mez_spirv_module *part = extract_roots(module, &root, 1, &options);
            assert_int_equal(part->entry_point_count, 1);
            assert_string_equal(part->entry_points[0].name, kernel);
            assert_valid_spirv(part->words, part->word_count, kernel);
            mez_spirv_module_destroy(&part);
        }
        mez_spirv_module_destroy(&module);
    }
}

static void all_kernels_together_are_a_valid_module(void **state)
{
    (void)state;
    struct mez_spirv_module *module = open_module("extract_O1.spv");
    uint32_t roots[32];
    assert_true(module->entry_point_count <= 32);
    for (uint32_t i = 0; i < module->entry_point_count; i++)
        roots[i] = module->functions[module->entry_points[i].function].id;
    roots[module->entry_point_count] = roots[0]; // twice is once
    struct mez_spirv_module *part =
        extract_roots(module, roots, module->entry_point_count + 1, NULL);
    assert_int_equal(part->entry_point_count, module->entry_point_count);
    assert_valid_spirv(part->words, part->word_count, "all");
    mez_spirv_module_destroy(&part);
    mez_spirv_module_destroy(&module);
}

static void what_was_taken_out_gives_the_same_again(void **state)
{
    (void)state;
    static const char *const files[] = {"extract_O0.spv", "extract_g.spv", "extract.spv"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct mez_spirv_module *module = open_module(files[i]);
        for (uint32_t k = 0; k < module->entry_point_count; k++) {
            const char *kernel = module->entry_points[k].name;
            const uint32_t root = kernel_id(module, kernel);
            struct mez_spirv_module *once = extract_roots(module, &root, 1, NULL);
            struct mez_spirv_module *twice = extract_roots(once, &root, 1, NULL);
            assert_int_equal(once->word_count, twice->word_count);
            assert_memory_equal(once->words, twice->words, once->word_count * sizeof *once->words);
            mez_spirv_module_destroy(&twice);
            mez_spirv_module_destroy(&once);
        }
        mez_spirv_module_destroy(&module);
    }
}

static void capabilities_are_those_of_the_kernel(void **state)
{
    (void)state;
    static const struct {
        const char *kernel;
        uint32_t capability;
    } cases[] = {
        {"doubles", CAPABILITY_DOUBLE},
        {"draws", CAPABILITY_IMAGE},
        {"groups", CAPABILITY_SUBGROUP_DISPATCH},
        {"adds_long", CAPABILITY_INT64_ATOMICS},
        {"walks", CAPABILITY_GENERIC},
        {"groups", CAPABILITY_GROUPS},
    };
    struct mez_spirv_module *module = open_module("extract_O1.spv");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_true(declares(module, cases[i].capability));
        for (uint32_t k = 0; k < module->entry_point_count; k++) {
            const uint32_t root = kernel_id(module, module->entry_points[k].name);
            struct mez_spirv_module *part = extract_roots(module, &root, 1, NULL);
            const bool expected = strcmp(module->entry_points[k].name, cases[i].kernel) == 0;
            assert_int_equal(declares(part, cases[i].capability), expected);
            mez_spirv_module_destroy(&part);
        }
    }
    mez_spirv_module_destroy(&module);
}

static void another_kernels_code_and_texts_are_gone(void **state)
{
    (void)state;
    struct mez_spirv_module *part = extract_kernel("extract_O0.spv", "plain");
    assert_int_equal(part->entry_point_count, 1);
    assert_true(exports_code(part, "plain"));
    assert_false(exports_code(part, "doubles"));
    assert_true(named_id(part, "half_of"));
    assert_true(named_id(part, "table"));
    assert_false(named_id(part, "exported"));
    assert_false(named_id(part, "counter"));
    assert_false(named_id(part, "mez_device_has__plain"));
    assert_int_equal(count_instructions(part, MEZ_OP_TypeImage), 0);
    for (uint32_t i = 0; i < part->def_count; i++) {
        const struct mez_spirv_instruction in = mez_spirv_instruction_at(part, part->defs[i].word);
        const bool stray = part->defs[i].function == MEZ_SPIRV_NO_INDEX &&
                           in.opcode == MEZ_OP_Variable && in.words[3] == MEZ_STORAGE_FUNCTION;
        assert_false(stray); // an annotation's text
    }
    mez_spirv_module_destroy(&part);
}

static void a_kernel_that_is_called_is_no_kernel_any_more(void **state)
{
    (void)state;
    struct mez_spirv_module *part = extract_kernel("extract_O0.spv", "calls_a_kernel");
    assert_int_equal(part->entry_point_count, 1);
    assert_true(exports_code(part, "calls_a_kernel"));
    assert_false(exports(part, "plain") || exports(part, "__clang_ocl_kern_imp_plain"));
    assert_true(named_id(part, "plain") || named_id(part, "__clang_ocl_kern_imp_plain"));
    mez_spirv_module_destroy(&part);
}

static void an_exported_function_is_a_root_like_a_kernel(void **state)
{
    (void)state;
    struct mez_spirv_module *module = open_module("extract_O0.spv");
    const uint32_t root = named_id(module, "exported");
    struct mez_spirv_module *part = extract_roots(module, &root, 1, NULL);
    assert_int_equal(part->entry_point_count, 0);
    assert_int_equal(part->export_count, 1);
    assert_string_equal(part->exports[0].name, "exported");
    assert_true(named_id(part, "half_of"));
    assert_valid_spirv(part->words, part->word_count, "exported");
    mez_spirv_module_destroy(&part);

    part = extract_kernel("extract_O0.spv", "calls_out");
    assert_true(named_id(part, "exported"));
    assert_false(exports(part, "exported"));
    assert_int_equal(part->import_count, 1);
    assert_string_equal(part->imports[0].name, "imported");
    mez_spirv_module_destroy(&part);
    mez_spirv_module_destroy(&module);
}

static void a_variable_can_be_a_root(void **state)
{
    (void)state;
    struct mez_spirv_module *module = open_module("extract.spv");
    for (uint32_t i = 0; i < module->export_count; i++) {
        if (module->exports[i].is_function)
            continue;
        const uint32_t root = module->exports[i].id;
        struct mez_spirv_module *part = extract_roots(module, &root, 1, NULL);
        assert_int_equal(part->function_count, 0);
        assert_true(exports(part, "exported"));
        assert_valid_spirv(part->words, part->word_count, "exported");
        mez_spirv_module_destroy(&part);
    }
    mez_spirv_module_destroy(&module);
}

static void a_module_without_links_says_so(void **state)
{
    (void)state;
    struct mez_spirv_module *part = extract_kernel("extract.spv", "first");
    assert_false(declares(part, CAPABILITY_LINKAGE));
    mez_spirv_module_destroy(&part);
    part = extract_kernel("extract.spv", "second");
    assert_true(declares(part, CAPABILITY_LINKAGE)); // it imports
    mez_spirv_module_destroy(&part);
}

static struct mez_spirv_instruction find_instruction(
    const struct mez_spirv_module *module, uint16_t opcode)
{
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count)
    {
        if (in.opcode == opcode)
            return in;
    }
    fail_msg("opcode %u is missing", opcode);
    return (struct mez_spirv_instruction){0};
}

static void interfaces_and_groups_are_cut_down(void **state)
{
    (void)state;
    struct mez_spirv_module *part = extract_kernel("extract.spv", "first");
    assert_int_equal(find_instruction(part, MEZ_OP_EntryPoint).length, 3 + 2 + 2);
    assert_int_equal(count_instructions(part, MEZ_OP_DecorationGroup), 1);
    assert_int_equal(find_instruction(part, MEZ_OP_GroupDecorate).length, 2 + 2);
    assert_int_equal(count_instructions(part, MEZ_OP_GroupMemberDecorate), 0);
    mez_spirv_module_destroy(&part);

    part = extract_kernel("extract.spv", "second");
    assert_int_equal(find_instruction(part, MEZ_OP_GroupMemberDecorate).length, 2 + 4);
    mez_spirv_module_destroy(&part);
}

static void declarations_stand_before_definitions(void **state)
{
    (void)state;
    struct mez_spirv_module *part = extract_kernel("extract.spv", "second");
    assert_int_equal(part->function_count, 3);
    assert_false(part->functions[0].has_body);
    assert_true(part->functions[1].has_body);
    mez_spirv_module_destroy(&part);
}

static void extensions_go_only_if_we_know_what_for(void **state)
{
    (void)state;
    struct mez_spirv_module *part = extract_kernel("extract.spv", "first");
    assert_true(extends(part, "SPV_KHR_something_else"));
    mez_spirv_module_destroy(&part);
    part = extract_kernel("pointers.spv", "direct");
    assert_false(extends(part, "SPV_INTEL_function_pointers"));
    assert_false(declares(part, CAPABILITY_FUNCTION_POINTERS));
    mez_spirv_module_destroy(&part);
    part = extract_kernel("pointers.spv", "calls");
    assert_true(extends(part, "SPV_INTEL_function_pointers"));
    assert_true(declares(part, CAPABILITY_FUNCTION_POINTERS));
    mez_spirv_module_destroy(&part);
}

static void what_a_pointer_may_call_stays(void **state)
{
    (void)state;
    struct mez_spirv_module *part = extract_kernel("pointers.spv", "calls");
    assert_true(named_id(part, "doubles"));
    assert_false(named_id(part, "untaken")); // nobody has its address
    assert_false(named_id(part, "reports")); // another type
    mez_spirv_module_destroy(&part);
}

static void ids_among_numbers_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *kernel, *kept, *gone;
    } cases[] = {
        {"loads", "by_load", "by_decoration"},
        {"is_decorated", "by_decoration", "by_load"},
        {"has_none", NULL, "by_load"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mez_spirv_module *part = extract_kernel("aliases.spv", cases[i].kernel);
        assert_true(!cases[i].kept || named_id(part, cases[i].kept));
        assert_false(named_id(part, cases[i].gone));
        assert_int_equal(extends(part, "SPV_INTEL_memory_access_aliasing"), cases[i].kept != NULL);
        mez_spirv_module_destroy(&part);
    }
}

static void lines_stay_with_what_they_describe(void **state)
{
    (void)state;
    struct mez_spirv_module *part = extract_kernel("extract.spv", "first");
    const struct mez_spirv_instruction line = find_instruction(part, MEZ_OP_Line);
    assert_int_equal(line.words[2], 3); // of the variable
    assert_int_equal(count_instructions(part, MEZ_OP_Line), 3);
    assert_int_equal(count_instructions(part, MEZ_OP_NoLine), 1);
    mez_spirv_module_destroy(&part);
}

static uint32_t count_debug(const struct mez_spirv_module *module, uint32_t number)
{
    uint32_t count = 0;
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count) count +=
        mez_spirv_is_debug(module, in) && in.opcode == MEZ_OP_ExtInst && in.words[4] == number;
    return count;
}

enum { DEBUG_INFO_NONE = 0, DEBUG_FUNCTION = 20, DEBUG_SCOPE = 23 };

static void debug_information_survives_the_function_it_describes(void **state)
{
    (void)state;
    struct mez_spirv_module *part = extract_kernel("extract.spv", "first");
    assert_false(named_id(part, "helper"));
    assert_int_equal(count_debug(part, DEBUG_FUNCTION), 2);
    assert_int_equal(count_debug(part, DEBUG_INFO_NONE), 1);
    assert_valid_spirv(part->words, part->word_count, "first");
    mez_spirv_module_destroy(&part);

    part = extract_kernel(
        "extract.spv", "second"); // has the helper, and no debug information of its own
    assert_int_equal(count_debug(part, DEBUG_FUNCTION), 1);
    assert_int_equal(count_debug(part, DEBUG_INFO_NONE), 0);
    mez_spirv_module_destroy(&part);
}

static void debug_information_goes_on_request(void **state)
{
    (void)state;
    const struct mez_spirv_extract_options options = {.without_debug_info = true};
    struct mez_spirv_module *module = open_module("extract_g.spv");
    const uint32_t root = kernel_id(module, "plain");
    struct mez_spirv_module *with = extract_roots(module, &root, 1, NULL);
    struct mez_spirv_module *without = extract_roots(module, &root, 1, &options);
    assert_true(count_debug(with, DEBUG_SCOPE) > 0);
    assert_int_equal(count_instructions(without, MEZ_OP_ExtInstImport), 0);
    assert_int_equal(
        count_instructions(with, MEZ_OP_Line), count_instructions(without, MEZ_OP_Line));
    assert_true(count_instructions(without, MEZ_OP_Line) > 0);
    mez_spirv_module_destroy(&without);
    mez_spirv_module_destroy(&with);
    mez_spirv_module_destroy(&module);
}

#define OP(length, opcode) ((uint32_t)(length) << 16 | (opcode))
#define UNKNOWN 60000u

// Kernels "a" (id 10) and "b" (id 20); 3 is void, 4 their type. `a_body` stands in a.
static struct mez_spirv_module *two_kernels(
    const uint32_t *preamble, size_t preamble_words, const uint32_t *a_body, size_t a_words)
{
    static const uint32_t head[] = {0x07230203, 0x00010400, 0, 100, 0, OP(2, 17), 6, OP(2, 17), 4,
        OP(2, 17), CAPABILITY_DOUBLE, OP(2, 17), 4711, OP(3, 14), 2, 2, OP(4, 15), 6, 10, 'a',
        OP(4, 15), 6, 20, 'b'};
    static const uint32_t types[] = {OP(2, 19), 3, OP(3, 33), 4, 3};
    static const uint32_t a[] = {OP(5, 54), 3, 10, 0, 4, OP(2, 248), 11};
    static const uint32_t end[] = {OP(1, 253), OP(1, 56)};
    static const uint32_t b[] = {OP(5, 54), 3, 20, 0, 4, OP(2, 248), 21, OP(1, 253), OP(1, 56)};
    const struct {
        const uint32_t *words;
        size_t count;
    } parts[] = {{head, sizeof head / 4}, {preamble, preamble_words}, {types, sizeof types / 4},
        {a, sizeof a / 4}, {a_body, a_words}, {end, sizeof end / 4}, {b, sizeof b / 4}};
    uint32_t words[256], count = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i].count)
            memcpy(words + count, parts[i].words, parts[i].count * sizeof *words);
        count += (uint32_t)parts[i].count;
    }
    return read_module(words, count * sizeof *words, "two kernels");
}

static void unknown_instructions_stay(void **state)
{
    (void)state;
    // A type (30), something about kernel b, and a use of the type in a.
    static const uint32_t preamble[] = {OP(3, UNKNOWN), 30, 7, OP(3, UNKNOWN + 1), 20, 5};
    static const uint32_t body[] = {OP(3, 1), 30, 12, OP(4, UNKNOWN + 2), 1, 2, 3};
    struct mez_spirv_module *module = two_kernels(preamble, 6, body, 7);
    const uint32_t roots[] = {10, 20};

    struct mez_spirv_module *a = extract_roots(module, &roots[0], 1, NULL);
    assert_int_equal(count_instructions(a, UNKNOWN), 1);
    assert_int_equal(count_instructions(a, UNKNOWN + 1), 0);
    assert_int_equal(count_instructions(a, UNKNOWN + 2), 1);
    assert_true(declares(a, CAPABILITY_DOUBLE)); // who knows what for
    mez_spirv_module_destroy(&a);

    struct mez_spirv_module *b = extract_roots(module, &roots[1], 1, NULL);
    assert_int_equal(count_instructions(b, UNKNOWN + 1), 1);
    assert_int_equal(count_instructions(b, UNKNOWN + 2), 0);
    mez_spirv_module_destroy(&b);
    mez_spirv_module_destroy(&module);
}

static void unknown_capabilities_stay(void **state)
{
    (void)state;
    struct mez_spirv_module *module = two_kernels(NULL, 0, NULL, 0);
    const uint32_t root = 20;
    struct mez_spirv_module *part = extract_roots(module, &root, 1, NULL);
    assert_true(declares(part, 4711));
    assert_false(declares(part, CAPABILITY_DOUBLE));
    mez_spirv_module_destroy(&part);
    mez_spirv_module_destroy(&module);
}

static enum mez_spirv_status try_extract(const struct mez_spirv_module *module, uint32_t root)
{
    struct mez_spirv_pieces *pieces = cut_module(module);
    struct mez_spirv_problem problem = {0};
    uint32_t *words, count;
    const enum mez_spirv_status status =
        mez_spirv_extract(pieces, &root, 1, NULL, &problem, &words, &count);
    assert_int_equal(problem.status, status);
    assert_int_equal(words == NULL, status != MEZ_SPIRV_OK);
    mez_free_memory(words);
    mez_spirv_pieces_destroy(&pieces);
    return status;
}

static void an_id_that_nobody_kept_defines_is_refused(void **state)
{
    (void)state;
    // Kernel a uses id 50, which only an unknown instruction in kernel c can define.
    static const uint32_t entry[] = {OP(4, 15), 6, 60, 'c'};
    static const uint32_t body[] = {OP(3, 1), 50, 12, OP(1, 253), OP(1, 56), OP(5, 54), 3, 60, 0, 4,
        OP(2, 248), 61, OP(2, UNKNOWN), 50};
    struct mez_spirv_module *module = two_kernels(entry, sizeof entry / 4, body, sizeof body / 4);
    assert_int_equal(try_extract(module, 10), MEZ_SPIRV_MALFORMED);
    assert_int_equal(try_extract(module, 20), MEZ_SPIRV_OK);
    mez_spirv_module_destroy(&module);
}

static void roots_that_are_none_are_refused(void **state)
{
    (void)state;
    struct mez_spirv_module *module = two_kernels(NULL, 0, NULL, 0);
    assert_int_equal(try_extract(module, 3), MEZ_SPIRV_NOT_FOUND);  // a type
    assert_int_equal(try_extract(module, 11), MEZ_SPIRV_NOT_FOUND); // a label
    assert_int_equal(try_extract(module, 99), MEZ_SPIRV_NOT_FOUND);
    mez_spirv_module_destroy(&module);
}

static void every_failed_allocation_is_reported(void **state)
{
    (void)state;
    struct mez_spirv_module *module = open_module("extract.spv");
    const uint32_t root = kernel_id(module, "first");
    enum mez_spirv_status status = MEZ_SPIRV_NO_MEMORY;
    uint64_t n = 0;
    while (status == MEZ_SPIRV_NO_MEMORY) {
        struct mez_spirv_pieces *pieces;
        uint32_t *words = NULL, count, group, variable;
        mez_alloc_fail_at(++n);
        status = mez_spirv_pieces_create(module, NULL, &pieces);
        if (!status)
            status = mez_spirv_extract(pieces, &root, 1, NULL, NULL, &words, &count);
        if (!status)
            status = mez_spirv_shared_variables(pieces, &root, 1, NULL, &group, &variable);
        mez_alloc_fail_at(0);
        mez_free_memory(words);
        mez_spirv_pieces_destroy(&pieces);
    }
    assert_int_equal(status, MEZ_SPIRV_OK);
    assert_true(n > 14);
    mez_spirv_module_destroy(&module);
}

static void kernels_that_share_a_variable_are_reported(void **state)
{
    (void)state;
    static const char *const kernels[] = {
        "plain", "counts", "doubles", "tallies", "counts_too", "calls_a_kernel"};
    struct mez_spirv_module *module = open_module("extract_O1.spv");
    struct mez_spirv_pieces *pieces = cut_module(module);
    uint32_t roots[6], groups[6], variables[6];
    for (uint32_t i = 0; i < 6; i++)
        roots[i] = kernel_id(module, kernels[i]);
    assert_int_equal(
        mez_spirv_shared_variables(pieces, roots, 6, NULL, groups, variables), MEZ_SPIRV_OK);

    const uint32_t expected[] = {0, 1, 2, 1, 1, 5}; // constants do not count
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(groups[i], expected[i]);
        assert_int_equal(variables[i] != 0, expected[i] == 1);
    }
    assert_int_equal(variables[1], named_id(module, "counter"));
    assert_int_equal(variables[3], named_id(module, "tally"));
    mez_spirv_pieces_destroy(&pieces);
    mez_spirv_module_destroy(&module);
}

static void test_knows_memory_that_kernels_share(void **state)
{
    (void)state;
    struct mez_spirv_module *module = open_module("modes.spv");
    for (uint32_t i = 0; i < module->import_count; i++)
        assert_true(mez_spirv_can_share(module, module->imports[i].id)); // "outside"
    assert_true(mez_spirv_can_share(module, module->exports[0].id));     // "shared"
    assert_false(mez_spirv_can_share(module, module->exports[1].id));    // a function
    for (uint32_t i = 0; i < module->type_count; i++)
        assert_false(mez_spirv_can_share(module, module->types[i].id));
    assert_false(mez_spirv_can_share(module, module->bound));
    mez_spirv_module_destroy(&module);
}

// Compilers that do not know the other instruction build what is taken out.
static void test_writes_group_sizes_as_numbers(void **state)
{
    (void)state;
    struct mez_spirv_module *module = open_module("modes.spv");
    const uint32_t root = kernel_id(module, "main");
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count)
    {
        if (in.opcode == MEZ_OP_ExecutionModeId) // the first one could be given another value
            module->words[in.at + 3] = in.words[4];
    }
    struct mez_spirv_module *part = extract_roots(module, &root, 1, NULL);
    assert_int_equal(count_instructions(part, MEZ_OP_ExecutionModeId), 0);
    const struct mez_spirv_entry_point *entry = mez_spirv_find_entry_point(part, "main");
    const struct mez_spirv_modes *modes = &part->functions[entry->function].modes;
    assert_memory_equal(modes->local_size, ((uint32_t[]){2, 2, 1}), sizeof modes->local_size);
    mez_spirv_module_destroy(&part);
    mez_spirv_module_destroy(&module);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernel_code_stays_with_its_kernel),
        cmocka_unit_test(each_kernel_is_a_valid_module),
        cmocka_unit_test(all_kernels_together_are_a_valid_module),
        cmocka_unit_test(what_was_taken_out_gives_the_same_again),
        cmocka_unit_test(capabilities_are_those_of_the_kernel),
        cmocka_unit_test(another_kernels_code_and_texts_are_gone),
        cmocka_unit_test(a_kernel_that_is_called_is_no_kernel_any_more),
        cmocka_unit_test(an_exported_function_is_a_root_like_a_kernel),
        cmocka_unit_test(a_variable_can_be_a_root),
        cmocka_unit_test(a_module_without_links_says_so),
        cmocka_unit_test(interfaces_and_groups_are_cut_down),
        cmocka_unit_test(declarations_stand_before_definitions),
        cmocka_unit_test(extensions_go_only_if_we_know_what_for),
        cmocka_unit_test(what_a_pointer_may_call_stays),
        cmocka_unit_test(ids_among_numbers_are_found),
        cmocka_unit_test(lines_stay_with_what_they_describe),
        cmocka_unit_test(debug_information_survives_the_function_it_describes),
        cmocka_unit_test(debug_information_goes_on_request),
        cmocka_unit_test(unknown_instructions_stay),
        cmocka_unit_test(unknown_capabilities_stay),
        cmocka_unit_test(an_id_that_nobody_kept_defines_is_refused),
        cmocka_unit_test(roots_that_are_none_are_refused),
        cmocka_unit_test(every_failed_allocation_is_reported),
        cmocka_unit_test(kernels_that_share_a_variable_are_reported),
        cmocka_unit_test(test_knows_memory_that_kernels_share),
        cmocka_unit_test(test_writes_group_sizes_as_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
