// SPDX-License-Identifier: MIT
//
// What property sets state, judged before any code is looked at.

#include "device.h"

#define SET MEZ_SET_DEVICE_REQUIREMENTS

static const mez_requirements_reading reading = {.source = "image.spv"};

// As the library does: reads what is stated, and refuses what the device lacks.
static mez_error refuse(const mez_device_requirements *stated, mez_requirements *requirements,
    const mez_check_device *device, const mez_check_devices *others)
{
    MEZ_TRY(mez_requirements_add_stated(requirements, stated));
    return mez_check_refuse(requirements, device, others);
}

static mez_error check_stated(const mez_properties *properties,
    const mez_requirements_reading *reading, const char *kernel, const mez_check_device *device,
    const mez_check_devices *others)
{
    mez_device_requirements stated;
    MEZ_TRY(mez_device_requirements_read(properties, reading, &stated));
    mez_requirements requirements = {
        .image = reading->source,
        .kernel = kernel,
        .numbering = reading->numbering,
    };
    const mez_error error = refuse(&stated, &requirements, device, others);
    mez_requirements_finish(&requirements);
    mez_device_requirements_finish(&stated);
    return error;
}

static mez_error check(const mez_properties *properties)
{
    const mez_target target = small_target();
    const mez_check_device device = mez_check_device_of("TGL", &target);
    return check_stated(properties, &reading, "scale", &device, NULL);
}

static void an_image_that_states_nothing_passes(void **state)
{
    (void)state;
    mez_properties properties = {0};
    assert_ok(check(&properties));
    assert_ok(mez_properties_add_number(&properties, MEZ_SET_MISC, "isEsimdImage", 1));
    assert_ok(check(&properties));
    mez_properties_finish(&properties);
}

static void everything_that_is_stated_binds_the_whole_image(void **state)
{
    (void)state;
    mez_properties properties = {0};
    assert_ok(
        mez_properties_add_numbers(&properties, SET, "aspects", (const uint32_t[]){5, 6, 28}, 3));
    assert_ok(mez_properties_add_numbers(
        &properties, SET, "fixed_target", (const uint32_t[]){0x0fc04000}, 1));
    assert_ok(mez_properties_add_number(&properties, SET, "reqd_sub_group_size", 8));
    assert_ok(mez_properties_add_numbers64(
        &properties, SET, "reqd_work_group_size_uint64_t", (const uint64_t[]){1024, 1, 1}, 3));
    assert_ok(mez_properties_add_text(&properties, SET, "joint_matrix",
        "matrix_type::fp16,use::a,8,16;matrix_type::fp16,use::b,16,16"));
    const mez_error error = check(&properties);
    assert_condition(error, MEZ_ERRC_KERNEL_NOT_SUPPORTED);
    static const char *const parts[] = {
        "kernel \"scale\" of \"image.spv\" needs what device \"TGL\" does not have",
        "Kernel was compiled with '-fsycl-fixed-targets=intel_gpu_63_1_0' but was submitted",
        "for all kernels of the image: its properties say so", "'aspect::fp64' but device",
        "'aspect::atomic64' but device", "the device has gpu, fp16", "sub-group size of '8' but",
        "Required work-group size 1024 is not supported on the device", "no matrix hardware"};
    const char *rest = story_of(error);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        assert_contains(rest, parts[i]);
        rest = strstr(rest, parts[i]) + 1;
    }
    assert_null(strstr(story_of(error), "aspect::fp16'"));
    mez_properties_finish(&properties);
}

static void what_the_device_has_is_reported_once_for_reasons_in_a_row(void **state)
{
    (void)state;
    mez_properties properties = {0};
    assert_ok(
        mez_properties_add_numbers(&properties, SET, "aspects", (const uint32_t[]){6, 28}, 2));
    const char *first = strstr(story_of(check(&properties)), "the device has gpu, fp16");
    assert_non_null(first);
    assert_null(strstr(first + 1, "the device has gpu, fp16"));
    mez_properties_finish(&properties);
}

static void esimd_code_asks_for_no_sub_group_size(void **state)
{
    (void)state;
    mez_properties properties = {0};
    assert_ok(mez_properties_add_number(&properties, SET, "reqd_sub_group_size", 1));
    assert_story(check(&properties), MEZ_ERRC_KERNEL_NOT_SUPPORTED, "sub-group size of '1'");
    assert_ok(mez_properties_add_number(&properties, MEZ_SET_MISC, "isEsimdImage", 1));
    assert_ok(check(&properties));
    mez_properties_finish(&properties);
}

static void every_stated_sub_group_size_has_to_be_there(void **state)
{
    (void)state;
    mez_properties properties = {0};
    assert_ok(mez_properties_add_numbers(
        &properties, SET, "reqd_sub_group_size", (const uint32_t[]){16, 32}, 2));
    assert_ok(check(&properties));
    assert_ok(mez_properties_add_numbers(
        &properties, SET, "reqd_sub_group_size", (const uint32_t[]){16, 64}, 2));
    assert_story(check(&properties), MEZ_ERRC_KERNEL_NOT_SUPPORTED, "sub-group size of '64'");
    mez_properties_finish(&properties);
}

static void internal_aspects_ask_nothing_of_a_device(void **state)
{
    (void)state;
    mez_properties properties = {0};
    assert_ok(mez_properties_add_numbers(
        &properties, SET, "aspects", (const uint32_t[]){(uint32_t)-3, 5}, 2));
    assert_ok(check(&properties));
    mez_properties_finish(&properties);
}

static void numbers_of_aspects_are_read_by_the_numbering_asked_for(void **state)
{
    (void)state;
    mez_properties properties = {0};
    mez_target target = small_target();
    mez_aspects_add(&target.aspects, MEZ_ASPECT_atomic64);
    const mez_check_device device = mez_check_device_of("TGL", &target);
    mez_requirements_reading newer = {.numbering = MEZ_ASPECTS_RENUMBERED, .source = "image.spv"};
    assert_ok(mez_properties_add_numbers(&properties, SET, "aspects", (const uint32_t[]){27}, 1));
    assert_ok(check_stated(&properties, &newer, NULL, &device, NULL));
    newer.numbering = MEZ_ASPECTS_CLASSIC;
    assert_story(check_stated(&properties, &newer, NULL, &device, NULL),
        MEZ_ERRC_KERNEL_NOT_SUPPORTED, "'aspect::usm_atomic_shared_allocations'");
    mez_properties_finish(&properties);
}

static void an_empty_list_of_fixed_targets_refuses(void **state)
{
    (void)state;
    mez_properties properties = {0};
    assert_ok(mez_properties_add_numbers(&properties, SET, "fixed_target", NULL, 0));
    assert_story(check(&properties), MEZ_ERRC_KERNEL_NOT_SUPPORTED, "'-fsycl-fixed-targets=' but");
    mez_properties_finish(&properties);
}

static void properties_that_make_no_sense_are_an_error(void **state)
{
    (void)state;
    mez_properties properties = {0};
    assert_ok(mez_properties_add_bytes(&properties, SET, "aspects", "abc", 3));
    assert_story(check(&properties), MEZ_ERRC_INVALID_IMAGE, "aspects");
    mez_properties_finish(&properties);
}

static void devices_that_have_it_all_are_named(void **state)
{
    (void)state;
    mez_target able = small_target();
    mez_aspects_add(&able.aspects, MEZ_ASPECT_fp64);
    const mez_target target = small_target();
    const mez_check_device devices[] = {
        mez_check_device_of("TGL", &target), mez_check_device_of("PVC", &able)};
    mez_properties properties = {0};
    assert_ok(mez_properties_add_numbers(&properties, SET, "aspects", (const uint32_t[]){6}, 1));
    assert_ok(check_stated(&properties, &reading, NULL, &devices[1], NULL));
    assert_story(check_stated(&properties, &reading, NULL, &devices[0],
                     &(const mez_check_devices){devices, 2}),
        MEZ_ERRC_KERNEL_NOT_SUPPORTED, "would run on: \"PVC\"");
    assert_story(check_stated(&properties, &reading, NULL, &devices[0],
                     &(const mez_check_devices){devices, 1}),
        MEZ_ERRC_KERNEL_NOT_SUPPORTED, "\"image.spv\" needs what device \"TGL\" does not have");
    assert_ok(mez_properties_add_numbers(&properties, SET, "aspects", (const uint32_t[]){28}, 1));
    assert_story(check_stated(&properties, &reading, NULL, &devices[0],
                     &(const mez_check_devices){devices, 2}),
        MEZ_ERRC_KERNEL_NOT_SUPPORTED, "would run on: none of the 2 devices here");
    mez_properties_finish(&properties);
}

// --- Ranges

static mez_error check_range(uint32_t stated, uint32_t dimensions, const size_t *local)
{
    mez_requirement requirement = REQUIRES_GROUPS(32, 8, 1);
    requirement.group.dimensions = stated;
    mez_requirements requirements = {.image = "image.spv", .kernel = "scale"};
    assert_ok(mez_requirements_add(&requirements, &requirement));
    const mez_error error = mez_check_range(&requirements, dimensions, local);
    mez_requirements_finish(&requirements);
    return error;
}

static void a_range_of_other_dimensions_does_not_fit(void **state)
{
    (void)state;
    assert_ok(check_range(2, 2, NULL));
    assert_ok(check_range(0, 3, NULL));
    const mez_error error = check_range(2, 3, NULL);
    assert_condition(error, MEZ_ERRC_ND_RANGE);
    assert_contains(story_of(error), "The local size dimension of submitted nd_range doesn't match "
                                     "the required work-group size dimension");
    assert_contains(story_of(error), "\"scale\" of \"image.spv\"");
}

static void a_work_group_of_another_size_does_not_fit(void **state)
{
    (void)state;
    assert_ok(check_range(2, 2, (const size_t[]){32, 8}));
    assert_ok(check_range(0, 2, (const size_t[]){32, 8}));
    assert_story(check_range(2, 2, (const size_t[]){8, 32}), MEZ_ERRC_ND_RANGE,
        "The specified local size {8, 32} doesn't match the required work-group size specified in "
        "the program source {32, 8}");
    assert_story(check_range(0, 1, (const size_t[]){32}), MEZ_ERRC_ND_RANGE,
        "{32, 1, 1} doesn't match the required work-group size specified in the program source "
        "{32, 8, 1}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_image_that_states_nothing_passes),
        cmocka_unit_test(everything_that_is_stated_binds_the_whole_image),
        cmocka_unit_test(what_the_device_has_is_reported_once_for_reasons_in_a_row),
        cmocka_unit_test(esimd_code_asks_for_no_sub_group_size),
        cmocka_unit_test(every_stated_sub_group_size_has_to_be_there),
        cmocka_unit_test(internal_aspects_ask_nothing_of_a_device),
        cmocka_unit_test(numbers_of_aspects_are_read_by_the_numbering_asked_for),
        cmocka_unit_test(an_empty_list_of_fixed_targets_refuses),
        cmocka_unit_test(properties_that_make_no_sense_are_an_error),
        cmocka_unit_test(devices_that_have_it_all_are_named),
        cmocka_unit_test(a_range_of_other_dimensions_does_not_fit),
        cmocka_unit_test(a_work_group_of_another_size_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
