// SPDX-License-Identifier: MIT
//
// What a bundle's binaries and kernels require, from real code.

#include <stdlib.h>

#include "base/alloc.h"
#include "base/file.h"
#include "check/check.h"
#include "check/units.h"
#include "device.h"

typedef struct fixture {
    mez_file file;
    mez_bundle *bundle;
    mez_check_units *units;
} fixture;

static fixture with; // of the test that runs

enum { KERNELS = 5 }; // of units.cl

static int open_file(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/check_%s", getenv("MEZ_CHECK_FILES"), name);
    assert_ok(mez_file_read(path, &with.file));
    assert_ok(mez_bundle_read(with.file.bytes, with.file.size, name, &with.bundle));
    return 0;
}

static int open_bundle(void **state)
{
    (void)state;
    return open_file("units.spv");
}

static int open_sizes(void **state)
{
    (void)state;
    return open_file("sizes.spv");
}

static int close_bundle(void **state)
{
    (void)state;
    mez_check_units_destroy(&with.units);
    mez_bundle_destroy(&with.bundle);
    mez_file_finish(&with.file);
    return 0;
}

static mez_properties *properties(void)
{
    return &with.bundle->binaries[0].properties;
}

static void read_units(void)
{
    assert_ok(mez_check_units_create(with.bundle, MEZ_SURVEY_VALUES, &with.units));
}

static const mez_check_unit *find_unit(const char *kernel)
{
    for (uint32_t i = 0; i < with.units->count; i++)
        if (with.units->units[i].kernel && strcmp(with.units->units[i].kernel, kernel) == 0)
            return &with.units->units[i];
    return NULL;
}

static mez_error check(const char *kernel)
{
    const mez_target target = small_target();
    const mez_check_device device = mez_check_device_of("TGL", &target);
    return mez_check_refuse(&find_unit(kernel)->requirements, &device, NULL);
}

static void kernels_without_properties_speak_for_themselves(void **state)
{
    (void)state;
    read_units();
    assert_int_equal(with.units->count, KERNELS);
    assert_int_equal(with.units->binaries[0].unit_count, KERNELS);
    assert_false(with.units->binaries[0].states);
    assert_ok(check("plain"));
    assert_string_equal(mez_check_binary_kernel(&with.units->binaries[0], 0), "doubles");
    assert_null(mez_check_binary_kernel(&with.units->binaries[0], KERNELS));
}

static void the_code_that_asks_is_named_with_its_line(void **state)
{
    (void)state;
    read_units();
    const mez_error error = check("doubles");
    assert_story(error, MEZ_ERRC_KERNEL_NOT_SUPPORTED, "'aspect::fp64' but device");
    assert_contains(story_of(error), "in function \"scale\" (");
    assert_contains(story_of(error), "units.cl:11");
    assert_contains(story_of(error), "), reached by doubles -> scale\n");
}

static void sizes_are_those_of_the_kernel(void **state)
{
    (void)state;
    read_units();
    const mez_error error = check("sizes");
    assert_story(error, MEZ_ERRC_KERNEL_NOT_SUPPORTED, "sub-group size of '8' but");
    assert_contains(story_of(error), "for OpExecutionMode of kernel \"sizes\"");
    assert_contains(
        story_of(error), "Required work-group size 1024 is not supported on the device");
}

static const mez_requirement *find_requirement(const char *kernel, mez_requirement_kind kind)
{
    const mez_requirements *requirements = &find_unit(kernel)->requirements;
    for (uint32_t i = 0; i < requirements->count; i++)
        if (requirements->items[i].kind == kind)
            return &requirements->items[i];
    return NULL;
}

// What every device has is not required.
static void local_memory_of_variables_is_added_up(void **state)
{
    (void)state;
    read_units();
    assert_null(find_requirement("plain", MEZ_REQUIRES_LOCAL_MEMORY));
    assert_null(find_requirement("local_little", MEZ_REQUIRES_LOCAL_MEMORY));
    assert_int_equal(find_requirement("local_much", MEZ_REQUIRES_LOCAL_MEMORY)->bytes, 68000);
    const mez_error error = check("local_much");
    assert_story(error, MEZ_ERRC_KERNEL_NOT_SUPPORTED, "Kernel uses 68000 bytes of local memory");
    assert_contains(story_of(error), "for function \"local_much\"");
}

static void arguments_are_added_up(void **state)
{
    (void)state;
    read_units();
    assert_null(find_requirement("plain", MEZ_REQUIRES_ARGUMENTS));
    assert_int_equal(find_requirement("argued", MEZ_REQUIRES_ARGUMENTS)->bytes, 2024);
    assert_ok(check("argued"));
    assert_int_equal(find_requirement("argued_much", MEZ_REQUIRES_ARGUMENTS)->bytes, 2065);
    assert_story(check("argued_much"), MEZ_ERRC_KERNEL_NOT_SUPPORTED,
        "Kernel has arguments of 2065 bytes together");
}

static void doubles_that_are_only_copied_warn(void **state)
{
    (void)state;
    read_units();
    assert_null(find_requirement("plain", MEZ_REQUIRES_ASPECT));
    assert_true(find_requirement("copies", MEZ_REQUIRES_ASPECT)->aspect.perhaps);
    assert_ok(check("copies"));
    assert_false(find_requirement("copies_and_adds", MEZ_REQUIRES_ASPECT)->aspect.perhaps);
    assert_story(check("copies_and_adds"), MEZ_ERRC_KERNEL_NOT_SUPPORTED, "'aspect::fp64'");
}

static void declared_aspects_are_required_too(void **state)
{
    (void)state;
    read_units();
    const mez_error error = check("declares");
    assert_story(error, MEZ_ERRC_KERNEL_NOT_SUPPORTED, "'aspect::cpu' but device");
    assert_contains(story_of(error), "for the declaration in function \"declares\"");
    assert_contains(story_of(error), "'aspect::fp64' but device");
}

static void what_functions_are_said_to_use_is_required(void **state)
{
    (void)state;
    read_units();
    const mez_error error = check("notes");
    assert_story(error, MEZ_ERRC_KERNEL_NOT_SUPPORTED, "'aspect::ext_intel_free_memory' but");
    assert_contains(story_of(error), "for the declaration in function \"note\"");
}

static void properties_speak_for_all_kernels_and_for_code_that_is_garbage(void **state)
{
    (void)state;
    static const uint8_t garbage[] = {0x03, 0x02, 0x23, 0x07, 1, 2, 3, 4};
    const mez_target target = small_target();
    const mez_check_device device = mez_check_device_of("TGL", &target);
    with.bundle->binaries[0].code = garbage;
    with.bundle->binaries[0].code_size = sizeof garbage;
    assert_ok(mez_properties_add_number(
        properties(), MEZ_SET_DEVICE_REQUIREMENTS, "reqd_sub_group_size", 8));
    read_units();
    assert_int_equal(with.units->count, 1);
    assert_null(with.units->units[0].kernel);
    assert_condition(with.units->binaries[0].unreadable, MEZ_ERRC_INVALID_IMAGE);
    assert_story(mez_check_refuse(&with.units->units[0].requirements, &device, NULL),
        MEZ_ERRC_KERNEL_NOT_SUPPORTED, "sub-group size of '8' but");
    assert_null(mez_check_binary_kernel(&with.units->binaries[0], 0));
}

static void code_without_properties_that_is_garbage_has_no_units(void **state)
{
    (void)state;
    with.bundle->binaries[0].code_size = 30;
    read_units();
    assert_int_equal(with.units->count, 0);
    assert_story(with.units->binaries[0].unreadable, MEZ_ERRC_INVALID_IMAGE, "units.spv: ");
}

static void an_esimd_image_asks_for_no_sub_group_size(void **state)
{
    (void)state;
    assert_ok(mez_properties_add_number(properties(), MEZ_SET_MISC, "isEsimdImage", 1));
    read_units();
    const mez_error error = check("sizes");
    assert_story(error, MEZ_ERRC_KERNEL_NOT_SUPPORTED, "work-group size 1024");
    assert_null(strstr(story_of(error), "sub-group"));
}

static void properties_that_make_no_sense_are_unreadable(void **state)
{
    (void)state;
    assert_ok(
        mez_properties_add_bytes(properties(), MEZ_SET_DEVICE_REQUIREMENTS, "aspects", "abc", 3));
    read_units();
    assert_int_equal(with.units->count, 0);
    assert_story(with.units->binaries[0].unreadable, MEZ_ERRC_INVALID_IMAGE, "aspects");
    assert_null(with.units->binaries[0].module);
}

static void every_lack_of_memory_is_survived(void **state)
{
    (void)state;
    assert_ok(mez_properties_add_number(
        properties(), MEZ_SET_DEVICE_REQUIREMENTS, "reqd_sub_group_size", 8));
    for (uint64_t n = 1;; n++) {
        mez_alloc_fail_at(n);
        const mez_error error = mez_check_units_create(with.bundle, MEZ_SURVEY_VALUES, &with.units);
        const uint64_t tried = mez_alloc_fail_at(0);
        mez_check_units_destroy(&with.units);
        if (tried < n)
            break;
        assert_condition(error, MEZ_ERRC_OUT_OF_HOST_MEMORY);
    }
}

// --- Fixed targets

static char heard[4096];

static void hear(void *context, const char *text)
{
    (void)context;
    strncat(heard, text, sizeof heard - strlen(heard) - 1);
    strncat(heard, "\n", sizeof heard - strlen(heard) - 1);
}

static void warn_of(const char *first, const char *second)
{
    const mez_targets *table;
    mez_fixed_targets targets;
    heard[0] = '\0';
    assert_ok(mez_targets_get_default(&table));
    const mez_target *const list[] = {mez_targets_find(table, first, NULL),
        second ? mez_targets_find(table, second, NULL) : NULL};
    assert_ok(mez_fixed_targets_of(list, second ? 2 : 1, &targets));
    assert_ok(mez_fixed_targets_warn(&targets, with.units->binaries[0].survey, hear, NULL));
    mez_fixed_targets_finish(&targets);
}

static void fixed_targets_are_warned_of_code_they_lack(void **state)
{
    (void)state;
    read_units();
    warn_of("skl", NULL);
    assert_null(strstr(heard, "'fp64'"));
    warn_of("tgllp", "intel_gpu_dg1");
    assert_contains(heard, "units.cl:11:");
    assert_contains(heard, ": warning: function 'scale' uses aspect 'fp64' not supported by fixed "
                           "targets 'intel_gpu_tgllp', 'intel_gpu_dg1'\n");
    assert_contains(heard, "function 'sizes' requires work-group size '1024 x 1 x 1'");
    assert_null(strstr(heard, "function 'doubles' uses aspect 'fp64'"));
}

static void declarations_count_for_fixed_targets(void **state)
{
    (void)state;
    read_units();
    warn_of("pvc", NULL);
    assert_contains(heard, "warning: function 'declares' uses aspect 'cpu' not supported by fixed "
                           "target 'intel_gpu_pvc'\n");
    assert_contains(heard, "warning: function 'sizes' requires sub-group size '8' not supported by "
                           "fixed target 'intel_gpu_pvc'\n");
    const char *first = strstr(heard, "'cpu'");
    assert_null(strstr(first + 1, "'cpu'"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_bundle, close_bundle)
#define TEST_OF_SIZES(name) cmocka_unit_test_setup_teardown(name, open_sizes, close_bundle)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(kernels_without_properties_speak_for_themselves),
        TEST(the_code_that_asks_is_named_with_its_line),
        TEST(sizes_are_those_of_the_kernel),
        TEST_OF_SIZES(local_memory_of_variables_is_added_up),
        TEST_OF_SIZES(arguments_are_added_up),
        TEST_OF_SIZES(doubles_that_are_only_copied_warn),
        TEST(declared_aspects_are_required_too),
        TEST(what_functions_are_said_to_use_is_required),
        TEST(properties_speak_for_all_kernels_and_for_code_that_is_garbage),
        TEST(code_without_properties_that_is_garbage_has_no_units),
        TEST(an_esimd_image_asks_for_no_sub_group_size),
        TEST(properties_that_make_no_sense_are_unreadable),
        TEST(every_lack_of_memory_is_survived),
        TEST(fixed_targets_are_warned_of_code_they_lack),
        TEST(declarations_count_for_fixed_targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
