// SPDX-License-Identifier: MIT
//
// Device code as programs see it: what is in it, and what targets lack.

#include <stdlib.h>

#include <mezzanine/toolchain.h>

#include "base/alloc.h"
#include "base/file.h"
#include "unit.h"

static char path[1024]; // of kernels that require different things: tests/unit/check/units.cl

static int find_file(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "%s/check_units.spv", getenv("MEZ_CHECK_FILES"));
    return 0;
}

static const mez_target *find_target(const char *name)
{
    const mez_targets *targets;
    assert_ok(mez_targets_get_default(&targets));
    const mez_target *target = mez_targets_find(targets, name, NULL);
    assert_non_null(target);
    return target;
}

static uint32_t find_kernel(const mez_code *code, const char *name)
{
    for (uint32_t i = 0; i < mez_code_get_kernel_count(code); i++)
        if (strcmp(mez_code_get_kernel(code, i)->name, name) == 0)
            return i;
    fail_msg("there is no kernel %s", name);
    return 0;
}

static void code_says_what_is_in_it(void **state)
{
    (void)state;
    mez_code *code;
    char text[16];
    assert_ok(mez_code_load(path, &code));
    assert_int_equal(mez_code_get_binary_count(code), 1);
    assert_null(mez_code_get_binary(code, 1));
    const mez_code_binary *binary = mez_code_get_binary(code, 0);
    assert_int_equal(binary->format, MEZ_BINARY_SPIRV);
    assert_string_equal(binary->source, path);
    assert_non_null(binary->bytes);
    assert_ok(binary->error);
    const uint32_t index = find_kernel(code, "sizes");
    const mez_code_kernel *sizes = mez_code_get_kernel(code, index);
    assert_int_equal(sizes->binary, 0);
    assert_true(sizes->arguments_known);
    assert_int_equal(sizes->argument_count, 1);
    assert_int_equal(sizes->group_size[0], 1024);
    assert_int_equal(sizes->sub_group_size, 8);
    assert_false(sizes->may_assert);
    assert_null(mez_code_get_kernel(code, mez_code_get_kernel_count(code)));
    const size_t length = mez_code_get_argument(code, index, 0, text, sizeof text);
    assert_true(length > 0);
    assert_contains("global float *x", text);
    assert_int_equal(mez_code_get_argument(code, index, 0, text, 7), length);
    assert_string_equal(text, "global");
    assert_int_equal(mez_code_get_argument(code, index, 1, text, sizeof text), 0);
    assert_string_equal(text, "");
    mez_code_destroy(&code);
    assert_null(code);
    mez_code_destroy(&code);
}

static void bytes_are_copied(void **state)
{
    (void)state;
    mez_file file;
    mez_code *code;
    assert_ok(mez_file_read(path, &file));
    assert_ok(mez_code_read(file.bytes, file.size, NULL, &code));
    memset(file.bytes, 0, file.size);
    mez_file_finish(&file);
    const mez_code_binary *binary = mez_code_get_binary(code, 0);
    assert_string_equal(binary->source, "code");
    assert_int_equal(*(const uint32_t *)binary->bytes, 0x07230203);
    mez_code_destroy(&code);
}

static void other_bytes_are_refused(void **state)
{
    (void)state;
    mez_code *code;
    static const uint32_t damaged[] = {0x07230203, 0x00010000, 0, 7, 0, 0x00ff0011};
    assert_story(mez_code_load("/nowhere/a.spv", &code), MEZ_ERRC_FILE, "/nowhere/a.spv");
    assert_null(code);
    assert_story(mez_code_load("/proc/self/cmdline", &code), MEZ_ERRC_INVALID_IMAGE, "cmdline");
    assert_story(mez_code_load(NULL, &code), MEZ_ERRC_INVALID_PARAMETER, "needs \"path\"");
    assert_condition(mez_code_load(path, NULL), MEZ_ERRC_INVALID_PARAMETER);
    assert_story(mez_code_read("text", 4, "notes", &code), MEZ_ERRC_INVALID_IMAGE, "notes");
    assert_story(mez_code_read(damaged, sizeof damaged, "damaged", &code), MEZ_ERRC_INVALID_IMAGE,
        "damaged");
    assert_null(code);
    assert_story(mez_code_read(NULL, 4, NULL, &code), MEZ_ERRC_INVALID_PARAMETER, "\"bytes\"");
    assert_condition(mez_code_read("text", 4, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER);
    mez_alloc_fail_at(1);
    assert_story(
        mez_code_load(path, &code), MEZ_ERRC_OUT_OF_HOST_MEMORY, "a bundle of device images");
    mez_alloc_fail_at(1);
    assert_story(mez_code_read("text", 4, NULL, &code), MEZ_ERRC_OUT_OF_HOST_MEMORY, "device code");
    mez_alloc_fail_at(0);
}

static void findings_name_what_a_target_lacks(void **state)
{
    (void)state;
    mez_code *code;
    mez_findings *findings;
    assert_ok(mez_code_load(path, &code));
    mez_judge_params params = {.target = find_target("tgllp"), .kernel = "doubles"};
    assert_ok(mez_code_judge(code, &params, &findings));
    assert_int_equal(mez_findings_get_answer(findings), MEZ_LACKS);
    assert_int_equal(mez_findings_get_count(findings), 1);
    assert_null(mez_findings_get_finding(findings, 1));
    mez_code_destroy(&code);
    const mez_finding *finding = mez_findings_get_finding(findings, 0);
    assert_string_equal(finding->kernel, "doubles");
    assert_int_equal(finding->binary, 0);
    assert_int_equal(finding->answer, MEZ_LACKS);
    assert_string_equal(finding->kind, "aspect");
    assert_string_equal(finding->value, "fp64");
    assert_contains(finding->place, "in function \"scale\" (");
    assert_contains(finding->text, "aspect::fp64");
    assert_contains(finding->has, "the device has");
    mez_findings_destroy(&findings);
    assert_null(findings);
    mez_findings_destroy(&findings);
    assert_int_equal(mez_findings_get_count(NULL), 0);
}

static void findings_list_what_it_has_where_asked(void **state)
{
    (void)state;
    mez_code *code;
    mez_findings *findings;
    assert_ok(mez_code_load(path, &code));
    mez_judge_params params = {.target = find_target("pvc"), .kernel = "doubles"};
    assert_ok(mez_code_judge(code, &params, &findings));
    assert_int_equal(mez_findings_get_answer(findings), MEZ_HAS);
    assert_int_equal(mez_findings_get_count(findings), 0);
    mez_findings_destroy(&findings);
    params.all = true;
    assert_ok(mez_code_judge(code, &params, &findings));
    assert_int_equal(mez_findings_get_answer(findings), MEZ_HAS);
    assert_true(mez_findings_get_count(findings) > 0);
    assert_string_equal(mez_findings_get_finding(findings, 0)->value, "fp64");
    assert_string_equal(mez_findings_get_finding(findings, 0)->text, "");
    mez_findings_destroy(&findings);
    mez_code_destroy(&code);
}

static void what_can_not_be_judged_is_refused(void **state)
{
    (void)state;
    mez_code *code;
    mez_findings *findings;
    const mez_target *target = find_target("tgllp");
    assert_ok(mez_code_load(path, &code));
    assert_story(
        mez_code_judge(code, &(mez_judge_params){.target = target, .kernel = "none"}, &findings),
        MEZ_ERRC_KERNEL, "\"none\"");
    assert_story(
        mez_code_judge(code, &(mez_judge_params){.target = target, .kernel = "none"}, &findings),
        MEZ_ERRC_KERNEL, ", sizes");
    assert_null(findings);
    assert_story(mez_code_judge(code, &(mez_judge_params){0}, &findings),
        MEZ_ERRC_INVALID_PARAMETER, "\"params->target\"");
    assert_condition(mez_code_judge(code, NULL, &findings), MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(mez_code_judge(NULL, &(mez_judge_params){.target = target}, &findings),
        MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(mez_code_judge(code, &(mez_judge_params){.target = target}, NULL),
        MEZ_ERRC_INVALID_PARAMETER);
    assert_story(
        mez_code_judge(code, &(mez_judge_params){.target = target, .compiler = "x"}, &findings),
        MEZ_ERRC_INVALID_PARAMETER, "\"x\"");
    assert_story(
        mez_code_judge(code, &(mez_judge_params){.target = target, .reserved = {1}}, &findings),
        MEZ_ERRC_INVALID_PARAMETER, "mez_judge_params.reserved");
    mez_alloc_fail_at(1);
    assert_story(mez_code_judge(code, &(mez_judge_params){.target = target}, &findings),
        MEZ_ERRC_OUT_OF_HOST_MEMORY, "findings");
    mez_alloc_fail_at(0);
    mez_code_destroy(&code);
}

static void nothing_is_asked_of_nothing(void **state)
{
    (void)state;
    size_t size = 1;
    char text[4] = "x";
    mez_target_limits limits;
    assert_int_equal(mez_code_get_binary_count(NULL), 0);
    assert_null(mez_code_get_binary(NULL, 0));
    assert_int_equal(mez_code_get_kernel_count(NULL), 0);
    assert_null(mez_code_get_kernel(NULL, 0));
    assert_int_equal(mez_code_get_argument(NULL, 0, 0, text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(mez_findings_get_answer(NULL), MEZ_MAY_HAVE);
    assert_int_equal(mez_findings_get_count(NULL), 0);
    assert_null(mez_findings_get_finding(NULL, 0));
    assert_int_equal(mez_targets_get_count(NULL), 0);
    assert_null(mez_targets_get_target(NULL, 0));
    assert_null(mez_target_get_name(NULL));
    assert_false(mez_target_has_aspect(NULL, "fp64"));
    assert_false(mez_target_has_aspect(find_target("tgllp"), NULL));
    assert_int_equal(mez_target_get_aspects(NULL, NULL, 0), 0);
    mez_target_get_limits(NULL, &limits);
    assert_string_equal(limits.compiler, "");
    assert_int_equal(mez_split_get_image_count(NULL), 0);
    assert_int_equal(mez_build_get_image_count(NULL, 0), 0);
    assert_null(mez_compilation_get_code(NULL, &size));
    assert_int_equal(size, 0);
    assert_string_equal(mez_compilation_get_log(NULL), "");
    assert_int_equal(mez_compilation_get_file_count(NULL), 0);
    assert_null(mez_compilation_get_file(NULL, 0));
    assert_false(mez_compilation_option_takes_next(NULL));
    size = 1;
    assert_string_equal(mez_filter_get_text(NULL, &size), "");
    assert_int_equal(size, 0);
    assert_string_equal(mez_filter_get_text(NULL, NULL), "");
}

static void without_memory_nothing_stays(void **state)
{
    (void)state;
    const mez_judge_params params = {.target = find_target("tgllp"), .all = true};
    bool good = false;
    for (uint64_t n = 1; !good; n++) {
        mez_code *code = NULL;
        mez_findings *findings = NULL;
        mez_alloc_fail_at(n);
        mez_error error = mez_code_load(path, &code);
        if (!mez_failed(error))
            error = mez_code_judge(code, &params, &findings);
        good = mez_alloc_fail_at(0) < n;
        assert_true(!mez_failed(error) || mez_error_is(error, MEZ_ERRC_OUT_OF_HOST_MEMORY));
        assert_true(!good || findings);
        mez_findings_destroy(&findings);
        mez_code_destroy(&code);
    }
}

static void bytes_say_what_they_are(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        mez_content content;
    } cases[] = {
        {"\x03\x02\x23\x07", 4, MEZ_CONTENT_SPIRV},
        {"\x07\x23\x02\x03", 4, MEZ_CONTENT_SPIRV}, // of the other byte order
        {"BC\xc0\xde", 4, MEZ_CONTENT_LLVM},
        {"CTNI", 4, MEZ_CONTENT_NATIVE},
        {"\x28\xb5\x2f\xfd", 4, MEZ_CONTENT_ZSTD},
        {"IBYS", 4, MEZ_CONTENT_SYCLBIN},
        {"\x10\xff\x10\xad", 4, MEZ_CONTENT_OFFLOAD_BINARY},
        {"[Code]\n", 7, MEZ_CONTENT_TABLE},
        {"kernel void f() {}", 18, MEZ_CONTENT_UNKNOWN},
        {"", 0, MEZ_CONTENT_UNKNOWN},
        {NULL, 4, MEZ_CONTENT_UNKNOWN},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(mez_content_recognise(cases[i].bytes, cases[i].size), cases[i].content);
}

#define TEST(name) cmocka_unit_test(name)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(bytes_say_what_they_are),
        TEST(code_says_what_is_in_it),
        TEST(bytes_are_copied),
        TEST(other_bytes_are_refused),
        TEST(findings_name_what_a_target_lacks),
        TEST(findings_list_what_it_has_where_asked),
        TEST(what_can_not_be_judged_is_refused),
        TEST(nothing_is_asked_of_nothing),
        TEST(without_memory_nothing_stays),
    };
    return cmocka_run_group_tests(tests, find_file, NULL);
}
