// SPDX-License-Identifier: MIT
//
// The targets that are built in, and how they are found.

#include <stdlib.h>
#include <unistd.h>

#include "unit.h"
#include "warnings.h"

static const mez_targets *targets;

static int open_table(void **state)
{
    (void)state;
    unsetenv("MEZ_DEVICE_CONFIG");
    return mez_failed(mez_targets_get_default(&targets));
}

static const mez_target *find(const char *name)
{
    const mez_target *target = mez_targets_find(targets, name, NULL);
    if (!target)
        print_error("no target \"%s\"\n", name);
    assert_non_null(target);
    return target;
}

static void expect_name(const mez_target *target, const char *name)
{
    assert_string_equal(target ? target->name : "none", name);
}

static void the_file_has_nothing_odd(void **state)
{
    const char *const *paths = *state;
    struct warnings warnings = {0};
    const mez_targets_params collected = {.warn = collect, .user = &warnings};
    mez_targets *read;
    assert_ok(mez_targets_load(paths[0], &collected, &read));
    assert_string_equal(warnings.text, "");
    assert_int_equal(mez_targets_get_count(read), mez_targets_get_count(targets));
    mez_targets_destroy(&read);
}

static void names_are_found_in_every_spelling(void **state)
{
    (void)state;
    expect_name(find("intel_gpu_tgllp"), "intel_gpu_tgllp");
    expect_name(find("intel_gpu_tgl"), "intel_gpu_tgllp");
    expect_name(find("intel_gpu_12_0_0"), "intel_gpu_tgllp");
    expect_name(find("tgl"), "intel_gpu_tgllp");
    expect_name(find("adl-s"), "intel_gpu_adl_s");
    expect_name(find("dg2_g10"), "intel_gpu_acm_g10");
    expect_name(find("spir64_x86_64"), "x86_64");
    expect_name(find("ptx64"), "ptx64");
    expect_name(find("spir64"), "spir64");
}

static void misspelt_names_get_a_hint(void **state)
{
    (void)state;
    const char *nearest = NULL;
    assert_null(mez_targets_find(targets, "intel_gpu_tglp", &nearest));
    assert_string_equal(nearest, "intel_gpu_tgllp");
    assert_null(mez_targets_find(targets, "tgll", &nearest));
    assert_string_equal(nearest, "intel_gpu_tgllp");
    assert_null(mez_targets_find(targets, "pvcc", &nearest));
    assert_string_equal(nearest, "intel_gpu_pvc");
    assert_null(mez_targets_find(targets, "TGLLP", &nearest));
    assert_string_equal(nearest, "intel_gpu_tgllp");
    assert_null(mez_targets_find(targets, "Intel-GPU-TGLLP", &nearest));
    assert_string_equal(nearest, "intel_gpu_tgllp");
    assert_null(mez_targets_find(targets, "something else", &nearest));
    assert_null(nearest);
    assert_null(mez_targets_find(targets, "", &nearest));
}

// What files call a target must lead to it again.
static void every_target_finds_itself(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < mez_targets_get_count(targets); i++) {
        const mez_target *target = mez_targets_get_target(targets, i);
        assert_ptr_equal(mez_targets_find(targets, target->name, NULL), target);
        for (uint32_t j = 0; j < target->alias_count; j++)
            assert_ptr_equal(mez_targets_find(targets, target->aliases[j], NULL), target);
        for (uint32_t j = 0; j < target->pci_id_count; j++)
            assert_ptr_equal(
                mez_targets_find_pci(targets, 0x8086, target->pci_ids[j].last), target);
    }
}

static void ip_versions_are_found_without_revision(void **state)
{
    (void)state;
    expect_name(mez_targets_find_ip(targets, 0x03000000), "intel_gpu_tgllp");
    expect_name(mez_targets_find_ip(targets, 0x030dc004), "intel_gpu_acm_g10");
    expect_name(mez_targets_find_ip(targets, 0x030dc03f), "intel_gpu_acm_g10");
    expect_name(mez_targets_find_ip(targets, 0x030e0005), "intel_gpu_acm_g11");
    expect_name(mez_targets_find_ip(targets, 0x030f0003), "intel_gpu_pvc");
    expect_name(mez_targets_find_ip(targets, 0x030f4007), "intel_gpu_pvc_vg");
    assert_null(mez_targets_find_ip(targets, 0));
    assert_null(mez_targets_find_ip(targets, 0x3f000000));
}

static void pci_ids_are_found(void **state)
{
    (void)state;
    expect_name(mez_targets_find_pci(targets, 0x8086, 0x1912), "intel_gpu_skl");
    expect_name(mez_targets_find_pci(targets, 0x8086, 0x9a49), "intel_gpu_tgllp");
    expect_name(mez_targets_find_pci(targets, 0x8086, 0x56a0), "intel_gpu_acm_g10");
    expect_name(mez_targets_find_pci(targets, 0x8086, 0x0bd5), "intel_gpu_pvc");
    expect_name(mez_targets_find_pci(targets, 0x8086, 0xff20), "intel_gpu_tgllp");
    assert_null(mez_targets_find_pci(targets, 0x8086, 0));
    assert_null(mez_targets_find_pci(targets, 0, 0x9a49));
}

static void sets_are_full(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < mez_targets_get_count(targets); i++) {
        const mez_target *target = mez_targets_get_target(targets, i);
        if (strncmp(target->name, "intel_gpu_", 10) != 0)
            continue;
        assert_true(mez_target_has(target, MEZ_ASPECT_gpu));
        assert_true(mez_target_has(target, MEZ_ASPECT_fp16));
        assert_true(mez_target_has(target, MEZ_ASPECT_atomic64));
        assert_true(mez_target_has(target, MEZ_ASPECT_usm_shared_allocations));
        assert_true(mez_target_has(target, MEZ_ASPECT_online_compiler));
        assert_false(mez_target_has(target, MEZ_ASPECT_cpu));
        assert_true(mez_target_has_sub_group_size(target, 16));
        assert_string_equal(target->aot_toolchain, "ocloc");
    }
}

static void families_differ(void **state)
{
    (void)state;
    assert_true(mez_target_has(find("skl"), MEZ_ASPECT_fp64));
    assert_true(mez_target_has(find("pvc"), MEZ_ASPECT_fp64));
    assert_false(mez_target_has(find("tgllp"), MEZ_ASPECT_fp64));
    assert_false(mez_target_has(find("acm_g10"), MEZ_ASPECT_fp64));
    assert_true(mez_target_has_sub_group_size(find("tgllp"), 8));
    assert_false(mez_target_has_sub_group_size(find("pvc"), 8));
    assert_true(mez_target_has(find("tgllp"), MEZ_ASPECT_image));
    assert_false(mez_target_has(find("pvc"), MEZ_ASPECT_image));
    assert_true(mez_target_has(find("pvc"), MEZ_ASPECT_ext_intel_matrix));
    assert_false(mez_target_has(find("pvc_vg"), MEZ_ASPECT_ext_intel_matrix));
    assert_int_equal(find("skl")->max_group_size, 256);
    assert_string_equal(find("adl_s")->aot_options, "-device adl-s");
    assert_true(mez_target_has(find("x86_64"), MEZ_ASPECT_cpu));
    assert_true(mez_target_has(find("spir64"), MEZ_ASPECT_fp64)); // nothing is known of it
}

// Of whatever Intel's drivers of the last years know.
static void later_devices_have_limits(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint64_t group_size, kilobytes;
    } cases[] = {
        {"adl_p", 512, 64},
        {"adl_n", 512, 64},
        {"acm_g10", 1024, 64},
        {"dg2", 1024, 64},
        {"pvc", 1024, 128},
        {"pvc_vg", 1024, 128},
        {"mtl", 1024, 64},
        {"mtl_h", 1024, 64},
        {"arl_h", 1024, 64},
        {"bmg", 1024, 128},
        {"bmg_g21", 1024, 128},
        {"bmg_g31", 1024, 128},
        {"lnl_m", 1024, 128},
        {"ptl", 1024, 128},
        {"ptl_u", 1024, 128},
        {"wcl", 1024, 128},
        {"nvl_s", 1024, 128},
        {"nvl_u", 1024, 128},
        {"nvl_p", 1024, 192},
        {"cri", 1024, 384},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const mez_target *target = find(cases[i].name);
        assert_int_equal(target->max_group_size, cases[i].group_size);
        assert_int_equal(target->max_local_memory, cases[i].kilobytes * 1024);
        assert_int_equal(target->max_argument_size, 2048);
    }
}

static void fixed_targets_are_aspects_or_ip_versions(void **state)
{
    (void)state;
    const mez_target *tgllp = find("tgllp");
    assert_true(mez_target_is(tgllp, MEZ_ASPECTS_CLASSIC, 2));
    assert_false(mez_target_is(tgllp, MEZ_ASPECTS_CLASSIC, 1));
    assert_true(mez_target_is(tgllp, MEZ_ASPECTS_CLASSIC, 0x03000000));
    assert_true(mez_target_is(tgllp, MEZ_ASPECTS_CLASSIC, 0x03000002));
    assert_false(mez_target_is(tgllp, MEZ_ASPECTS_CLASSIC, 0x03004000));
    assert_true(mez_target_is(tgllp, MEZ_ASPECTS_CLASSIC, 28));
    assert_true(mez_target_is(tgllp, MEZ_ASPECTS_RENUMBERED, 27));
    assert_false(mez_target_is(tgllp, MEZ_ASPECTS_CLASSIC, 27));
    assert_true(mez_target_is(find("spir64"), MEZ_ASPECTS_CLASSIC, 0x03000000));
    assert_false(mez_target_is(find("x86_64"), MEZ_ASPECTS_CLASSIC, 0x03000000));
}

// Last, as the process then has another table.
static void the_environment_names_another_file(void **state)
{
    (void)state;
    const mez_targets *chosen;
    setenv("MEZ_DEVICE_CONFIG", "/does/not/exist.yaml", 1);
    const mez_error error = mez_targets_get_default(&chosen);
    assert_story(error, MEZ_ERRC_FILE, "MEZ_DEVICE_CONFIG=/does/not/exist.yaml");
    assert_null(chosen);
    char path[] = "/tmp/mez-targets-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, "mine:\n", 6), 6);
    close(file);
    setenv("MEZ_DEVICE_CONFIG", path, 1);
    assert_ok(mez_targets_get_default(&chosen));
    assert_int_equal(mez_targets_get_count(chosen), 1);
    unlink(path);
    const mez_targets *again;
    assert_ok(mez_targets_get_default(&again)); // read once
    assert_ptr_equal(chosen, again);
}

int main(int count, char **arguments)
{
    if (count != 2)
        return 2;
    void *path = arguments + 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(the_file_has_nothing_odd, path),
        cmocka_unit_test(names_are_found_in_every_spelling),
        cmocka_unit_test(misspelt_names_get_a_hint),
        cmocka_unit_test(every_target_finds_itself),
        cmocka_unit_test(ip_versions_are_found_without_revision),
        cmocka_unit_test(pci_ids_are_found),
        cmocka_unit_test(sets_are_full),
        cmocka_unit_test(families_differ),
        cmocka_unit_test(later_devices_have_limits),
        cmocka_unit_test(fixed_targets_are_aspects_or_ip_versions),
        cmocka_unit_test(the_environment_names_another_file),
    };
    return cmocka_run_group_tests(tests, open_table, NULL);
}
