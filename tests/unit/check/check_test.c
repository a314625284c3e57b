// SPDX-License-Identifier: MIT
//
// What is judged, in which order, and in which words.

#include "base/alloc.h"
#include "device.h"

// The sentence for one requirement, and what the device has; NULL: it has it. Overwritten by the next call.
static char said[1024], reported_has[1024];

static mez_answer ask(const mez_requirement *requirement, const mez_target *target)
{
    mez_requirements requirements = {.image = "image.spv"};
    mez_check_device device = mez_check_device_of("device", target);
    device.spirv_version = 1 << 16 | 2;
    mez_verdict verdict;
    assert_ok(mez_requirements_add(&requirements, requirement));
    assert_ok(mez_check(&requirements, &device, &verdict));
    const mez_answer answer = verdict.answer;
    assert_int_equal(answer, mez_check_one(requirement, MEZ_ASPECTS_CLASSIC, &device));
    assert_int_equal(answer != MEZ_LACKS, mez_check_passes(&requirements, &device));
    assert_int_equal(answer == MEZ_HAS, verdict.count == 0);
    said[0] = reported_has[0] = '\0';
    for (uint32_t i = 0; i < verdict.count; i++) {
        snprintf(said + strlen(said), sizeof said - strlen(said), "%s%s", i ? "|" : "",
            verdict.reasons[i].text);
        snprintf(reported_has + strlen(reported_has), sizeof reported_has - strlen(reported_has),
            "%s%s", i ? "|" : "", verdict.reasons[i].has);
    }
    mez_verdict_finish(&verdict);
    mez_requirements_finish(&requirements);
    return answer;
}

static void expect(const mez_requirement requirement, const mez_target *target, mez_answer answer,
    const char *sentence, const char *has)
{
    assert_int_equal(ask(&requirement, target), answer);
    assert_string_equal(said, sentence);
    assert_string_equal(reported_has, has);
}

static void a_missing_aspect_is_reported_in_the_published_words(void **state)
{
    (void)state;
    const mez_target target = small_target();
    expect((mez_requirement)REQUIRES_ASPECT(fp16), &target, MEZ_HAS, "", "");
    expect((mez_requirement)REQUIRES_ASPECT(fp64), &target, MEZ_LACKS,
        "Kernel uses optional feature corresponding to 'aspect::fp64' but device does not support "
        "this aspect.",
        "the device has gpu, fp16");
    mez_target bare = target;
    bare.aspects = (mez_aspects){0};
    expect((mez_requirement)REQUIRES_ASPECT(fp16), &bare, MEZ_LACKS,
        "Kernel uses optional feature corresponding to 'aspect::fp16' but device does not support "
        "this aspect.",
        "the device has no aspect");
}

static void an_aspect_without_a_name_is_looked_for_by_number(void **state)
{
    (void)state;
    mez_target target = small_target();
    expect((mez_requirement)REQUIRES_NUMBER(4711), &target, MEZ_LACKS, "Unknown aspect 4711",
        "the device has gpu, fp16");
    target.unnamed_aspects[0] = 4711;
    target.unnamed_aspect_count = 1;
    expect((mez_requirement)REQUIRES_NUMBER(4711), &target, MEZ_HAS, "", "");
    expect((mez_requirement)REQUIRES_NUMBER(4712), &target, MEZ_LACKS, "Unknown aspect 4712",
        "the device has gpu, fp16, and others");
}

static void targets_that_do_not_list_all_aspects_only_warn(void **state)
{
    (void)state;
    mez_target target = small_target();
    target.may_support_other_aspects = true;
    expect((mez_requirement)REQUIRES_ASPECT(fp64), &target, MEZ_MAY_HAVE,
        "Kernel uses optional feature corresponding to 'aspect::fp64', but it is not known whether "
        "the device supports this aspect.",
        "the device has gpu, fp16");
    expect((mez_requirement)REQUIRES_ASPECT(gpu), &target, MEZ_HAS, "", "");
    const mez_target nothing = {.name = "mystery"};
    assert_int_equal(ask(&(mez_requirement)REQUIRES_ASPECT(fp64), &nothing), MEZ_MAY_HAVE);
    assert_string_equal(reported_has, "the aspects of the device are unknown");
}

static void what_devices_do_not_report_refuses_only_where_it_is_declared(void **state)
{
    (void)state;
    const mez_target target = small_target();
    mez_requirement requirement = REQUIRES_ASPECT(ext_oneapi_atomic16);
    assert_int_equal(ask(&requirement, &target), MEZ_LACKS);
    requirement.aspect.only_used = true;
    assert_int_equal(ask(&requirement, &target), MEZ_MAY_HAVE);
    requirement.aspect.name = MEZ_ASPECT_fp64;
    assert_int_equal(ask(&requirement, &target), MEZ_LACKS);
}

static void what_only_compilers_need_warns(void **state)
{
    (void)state;
    const mez_target target = small_target();
    mez_requirement maybe = REQUIRES_ASPECT(fp64);
    maybe.aspect.perhaps = true;
    expect(maybe, &target, MEZ_MAY_HAVE,
        "Kernel copies structs in private memory, which with some compilers needs 'aspect::fp64', "
        "but the device does not support this aspect.",
        "the device has gpu, fp16");
    const mez_requirement certain = REQUIRES_ASPECT(fp64);
    mez_requirements requirements = {0};
    assert_ok(mez_requirements_add(&requirements, &maybe));
    assert_ok(mez_requirements_add(&requirements, &certain));
    assert_ok(mez_requirements_add(&requirements, &maybe));
    assert_int_equal(requirements.count, 1);
    assert_false(requirements.items[0].aspect.perhaps);
    mez_requirements_finish(&requirements);
}

static void a_missing_sub_group_size_is_reported_in_the_published_words(void **state)
{
    (void)state;
    mez_target target = small_target();
    expect((mez_requirement)REQUIRES_SUB_GROUPS(32), &target, MEZ_HAS, "", "");
    expect((mez_requirement)REQUIRES_SUB_GROUPS(8), &target, MEZ_LACKS,
        "Kernel has a required sub-group size of '8' but device does not support this sub-group "
        "size.",
        "the device has sub-groups of 16, 32");
    target.sub_group_size_count = 0;
    expect((mez_requirement)REQUIRES_SUB_GROUPS(8), &target, MEZ_MAY_HAVE,
        "Kernel has a required sub-group size of '8', and which sizes the device supports is not "
        "known.",
        "the sub-group sizes of the device are unknown");
}

static void a_work_group_that_is_too_large_is_reported_in_the_published_words(void **state)
{
    (void)state;
    const mez_target target = small_target();
    expect((mez_requirement)REQUIRES_GROUPS(8, 8, 8), &target, MEZ_HAS, "", "");
    expect((mez_requirement)REQUIRES_GROUPS(16, 8, 8), &target, MEZ_LACKS,
        "Required work-group size 1024 is not supported on the device",
        "the device runs at most 512 work-items together");
    expect((mez_requirement)REQUIRES_GROUPS(1, 1, 128), &target, MEZ_LACKS,
        "Required work-group size 128 is not supported",
        "the device runs at most 64 work-items together in dimension 2");
}

static void a_work_group_can_be_too_large_in_several_ways(void **state)
{
    (void)state;
    const mez_target target = small_target();
    expect((mez_requirement)REQUIRES_GROUPS(1024, 1, 65), &target, MEZ_LACKS,
        "Required work-group size 66560 is not supported on the device|"
        "Required work-group size 1024 is not supported|"
        "Required work-group size 65 is not supported",
        "the device runs at most 512 work-items together|"
        "the device runs at most 512 work-items together in dimension 0|"
        "the device runs at most 64 work-items together in dimension 2");
}

static void work_items_beyond_counting_are_refused_by_every_device(void **state)
{
    (void)state;
    static const char text[] = "Required work-group size is not supported (total number of "
                               "work-items requested can't fit into size_t)";
    const mez_target unlimited = {.name = "mystery"};
    expect((mez_requirement)REQUIRES_GROUPS(UINT64_C(1) << 32, UINT64_C(1) << 31, 2), &unlimited,
        MEZ_LACKS, text, "no device has that many");
    expect((mez_requirement)REQUIRES_GROUPS(UINT64_MAX, UINT64_MAX, 1), &unlimited, MEZ_LACKS, text,
        "no device has that many");
    mez_target target = small_target();
    target.max_group_sizes[0] = 0;
    expect((mez_requirement)REQUIRES_GROUPS(UINT64_MAX, 2, 1), &target, MEZ_LACKS, text,
        "the device runs at most 512 work-items together");
}

static void unknown_limits_of_work_groups_only_warn(void **state)
{
    (void)state;
    const mez_target unlimited = {.name = "mystery"};
    expect((mez_requirement)REQUIRES_GROUPS(16, 1, 1), &unlimited, MEZ_MAY_HAVE,
        "Required work-group size 16, but it is not known how large work-groups can be on the "
        "device",
        "the limit depends on the device of the target");
}

// --- Fixed targets

static void too_much_local_memory_is_reported(void **state)
{
    (void)state;
    mez_target target = small_target();
    expect((mez_requirement)REQUIRES_BYTES(LOCAL_MEMORY, 65536), &target, MEZ_HAS, "", "");
    expect((mez_requirement)REQUIRES_BYTES(LOCAL_MEMORY, 65537), &target, MEZ_LACKS,
        "Kernel uses 65537 bytes of local memory, which is more than the device has for a "
        "work-group.",
        "a work-group of the device has 65536 bytes");
    target.max_local_memory = 0;
    expect((mez_requirement)REQUIRES_BYTES(LOCAL_MEMORY, 65537), &target, MEZ_MAY_HAVE,
        "Kernel uses 65537 bytes of local memory, but it is not known how much the device has.",
        "the limit depends on the device of the target");
}

static void arguments_that_are_too_large_are_reported(void **state)
{
    (void)state;
    mez_target target = small_target();
    expect((mez_requirement)REQUIRES_BYTES(ARGUMENTS, 2048), &target, MEZ_HAS, "", "");
    expect((mez_requirement)REQUIRES_BYTES(ARGUMENTS, 2049), &target, MEZ_LACKS,
        "Kernel has arguments of 2049 bytes together, which is more than the device takes.",
        "the device takes 2048 bytes");
    target.max_argument_size = 0;
    expect((mez_requirement)REQUIRES_BYTES(ARGUMENTS, 2049), &target, MEZ_MAY_HAVE,
        "Kernel has arguments of 2049 bytes together, but it is not known how much the device "
        "takes.",
        "the limit depends on the device of the target");
}

static void native_code_runs_on_what_it_was_compiled_for(void **state)
{
    (void)state;
    const mez_target target = small_target();
    mez_requirement requirement = {
        .kind = MEZ_REQUIRES_ARCHITECTURE, .architecture = "intel_gpu_pvc"};
    expect(requirement, &target, MEZ_LACKS,
        "Code was compiled for 'intel_gpu_pvc', but the device is another one and can't run it.",
        "the device is intel_gpu_tgllp");
    requirement.architecture = "tgl";
    expect(requirement, &target, MEZ_HAS, "", "");
    requirement.architecture = "spir64_gen";
    expect(requirement, &target, MEZ_MAY_HAVE,
        "Code was compiled for 'spir64_gen', but it is not known whether the device can run it.",
        "the device is intel_gpu_tgllp");
    mez_target newer = target;
    newer.name = "intel_gpu_lnl_m";
    requirement.architecture = "bmg_g21"; // whose code it runs
    expect(requirement, &newer, MEZ_HAS, "", "");
}

static void expect_fixed(const uint32_t *values, uint32_t count, const mez_target *target,
    mez_answer answer, const char *sentence)
{
    const mez_requirement requirement = {
        .kind = MEZ_REQUIRES_FIXED_TARGET, .fixed_target = {values, count}};
    assert_int_equal(ask(&requirement, target), answer);
    assert_string_equal(said, sentence);
}

static void fixed_targets_are_ip_versions_without_their_revision(void **state)
{
    (void)state;
    const mez_target target = small_target();
    expect_fixed((const uint32_t[]){0x030f0007, 0x03000005}, 2, &target, MEZ_HAS, "");
    expect_fixed((const uint32_t[]){0x0fc04000}, 1, &target, MEZ_LACKS,
        "Kernel was compiled with '-fsycl-fixed-targets=intel_gpu_63_1_0' but was submitted to a "
        "different device.");
    assert_string_equal(reported_has, "the device is intel_gpu_tgllp");
    expect_fixed((const uint32_t[]){0x030f0007}, 1, &target, MEZ_LACKS,
        "Kernel was compiled with '-fsycl-fixed-targets=intel_gpu_pvc' but was submitted to a "
        "different device.");
}

static void fixed_targets_are_aspects_too(void **state)
{
    (void)state;
    const mez_target target = small_target();
    expect_fixed((const uint32_t[]){1, 2}, 2, &target, MEZ_HAS, ""); // cpu, gpu
    expect_fixed((const uint32_t[]){1, 4711}, 2, &target, MEZ_LACKS,
        "Kernel was compiled with '-fsycl-fixed-targets=cpu,4711' but was submitted to a different "
        "device.");
}

static void no_device_fits_an_empty_list_of_fixed_targets(void **state)
{
    (void)state;
    mez_target target = small_target();
    static const char text[] =
        "Kernel was compiled with '-fsycl-fixed-targets=' but was submitted to a different device.";
    expect_fixed(NULL, 0, &target, MEZ_LACKS, text);
    assert_string_equal(reported_has,
        "the device is intel_gpu_tgllp; no device can run this, because "
        "code for different targets was combined");
    target.ip_version_count = 0;
    target.may_support_other_aspects = true;
    expect_fixed(NULL, 0, &target, MEZ_LACKS, text);
}

static void a_target_that_stands_for_many_devices_may_be_a_fixed_one(void **state)
{
    (void)state;
    const mez_target spir64 = {
        .name = "spir64", .aspects_known = true, .may_support_other_aspects = true};
    expect_fixed((const uint32_t[]){0x0fc04000}, 1, &spir64, MEZ_MAY_HAVE,
        "Kernel was compiled with '-fsycl-fixed-targets=intel_gpu_63_1_0', and which devices this "
        "target stands for is not known.");
}

// --- What only warns

static void newer_spirv_only_warns(void **state)
{
    (void)state;
    const mez_target target = small_target();
    mez_requirement requirement = {
        .kind = MEZ_REQUIRES_SPIRV_VERSION, .spirv_version = 1 << 16 | 4};
    expect(requirement, &target, MEZ_MAY_HAVE,
        "The module is SPIR-V 1.4, but the device supports at most 1.2",
        "its compiler may take newer modules");
    requirement.spirv_version = 1 << 16 | 2;
    expect(requirement, &target, MEZ_HAS, "", "");
}

static void features_that_no_aspect_covers_only_warn(void **state)
{
    (void)state;
    const mez_target target = small_target();
    expect((mez_requirement){.kind = MEZ_REQUIRES_CAPABILITY, .capability = 999999}, &target,
        MEZ_MAY_HAVE,
        "The module declares capability 999999, but devices do not report whether they support it",
        "its compiler knows");
    expect((mez_requirement){.kind = MEZ_REQUIRES_EXTENSION, .extension = "SPV_MINE_more"}, &target,
        MEZ_MAY_HAVE,
        "The module declares SPV_MINE_more, but devices do not report whether they support it",
        "its compiler knows");
}

// --- Together

static void everything_is_reported_at_once_in_the_published_order(void **state)
{
    (void)state;
    static const uint32_t elsewhere[] = {0x0fc04000};
    static const mez_requirement backwards[] = {
        REQUIRES_WORDS(MATRIX_MAD, "fp16,fp16,fp32,fp32,8,16,16"),
        REQUIRES_WORDS(MATRIX, "fp16,a,8,16"),
        REQUIRES_BYTES(ARGUMENTS, 4096),
        REQUIRES_BYTES(LOCAL_MEMORY, 100000),
        REQUIRES_GROUPS(1024, 1, 1),
        REQUIRES_SUB_GROUPS(8),
        REQUIRES_ASPECT(fp64),
        REQUIRES_ASPECT(atomic64),
        {.kind = MEZ_REQUIRES_FIXED_TARGET, .fixed_target = {elsewhere, 1}},
        {.kind = MEZ_REQUIRES_ARCHITECTURE, .architecture = "pvc"},
    };
    static const char *const order[] = {"compiled for", "fixed-targets", "fp64", "atomic64",
        "sub-group", "size 1024 is not supported on", "size 1024 is not supported", "local memory",
        "arguments", "joint_matrix is", "joint_matrix_mad is"};
    const mez_target target = small_target();
    const mez_check_device device = mez_check_device_of("device", &target);
    mez_requirements requirements = {.image = "image.spv"};
    for (size_t i = 0; i < sizeof backwards / sizeof *backwards; i++)
        assert_ok(mez_requirements_add(&requirements, &backwards[i]));
    mez_verdict verdict;
    assert_ok(mez_check(&requirements, &device, &verdict));
    assert_int_equal(verdict.count, sizeof order / sizeof *order);
    for (uint32_t i = 0; i < verdict.count; i++)
        assert_contains(verdict.reasons[i].text, order[i]);
    mez_verdict_finish(&verdict);
    mez_requirements_finish(&requirements);
}

static void what_is_required_twice_is_reported_once(void **state)
{
    (void)state;
    static const mez_requirement some[] = {REQUIRES_ASPECT(fp64), REQUIRES_NUMBER(4711),
        REQUIRES_SUB_GROUPS(8), REQUIRES_GROUPS(1, 2, 3), REQUIRES_BYTES(LOCAL_MEMORY, 5),
        REQUIRES_BYTES(ARGUMENTS, 5), REQUIRES_WORDS(MATRIX, "x"),
        {.kind = MEZ_REQUIRES_SPIRV_VERSION, .spirv_version = 7},
        {.kind = MEZ_REQUIRES_CAPABILITY, .capability = 8},
        {.kind = MEZ_REQUIRES_ARCHITECTURE, .architecture = "pvc"},
        {.kind = MEZ_REQUIRES_EXTENSION, .extension = "SPV_MINE_more"}};
    enum { COUNT = sizeof some / sizeof *some };
    mez_requirements requirements = {0};
    for (size_t i = 0; i < 2 * (size_t)COUNT; i++)
        assert_ok(mez_requirements_add(&requirements, &some[i % COUNT]));
    assert_int_equal(requirements.count, COUNT);
    mez_requirements_finish(&requirements);
    assert_int_equal(requirements.count, 0);
}

static void endless_lists_take_no_endless_time(void **state)
{
    (void)state;
    mez_requirements requirements = {0};
    for (uint32_t i = 0; i < 200000; i++) {
        const mez_requirement requirement = REQUIRES_NUMBER(1000 + i);
        assert_ok(mez_requirements_add(&requirements, &requirement));
    }
    assert_int_equal(requirements.count, 200000);
    mez_requirements_finish(&requirements);
}

static void a_declaration_counts_beside_a_use(void **state)
{
    (void)state;
    const mez_requirement declared = REQUIRES_ASPECT(ext_oneapi_atomic16);
    mez_requirement used = declared;
    used.aspect.only_used = true;
    mez_requirements requirements = {0};
    assert_ok(mez_requirements_add(&requirements, &used));
    assert_true(requirements.items[0].aspect.only_used);
    assert_ok(mez_requirements_add(&requirements, &declared));
    assert_ok(mez_requirements_add(&requirements, &used));
    assert_int_equal(requirements.count, 1);
    assert_false(requirements.items[0].aspect.only_used);
    mez_requirements_finish(&requirements);
}

static void another_size_or_number_is_another_requirement(void **state)
{
    (void)state;
    static const mez_requirement some[] = {REQUIRES_ASPECT(fp64), REQUIRES_ASPECT(fp16),
        REQUIRES_NUMBER(1), REQUIRES_NUMBER(2), REQUIRES_GROUPS(1, 2, 3), REQUIRES_GROUPS(1, 2, 4),
        REQUIRES_BYTES(ARGUMENTS, 5), REQUIRES_BYTES(ARGUMENTS, 6), REQUIRES_WORDS(MATRIX, "x"),
        REQUIRES_WORDS(MATRIX_MAD, "x")};
    mez_requirements requirements = {0};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        assert_ok(mez_requirements_add(&requirements, &some[i]));
    assert_int_equal(requirements.count, sizeof some / sizeof *some);
    mez_requirements_finish(&requirements);
}

static void every_lack_of_memory_is_reported(void **state)
{
    (void)state;
    static const mez_requirement some[] = {REQUIRES_ASPECT(fp64), REQUIRES_SUB_GROUPS(8),
        REQUIRES_GROUPS(1024, 1, 65), REQUIRES_WORDS(MATRIX, "matrix_type::fp16,use::a,8,16")};
    const mez_target target = small_target();
    const mez_check_device device = mez_check_device_of("device", &target);
    for (uint64_t n = 1;; n++) {
        mez_requirements requirements = {.image = "image.spv"};
        mez_error error = mez_ok();
        mez_alloc_fail_at(n);
        for (size_t i = 0; i < sizeof some / sizeof *some && !mez_failed(error); i++)
            error = mez_requirements_add(&requirements, &some[i]);
        if (!mez_failed(error))
            error = mez_check_refuse(&requirements, &device, NULL);
        const uint64_t tried = mez_alloc_fail_at(0);
        mez_requirements_finish(&requirements);
        assert_true(mez_failed(error));
        if (!mez_error_is(error, MEZ_ERRC_OUT_OF_HOST_MEMORY))
            assert_condition(error, MEZ_ERRC_KERNEL_NOT_SUPPORTED);
        if (tried < n)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_aspect_is_reported_in_the_published_words),
        cmocka_unit_test(an_aspect_without_a_name_is_looked_for_by_number),
        cmocka_unit_test(targets_that_do_not_list_all_aspects_only_warn),
        cmocka_unit_test(what_devices_do_not_report_refuses_only_where_it_is_declared),
        cmocka_unit_test(what_only_compilers_need_warns),
        cmocka_unit_test(a_missing_sub_group_size_is_reported_in_the_published_words),
        cmocka_unit_test(a_work_group_that_is_too_large_is_reported_in_the_published_words),
        cmocka_unit_test(a_work_group_can_be_too_large_in_several_ways),
        cmocka_unit_test(work_items_beyond_counting_are_refused_by_every_device),
        cmocka_unit_test(unknown_limits_of_work_groups_only_warn),
        cmocka_unit_test(native_code_runs_on_what_it_was_compiled_for),
        cmocka_unit_test(too_much_local_memory_is_reported),
        cmocka_unit_test(arguments_that_are_too_large_are_reported),
        cmocka_unit_test(fixed_targets_are_ip_versions_without_their_revision),
        cmocka_unit_test(fixed_targets_are_aspects_too),
        cmocka_unit_test(no_device_fits_an_empty_list_of_fixed_targets),
        cmocka_unit_test(a_target_that_stands_for_many_devices_may_be_a_fixed_one),
        cmocka_unit_test(newer_spirv_only_warns),
        cmocka_unit_test(features_that_no_aspect_covers_only_warn),
        cmocka_unit_test(everything_is_reported_at_once_in_the_published_order),
        cmocka_unit_test(what_is_required_twice_is_reported_once),
        cmocka_unit_test(endless_lists_take_no_endless_time),
        cmocka_unit_test(a_declaration_counts_beside_a_use),
        cmocka_unit_test(another_size_or_number_is_another_requirement),
        cmocka_unit_test(every_lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
