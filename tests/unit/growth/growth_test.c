// SPDX-License-Identifier: MIT
//
// What grows, at each number of items where something moves and far beyond: under AddressSanitizer, whoever keeps a pointer over a
// growth is found. Those arrays of the library are here that need no driver; tests/noop/runtime/growth_test.c has the others.

#include "unit.h"

#include "../container/same.h"
#include "../container/write_offload.h"
#include "base/alloc.h"
#include "check/check.h"
#include "check/units.h"
#include "container/bundle.h"
#include "container/offload.h"
#include "container/properties.h"
#include "container/syclbin.h"
#include "container/table.h"
#include "each.h"
#include "spirv/extract.h"
#include "spirv/link.h"
#include "spirv/module.h"
#include "spirv/survey.h"
#include "split/split.h"
#include "target/table.h"

// --- Properties

static void expect_sets(const mez_properties *properties, uint32_t count)
{
    assert_int_equal(properties->count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_non_null(mez_properties_find_set(properties, many_name("set", i)));
        assert_int_equal(
            mez_properties_get_number(properties, many_name("set", i), "number", UINT32_MAX), i);
    }
    assert_null(mez_properties_find_set(properties, many_name("set", count)));
}

static void property_sets(uint32_t count)
{
    mez_properties properties = {0};
    for (uint32_t i = 0; i < count; i++)
        assert_ok(mez_properties_add_number(&properties, many_name("set", i), "number", i));
    expect_sets(&properties, count);
    assert_true(mez_properties_remove_set(&properties, many_name("set", count / 2)));
    assert_ok(mez_properties_add_number(&properties, "set_more", "number", 1));
    assert_int_equal(properties.count, count);
    assert_null(mez_properties_find_set(&properties, many_name("set", count / 2)));
    mez_properties_finish(&properties);
}

static void properties_of_one_set(uint32_t count)
{
    mez_properties properties = {0}, again = {0};
    for (uint32_t i = 0; i < count; i++)
        assert_ok(mez_properties_add_text(
            &properties, "set", many_name("name", i), many_name("value", i)));
    for (uint32_t i = 0; i < count; i++) {
        const mez_property *property =
            mez_properties_find(&properties, "set", many_name("name", i));
        assert_non_null(property);
        assert_memory_equal(property->bytes, many_name("value", i), property->size);
    }
    mez_bytes text = {0};
    assert_ok(mez_prop_write(&properties, &text));
    assert_ok(mez_prop_read((const char *)text.data, text.size, "many.prop", &again));
    assert_true(same_properties(&properties, &again));
    mez_bytes_finish(&text);
    mez_properties_finish(&again);
    mez_properties_finish(&properties);
}

// A copy under its own name is made of what moves meanwhile.
static void copies_within_one_set(uint32_t count)
{
    mez_properties properties = {0};
    assert_ok(mez_properties_add_text(&properties, "set", "first", "value"));
    for (uint32_t i = 0; i < count; i++) {
        mez_property copy = *mez_properties_find(&properties, "set", "first");
        char *name = mez_copy_string(many_name("copy", i));
        copy.name = name;
        assert_ok(mez_properties_add_copy(&properties, "set", &copy));
        mez_free_memory(name);
    }
    assert_ok(mez_properties_add_all(&properties, &properties, NULL));
    assert_int_equal(properties.items[0].properties.count, count + 1);
    mez_properties_finish(&properties);
}

// --- Bundles

static mez_bundle *bundle_of(uint32_t binaries, uint32_t kernels)
{
    mez_bundle *bundle = mez_bundle_create(MEZ_CONTAINER_SYCLBIN);
    assert_non_null(bundle);
    bundle->budget = SIZE_MAX;
    mez_bytes code;
    many_make(&(struct many_module){.kernels = 1}, &code);
    assert_ok(mez_bundle_keep(bundle, code.data));
    const char **names = mez_alloc_array(kernels + 1, sizeof *names);
    for (uint32_t i = 0; i < kernels; i++)
        names[i] = mez_copy_string(many_name("kernel", i));
    for (uint32_t i = 0; i < binaries; i++) {
        const mez_container_bytes span = {.bytes = code.data, .size = code.size, .source = "many"};
        mez_binary *binary;
        assert_ok(mez_bundle_add(bundle, &span, &binary));
        binary->format = MEZ_CODE_SPIRV;
        assert_ok(mez_binary_set_kernels(bundle, binary, names, kernels));
    }
    for (uint32_t i = 0; i < kernels; i++)
        mez_free_memory((void *)names[i]);
    mez_free_memory(names);
    return bundle;
}

static void expect_bundle(const mez_bundle *bundle, uint32_t binaries, uint32_t kernels)
{
    assert_int_equal(bundle->count, binaries);
    for (uint32_t i = 0; i < binaries; i++) {
        assert_int_equal(bundle->binaries[i].kernel_count, kernels);
        assert_true(mez_binary_has_kernel(&bundle->binaries[i], many_name("kernel", kernels - 1)));
        assert_false(mez_binary_has_kernel(&bundle->binaries[i], many_name("kernel", kernels)));
    }
}

static void expect_reads(const mez_bytes *bytes, uint32_t binaries, uint32_t kernels)
{
    mez_bundle *bundle;
    assert_false(bytes->failed);
    assert_ok(mez_bundle_read(bytes->data, bytes->size, "many", &bundle));
    expect_bundle(bundle, binaries, kernels);
    mez_bundle_destroy(&bundle);
}

static void expect_written(uint32_t binaries, uint32_t kernels)
{
    mez_bundle *bundle = bundle_of(binaries, kernels);
    expect_bundle(bundle, binaries, kernels);
    for (mez_syclbin_form form = MEZ_SYCLBIN_1; form <= MEZ_SYCLBIN_2; form++) {
        mez_bytes bytes = {0};
        assert_ok(mez_bundle_write_syclbin(bundle, form, &bytes));
        expect_reads(&bytes, binaries, kernels);
        mez_bytes_finish(&bytes);
    }
    mez_bytes bytes = {0};
    assert_ok(write_offload(bundle, &(mez_offload_writing){0}, &bytes));
    expect_reads(&bytes, binaries, kernels);
    mez_bytes_finish(&bytes);
    mez_bundle_destroy(&bundle);
}

static void binaries_of_a_bundle(uint32_t count)
{
    expect_written(count, 2);
}

static void kernels_of_a_binary(uint32_t count)
{
    expect_written(2, count);
}

// --- Tables and lists of names

static void rows_of_a_table(uint32_t count)
{
    mez_table table = {0}, again = {0};
    for (uint32_t i = 0; i < 17; i++)
        assert_ok(mez_table_add_column(&table, many_name("title", i)));
    char cell[32];
    const char *cells[17];
    for (uint32_t i = 0; i < count; i++) {
        snprintf(cell, sizeof cell, "%u", i);
        for (int c = 0; c < 17; c++)
            cells[c] = cell;
        assert_ok(mez_table_add_row(&table, cells));
    }
    mez_bytes text = {0};
    assert_ok(mez_table_write(&table, &text));
    assert_ok(mez_table_read((const char *)text.data, text.size, "many.table", &again));
    assert_int_equal(again.rows, count);
    snprintf(cell, sizeof cell, "%u", count - 1);
    assert_string_equal(mez_table_get(&again, count - 1, 16), cell);
    mez_table_remove_row(&again, 0);
    assert_int_equal(again.rows, count - 1);
    mez_bytes_finish(&text);
    mez_table_finish(&table);
    mez_table_finish(&again);
}

static void columns_of_a_table(uint32_t count)
{
    mez_table table = {0}, again = {0};
    const uint32_t columns = count < 1000 ? count : 1000; // as many as a reader takes
    const char **cells = mez_alloc_array(columns, sizeof *cells);
    for (uint32_t i = 0; i < columns; i++) {
        assert_ok(mez_table_add_column(&table, many_name("title", i)));
        cells[i] = "cell";
    }
    assert_ok(mez_table_add_row(&table, cells));
    mez_bytes text = {0};
    assert_ok(mez_table_write(&table, &text));
    assert_ok(mez_table_read((const char *)text.data, text.size, "many.table", &again));
    assert_int_equal(again.titles.count, columns);
    assert_int_equal(mez_table_find_column(&again, many_name("title", columns - 1)), columns - 1);
    mez_bytes_finish(&text);
    mez_free_memory(cells);
    mez_table_finish(&table);
    mez_table_finish(&again);
}

static void symbols_of_a_file(uint32_t count)
{
    mez_symbols symbols = {0}, again = {0};
    for (uint32_t i = 0; i < count; i++)
        assert_ok(mez_symbols_add(&symbols, many_name("s", i), strlen(many_name("s", i))));
    mez_bytes text = {0};
    assert_ok(mez_symbols_write(&symbols, &text));
    assert_ok(mez_symbols_read((const char *)text.data, text.size, "many.sym", &again));
    assert_int_equal(again.count, count);
    assert_string_equal(again.items[count - 1], many_name("s", count - 1));
    mez_bytes_finish(&text);
    mez_symbols_finish(&symbols);
    mez_symbols_finish(&again);
}

static void targets_of_a_table(uint32_t count)
{
    mez_targets *targets;
    assert_ok(mez_targets_create(&targets));
    for (uint32_t i = 0; i < count && i < MEZ_MOST_TARGETS; i++) {
        mez_target *target;
        const char *name;
        assert_ok(mez_targets_keep(targets, many_name("target", i), &name));
        assert_ok(mez_targets_add(targets, name, &target));
        assert_ptr_equal(mez_targets_named(targets, many_name("target", i)), target);
    }
    for (uint32_t i = 0; i < targets->list.count; i++)
        assert_string_equal(targets->list.items[i].name, many_name("target", i));
    mez_targets_destroy(&targets);
}

// --- Code

static struct mez_spirv_module *module_of(const struct many_module *shape)
{
    mez_bytes bytes;
    struct mez_spirv_problem problem = {0};
    struct mez_spirv_module *module;
    many_make(shape, &bytes);
    if (mez_spirv_module_create(bytes.data, bytes.size, &problem, &module))
        fail_msg("%s", problem.text);
    mez_bytes_finish(&bytes);
    return module;
}

static uint32_t *extract_all(const struct mez_spirv_module *module, uint32_t *word_count)
{
    struct mez_spirv_problem problem;
    struct mez_spirv_pieces *pieces;
    uint32_t *words, *roots = mez_alloc_array(module->entry_point_count, sizeof *roots);
    for (uint32_t i = 0; i < module->entry_point_count; i++)
        roots[i] = module->functions[module->entry_points[i].function].id;
    assert_int_equal(mez_spirv_pieces_create(module, &problem, &pieces), MEZ_SPIRV_OK);
    if (mez_spirv_extract(
            pieces, roots, module->entry_point_count, NULL, &problem, &words, word_count))
        fail_msg("%s", problem.text);
    mez_spirv_pieces_destroy(&pieces);
    mez_free_memory(roots);
    return words;
}

static void expect_surveyed(const struct mez_spirv_module *module, uint32_t imports)
{
    struct mez_spirv_problem problem;
    struct mez_spirv_survey *survey;
    const struct mez_spirv_symbol **list;
    uint32_t found;
    assert_int_equal(
        mez_spirv_survey_create(module, MEZ_SURVEY_VALUES, &problem, &survey), MEZ_SPIRV_OK);
    const uint32_t function = survey->kernels[0].kernel->function;
    assert_int_equal(mez_spirv_survey_list_imports(survey, function, &list, &found), MEZ_SPIRV_OK);
    assert_int_equal(found, imports);
    mez_free_memory(list);
    mez_spirv_survey_destroy(&survey);
}

static void expect_code(const struct many_module *shape)
{
    struct mez_spirv_module *module = module_of(shape), *again;
    struct mez_spirv_problem problem;
    assert_int_equal(module->entry_point_count, shape->kernels);
    assert_int_equal(module->import_count, shape->imports);
    assert_int_equal(module->export_count, shape->exports);
    expect_surveyed(module, shape->imports);
    uint32_t word_count, *words = extract_all(module, &word_count);
    assert_int_equal(
        mez_spirv_module_create(words, 4 * (size_t)word_count, &problem, &again), MEZ_SPIRV_OK);
    assert_int_equal(again->entry_point_count, shape->kernels);
    assert_int_equal(again->import_count, shape->imports);
    mez_free_memory(words);
    mez_spirv_module_destroy(&again);
    mez_spirv_module_destroy(&module);
}

static void kernels_of_a_module(uint32_t count)
{
    expect_code(&(struct many_module){.kernels = count, .exports = 3});
}

static void imports_of_a_kernel(uint32_t count)
{
    expect_code(&(struct many_module){.kernels = 2, .imports = count});
}

static void exports_of_a_module(uint32_t count)
{
    expect_code(&(struct many_module){.kernels = 2, .exports = count});
}

static void calls_below_each_other(uint32_t count)
{
    expect_code(&(struct many_module){.kernels = 2, .chain = count});
}

static void modules_that_are_linked(uint32_t count)
{
    struct mez_spirv_link_input *inputs = mez_alloc_array(count + 1, sizeof *inputs);
    uint32_t *first_ids = mez_alloc_array(count + 1, sizeof *first_ids);
    inputs[0].module = module_of(&(struct many_module){.kernels = 1, .imports = count});
    for (uint32_t i = 0; i < count; i++)
        inputs[i + 1].module = module_of(&(struct many_module){
            .kernels = 1, .first_kernel = i + 1, .exports = 1, .first_export = i});
    for (uint32_t i = 0; i <= count; i++)
        inputs[i].name = "module";
    struct mez_spirv_problem problem;
    struct mez_spirv_module *linked;
    uint32_t *words, word_count;
    if (mez_spirv_link(inputs, count + 1, &problem, first_ids, &words, &word_count))
        fail_msg("%s", problem.text);
    assert_int_equal(
        mez_spirv_module_create(words, 4 * (size_t)word_count, &problem, &linked), MEZ_SPIRV_OK);
    assert_int_equal(linked->entry_point_count, count + 1);
    assert_int_equal(linked->import_count, 0);
    mez_free_memory(words);
    mez_spirv_module_destroy(&linked);
    for (uint32_t i = 0; i <= count; i++)
        mez_spirv_module_destroy((struct mez_spirv_module **)&inputs[i].module);
    mez_free_memory(inputs);
    mez_free_memory(first_ids);
}

// --- What is said of code

static void units_of_a_file(uint32_t count)
{
    mez_bytes bytes;
    mez_bundle *bundle;
    mez_check_units *units;
    many_make(&(struct many_module){.kernels = count}, &bytes);
    assert_ok(mez_bundle_read(bytes.data, bytes.size, "many.spv", &bundle));
    assert_ok(mez_check_units_create(bundle, MEZ_SURVEY_VALUES, &units));
    assert_int_equal(units->count, count);
    for (uint32_t i = 0; i < count; i++)
        assert_string_equal(units->units[i].kernel, many_name("kernel", i));
    mez_check_units_destroy(&units);
    mez_bundle_destroy(&bundle);
    mez_bytes_finish(&bytes);
}

static void requirements_and_reasons(uint32_t count)
{
    mez_requirements requirements = {.image = "many.spv"};
    for (uint32_t i = 0; i < count; i++) {
        const mez_requirement requirement = {
            .kind = MEZ_REQUIRES_ASPECT, .aspect = {.number = 1000 + i}};
        assert_ok(mez_requirements_add(&requirements, &requirement));
    }
    assert_int_equal(requirements.count, count);
    mez_verdict verdict;
    const mez_target target = {.name = "bare"};
    const mez_check_device device = mez_check_device_of("device", &target);
    assert_ok(mez_check(&requirements, &device, &verdict));
    assert_int_equal(verdict.count, count);
    mez_verdict_finish(&verdict);
    mez_requirements_finish(&requirements);
}

static void images_of_a_split(uint32_t count)
{
    mez_bytes bytes;
    many_make(&(struct many_module){.kernels = count, .exports = 1}, &bytes);
    const mez_split_source source = {.name = "many.spv", .code = bytes.data, .size = bytes.size};
    const mez_split_params params = {
        .sources = &source, .source_count = 1, .mode = MEZ_SPLIT_PER_KERNEL, .kernels_only = true};
    mez_split *split;
    mez_split_image image;
    assert_ok(mez_split_create(&params, &split));
    assert_int_equal(mez_split_get_image_count(split), count);
    assert_ok(mez_split_make_image(split, count - 1, &image));
    assert_int_equal(image.kernels.count, 1);
    mez_split_image_finish(&image);
    mez_split_destroy(&split);
    mez_bytes_finish(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH(property_sets),
        EACH(properties_of_one_set),
        EACH(copies_within_one_set),
        EACH(binaries_of_a_bundle),
        EACH(kernels_of_a_binary),
        EACH(rows_of_a_table),
        EACH(columns_of_a_table),
        EACH(symbols_of_a_file),
        EACH(targets_of_a_table),
        EACH(kernels_of_a_module),
        EACH(imports_of_a_kernel),
        EACH(exports_of_a_module),
        EACH(calls_below_each_other),
        EACH(modules_that_are_linked),
        EACH(units_of_a_file),
        EACH(requirements_and_reasons),
        EACH(images_of_a_split),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
