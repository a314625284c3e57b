// SPDX-License-Identifier: MIT
//
// Reading device configuration files: the published format, our keys, what is odd and what is wrong.

#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "unit.h"
#include "warnings.h"

static struct warnings warnings;

static mez_targets *read_good(const char *text)
{
    mez_targets *targets;
    assert_ok(read_text(text, &warnings, &targets));
    return targets;
}

static void refuse(const char *text, const char *words)
{
    mez_targets *targets;
    assert_story(read_text(text, &warnings, &targets), MEZ_ERRC_INVALID_PARAMETER, words);
    assert_null(targets);
}

static bool has(const mez_targets *targets, const char *name, mez_aspect aspect)
{
    const mez_target *target = mez_targets_find(targets, name, NULL);
    assert_non_null(target);
    return mez_target_has(target, aspect);
}

static void the_published_form_is_read(void **state)
{
    (void)state;
    mez_targets *targets = read_good("my_gpu:\n"
                                     "  aspects: [2, fp16, aspect::atomic64]\n"
                                     "  may_support_other_aspects: true\n"
                                     "  sub-group-sizes: [8, 16]\n"
                                     "  aot-toolchain: ocloc\n"
                                     "  aot-toolchain-options: -device my -q\n"
                                     "my_cpu:\n"
                                     "  aspects:\n"
                                     "    - cpu\n"
                                     "  sub-group-sizes: [0x20]\n"
                                     "  ocloc-device: old\n");
    assert_int_equal(warnings.count, 0);
    assert_int_equal(mez_targets_get_count(targets), 2);
    const mez_target *gpu = mez_targets_find(targets, "my_gpu", NULL);
    assert_true(mez_target_has(gpu, MEZ_ASPECT_gpu));
    assert_true(mez_target_has(gpu, MEZ_ASPECT_fp16));
    assert_true(mez_target_has(gpu, MEZ_ASPECT_atomic64));
    assert_false(mez_target_has(gpu, MEZ_ASPECT_fp64));
    assert_true(gpu->may_support_other_aspects);
    assert_true(mez_target_has_sub_group_size(gpu, 16));
    assert_false(mez_target_has_sub_group_size(gpu, 32));
    assert_string_equal(gpu->aot_toolchain, "ocloc");
    assert_string_equal(gpu->aot_options, "-device my -q");
    const mez_target *cpu = mez_targets_get_target(targets, 1);
    assert_string_equal(cpu->name, "my_cpu");
    assert_false(cpu->may_support_other_aspects);
    assert_true(mez_target_has_sub_group_size(cpu, 32));
    assert_string_equal(cpu->aot_toolchain, "ocloc");
    assert_string_equal(cpu->aot_options, "-device old");
    assert_null(mez_targets_get_target(targets, 2));
    mez_targets_destroy(&targets);
}

static void our_keys_are_read(void **state)
{
    (void)state;
    mez_targets *targets = read_good("new_gpu:\n"
                                     "  aliases: [newer, newest-gpu]\n"
                                     "  ip-versions: [40.1.4, 40.1, 0x0a004007]\n"
                                     "  pci-ids: [0x1234, 0xf000-0xf00f]\n"
                                     "  max-work-group-size: 512\n"
                                     "  max-local-memory: 32768\n"
                                     "  max-argument-size: 1024\n");
    const mez_target *gpu = mez_targets_find(targets, "newest_gpu", NULL);
    assert_non_null(gpu);
    assert_ptr_equal(gpu, mez_targets_find_ip(targets, 0x0a00403f));
    assert_null(mez_targets_find_ip(targets, 0x0a008000));
    assert_ptr_equal(gpu, mez_targets_find_pci(targets, 0x8086, 0x1234));
    assert_ptr_equal(gpu, mez_targets_find_pci(targets, 0x8086, 0xf00f));
    assert_null(mez_targets_find_pci(targets, 0x8086, 0xf010));
    assert_null(mez_targets_find_pci(targets, 0x10de, 0x1234));
    assert_int_equal(gpu->max_group_size, 512);
    assert_int_equal(gpu->max_group_sizes[2], 512);
    assert_int_equal(gpu->max_local_memory, 32768);
    assert_int_equal(gpu->max_argument_size, 1024);
    mez_targets_destroy(&targets);
}

static void what_a_file_does_not_say_refuses_nothing(void **state)
{
    (void)state;
    mez_targets *targets = read_good("silent:\n"
                                     "strict:\n"
                                     "  aspects: []\n");
    assert_true(has(targets, "silent", MEZ_ASPECT_fp64));
    assert_true(mez_target_has_sub_group_size(mez_targets_get_target(targets, 0), 7));
    assert_true(
        mez_target_has_number(mez_targets_get_target(targets, 0), MEZ_ASPECTS_CLASSIC, 4711));
    assert_false(has(targets, "strict", MEZ_ASPECT_fp64));
    assert_false(
        mez_target_has_number(mez_targets_get_target(targets, 1), MEZ_ASPECTS_CLASSIC, 4711));
    mez_targets_destroy(&targets);
}

static void what_a_known_target_leaves_out_is_built_in(void **state)
{
    (void)state;
    mez_targets *targets = read_good("intel_gpu_12_0_0:\n"
                                     "  aspects: [gpu]\n"
                                     "  may_support_other_aspects: false\n");
    const mez_target *target = mez_targets_find(targets, "tgllp", NULL);
    assert_non_null(target);
    assert_string_equal(target->name, "intel_gpu_12_0_0");
    assert_ptr_equal(target, mez_targets_find_ip(targets, 0x03000000));
    assert_ptr_equal(target, mez_targets_find_pci(targets, 0x8086, 0x9a49));
    assert_string_equal(target->aot_options, "-device tgllp");
    assert_false(mez_target_has(target, MEZ_ASPECT_fp16)); // aspects are never made up
    mez_targets_destroy(&targets);
}

static void lists_can_be_repeated_by_name(void **state)
{
    (void)state;
    mez_targets *targets = read_good("a: {aspects: &small [gpu, fp16]}\n"
                                     "b: {aspects: *small}\n"
                                     "c: {aspects: &small [gpu]}\n"
                                     "d: {aspects: *small}\n");
    assert_true(has(targets, "b", MEZ_ASPECT_fp16));
    assert_false(has(targets, "b", MEZ_ASPECT_fp64));
    assert_false(has(targets, "d", MEZ_ASPECT_fp16));
    mez_targets_destroy(&targets);
    refuse(
        "a: {aspects: *none}\n", "devices.yaml:1:14: no earlier list of aspects is called &none");
}

static void the_last_one_counts_with_a_warning(void **state)
{
    (void)state;
    mez_targets *targets = read_good("a: {aspects: [fp16], sub-group-sizes: [8]}\n"
                                     "b: {}\n"
                                     "a: {aspects: [fp64]}\n");
    assert_int_equal(mez_targets_get_count(targets), 2);
    assert_false(has(targets, "a", MEZ_ASPECT_fp16));
    assert_true(has(targets, "a", MEZ_ASPECT_fp64));
    assert_int_equal(mez_targets_find(targets, "a", NULL)->sub_group_size_count, 0);
    assert_string_equal(warnings.text,
        "devices.yaml:3:1: a is described again here; the last description is used\n");
    mez_targets_destroy(&targets);
    targets = read_good("a:\n  aspects: [fp16]\n  aspects: [fp64]\n");
    assert_false(has(targets, "a", MEZ_ASPECT_fp16));
    assert_string_equal(
        warnings.text, "devices.yaml:3:3: a: \"aspects\" is repeated here; the last one is used\n");
    mez_targets_destroy(&targets);
}

static void the_unknown_warns_and_is_passed_over(void **state)
{
    (void)state;
    mez_targets *targets = read_good("a:\n"
                                     "  colour: {is: [green, {or: blue}]}\n"
                                     "  aspects: [fp46, marvellous, 200, gpu]\n");
    assert_true(has(targets, "a", MEZ_ASPECT_gpu));
    assert_int_equal(warnings.count, 4);
    assert_contains(
        warnings.text, "devices.yaml:2:3: a: the key \"colour\" is unknown and ignored\n");
    assert_contains(warnings.text, "devices.yaml:3:13: the aspect \"fp46\" is unknown and "
                                   "ignored; is it \"fp16\"?\n");
    assert_contains(warnings.text, "3:19: the aspect \"marvellous\" is unknown and ignored\n");
    assert_contains(warnings.text, "3:31: aspect 200 has no name that is known\n");
    const mez_target *a = mez_targets_get_target(targets, 0);
    assert_true(mez_target_has_number(a, MEZ_ASPECTS_CLASSIC, 200));
    assert_false(mez_target_has_number(a, MEZ_ASPECTS_CLASSIC, 201));
    mez_targets_destroy(&targets);
}

static void errors_say_where_and_what(void **state)
{
    (void)state;
    refuse("", "devices.yaml:1:1: a device configuration file is a list of targets");
    refuse("- a\n", "devices.yaml:1:1: a device configuration file is a list");
    refuse("a: 5\n", "devices.yaml:1:4: a needs keys");
    refuse("[a]: {}\n", "devices.yaml:1:1: the name of a target is expected here");
    refuse("a: {}\n---\nb: {}\n", "devices.yaml:2:1: a second document begins");
    refuse("a:\n  aspects: gpu\n", "devices.yaml:2:12: aspects needs a list");
    refuse("a:\n  aspects: [[gpu]]\n", "devices.yaml:2:13: aspects needs one value");
    refuse("a:\n  sub-group-sizes: [8, -1]\n", "2:24: \"-1\" is not a sub-group size");
    refuse("a:\n  sub-group-sizes: [0]\n", "2:21: \"0\" is not a sub-group size");
    refuse("a:\n  sub-group-sizes: [1,2,3,4,5,6,7,8,9]\n", "has more than 8 entries");
    refuse("a:\n  may_support_other_aspects: perhaps\n", "2:30: may_support_other_aspects is true");
    refuse("a:\n  may_support_other_aspects: tRUE\n", "is true or false, not \"tRUE\"");
    refuse("a:\n  ip-versions: [12.256.0]\n", "\"12.256.0\" is not an IP version");
    refuse("a:\n  ip-versions: [12.55.8.1]\n", "is not an IP version");
    refuse("a:\n  ip-versions: [12]\n", "is not an IP version");
    refuse("a:\n  pci-ids: [0x12345]\n", "2:13: \"0x12345\" is not a PCI device id");
    refuse("a:\n  pci-ids: [0x20-0x10]\n", "is not a PCI device id");
    refuse("a:\n  max-work-group-size: 0\n", "2:24: max-work-group-size is a positive number");
    refuse("a:\n  max-work-group-size: 4294967296\n", "is a positive number");
    refuse("a:\n  ? [x]\n  : 1\n", "2:5: a key of a is not a text");
}

static void what_is_no_yaml_is_refused_with_its_place(void **state)
{
    (void)state;
    refuse("a: {x: [b\n", "devices.yaml:2:1: ");
    refuse("a:\n\t- b\n", "devices.yaml:2:1: ");
    refuse("\xff\xff\xff", "devices.yaml: byte ");
    char deep[200] = "a: {x: ";
    memset(deep + strlen(deep), '[', 100);
    refuse(deep, "values are nested more than 16 deep");
}

static void too_many_targets_are_refused(void **state)
{
    (void)state;
    mez_text text = {0};
    for (int i = 0; i < 1025; i++)
        mez_text_add(&text, "t%d:\n", i);
    refuse(mez_text_get(&text), "at most 1024 targets, so there is no room for \"t1024\"");
    mez_text_finish(&text);
}

static void files_are_read_and_named(void **state)
{
    (void)state;
    char path[] = "/tmp/mez-targets-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, "a: [\n", 5), 5);
    close(file);
    mez_targets *targets;
    const mez_error error = mez_targets_load(path, NULL, &targets);
    assert_story(error, MEZ_ERRC_INVALID_PARAMETER, path);
    unlink(path);
    assert_condition(mez_targets_load(path, NULL, &targets), MEZ_ERRC_FILE);
    assert_null(targets);
}

static void short_memory_is_an_error(void **state)
{
    (void)state;
    const char *text = "a: {aspects: &x [gpu, 200], aliases: [b], aot-toolchain: ocloc}\n"
                       "c: {aspects: *x, ocloc-device: d}\n";
    const mez_targets *builtin;
    assert_ok(mez_targets_get_default(&builtin)); // its memory is not the matter here
    mez_targets *targets;
    uint64_t tried = 1;
    for (uint64_t n = 1; n <= tried; n++) {
        mez_alloc_fail_at(0);
        mez_alloc_fail_at(n);
        const mez_error error = read_text(text, &warnings, &targets);
        tried = mez_alloc_fail_at(0);
        if (!mez_failed(error)) // only the words of a warning were missing
            mez_targets_destroy(&targets);
        else
            assert_condition(error, MEZ_ERRC_OUT_OF_HOST_MEMORY);
        assert_null(targets);
    }
    assert_true(tried > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_form_is_read),
        cmocka_unit_test(our_keys_are_read),
        cmocka_unit_test(what_a_file_does_not_say_refuses_nothing),
        cmocka_unit_test(what_a_known_target_leaves_out_is_built_in),
        cmocka_unit_test(lists_can_be_repeated_by_name),
        cmocka_unit_test(the_last_one_counts_with_a_warning),
        cmocka_unit_test(the_unknown_warns_and_is_passed_over),
        cmocka_unit_test(errors_say_where_and_what),
        cmocka_unit_test(what_is_no_yaml_is_refused_with_its_place),
        cmocka_unit_test(too_many_targets_are_refused),
        cmocka_unit_test(files_are_read_and_named),
        cmocka_unit_test(short_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
