// SPDX-License-Identifier: MIT
//
// What functions and kernels ask of a device, and where.

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
#include "spirv/capabilities.h"
#include "spirv/signature.h"
#include "spirv/survey.h"
#include "surveyed.h"

static void assert_import(const struct surveyed *it, const char *kernel, const char *name)
{
    const struct mez_spirv_kernel_needs *needs = kernel_of(it, kernel);
    const struct mez_spirv_symbol **imports;
    uint32_t count;
    assert_int_equal(
        mez_spirv_survey_list_imports(it->survey, needs->kernel->function, &imports, &count),
        MEZ_SPIRV_OK);
    assert_int_equal(needs->reaches_imports, name != NULL);
    assert_int_equal(count, name != NULL);
    if (name)
        assert_string_equal(imports[0]->name, name);
    mez_free_memory(imports);
}

// What a compiler makes

static const struct {
    const char *kernel, *values, *types;
    bool may_assert;
    // Its types are those of what pointers point to, of which compilers with opaque pointers may leave nothing.
    bool points;
} known[] = {
    {"plain", "", "", false, false},
    {"arguments", "ext_intel_legacy_image", "fp64 ext_intel_legacy_image", false, true},
    {"fp64_deep", "fp64", "fp64", false, false},
    {"fp64_pointer", "", "fp64", false, true},
    {"fp64_unused", "", "fp64", false, false},
    {"fp64_print", "fp64", "fp64", false, false},
    {"fp16_values", "fp16", "fp16", false, false},
    {"fp16_storage", "", "", false, false},
    {"atomics64", "atomic64", "atomic64", false, false},
    {"atomics32", "", "", false, false},
    {"sized", "", "", false, false},
    {"asserts", "", "", true, false},
};

// Is a pointer to double one to bytes?
static bool has_opaque_pointers(const struct mez_spirv_module *module)
{
    struct mez_spirv_signature signature;
    const struct mez_spirv_entry_point *kernel = mez_spirv_find_entry_point(module, "fp64_pointer");
    assert_int_equal(mez_spirv_signature_init(module, kernel, NULL, &signature), MEZ_SPIRV_OK);
    const bool opaque = signature.arguments[0].pointee_size == 1;
    mez_spirv_signature_finish(&signature);
    return opaque;
}

static void check_known(const char *file, enum mez_spirv_survey_mode mode)
{
    struct surveyed it = open_survey(file, mode);
    const bool opaque = has_opaque_pointers(it.module);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct mez_spirv_kernel_needs *kernel = kernel_of(&it, known[i].kernel);
        const char *expected = mode == MEZ_SURVEY_TYPES ? known[i].types : known[i].values;
        const bool may_miss = known[i].points && opaque;
        if (strcmp(names_of(&kernel->required), expected) != 0 &&
            !(may_miss && strcmp(names_of(&kernel->required), known[i].values) == 0))
            fail_msg("%s: %s: requires '%s'", file, known[i].kernel, names_of(&kernel->required));
        assert_memory_equal(&kernel->used, &kernel->required, sizeof kernel->used);
        assert_int_equal(kernel->may_assert, known[i].may_assert);
        assert_import(&it, known[i].kernel, known[i].may_assert ? "__devicelib_assert_fail" : NULL);
    }
    close_survey(&it);
}

static void test_distinguishes_kernels(void **state)
{
    (void)state;
    check_known("kernels.spv", MEZ_SURVEY_VALUES);
}

static void test_finds_the_same_without_optimisation(void **state)
{
    (void)state;
    check_known("kernels_O0.spv", MEZ_SURVEY_VALUES);
}

static void test_finds_the_same_with_debug_information(void **state)
{
    (void)state;
    check_known("kernels_g.spv", MEZ_SURVEY_VALUES);
}

static void test_counts_types_where_asked_to(void **state)
{
    (void)state;
    check_known("kernels.spv", MEZ_SURVEY_TYPES);
    check_known("kernels_O0.spv", MEZ_SURVEY_TYPES);
}

static void test_reports_where_a_need_comes_from(void **state)
{
    (void)state;
    struct surveyed it = open_survey("kernels_g.spv", MEZ_SURVEY_VALUES);
    struct mez_spirv_place place = find_use(&it, "fp64_deep", MEZ_ASPECT_fp64);

    assert_int_equal(place.step_count, 3); // the kernel's wrapper and its body are one
    assert_string_equal(place.steps[0].function->name, "fp64_deep");
    assert_string_equal(place.steps[1].function->name, "twice");
    assert_string_equal(place.steps[2].function->name, "scale");
    assert_null(place.steps[0].call.file);
    assert_int_equal(place.steps[1].call.line, 46); // x[0] = twice(x[1])
    assert_int_equal(place.steps[2].call.line, 41); // return scale(x) + ..., the first call

    assert_false(place.declared);
    assert_int_equal(place.opcode, MEZ_OP_FConvert);
    assert_int_equal(mez_spirv_instruction_at(it.module, place.word).opcode, MEZ_OP_FConvert);
    assert_non_null(strstr(place.line.file, "kernels.cl"));
    assert_int_equal(place.line.line, 36); // return x * 0.1
    assert_true(place.line.column > 0);

    mez_spirv_place_finish(&place);
    mez_spirv_place_finish(&place);
    close_survey(&it);
}

static void test_finds_no_place_for_what_is_not_required(void **state)
{
    (void)state;
    struct surveyed it = open_survey("kernels.spv", MEZ_SURVEY_VALUES);
    struct mez_spirv_place place;
    assert_int_equal(
        mez_spirv_survey_find_use(it.survey, index_of(&it, "plain"), MEZ_ASPECT_fp64, &place),
        MEZ_SPIRV_NOT_FOUND);
    assert_null(place.steps);
    assert_null(mez_spirv_survey_find_kernel(it.survey, "absent"));
    close_survey(&it);
}

static void test_reports_required_sizes(void **state)
{
    (void)state;
    struct surveyed it = open_survey("kernels.spv", MEZ_SURVEY_VALUES);
    const struct mez_spirv_modes *modes = kernel_of(&it, "sized")->modes;
    assert_true(modes->has_local_size);
    assert_int_equal(modes->local_size[0], 8);
    assert_int_equal(modes->local_size[1], 4);
    assert_int_equal(modes->local_size[2], 2);
    assert_int_equal(modes->sub_group_size, 16);
    assert_false(kernel_of(&it, "plain")->modes->has_local_size);
    close_survey(&it);
}

static void test_distinguishes_functions(void **state)
{
    (void)state;
    struct surveyed it = open_survey("kernels.spv", MEZ_SURVEY_VALUES);
    const struct mez_spirv_function_needs *twice = function_of(&it, "twice");
    assert_aspects(twice->own, "");
    assert_aspects(twice->used, "fp64");
    assert_aspects(function_of(&it, "scale")->own, "fp64");
    assert_false(twice->is_wrapper);

    const struct mez_spirv_kernel_needs *kernel = kernel_of(&it, "plain");
    assert_true(it.survey->functions[kernel->kernel->function].is_wrapper ==
                (kernel->body != kernel->kernel->function)); // compilers differ
    assert_string_equal(it.module->functions[kernel->body].name, "plain");
    close_survey(&it);
}

// Corners that no compiler at hand makes

static void test_knows_every_aspect_that_code_can_use(void **state)
{
    (void)state;
    struct surveyed it = open_survey("aspects.spv", MEZ_SURVEY_VALUES);
    assert_aspects(kernel_of(&it, "atomics")->required, "ext_oneapi_atomic16");
    assert_aspects(kernel_of(&it, "vector")->required, "ext_intel_esimd");
    assert_aspects(kernel_of(&it, "alloca")->required, "ext_oneapi_private_alloca");

    struct mez_spirv_place place = find_use(&it, "vector", MEZ_ASPECT_ext_intel_esimd);
    assert_int_equal(place.opcode, MEZ_OP_Decorate);
    assert_false(place.declared);
    mez_spirv_place_finish(&place);
    close_survey(&it);
}

// The assembler at hand does not know these instructions. Ids: 1 void, 2 its function, 3 float, 4 what
// is looked at, 5 the kernel.
static void test_knows_matrices(void **state)
{
    (void)state;
    enum { MATRIX = 16 };
    static const uint32_t opcodes[] = {4456, 6119, 6184};
    for (size_t i = 0; i < sizeof opcodes / sizeof opcodes[0]; i++) {
        const uint32_t words[] = {0x07230203, 0x00010400, 0, 20, 0, WORD(4, 15), 6, 5, 'k',
            WORD(2, 19), 1, WORD(3, 33), 2, 1, WORD(3, 22), 3, 32, WORD(4, 21), 6, 32, 0,
            WORD(4, 43), 6, 7, 8, WORD(7, opcodes[i]), 4, 3, 7, 7, 7, 7, WORD(5, 54), 1, 5, 0, 2,
            WORD(2, 248), 8, WORD(3, 1), 4, 9, WORD(1, 253), WORD(1, 56)};
        struct surveyed it =
            survey_module(read_module(words, sizeof words, "matrix"), MEZ_SURVEY_VALUES);
        assert_aspects(kernel_of(&it, "k")->required, "ext_intel_matrix");
        close_survey(&it);
    }
}

static void test_takes_bfloat16_for_no_half(void **state)
{
    (void)state;
    for (uint32_t operands = 0; operands < 2; operands++) {
        const uint32_t words[] = {0x07230203, 0x00010600, 0, 20, 0, WORD(4, 15), 6, 5, 'k',
            WORD(2, 19), 1, WORD(3, 33), 2, 1, WORD(3 + operands, 22), 3, 16,
            operands ? 0 : WORD(1, 0), WORD(5, 54), 1, 5, 0, 2, WORD(2, 248), 8, WORD(3, 1), 3, 9,
            WORD(1, 253), WORD(1, 56)};
        struct surveyed it =
            survey_module(read_module(words, sizeof words, "float"), MEZ_SURVEY_VALUES);
        assert_aspects(kernel_of(&it, "k")->required, operands ? "" : "fp16");
        close_survey(&it);
    }
}

static void test_passes_over_links_inside_functions(void **state)
{
    (void)state;
    struct surveyed it = open_survey("aspects.spv", MEZ_SURVEY_VALUES);
    assert_int_equal(it.module->import_count, 0);
    assert_import(&it, "atomics", NULL);
    close_survey(&it);
}

// A kernel speaks for its code, which a function holds or repeats.
static void test_kernels_have_one_body(void **state)
{
    (void)state;
    struct surveyed it = open_survey("kernel_code.spv", MEZ_SURVEY_VALUES);
    static const uint32_t bodies[] = {0, 3};
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(it.survey->kernels[i].body, bodies[i]);
        assert_true(mez_aspects_has(&it.survey->kernels[i].used, MEZ_ASPECT_fp64));
    }
    assert_true(it.survey->functions[1].is_wrapper);
    for (uint32_t i = 0; i < 5; i++)
        assert_true(it.survey->functions[i].is_copy == (i == 2));
    close_survey(&it);
}

static void test_follows_recursion(void **state)
{
    (void)state;
    struct surveyed it = open_survey("recursion.spv", MEZ_SURVEY_VALUES);
    struct mez_spirv_place place = find_use(&it, "endless", MEZ_ASPECT_fp64);
    assert_int_equal(place.opcode, MEZ_OP_FAdd);
    assert_int_equal(place.step_count, 3);
    assert_string_equal(place.steps[1].function->name, "even");
    assert_string_equal(place.steps[2].function->name, "odd");
    assert_true(kernel_of(&it, "endless")->may_assert);
    assert_aspects(function_of(&it, "even")->used, "fp64");
    assert_aspects(function_of(&it, "odd")->used, "fp64");
    mez_spirv_place_finish(&place);
    close_survey(&it);
}

static void test_spreads_declarations_in_cycles(void **state)
{
    (void)state;
    struct surveyed it = open_survey("aspects.spv", MEZ_SURVEY_VALUES);
    const struct mez_spirv_function_needs *second = function_of(&it, "second");
    assert_aspects(second->own, "fp16 ext_oneapi_srgb");
    assert_aspects(second->required, "gpu fp16 ext_oneapi_srgb");
    assert_aspects(function_of(&it, "third")->required, "gpu fp16 ext_oneapi_srgb");

    const struct mez_spirv_kernel_needs *first = kernel_of(&it, "first");
    assert_aspects(first->used, "gpu fp16 ext_oneapi_srgb");
    assert_aspects(first->declared, "fp64");
    assert_aspects(first->required, "gpu fp16 fp64 ext_oneapi_srgb");
    assert_aspects(function_of(&it, "alone")->used, "");
    assert_aspects(function_of(&it, "alone")->required, "cpu");
    close_survey(&it);
}

static void test_follows_function_pointers_by_type(void **state)
{
    (void)state;
    struct surveyed it = open_survey("pointers.spv", MEZ_SURVEY_VALUES);
    assert_aspects(kernel_of(&it, "calls")->required, "fp64");
    assert_aspects(kernel_of(&it, "direct")->required, "");
    struct mez_spirv_place place = find_use(&it, "calls", MEZ_ASPECT_fp64);
    assert_string_equal(place.function->name, "doubles");
    assert_int_equal(place.step_count, 2);
    mez_spirv_place_finish(&place);
    close_survey(&it);
}

static void test_follows_pointers_of_no_known_type_to_all(void **state)
{
    (void)state;
    struct surveyed it = open_survey("aspects.spv", MEZ_SURVEY_VALUES);
    assert_aspects(kernel_of(&it, "anything")->required, "fp64");
    struct mez_spirv_place place = find_use(&it, "anything", MEZ_ASPECT_fp64);
    assert_string_equal(place.function->name, "pointed");
    mez_spirv_place_finish(&place);
    close_survey(&it);
}

static void test_counts_asserts_behind_pointers_for_every_kernel(void **state)
{
    (void)state;
    struct surveyed it = open_survey("pointers.spv", MEZ_SURVEY_VALUES);
    assert_import(&it, "direct", NULL);
    assert_true(kernel_of(&it, "direct")->may_assert);
    assert_false(function_of(&it, "direct")->may_assert);
    close_survey(&it);
}

static void test_distinguishes_literals_from_ids(void **state)
{
    (void)state;
    struct surveyed it = open_survey("literals.spv", MEZ_SURVEY_VALUES);
    assert_aspects(kernel_of(&it, "literals")->required, "");
    close_survey(&it);
}

static void test_finds_variables_that_are_imported(void **state)
{
    (void)state;
    struct surveyed it = open_survey("modes.spv", MEZ_SURVEY_VALUES);
    assert_aspects(kernel_of(&it, "main")->required, "fp64 atomic64");
    assert_import(&it, "main", "outside");
    assert_import(&it, "other", NULL);
    struct mez_spirv_place place = find_use(&it, "main", MEZ_ASPECT_atomic64);
    assert_int_equal(place.opcode, MEZ_OP_AtomicFAddEXT);
    mez_spirv_place_finish(&place);
    close_survey(&it);
}

// A kernel whose calls nest `depth` deep, the last one adding doubles.
static uint32_t *build_deep_module(uint32_t depth, size_t *size)
{
    static const uint32_t head[] = {0x07230203, 0x00010000, 0, 4000000, 0, WORD(4, 15), 6, 10, 'k',
        WORD(2, 19), 1, WORD(3, 33), 2, 1, WORD(3, 22), 3, 64, WORD(3, 46), 3, 4};
    static const uint32_t tail[] = {WORD(5, 129), 3, 5, 4, 4, WORD(1, 253), WORD(1, 56)};

    uint32_t *words = malloc(sizeof head + (size_t)depth * 13 * sizeof *words + sizeof tail);
    uint32_t *next = words;
    memcpy(next, head, sizeof head);
    next += sizeof head / sizeof *head;
    for (uint32_t i = 0; i < depth; i++) {
        const uint32_t id = 10 + 3 * i;
        const uint32_t start[] = {WORD(5, 54), 1, id, 0, 2, WORD(2, 248), id + 1};
        memcpy(next, start, sizeof start);
        next += sizeof start / sizeof *start;
        if (i + 1 < depth) {
            const uint32_t end[] = {WORD(4, 57), 1, id + 2, id + 3, WORD(1, 253), WORD(1, 56)};
            memcpy(next, end, sizeof end);
            next += sizeof end / sizeof *end;
        }
    }
    memcpy(next, tail, sizeof tail);
    next += sizeof tail / sizeof *tail;
    *size = (size_t)(next - words) * sizeof *words;
    return words;
}

static void test_follows_calls_however_deep(void **state)
{
    (void)state;
    const uint32_t depth = 200000;
    size_t size;
    uint32_t *words = build_deep_module(depth, &size);
    struct surveyed it = survey_module(read_module(words, size, "deep"), MEZ_SURVEY_VALUES);
    struct mez_spirv_place place = find_use(&it, "k", MEZ_ASPECT_fp64);
    assert_int_equal(place.step_count, depth);
    mez_spirv_place_finish(&place);
    close_survey(&it);
    free(words);
}

static void test_names_what_no_aspect_covers(void **state)
{
    (void)state;
    static const char *const unmapped[] = {"FunctionPointersINTEL", "SplitBarrierINTEL"};
    struct mez_spirv_module *module = open_module("aspects.spv");
    char room[MEZ_SPIRV_CAPABILITY_ROOM];
    uint32_t found = 0;
    for (uint32_t i = 0; i < module->capability_count; i++) {
        const uint32_t capability = module->capabilities[i];
        if (!mez_spirv_capability_is_unmapped(capability))
            continue;
        assert_uint_in_range(found, 0, 1);
        assert_string_equal(mez_spirv_capability_name(capability, room), unmapped[found++]);
    }
    assert_int_equal(found, 2);
    assert_string_equal(mez_spirv_capability_name(123456, room), "capability 123456");
    assert_true(mez_spirv_capability_is_unmapped(123456));

    assert_false(mez_spirv_extension_is_unmapped(module->extensions[0]));
    assert_true(mez_spirv_extension_is_unmapped(module->extensions[1]));
    assert_false(mez_spirv_extension_is_unmapped(module->extensions[2]));
    mez_spirv_module_destroy(&module);
}

// Where pointers come from

static bool finds_pointers(const char *file, const char *kernel)
{
    struct surveyed it = open_survey(file, MEZ_SURVEY_VALUES);
    const bool finds = kernel_of(&it, kernel)->finds_pointers;
    close_survey(&it);
    return finds;
}

static void test_reports_kernels_that_find_pointers(void **state)
{
    (void)state;
    assert_false(finds_pointers("finds_0.spv", "k"));
    for (int i = 1; i <= 7; i++) {
        char name[32];
        snprintf(name, sizeof name, "finds_%d.spv", i);
        if (!finds_pointers(name, "k"))
            fail_msg("%s", name);
    }
}

static void test_one_kernel_finds_no_pointers_for_another(void **state)
{
    (void)state;
    assert_false(finds_pointers("finds_8.spv", "k"));
    assert_false(finds_pointers("finds_8.spv", "asserts"));
    assert_true(finds_pointers("finds_8.spv", "loads"));
    assert_true(finds_pointers("finds_8.spv", "calls"));
    assert_true(finds_pointers("finds_8.spv", "imports"));
    assert_true(finds_pointers("pointers.spv", "calls")); // through a pointer
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distinguishes_kernels),
        cmocka_unit_test(test_finds_the_same_without_optimisation),
        cmocka_unit_test(test_finds_the_same_with_debug_information),
        cmocka_unit_test(test_counts_types_where_asked_to),
        cmocka_unit_test(test_reports_where_a_need_comes_from),
        cmocka_unit_test(test_finds_no_place_for_what_is_not_required),
        cmocka_unit_test(test_reports_required_sizes),
        cmocka_unit_test(test_distinguishes_functions),
        cmocka_unit_test(test_knows_every_aspect_that_code_can_use),
        cmocka_unit_test(test_knows_matrices),
        cmocka_unit_test(test_takes_bfloat16_for_no_half),
        cmocka_unit_test(test_passes_over_links_inside_functions),
        cmocka_unit_test(test_kernels_have_one_body),
        cmocka_unit_test(test_follows_recursion),
        cmocka_unit_test(test_spreads_declarations_in_cycles),
        cmocka_unit_test(test_follows_function_pointers_by_type),
        cmocka_unit_test(test_follows_pointers_of_no_known_type_to_all),
        cmocka_unit_test(test_counts_asserts_behind_pointers_for_every_kernel),
        cmocka_unit_test(test_distinguishes_literals_from_ids),
        cmocka_unit_test(test_finds_variables_that_are_imported),
        cmocka_unit_test(test_follows_calls_however_deep),
        cmocka_unit_test(test_names_what_no_aspect_covers),
        cmocka_unit_test(test_reports_kernels_that_find_pointers),
        cmocka_unit_test(test_one_kernel_finds_no_pointers_for_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
