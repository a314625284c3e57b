// SPDX-License-Identifier: MIT
//
// Splitting and building as programs do it.

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <mezzanine/toolchain.h>

#include "base/alloc.h"
#include "base/file.h"
#include "child/folder.h"

// Native code, as far as anybody looks at it. $6 is the folder and $8 the name of the result.
#define COMPILE "printf 'CTNI%s' \"$4\" > \"$6/$8\""

static mez_file file; // of kernels that require different things: tests/unit/check/units.cl

static mez_split_source source(void)
{
    return (mez_split_source){.name = "units.spv", .code = file.bytes, .size = file.size};
}

static int read_kernels(void **state)
{
    char path[1024];
    (void)state;
    snprintf(path, sizeof path, "%s/check_units.spv", getenv("MEZ_CHECK_FILES"));
    return mez_failed(mez_file_read(path, &file));
}

static int free_kernels(void **state)
{
    (void)state;
    mez_file_finish(&file);
    return 0;
}

static mez_split *make_split(void)
{
    mez_split *split;
    const mez_split_source one = source();
    assert_ok(mez_split_create(
        &(mez_split_params){.sources = &one, .source_count = 1, .mode = MEZ_SPLIT_PER_KERNEL},
        &split));
    return split;
}

// --- Splitting

static mez_findings *judge_image(const mez_split *split, uint32_t index, const mez_target *target)
{
    mez_code *code;
    mez_findings *findings;
    assert_ok(mez_split_get_code(split, index, &code));
    assert_ok(mez_code_judge(code, &(mez_judge_params){.target = target, .all = true}, &findings));
    mez_code_destroy(&code);
    return findings;
}

static void compare_judgements(
    const mez_split *plain, const mez_split *split, uint32_t index, const mez_target *target)
{
    mez_findings *expected = judge_image(plain, index, target);
    mez_findings *found = judge_image(split, index, target);
    const uint32_t count = mez_findings_get_count(expected);
    assert_int_equal(mez_findings_get_count(found), count);
    for (uint32_t i = 0; i < count; i++) {
        const mez_finding *one = mez_findings_get_finding(expected, i);
        const mez_finding *other = mez_findings_get_finding(found, i);
        assert_int_equal(other->answer, one->answer);
        assert_string_equal(other->kind, one->kind);
        assert_string_equal(other->value, one->value);
    }
    mez_findings_destroy(&expected);
    mez_findings_destroy(&found);
}

static void images_are_code(void **state)
{
    (void)state;
    mez_split *split = make_split();
    const uint32_t count = mez_split_get_image_count(split);
    assert_true(count > 1);
    for (uint32_t i = 0; i < count; i++) {
        mez_code *code;
        assert_ok(mez_split_get_code(split, i, &code));
        assert_int_equal(mez_code_get_binary_count(code), 1);
        assert_int_equal(mez_code_get_kernel_count(code), 1);
        assert_int_equal(mez_code_get_binary(code, 0)->format, MEZ_BINARY_SPIRV);
        assert_int_equal(mez_code_get_kernel(code, 0)->argument_count, 1);
        mez_code_destroy(&code);
    }
    mez_split_destroy(&split);
    assert_null(split);
    mez_split_destroy(&split);
}

// Whatever way a split writes properties, its code says the same.
static void images_say_the_same_in_every_form(void **state)
{
    (void)state;
    const mez_split_source one = source();
    const mez_targets *targets;
    assert_ok(mez_targets_get_default(&targets));
    const mez_target *target = mez_targets_find(targets, "tgllp", NULL);
    assert_non_null(target);
    for (int form = 1; form < 4; form++) {
        const mez_split_params params = {.sources = &one,
            .source_count = 1,
            .mode = MEZ_SPLIT_PER_KERNEL,
            .renumbered_aspects = form & 1,
            .doc_names = form & 2};
        mez_split *plain = make_split(), *split;
        assert_ok(mez_split_create(&params, &split));
        const uint32_t count = mez_split_get_image_count(split);
        assert_int_equal(count, mez_split_get_image_count(plain));
        for (uint32_t i = 0; i < count; i++)
            compare_judgements(plain, split, i, target);
        mez_split_destroy(&split);
        mez_split_destroy(&plain);
    }
}

static mez_split *make_documents_split(void)
{
    const mez_split_source one = source();
    const mez_split_params params = {
        .sources = &one, .source_count = 1, .mode = MEZ_SPLIT_PER_KERNEL, .doc_names = true};
    mez_split *split;
    assert_ok(mez_split_create(&params, &split));
    return split;
}

static void check_group_size(const mez_code *code, const mez_target *target)
{
    mez_findings *findings;
    uint32_t sizes = 0, last = UINT32_MAX;
    assert_ok(mez_code_judge(code, &(mez_judge_params){.target = target, .all = true}, &findings));
    for (uint32_t i = 0; i < mez_findings_get_count(findings); i++) {
        const mez_finding *finding = mez_findings_get_finding(findings, i);
        if (strcmp(finding->kind, "work-group size") != 0)
            continue;
        assert_string_equal(finding->value, "1024");
        sizes += finding->requirement != last;
        last = finding->requirement;
    }
    assert_int_equal(sizes, 1);
    mez_findings_destroy(&findings);
}

// Files do not say in which form they are.
static void files_in_the_documents_form_are_read(void **state)
{
    static const mez_build_format formats[] = {MEZ_BUILD_SYCLBIN, MEZ_BUILD_TABLE};
    static const char *const names[] = {"a.syclbin", "a.table"};
    const mez_targets *targets;
    assert_ok(mez_targets_get_default(&targets));
    const mez_target *wanted[] = {mez_targets_find(targets, "spir64", NULL)};
    const mez_target *tgllp = mez_targets_find(targets, "tgllp", NULL);
    mez_split *split = make_documents_split();
    mez_build *build;
    assert_ok(mez_build_create(
        &(mez_build_params){.split = split, .name = "a", .targets = wanted, .target_count = 1},
        &build));
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        char path[512];
        mez_code *code;
        snprintf(path, sizeof path, "%s/%s", (char *)*state, names[i]);
        assert_ok(mez_build_write(build, path, formats[i]));
        assert_ok(mez_code_load(path, &code));
        assert_int_equal(mez_code_get_binary_count(code), mez_split_get_image_count(split));
        check_group_size(code, tgllp);
        mez_code_destroy(&code);
    }
    mez_build_destroy(&build);
    mez_split_destroy(&split);
}

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_ok(mez_file_write(path, text, strlen(text)));
}

static void one_wrong_property_costs_one_binary(void **state)
{
    char path[512];
    mez_split *split = make_split();
    mez_code *code;
    snprintf(path, sizeof path, "%s/a.table", (char *)*state);
    assert_ok(mez_split_write(split, path, NULL));
    write_file(*state, "a_1.prop", "[SYCL/device requirements]\naspects=1|7\n");
    assert_ok(mez_code_load(path, &code));
    assert_int_equal(mez_code_get_binary_count(code), mez_split_get_image_count(split));
    for (uint32_t i = 0; i < mez_code_get_binary_count(code); i++) {
        const mez_code_binary *binary = mez_code_get_binary(code, i);
        assert_int_equal(mez_failed(binary->error), i == 1);
        assert_int_equal(binary->bytes == NULL, i == 1);
    }
    assert_story(mez_code_get_binary(code, 1)->error, MEZ_ERRC_INVALID_IMAGE, "\"aspects\"");
    assert_non_null(mez_code_get_kernel(code, mez_code_get_kernel_count(code) - 1));
    mez_code_destroy(&code);
    mez_split_destroy(&split);
}

static void expect_text(const char *folder, const char *name, const char *text)
{
    char path[512];
    mez_file found;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_ok(mez_file_read(path, &found));
    assert_int_equal(found.size, strlen(text));
    assert_memory_equal(found.bytes, text, found.size);
    mez_file_finish(&found);
}

static void write_old(const char *folder)
{
    write_file(folder, "a_0.spv", "old code");
    write_file(folder, "a_0.prop", "old properties");
    write_file(folder, "a.table", "old table");
}

static void expect_old(const char *folder)
{
    expect_text(folder, "a_0.spv", "old code");
    expect_text(folder, "a_0.prop", "old properties");
    expect_text(folder, "a.table", "old table");
}

static void a_table_stays_where_no_new_one_can_be_written(void **state)
{
    char path[512], in_the_way[512];
    mez_split *split = make_split();
    snprintf(path, sizeof path, "%s/a.table", (char *)*state);
    snprintf(in_the_way, sizeof in_the_way, "%s/a_1.sym", (char *)*state);
    write_old(*state);
    assert_int_equal(mkdir(in_the_way, 0700), 0);
    assert_story(mez_split_write(split, path, NULL), MEZ_ERRC_FILE, "a_1.sym");
    expect_old(*state);
    assert_int_equal(count_files(*state), 4);
    rmdir(in_the_way);

    bool good = false;
    for (uint64_t n = 1; !good; n += 3) {
        mez_alloc_fail_at(n);
        const mez_error error = mez_split_write(split, path, NULL);
        good = mez_alloc_fail_at(0) < n;
        if (good) {
            assert_ok(error);
            break;
        }
        assert_condition(error, MEZ_ERRC_OUT_OF_HOST_MEMORY);
        expect_old(*state);
        assert_int_equal(count_files(*state), 3);
    }
    assert_int_equal(count_files(*state), 1 + 3 * mez_split_get_image_count(split));
    mez_split_destroy(&split);
}

static void refuse_source(mez_split_source source, const char *words)
{
    mez_split *split;
    assert_story(
        mez_split_create(&(mez_split_params){.sources = &source, .source_count = 1}, &split),
        MEZ_ERRC_INVALID_PARAMETER, words);
    assert_null(split);
}

static void parts_of_sources_that_are_missing_are_named(void **state)
{
    (void)state;
    const mez_target *none = NULL;
    mez_split_source wrong = source();
    mez_split *split;
    assert_story(mez_split_create(
                     &(mez_split_params){.sources = &wrong, .source_count = 1, .mode = 4}, &split),
        MEZ_ERRC_INVALID_PARAMETER, "4 is not a mez_split_mode");
    wrong.name = NULL;
    refuse_source(wrong, "name of source 0 is NULL");
    wrong = source();
    wrong.code = NULL;
    refuse_source(wrong, "code of source 0 is NULL");
    wrong = source();
    wrong.fixed_target_count = 1;
    refuse_source(wrong, "fixed_targets of source 0 is NULL");
    wrong.fixed_targets = &none;
    refuse_source(wrong, "fixed target of source 0 is NULL");
}

static void what_can_not_be_split_is_refused(void **state)
{
    mez_split *split = make_split(), *other;
    mez_code *code;
    char path[256];
    const mez_split_source wrong = {.name = "wrong", .code = "not SPIR-V at all!", .size = 16};
    const mez_split_source twice[] = {source(), source()};
    assert_story(
        mez_split_create(&(mez_split_params){.sources = &wrong, .source_count = 1}, &other),
        MEZ_ERRC_INVALID_IMAGE, "wrong");
    assert_null(other);
    assert_story(mez_split_create(&(mez_split_params){.sources = twice, .source_count = 2}, &other),
        MEZ_ERRC_LINK_PROGRAM, "units.spv");
    assert_story(mez_split_create(&(mez_split_params){.sources = twice}, &other),
        MEZ_ERRC_INVALID_PARAMETER, "at least one source");
    assert_story(
        mez_split_create(
            &(mez_split_params){.sources = twice, .source_count = 1, .reserved = {1}}, &other),
        MEZ_ERRC_INVALID_PARAMETER, "mez_split_params.reserved");
    assert_condition(mez_split_create(NULL, &other), MEZ_ERRC_INVALID_PARAMETER);
    mez_alloc_fail_at(1);
    assert_story(mez_split_create(&(mez_split_params){.sources = twice, .source_count = 1}, &other),
        MEZ_ERRC_OUT_OF_HOST_MEMORY, "splitting device code");
    mez_alloc_fail_at(0);

    assert_story(mez_split_get_code(split, 99, &code), MEZ_ERRC_INVALID_PARAMETER, "no image 99");
    mez_alloc_fail_at(1);
    assert_story(
        mez_split_get_code(split, 0, &code), MEZ_ERRC_OUT_OF_HOST_MEMORY, "no host memory");
    mez_alloc_fail_at(0);

    assert_story(mez_split_write(split, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER, "\"path\"");
    assert_story(mez_split_write(split, "/nowhere/a.table", NULL), MEZ_ERRC_FILE, "/nowhere/a");
    snprintf(path, sizeof path, "%s/a.table", (char *)*state);
    mez_alloc_fail_at(1);
    assert_story(mez_split_write(split, path, NULL), MEZ_ERRC_OUT_OF_HOST_MEMORY, "no host memory");
    mez_alloc_fail_at(0);
    assert_int_equal(count_files(*state), 0);
    mez_split_destroy(&split);
}

// --- Building

// A table of a target with that program, and one that takes SPIR-V.
static mez_targets *make_targets(const char *folder, const char *program)
{
    char path[256], text[1024];
    mez_targets *targets;
    snprintf(path, sizeof path, "%s/targets.yaml", folder);
    snprintf(text, sizeof text,
        "spir64:\n  may_support_other_aspects: true\n"
        "intel_gpu_abacus:\n  aspects: [fp16, gpu]\n  aot-toolchain: \"%s\"\n"
        "  aot-toolchain-options: \"-device abacus\"\n"
        "ptx64:\n  aspects: [gpu]\n",
        program);
    assert_ok(mez_file_write(path, text, strlen(text)));
    assert_ok(mez_targets_load(path, NULL, &targets));
    unlink(path);
    return targets;
}

static mez_build_params params_for(
    const mez_split *split, const mez_targets *targets, const mez_target **list)
{
    list[0] = mez_targets_find(targets, "spir64", NULL);
    list[1] = mez_targets_find(targets, "abacus", NULL);
    return (mez_build_params){
        .split = split, .name = "app", .targets = list, .target_count = 2, .jobs = 1};
}

static void count_step(void *user, const mez_build_step *step, const char *why)
{
    assert_string_equal(mez_target_get_name(step->target), "intel_gpu_abacus");
    assert_contains(step->image, "app_");
    assert_int_equal(step->kernel_count, 1);
    assert_non_null(why);
    ++*(uint32_t *)user;
}

static void targets_get_what_they_can_run(void **state)
{
    char *program = make_program(*state, COMPILE);
    mez_targets *targets = make_targets(*state, program);
    const mez_target *list[2];
    mez_split *split = make_split();
    const uint32_t count = mez_split_get_image_count(split);
    uint32_t left_out = 0;
    char path[256];
    mez_build *build;
    mez_code *code;
    mez_build_params params = params_for(split, targets, list);
    params.listener = (mez_build_listener){.leave_out = count_step, .user = &left_out};
    assert_ok(mez_build_create(&params, &build));
    mez_split_destroy(&split);
    assert_int_equal(mez_build_get_image_count(build, 0), count);
    assert_int_equal(mez_build_get_image_count(build, 1), count - left_out);
    assert_int_equal(mez_build_get_image_count(build, 2), 0);
    assert_true(left_out > 0 && left_out < count);
    snprintf(path, sizeof path, "%s/app.syclbin", (char *)*state);
    assert_ok(mez_build_write(build, path, MEZ_BUILD_SYCLBIN));
    assert_ok(mez_code_load(path, &code));
    assert_int_equal(mez_code_get_binary_count(code), 2 * count - left_out);
    mez_code_destroy(&code);
    mez_build_destroy(&build);
    mez_targets_destroy(&targets);
    free(program);
}

static void a_target_that_is_there_twice_is_built_once(void **state)
{
    char *program = make_program(*state, COMPILE);
    mez_targets *targets = make_targets(*state, program);
    mez_targets *others = make_targets(*state, program);
    const mez_target *two[2], *list[4];
    mez_split *split = make_split();
    char path[256];
    mez_build *build;
    mez_code *code;
    mez_build_params params = params_for(split, targets, two);
    for (int i = 0; i < 4; i++)
        list[i] = two[i % 2];
    params.targets = list;
    params.target_count = 4;
    assert_ok(mez_build_create(&params, &build));
    for (int i = 0; i < 2; i++)
        assert_int_equal(mez_build_get_image_count(build, (uint32_t)i + 2),
            mez_build_get_image_count(build, (uint32_t)i));
    snprintf(path, sizeof path, "%s/app.table", (char *)*state);
    assert_ok(mez_build_write(build, path, MEZ_BUILD_TABLE));
    assert_ok(mez_code_load(path, &code));
    assert_int_equal(mez_code_get_binary_count(code),
        mez_build_get_image_count(build, 0) + mez_build_get_image_count(build, 1));
    mez_code_destroy(&code);
    mez_build_destroy(&build);
    list[3] = mez_targets_find(others, "abacus", NULL);
    assert_story(mez_build_create(&params, &build), MEZ_ERRC_INVALID_PARAMETER,
        "targets 1 and 3 of different tables are both called intel_gpu_abacus");
    mez_split_destroy(&split);
    mez_targets_destroy(&targets);
    mez_targets_destroy(&others);
    free(program);
}

static void what_can_not_be_built_is_refused(void **state)
{
    char *program = make_program(*state, "echo no such thing; exit 3");
    mez_targets *targets = make_targets(*state, program);
    mez_targets *missing = make_targets(*state, "/nowhere/compiler");
    const mez_target *list[2];
    mez_split *split = make_split();
    mez_build *build;
    mez_build_params params = params_for(split, targets, list);
    assert_story(mez_build_create(&params, &build), MEZ_ERRC_COMPILE_PROGRAM, "no such thing");
    assert_null(build);
    params.aot_options = "'open";
    assert_story(mez_build_create(&params, &build), MEZ_ERRC_INVALID_PARAMETER, "'open");
    params.aot_options = NULL;
    list[1] = NULL;
    assert_story(mez_build_create(&params, &build), MEZ_ERRC_INVALID_PARAMETER, "target 1 is NULL");
    list[1] = mez_targets_find(targets, "ptx64", NULL);
    assert_story(mez_build_create(&params, &build), MEZ_ERRC_INVALID_PARAMETER, "ptx64");
    list[1] = mez_targets_find(missing, "abacus", NULL);
    assert_story(mez_build_create(&params, &build), MEZ_ERRC_FILE, "/nowhere/compiler");
    mez_alloc_fail_at(1);
    assert_story(mez_build_create(&params, &build), MEZ_ERRC_OUT_OF_HOST_MEMORY, "a build");
    mez_alloc_fail_at(0);
    params.reserved[0] = 1;
    assert_condition(mez_build_create(&params, &build), MEZ_ERRC_INVALID_PARAMETER);
    mez_split_destroy(&split);
    mez_targets_destroy(&missing);
    mez_targets_destroy(&targets);
    free(program);
}

// --- Compilers

// One that answers as ocloc does, in its working folder.
static mez_error ask(
    const char *folder, const char *script, mez_stop *stop, mez_compiler_info *info)
{
    char *program = make_program(folder, script);
    mez_targets *targets = make_targets(folder, program);
    const mez_error error =
        mez_target_ask_compiler(mez_targets_find(targets, "abacus", NULL), stop, info);
    mez_targets_destroy(&targets);
    free(program);
    return error;
}

static void a_compiler_says_its_version(void **state)
{
    mez_compiler_info info;
    assert_ok(ask(*state, "echo 26.27.039122 > $2", NULL, &info));
    assert_string_equal(info.release, "26.27.039122");
    assert_string_equal(info.generation, "2");
    assert_ok(ask(*state, "printf 22.43.24595 > $2; exit 3", NULL, &info)); // some fail, too
    assert_string_equal(info.generation, "1");
    assert_ok(ask(*state, "echo none > $2", NULL, &info));
    assert_string_equal(info.release, "none");
    assert_null(info.generation);
}

static void a_compiler_that_does_not_answer_is_an_error(void **state)
{
    mez_stop *stop;
    const mez_target *target;
    mez_compiler_info info = {.release = "x"};
    mez_targets *targets = make_targets(*state, "/nowhere/ocloc");
    target = mez_targets_find(targets, "abacus", NULL);
    assert_story(
        mez_target_ask_compiler(target, NULL, &info), MEZ_ERRC_COMPILE_PROGRAM, "/nowhere");
    assert_string_equal(info.release, "");
    assert_story(ask(*state, "exit 0", NULL, &info), MEZ_ERRC_COMPILE_PROGRAM, "did not answer");
    assert_story(ask(*state, "exit 7", NULL, &info), MEZ_ERRC_COMPILE_PROGRAM, "7");
    assert_ok(mez_stop_create(&stop));
    mez_stop_now(stop);
    assert_story(mez_target_ask_compiler(target, stop, &info), MEZ_ERRC_WRONG_STATE, "stopped");
    mez_stop_destroy(&stop);
    assert_story(mez_target_ask_compiler(mez_targets_find(targets, "spir64", NULL), NULL, &info),
        MEZ_ERRC_INVALID_PARAMETER, "target spir64 has no compiler");
    assert_condition(mez_target_ask_compiler(NULL, NULL, &info), MEZ_ERRC_INVALID_PARAMETER);
    assert_condition(mez_target_ask_compiler(target, NULL, NULL), MEZ_ERRC_INVALID_PARAMETER);
    mez_alloc_fail_at(1);
    assert_story(
        mez_target_ask_compiler(target, NULL, &info), MEZ_ERRC_OUT_OF_HOST_MEMORY, "memory");
    mez_alloc_fail_at(0);
    const char *folder = getenv("TMPDIR");
    char *before = folder ? strdup(folder) : NULL;
    setenv("TMPDIR", "/nowhere", 1);
    assert_story(mez_target_ask_compiler(target, NULL, &info), MEZ_ERRC_FILE, "/nowhere");
    before ? setenv("TMPDIR", before, 1) : unsetenv("TMPDIR");
    free(before);
    mez_targets_destroy(&targets);
}

static void a_stop_ends_a_build(void **state)
{
    char *program = make_program(*state, COMPILE);
    mez_targets *targets = make_targets(*state, program);
    const mez_target *list[2];
    mez_split *split = make_split();
    mez_build_params params = params_for(split, targets, list);
    mez_build *build;
    mez_stop *stop;
    assert_ok(mez_stop_create(&stop));
    mez_stop_now(stop);
    params.stop = stop;
    assert_story(mez_build_create(&params, &build), MEZ_ERRC_WRONG_STATE, "stopped");
    mez_stop_destroy(&stop);
    assert_null(stop);
    mez_stop_destroy(&stop);
    assert_story(mez_stop_create(NULL), MEZ_ERRC_INVALID_PARAMETER, "\"stop\"");
    mez_alloc_fail_at(1);
    assert_story(mez_stop_create(&stop), MEZ_ERRC_OUT_OF_HOST_MEMORY, "a stop");
    mez_alloc_fail_at(0);
    mez_split_destroy(&split);
    mez_targets_destroy(&targets);
    free(program);
}

static void what_can_not_be_written_is_refused(void **state)
{
    mez_targets *targets = make_targets(*state, "compiler");
    const mez_target *list[2];
    mez_split *split = make_split();
    mez_build_params params = params_for(split, targets, list);
    mez_build *build;
    params.target_count = 1; // SPIR-V, whose options nothing is given to
    params.aot_options = "'open";
    assert_story(mez_build_create(&params, &build), MEZ_ERRC_INVALID_PARAMETER, "'open");
    params.aot_options = NULL;
    assert_ok(mez_build_create(&params, &build));
    assert_story(
        mez_build_write(build, NULL, MEZ_BUILD_TABLE), MEZ_ERRC_INVALID_PARAMETER, "\"path\"");
    assert_story(mez_build_write(build, "/nowhere/a", 7), MEZ_ERRC_INVALID_PARAMETER,
        "7 is not a mez_build_format");
    assert_story(
        mez_build_write(build, "/nowhere/a.table", MEZ_BUILD_TABLE), MEZ_ERRC_FILE, "/nowhere/a");
    mez_alloc_fail_at(1);
    assert_story(mez_build_write(build, "/tmp/a.table", MEZ_BUILD_TABLE),
        MEZ_ERRC_OUT_OF_HOST_MEMORY, "no host memory");
    mez_alloc_fail_at(0);
    mez_build_destroy(&build);
    mez_split_destroy(&split);
    mez_targets_destroy(&targets);
}

// --- Without memory

static mez_error walk(const mez_targets *targets, const char *path)
{
    const mez_split_source one = source();
    const mez_target *list[2];
    mez_split *split = NULL;
    mez_code *code = NULL;
    mez_build *build = NULL;
    mez_error error =
        mez_split_create(&(mez_split_params){.sources = &one, .source_count = 1}, &split);
    if (!mez_failed(error))
        error = mez_split_get_code(split, 0, &code);
    if (!mez_failed(error))
        error = mez_split_write(split, path, NULL);
    if (!mez_failed(error)) {
        mez_build_params params = params_for(split, targets, list);
        params.target_count = 1;
        error = mez_build_create(&params, &build);
    }
    if (!mez_failed(error))
        error = mez_build_write(build, path, MEZ_BUILD_TABLE);
    mez_build_destroy(&build);
    mez_code_destroy(&code);
    mez_split_destroy(&split);
    return error;
}

static void without_memory_nothing_stays(void **state)
{
    mez_targets *targets = make_targets(*state, "compiler");
    char path[256];
    bool good = false;
    snprintf(path, sizeof path, "%s/a.table", (char *)*state);
    for (uint64_t n = 1; !good; n++) {
        mez_alloc_fail_at(n);
        const mez_error error = walk(targets, path);
        good = mez_alloc_fail_at(0) < n;
        assert_true(!mez_failed(error) || mez_error_is(error, MEZ_ERRC_OUT_OF_HOST_MEMORY));
        assert_true(!good || !mez_failed(error));
    }
    mez_targets_destroy(&targets);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(images_are_code),
        TEST(images_say_the_same_in_every_form),
        TEST(files_in_the_documents_form_are_read),
        TEST(one_wrong_property_costs_one_binary),
        TEST(a_table_stays_where_no_new_one_can_be_written),
        TEST(parts_of_sources_that_are_missing_are_named),
        TEST(what_can_not_be_split_is_refused),
        TEST(targets_get_what_they_can_run),
        TEST(a_target_that_is_there_twice_is_built_once),
        TEST(what_can_not_be_built_is_refused),
        TEST(a_compiler_says_its_version),
        TEST(a_compiler_that_does_not_answer_is_an_error),
        TEST(a_stop_ends_a_build),
        TEST(what_can_not_be_written_is_refused),
        TEST(without_memory_nothing_stays),
    };
    return cmocka_run_group_tests(tests, read_kernels, free_kernels);
}
