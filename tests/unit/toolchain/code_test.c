// SPDX-License-Identifier: MIT
//
// Device code as programs see it: what is in it, and what targets lack.

#include <stdlib.h>

#include <mezzanine/toolchain.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/text.h"
#include "target/target.h"
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

static void findings_name_the_place_in_parts(void **state)
{
    (void)state;
    mez_code *code;
    mez_findings *findings;
    assert_ok(mez_code_load(path, &code));
    mez_judge_params params = {.target = find_target("tgllp"), .kernel = "doubles"};
    assert_ok(mez_code_judge(code, &params, &findings));
    mez_code_destroy(&code);
    const mez_finding *finding = mez_findings_get_finding(findings, 0);
    assert_int_equal(finding->requirement_kind, MEZ_REQUIRES_ASPECT);
    assert_false(finding->of_module);
    assert_false(finding->declared);
    assert_string_equal(finding->function, "scale");
    assert_contains(finding->instruction, "Op");
    assert_contains(finding->file, "units.cl");
    assert_int_equal(finding->line, 11);
    assert_true(finding->column > 0);
    assert_int_equal(finding->call_count, 2);
    assert_string_equal(finding->calls[0], "doubles");
    assert_string_equal(finding->calls[1], "scale");
    mez_findings_destroy(&findings);
}

// --- What was judged

// The number of the unit of a kernel.
static uint32_t find_unit(const mez_code *code, const char *kernel)
{
    const mez_code_unit *unit;
    for (uint32_t i = 0; (unit = mez_code_get_unit(code, i)); i++)
        if (unit->kernel && strcmp(unit->kernel, kernel) == 0)
            return i;
    fail_msg("no unit is the kernel %s", kernel);
    return 0;
}

static void units_list_what_is_required(void **state)
{
    (void)state;
    mez_code *code;
    char value[8];
    assert_ok(mez_code_load(path, &code));
    assert_int_equal(mez_code_get_unit_count(code), mez_code_get_kernel_count(code));
    assert_null(mez_code_get_unit(code, mez_code_get_unit_count(code)));
    const mez_code_unit *plain = mez_code_get_unit(code, find_unit(code, "plain"));
    assert_int_equal(plain->kernel_count, 1);
    assert_string_equal(plain->kernels[0], "plain");
    const uint32_t number = find_unit(code, "sizes");
    const mez_code_unit *sizes = mez_code_get_unit(code, number);
    assert_int_equal(sizes->binary, 0);
    const uint32_t first = sizes->first_requirement;
    const mez_code_requirement *requirement = mez_code_get_requirement(code, first);
    assert_int_equal(requirement->unit, number);
    assert_int_equal(requirement->kind, MEZ_REQUIRES_SUB_GROUP_SIZE);
    assert_string_equal(requirement->kind_name, "sub-group size");
    assert_false(requirement->of_module);
    assert_false(requirement->of_compiler);
    assert_int_equal(mez_code_get_requirement_value(code, first, value, sizeof value), 1);
    assert_string_equal(value, "8");
    assert_int_equal(mez_code_get_requirement_value(code, first + 1, value, sizeof value), 12);
    assert_string_equal(value, "1024 x ");
    const uint32_t count = mez_code_get_requirement_count(code);
    assert_true(count >= first + sizes->requirement_count);
    assert_null(mez_code_get_requirement(code, count));
    assert_int_equal(mez_code_get_requirement_value(code, count, value, sizeof value), 0);
    assert_string_equal(value, "");
    mez_code_destroy(&code);
}

static const mez_finding *finding_of(const mez_findings *findings, const char *kernel)
{
    for (uint32_t i = 0; i < mez_findings_get_count(findings); i++)
        if (strcmp(mez_findings_get_finding(findings, i)->kernel, kernel) == 0)
            return mez_findings_get_finding(findings, i);
    fail_msg("there is no finding about %s", kernel);
    return NULL;
}

// Findings of two targets are of the same requirement where they have its number.
static void targets_are_comparable(void **state)
{
    (void)state;
    mez_code *code;
    mez_findings *one, *other;
    assert_ok(mez_code_load(path, &code));
    assert_ok(mez_code_judge(code, &(mez_judge_params){.target = find_target("tgllp")}, &one));
    mez_judge_params params = {.target = find_target("pvc"), .all = true, .compiler = "2.40"};
    assert_ok(mez_code_judge(code, &params, &other));
    const mez_finding *lacks = finding_of(one, "doubles"), *has = finding_of(other, "doubles");
    assert_int_equal(lacks->answer, MEZ_LACKS);
    assert_int_equal(has->answer, MEZ_HAS);
    assert_int_equal(lacks->requirement, has->requirement);
    const uint32_t unit = find_unit(code, "doubles");
    assert_int_equal(mez_code_get_requirement(code, has->requirement)->unit, unit);
    assert_int_equal(mez_findings_get_unit_answer(one, unit), MEZ_LACKS);
    assert_int_equal(mez_findings_get_unit_answer(other, unit), MEZ_HAS);
    assert_int_equal(mez_findings_get_unit_answer(one, find_unit(code, "plain")), MEZ_HAS);
    assert_int_equal(mez_findings_get_unit_answer(one, 99), MEZ_MAY_HAVE);
    assert_string_equal(mez_findings_get_compiler(one), "an unknown compiler");
    assert_string_equal(mez_findings_get_compiler(other), "IGC 2");
    mez_findings_destroy(&one);
    mez_findings_destroy(&other);
    params.kernel = "plain";
    assert_ok(mez_code_judge(code, &params, &one));
    assert_int_equal(mez_findings_get_unit_answer(one, unit), MEZ_MAY_HAVE);
    mez_findings_destroy(&one);
    mez_code_destroy(&code);
}

// A work-group may have too many work-items, and too many of them in one dimension, of which devices have limits.
static void a_requirement_has_every_reason(void **state)
{
    (void)state;
    mez_code *code;
    mez_findings *findings;
    mez_target small = *find_target("tgllp");
    small.max_group_sizes[0] = 256;
    assert_ok(mez_code_load(path, &code));
    const mez_judge_params params = {.target = &small, .kernel = "sizes"};
    assert_ok(mez_code_judge(code, &params, &findings));
    assert_int_equal(mez_findings_get_count(findings), 2);
    const mez_finding *total = mez_findings_get_finding(findings, 0);
    const mez_finding *dimension = mez_findings_get_finding(findings, 1);
    assert_int_equal(total->requirement, dimension->requirement);
    assert_contains(total->has, "at most 512 work-items");
    assert_contains(dimension->has, "at most 256 work-items");
    mez_findings_destroy(&findings);
    mez_code_destroy(&code);
}

// --- Choices

static void what_counts_as_use_is_chosen(void **state)
{
    static const char text[] = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
                               "kernel void takes(double d, global int *x) { *x = 1; }";
    (void)state;
    mez_compilation *compilation;
    mez_code_params params = {.name = "takes"};
    assert_ok(mez_compilation_create(&(mez_compilation_params){.text = text}, &compilation));
    params.bytes = mez_compilation_get_code(compilation, &params.size);
    for (int by_types = 0; by_types < 2; by_types++) {
        mez_code *code;
        char value[8] = "";
        params.by_types = by_types;
        assert_ok(mez_code_create(&params, &code));
        mez_code_get_requirement_value(code, 0, value, sizeof value);
        assert_int_equal(strcmp(value, "fp64") == 0, by_types);
        mez_code_destroy(&code);
    }
    mez_compilation_destroy(&compilation);
}

static void what_can_not_be_read_may_be_looked_at(void **state)
{
    static const uint32_t damaged[] = {0x07230203, 0x00010000, 0, 7, 0, 0x00ff0011};
    (void)state;
    mez_code *code;
    mez_code_params params = {.bytes = damaged, .size = sizeof damaged, .name = "damaged"};
    assert_story(mez_code_create(&params, &code), MEZ_ERRC_INVALID_IMAGE, "damaged");
    params.unreadable_allowed = true;
    assert_ok(mez_code_create(&params, &code));
    assert_int_equal(mez_code_get_binary_count(code), 1);
    assert_true(mez_error_is(mez_code_get_binary(code, 0)->error, MEZ_ERRC_INVALID_IMAGE));
    assert_int_equal(mez_code_get_unit_count(code), 0);
    mez_code_destroy(&code);
}

static void wrong_choices_are_refused(void **state)
{
    (void)state;
    mez_code *code;
    mez_code_params params = {.path = "/nowhere/a.spv"};
    assert_story(mez_code_create(&params, &code), MEZ_ERRC_FILE, "/nowhere/a.spv");
    assert_null(code);
    params.bytes = "text";
    assert_story(mez_code_create(&params, &code), MEZ_ERRC_INVALID_PARAMETER, "\"bytes\"");
    assert_story(
        mez_code_create(&(mez_code_params){0}, &code), MEZ_ERRC_INVALID_PARAMETER, "\"path\"");
    assert_condition(mez_code_create(NULL, &code), MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(mez_code_create(&params, NULL), MEZ_ERRC_INVALID_PARAMETER);
    params = (mez_code_params){.path = path};
    for (size_t i = 0; i < sizeof params.reserved / sizeof *params.reserved; i++) {
        params.reserved[i] = 1;
        assert_story(mez_code_create(&params, &code), MEZ_ERRC_INVALID_PARAMETER,
            "mez_code_params.reserved");
        params.reserved[i] = 0;
    }
    mez_alloc_fail_at(1);
    assert_story(mez_code_create(&params, &code), MEZ_ERRC_OUT_OF_HOST_MEMORY, "bundle");
    mez_alloc_fail_at(0);
}

// --- Warnings

static void keep_text(void *user, const char *text)
{
    mez_text_add(user, "%s\n", text);
}

static void authors_are_warned(void **state)
{
    (void)state;
    mez_code *code;
    mez_text text = {0};
    const mez_target *target = find_target("tgllp");
    mez_code_warn_params params = {.warn = keep_text, .user = &text};
    assert_ok(mez_code_load(path, &code));
    assert_ok(mez_code_warn(code, &params));
    assert_contains(mez_text_get(&text), "function 'declares' uses aspect 'fp64'");
    assert_null(strstr(mez_text_get(&text), "fixed target"));
    mez_text_finish(&text);
    params.fixed_targets = &target;
    params.fixed_target_count = 1;
    assert_ok(mez_code_warn(code, &params));
    assert_contains(mez_text_get(&text), "not supported by fixed target 'intel_gpu_tgllp'");
    mez_text_finish(&text);
    mez_code_destroy(&code);
}

static void nobody_is_warned_of_nothing(void **state)
{
    (void)state;
    mez_code *code;
    mez_text text = {0};
    const mez_target *none = NULL;
    mez_code_warn_params params = {.warn = keep_text, .user = &text, .fixed_target_count = 1};
    assert_ok(mez_code_load(path, &code));
    assert_story(mez_code_warn(code, &params), MEZ_ERRC_INVALID_PARAMETER, "fixed_targets");
    params.fixed_targets = &none;
    assert_story(mez_code_warn(code, &params), MEZ_ERRC_INVALID_PARAMETER, "fixed_targets[");
    params = (mez_code_warn_params){.warn = keep_text, .user = &text, .reserved = {1}};
    assert_story(
        mez_code_warn(code, &params), MEZ_ERRC_INVALID_PARAMETER, "mez_code_warn_params.reserved");
    assert_condition(mez_code_warn(code, &(mez_code_warn_params){0}), MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(mez_code_warn(code, NULL), MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(mez_code_warn(NULL, &params), MEZ_ERRC_INVALID_PARAMETER);
    params.reserved[0] = 0;
    mez_alloc_fail_at(1);
    assert_story(mez_code_warn(code, &params), MEZ_ERRC_OUT_OF_HOST_MEMORY, "memory");
    mez_alloc_fail_at(0);
    assert_int_equal(text.length, 0);
    mez_code_destroy(&code);
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
    assert_int_equal(mez_findings_get_unit_answer(NULL, 0), MEZ_MAY_HAVE);
    assert_string_equal(mez_findings_get_compiler(NULL), "an unknown compiler");
    assert_int_equal(mez_code_get_unit_count(NULL), 0);
    assert_null(mez_code_get_unit(NULL, 0));
    assert_int_equal(mez_code_get_requirement_count(NULL), 0);
    assert_null(mez_code_get_requirement(NULL, 0));
    assert_int_equal(mez_code_get_requirement_value(NULL, 0, text, sizeof text), 0);
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
        TEST(findings_name_the_place_in_parts),
        TEST(units_list_what_is_required),
        TEST(targets_are_comparable),
        TEST(a_requirement_has_every_reason),
        TEST(what_counts_as_use_is_chosen),
        TEST(what_can_not_be_read_may_be_looked_at),
        TEST(wrong_choices_are_refused),
        TEST(authors_are_warned),
        TEST(nobody_is_warned_of_nothing),
        TEST(findings_list_what_it_has_where_asked),
        TEST(what_can_not_be_judged_is_refused),
        TEST(nothing_is_asked_of_nothing),
        TEST(without_memory_nothing_stays),
    };
    return cmocka_run_group_tests(tests, find_file, NULL);
}
