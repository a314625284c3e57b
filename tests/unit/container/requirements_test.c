// SPDX-License-Identifier: MIT
//
// What property sets ask of a device, in every spelling and encoding, and the union of several.

#include "base/alloc.h"
#include "container/device_requirements.h"
#include "unit.h"

#define SET MEZ_SET_DEVICE_REQUIREMENTS

static mez_device_requirements read_all(
    const mez_properties *properties, const mez_requirements_reading *reading)
{
    mez_device_requirements requirements;
    assert_ok(mez_device_requirements_read(properties, reading, &requirements));
    return requirements;
}

static void no_set_states_nothing(void **state)
{
    (void)state;
    const mez_properties none = {0};
    const mez_device_requirements requirements = read_all(&none, NULL);
    assert_false(requirements.stated);
    assert_false(requirements.has_fixed_targets);
    assert_false(requirements.esimd);
}

static void both_spellings_of_aspects_are_read_in_their_order(void **state)
{
    (void)state;
    static const uint32_t numbers[] = {28, 4711, 5};
    static const char *const names[] = {"aspects", "aspect"};
    for (size_t i = 0; i < 2; i++) {
        mez_properties properties = {0};
        assert_ok(mez_properties_add_numbers(&properties, SET, names[i], numbers, 3));
        mez_device_requirements requirements = read_all(&properties, NULL);
        assert_true(requirements.stated);
        assert_int_equal(requirements.aspect_count, 3);
        assert_int_equal(requirements.aspects[0].aspect, MEZ_ASPECT_atomic64);
        assert_int_equal(requirements.aspects[1].number, 4711);
        assert_int_equal(requirements.aspects[1].aspect, MEZ_ASPECT_NONE);
        assert_true(mez_aspects_has(&requirements.aspect_set, MEZ_ASPECT_fp16));
        assert_false(mez_aspects_has(&requirements.aspect_set, MEZ_ASPECT_fp64));
        mez_device_requirements_finish(&requirements);
        mez_properties_finish(&properties);
    }
}

static void numbers_of_aspects_follow_the_numbering(void **state)
{
    (void)state;
    mez_properties properties = {0};
    assert_ok(mez_properties_add_numbers(&properties, SET, "aspects", (uint32_t[]){27}, 1));
    mez_device_requirements requirements =
        read_all(&properties, &(mez_requirements_reading){.numbering = MEZ_ASPECTS_RENUMBERED});
    assert_int_equal(requirements.aspects[0].aspect, MEZ_ASPECT_atomic64);
    mez_device_requirements_finish(&requirements);
    mez_properties_finish(&properties);
}

static void sub_group_sizes_are_a_number_or_a_list(void **state)
{
    (void)state;
    mez_properties properties = {0};
    assert_ok(mez_properties_add_number(&properties, SET, "reqd_sub_group_size", 16));
    mez_device_requirements requirements = read_all(&properties, NULL);
    assert_int_equal(requirements.sub_group_size_count, 1);
    assert_int_equal(requirements.sub_group_sizes[0], 16);
    mez_device_requirements_finish(&requirements);

    assert_ok(mez_properties_add_numbers(
        &properties, SET, "reqd_sub_group_size", (uint32_t[]){8, 32}, 2));
    requirements = read_all(&properties, NULL);
    assert_int_equal(requirements.sub_group_size_count, 2);
    assert_int_equal(requirements.sub_group_sizes[1], 32);
    mez_device_requirements_finish(&requirements);
    mez_properties_finish(&properties);
}

static void expect_size(const mez_device_requirements *requirements, size_t i, uint32_t dimensions,
    uint64_t x, uint64_t y, uint64_t z)
{
    const mez_required_size *size = &requirements->work_group_sizes[i];
    assert_int_equal(size->dimensions, dimensions);
    assert_int_equal(size->size[0], x);
    assert_int_equal(size->size[1], y);
    assert_int_equal(size->size[2], z);
}

static void the_wide_work_group_size_goes_first(void **state)
{
    (void)state;
    mez_properties properties = {0};
    assert_ok(mez_properties_add_numbers(
        &properties, SET, "reqd_work_group_size", (uint32_t[]){8, 4}, 2));
    mez_device_requirements requirements = read_all(&properties, NULL);
    expect_size(&requirements, 0, 2, 8, 4, 1);
    assert_int_equal(requirements.work_group_dimensions, 2);
    mez_device_requirements_finish(&requirements);

    assert_ok(mez_properties_add_numbers64(&properties, SET, "reqd_work_group_size_uint64_t",
        (uint64_t[]){UINT64_C(1) << 40, 2, 1}, 3));
    requirements = read_all(&properties, NULL);
    assert_int_equal(requirements.work_group_size_count, 1);
    expect_size(&requirements, 0, 3, UINT64_C(1) << 40, 2, 1);
    mez_device_requirements_finish(&requirements);

    assert_ok(mez_properties_add_number(&properties, SET, "work_group_num_dim", 2));
    requirements = read_all(&properties, NULL);
    expect_size(&requirements, 0, 2, UINT64_C(1) << 40, 2, 1);
    assert_int_equal(requirements.work_group_dimensions, 2);
    mez_device_requirements_finish(&requirements);
    mez_properties_finish(&properties);
}

static void the_documents_sizes_are_counted_and_reversed(void **state)
{
    (void)state;
    const mez_requirements_reading doc = {.doc_forms = true};
    mez_properties properties = {0};
    assert_ok(mez_properties_add_numbers(
        &properties, SET, "reqd_work_group_size", (uint32_t[]){2, 4, 8, 1, 64, 3, 1, 2, 3}, 9));
    mez_device_requirements requirements = read_all(&properties, &doc);
    assert_int_equal(requirements.work_group_size_count, 3);
    expect_size(&requirements, 0, 2, 8, 4, 1);
    expect_size(&requirements, 1, 1, 64, 1, 1);
    expect_size(&requirements, 2, 3, 3, 2, 1);
    mez_device_requirements_finish(&requirements);

    assert_ok(mez_properties_add_numbers(
        &properties, SET, "reqd_work_group_size", (uint32_t[]){2, 4, 8, 3, 1, 2}, 6));
    assert_story(mez_device_requirements_read(&properties, &doc, &requirements),
        MEZ_ERRC_INVALID_IMAGE, "a count of dimensions");
    mez_properties_finish(&properties);
}

static void the_documents_sizes_are_known_by_what_real_tools_always_write(void **state)
{
    (void)state;
    mez_properties properties = {0};
    assert_ok(mez_properties_add_numbers(
        &properties, SET, "reqd_work_group_size", (uint32_t[]){1, 64}, 2));
    mez_device_requirements requirements = read_all(&properties, NULL);
    expect_size(&requirements, 0, 1, 64, 1, 1);
    mez_device_requirements_finish(&requirements);

    assert_ok(mez_properties_add_numbers(&properties, SET, "aspects", NULL, 0));
    requirements = read_all(&properties, NULL);
    expect_size(&requirements, 0, 2, 1, 64, 1);
    mez_device_requirements_finish(&requirements);
    mez_properties_finish(&properties);
}

static void an_empty_list_of_targets_is_stated(void **state)
{
    (void)state;
    mez_properties properties = {0};
    assert_ok(mez_properties_add_numbers(&properties, SET, "fixed_target", NULL, 0));
    mez_device_requirements requirements = read_all(&properties, NULL);
    assert_true(requirements.has_fixed_targets);
    assert_int_equal(requirements.fixed_target_count, 0);
    mez_device_requirements_finish(&requirements);
    mez_properties_finish(&properties);
}

static void texts_and_flags_are_read(void **state)
{
    (void)state;
    mez_properties properties = {0};
    assert_ok(mez_properties_add_text(&properties, SET, "joint_matrix", "fp16,a,8,16"));
    assert_ok(mez_properties_add_other(
        &properties, SET, "compile_target", MEZ_PROPERTY_STRING, "intel_gpu_pvc", 13));
    assert_ok(mez_properties_add_number(&properties, SET, "a name of tomorrow", 1));
    assert_ok(mez_properties_add_number(&properties, MEZ_SET_MISC, "isEsimdImage", 1));
    mez_device_requirements requirements = read_all(&properties, NULL);
    assert_string_equal(requirements.joint_matrix, "fp16,a,8,16");
    assert_null(requirements.joint_matrix_mad);
    assert_string_equal(requirements.compile_target, "intel_gpu_pvc");
    assert_true(requirements.esimd);
    mez_device_requirements_finish(&requirements);
    mez_properties_finish(&properties);
}

static void expect_misfit(const char *name, size_t size)
{
    mez_properties properties = {0};
    mez_device_requirements requirements;
    const mez_requirements_reading reading = {.source = "a.prop"};
    assert_ok(mez_properties_add_bytes(&properties, SET, name, "0123456789abcdef0123456789", size));
    const mez_error error = mez_device_requirements_read(&properties, &reading, &requirements);
    assert_story(error, MEZ_ERRC_INVALID_IMAGE, name);
    assert_contains(story_of(error), "a.prop");
    mez_properties_finish(&properties);
}

static void what_fits_no_encoding_is_refused(void **state)
{
    (void)state;
    expect_misfit("aspects", 3);
    expect_misfit("fixed_target", 5);
    expect_misfit("reqd_sub_group_size", 7);
    expect_misfit("reqd_work_group_size", 0);
    expect_misfit("reqd_work_group_size", 16);
    expect_misfit("reqd_work_group_size_uint64_t", 12);
    expect_misfit("work_group_num_dim", 4);
    mez_properties properties = {0};
    mez_device_requirements requirements;
    assert_ok(mez_properties_add_number(&properties, SET, "aspects", 6));
    assert_story(mez_device_requirements_read(&properties, NULL, &requirements),
        MEZ_ERRC_INVALID_IMAGE, "an array");
    mez_properties_finish(&properties);
}

// --- Writing

static mez_device_requirements some_requirements(void)
{
    static mez_required_aspect aspects[] = {
        {.aspect = MEZ_ASPECT_atomic64}, {.aspect = MEZ_ASPECT_fp16}, {.aspect = MEZ_ASPECT_fp16}};
    static uint32_t sub_groups[] = {16};
    static mez_required_size sizes[] = {{.dimensions = 2, .size = {8, 4, 1}}};
    return (mez_device_requirements){
        .aspects = aspects,
        .aspect_count = 3,
        .sub_group_sizes = sub_groups,
        .sub_group_size_count = 1,
        .work_group_sizes = sizes,
        .work_group_size_count = 1,
        .work_group_dimensions = 2,
        .compile_target = "intel_gpu_tgllp",
    };
}

static void expect_names(const mez_properties *properties, const char *const *names, size_t count)
{
    const mez_property_set *set = mez_properties_find_set(properties, SET);
    assert_non_null(set);
    assert_int_equal(set->properties.count, count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(set->properties.items[i].name, names[i]);
}

static void expect_same_requirements(
    const mez_properties *properties, const mez_requirements_reading *reading)
{
    mez_device_requirements again = read_all(properties, reading);
    assert_int_equal(again.aspect_count, 2);
    assert_int_equal(again.aspects[0].aspect, MEZ_ASPECT_fp16);
    assert_int_equal(again.aspects[1].aspect, MEZ_ASPECT_atomic64);
    assert_int_equal(again.sub_group_sizes[0], 16);
    expect_size(&again, 0, 2, 8, 4, 1);
    assert_int_equal(again.work_group_dimensions, 2);
    assert_string_equal(again.compile_target, "intel_gpu_tgllp");
    mez_device_requirements_finish(&again);
}

static void the_tools_names_are_written_by_default(void **state)
{
    (void)state;
    static const char *const names[] = {"aspects", "reqd_sub_group_size",
        "reqd_work_group_size_uint64_t", "work_group_num_dim", "compile_target"};
    mez_properties properties = {0};
    const mez_device_requirements requirements = some_requirements();
    assert_ok(mez_device_requirements_write(&requirements, NULL, &properties));
    expect_names(&properties, names, 5);
    assert_int_equal(
        mez_properties_find(&properties, SET, "reqd_sub_group_size")->type, MEZ_PROPERTY_UINT32);
    expect_same_requirements(&properties, NULL);
    mez_properties_finish(&properties);
}

static void the_documents_names_are_written_on_request(void **state)
{
    (void)state;
    static const char *const names[] = {
        "aspect", "reqd_sub_group_size", "reqd_work_group_size", "compile_target"};
    mez_properties properties = {0};
    const mez_device_requirements requirements = some_requirements();
    assert_ok(mez_device_requirements_write(
        &requirements, &(mez_requirements_writing){.doc_names = true}, &properties));
    expect_names(&properties, names, 4);
    assert_int_equal(
        mez_properties_find(&properties, SET, "reqd_sub_group_size")->type, MEZ_PROPERTY_BYTES);
    expect_same_requirements(&properties, &(mez_requirements_reading){.doc_forms = true});
    mez_properties_finish(&properties);
}

static void a_set_can_be_rewritten_from_itself(void **state)
{
    (void)state;
    mez_properties properties = {0};
    assert_ok(mez_properties_add_text(&properties, SET, "joint_matrix", "fp16,a,8,16"));
    mez_device_requirements requirements = read_all(&properties, NULL);
    assert_ok(mez_device_requirements_write(&requirements, NULL, &properties));
    mez_device_requirements_finish(&requirements);
    assert_string_equal(
        (const char *)mez_properties_find(&properties, SET, "joint_matrix")->bytes, "fp16,a,8,16");
    mez_properties_finish(&properties);
}

static void aspects_are_renumbered_by_name(void **state)
{
    (void)state;
    mez_properties properties = {0};
    mez_device_requirements requirements = some_requirements();
    const mez_requirements_writing writing = {.numbering = MEZ_ASPECTS_RENUMBERED};
    assert_ok(mez_device_requirements_write(&requirements, &writing, &properties));
    static const uint8_t expected[] = {5, 0, 0, 0, 27, 0, 0, 0};
    assert_memory_equal(mez_properties_find(&properties, SET, "aspects")->bytes, expected, 8);
    requirements.aspects = &(mez_required_aspect){.aspect = MEZ_ASPECT_ext_intel_mem_channel};
    requirements.aspect_count = 1;
    assert_story(mez_device_requirements_write(&requirements, &writing, &properties),
        MEZ_ERRC_INVALID_PARAMETER, "ext_intel_mem_channel");
    mez_properties_finish(&properties);
}

static void several_sizes_need_the_documents_form(void **state)
{
    (void)state;
    mez_properties properties = {0};
    mez_device_requirements requirements = {
        .sub_group_sizes = (uint32_t[]){8, 16}, .sub_group_size_count = 2};
    assert_condition(mez_device_requirements_write(&requirements, NULL, &properties),
        MEZ_ERRC_INVALID_PARAMETER);
    assert_int_equal(properties.count, 0);
    assert_ok(mez_device_requirements_write(
        &requirements, &(mez_requirements_writing){.doc_names = true}, &properties));
    mez_properties_finish(&properties);
}

// --- Merging

static void merging_unites_aspects_and_matrices(void **state)
{
    (void)state;
    mez_properties a = {0}, b = {0}, merged = {0};
    assert_ok(mez_properties_add_numbers(&a, SET, "aspects", (uint32_t[]){6, 28}, 2));
    assert_ok(mez_properties_add_numbers(&b, SET, "aspects", (uint32_t[]){5, 6}, 2));
    assert_ok(mez_properties_add_text(&a, SET, "joint_matrix", "x,1;y,2"));
    assert_ok(mez_properties_add_text(&b, SET, "joint_matrix", "z,3;x,1"));
    assert_ok(mez_properties_add_number(&a, SET, "reqd_sub_group_size", 16));
    assert_ok(mez_properties_add_number(&b, SET, "reqd_sub_group_size", 16));
    assert_ok(mez_properties_add_number(&b, "SYCL/kernel names", "k", 1));
    assert_ok(mez_properties_merge((const mez_properties *const[]){&a, &b}, 2, &merged));
    static const uint8_t aspects[] = {5, 0, 0, 0, 6, 0, 0, 0, 28, 0, 0, 0};
    const mez_property *united = mez_properties_find(&merged, SET, "aspects");
    assert_int_equal(united->size, sizeof aspects);
    assert_memory_equal(united->bytes, aspects, sizeof aspects);
    assert_string_equal(
        (const char *)mez_properties_find(&merged, SET, "joint_matrix")->bytes, "x,1;y,2;z,3");
    assert_int_equal(mez_properties_get_number(&merged, SET, "reqd_sub_group_size", 0), 16);
    assert_non_null(mez_properties_find(&merged, "SYCL/kernel names", "k"));
    mez_properties_finish(&a);
    mez_properties_finish(&b);
    mez_properties_finish(&merged);
}

static void merging_refuses_what_differs(void **state)
{
    (void)state;
    mez_properties a = {0}, b = {0}, merged = {0};
    assert_ok(mez_properties_add_number(&a, SET, "reqd_sub_group_size", 16));
    assert_ok(mez_properties_add_number(&b, SET, "reqd_sub_group_size", 32));
    const mez_error error =
        mez_properties_merge((const mez_properties *const[]){&a, &b}, 2, &merged);
    assert_story(error, MEZ_ERRC_LINK_PROGRAM, "Unable to merge incompatible images.");
    assert_contains(story_of(error), "reqd_sub_group_size");
    mez_properties_finish(&a);
    mez_properties_finish(&b);
    mez_properties_finish(&merged);
}

// --- Asserts

static void assert_use_is_stated_per_kernel_or_for_all(void **state)
{
    (void)state;
    mez_properties properties = {0};
    assert_int_equal(mez_properties_assert_use(&properties, "k"), MEZ_ASSERTS_NOT_STATED);
    assert_ok(mez_properties_add_number(&properties, MEZ_SET_ASSERT_USED, "k", 1));
    assert_int_equal(mez_properties_assert_use(&properties, "k"), MEZ_ASSERTS_USED);
    assert_int_equal(mez_properties_assert_use(&properties, "other"), MEZ_ASSERTS_NONE);
    assert_ok(mez_properties_add_set(&properties, MEZ_SET_ASSERT_ENABLED));
    assert_int_equal(mez_properties_assert_use(&properties, "other"), MEZ_ASSERTS_USED);
    assert_int_equal(mez_properties_devicelib_mask(&properties), 0);
    assert_ok(
        mez_properties_add_number(&properties, MEZ_SET_DEVICELIB_MASK, "DeviceLibReqMask", 3));
    assert_int_equal(mez_properties_devicelib_mask(&properties), 3);
    mez_properties_finish(&properties);
}

// --- Memory

static mez_error read_write_and_merge(const mez_properties *properties)
{
    mez_properties made = {0}, merged = {0};
    mez_device_requirements requirements;
    mez_error error = mez_device_requirements_read(properties, NULL, &requirements);
    if (mez_failed(error))
        return error;
    error = mez_device_requirements_write(&requirements, NULL, &made);
    if (!mez_failed(error))
        error =
            mez_properties_merge((const mez_properties *const[]){properties, &made}, 2, &merged);
    mez_device_requirements_finish(&requirements);
    mez_properties_finish(&made);
    mez_properties_finish(&merged);
    return error;
}

static void short_memory_is_an_error_everywhere(void **state)
{
    (void)state;
    mez_properties properties = {0};
    mez_device_requirements requirements = some_requirements();
    requirements.joint_matrix = "x,1;y,2";
    assert_ok(mez_device_requirements_write(&requirements, NULL, &properties));
    assert_ok(mez_properties_add_numbers(&properties, SET, "aspects", (uint32_t[]){6, 5}, 2));
    for (uint64_t n = 1;; n++) {
        mez_alloc_fail_at(n);
        const mez_error error = read_write_and_merge(&properties);
        if (mez_alloc_fail_at(0) < n) {
            assert_ok(error);
            assert_true(n > 20);
            break;
        }
        assert_condition(error, MEZ_ERRC_OUT_OF_HOST_MEMORY);
    }
    mez_properties_finish(&properties);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_set_states_nothing),
        cmocka_unit_test(both_spellings_of_aspects_are_read_in_their_order),
        cmocka_unit_test(numbers_of_aspects_follow_the_numbering),
        cmocka_unit_test(sub_group_sizes_are_a_number_or_a_list),
        cmocka_unit_test(the_wide_work_group_size_goes_first),
        cmocka_unit_test(the_documents_sizes_are_counted_and_reversed),
        cmocka_unit_test(the_documents_sizes_are_known_by_what_real_tools_always_write),
        cmocka_unit_test(an_empty_list_of_targets_is_stated),
        cmocka_unit_test(texts_and_flags_are_read),
        cmocka_unit_test(what_fits_no_encoding_is_refused),
        cmocka_unit_test(the_tools_names_are_written_by_default),
        cmocka_unit_test(the_documents_names_are_written_on_request),
        cmocka_unit_test(a_set_can_be_rewritten_from_itself),
        cmocka_unit_test(aspects_are_renumbered_by_name),
        cmocka_unit_test(several_sizes_need_the_documents_form),
        cmocka_unit_test(merging_unites_aspects_and_matrices),
        cmocka_unit_test(merging_refuses_what_differs),
        cmocka_unit_test(assert_use_is_stated_per_kernel_or_for_all),
        cmocka_unit_test(short_memory_is_an_error_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
