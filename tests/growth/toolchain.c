// SPDX-License-Identifier: MIT
//
// The half of the library that needs no Level Zero: from a module of SPIR-V to images for targets.

#include "growth.h"

#include <stdio.h>

static void look_at_cache(void)
{
    GUARDED(mez_cache_statistics) statistics;
    mez_cache *cache = NULL;
    const mez_cache_params params = {.folder = "/nowhere/growth", LATER};
    if (!is_taken(mez_cache_open(&params, &cache), "mez_cache_params"))
        expect_ok(mez_cache_open(&(mez_cache_params){.folder = params.folder}, &cache), "a cache");
    memset(&statistics, GUARD, sizeof statistics);
    expect_ok(mez_cache_get_statistics(cache, &statistics.it), "mez_cache_get_statistics");
    check(statistics.it.entries == 0 && statistics.it.bytes == 0, "a cache that is not there");
    CHECK_FILLED(mez_cache_statistics, statistics.it);
    check_guard(statistics.guard, "mez_cache_statistics");
    mez_cache_close(&cache);
}

static mez_targets *load_targets(const char *path)
{
    mez_targets *targets = NULL;
    const mez_targets_params params = {.user = NULL, LATER};
    if (!is_taken(mez_targets_load(path, &params, &targets), "mez_targets_params"))
        expect_ok(mez_targets_load(path, NULL, &targets), path);
    return targets;
}

static void look_at_target(const mez_target *target)
{
    GUARDED(mez_target_limits) limits;
    memset(&limits, GUARD, sizeof limits);
    mez_target_get_limits(target, &limits.it);
    check(limits.it.max_group_size > 0, "the limits of a target");
    CHECK_FILLED(mez_target_limits, limits.it);
    check_guard(limits.guard, "mez_target_limits");
}

static void judge(const mez_code *code, const mez_target *target)
{
    mez_findings *findings = NULL;
    const mez_judge_params params = {.target = target, .all = true, LATER};
    if (is_taken(mez_code_judge(code, &params, &findings), "mez_judge_params"))
        check(mez_findings_get_count(findings) > 0, "the kernels require something");
    mez_findings_destroy(&findings);
}

static void count_warnings(void *user, const char *text)
{
    check(*text, "a warning has a text");
    ++*(uint32_t *)user;
}

static void warn(const mez_code *code)
{
    uint32_t warnings = 0;
    const mez_code_warn_params params = {.warn = count_warnings, .user = &warnings, LATER};
    is_taken(mez_code_warn(code, &params), "mez_code_warn_params");
}

static void choose(const char *kernels)
{
    mez_code *code = NULL;
    const mez_code_params params = {.path = kernels, LATER};
    if (is_taken(mez_code_create(&params, &code), "mez_code_params"))
        check(mez_code_get_unit_count(code) > 0, "kernels are units");
    mez_code_destroy(&code);
}

static void ask_compiler(const mez_target *target)
{
    GUARDED(mez_compiler_info) info;
    memset(&info, GUARD, sizeof info);
    // There may be none.
    mez_error_release(mez_target_ask_compiler(target, NULL, &info.it));
    CHECK_FILLED(mez_compiler_info, info.it);
    check_guard(info.guard, "mez_compiler_info");
}

static void compile(void)
{
    mez_compilation *compilation = NULL;
    const char *text = "kernel void nothing(void) {}";
    const mez_compilation_params listening = {.text = text, .listener = {.user = NULL, LATER}};
    const mez_compilation_params params = {.text = text, LATER};
    if (is_taken(mez_compilation_create(&listening, &compilation), "mez_compilation_listener"))
        mez_compilation_destroy(&compilation);
    if (is_taken(mez_compilation_create(&params, &compilation), "mez_compilation_params"))
        mez_compilation_destroy(&compilation);
}

static void filter(const mez_targets *targets)
{
    mez_filter *filter = NULL;
    const char *table = "[Code]\nplain.spv\n";
    const mez_filter_params params = {.path = "plain.table",
        .text = table,
        .text_size = strlen(table),
        .target = "spir64",
        .targets = targets,
        LATER};
    size_t size = 0;
    if (is_taken(mez_filter_create(&params, &filter), "mez_filter_params"))
        check(mez_filter_get_text(filter, &size) && size == strlen(table), "a filtered table");
    mez_filter_destroy(&filter);
}

static mez_split *split(const mez_code_binary *binary)
{
    mez_split *split = NULL;
    const mez_split_source later = {
        .name = binary->source, .code = binary->bytes, .size = binary->size, LATER};
    const mez_split_source source = {
        .name = binary->source, .code = binary->bytes, .size = binary->size};
    const mez_split_params of_later = {.sources = &later, .source_count = 1};
    const mez_split_params params = {.sources = &source, .source_count = 1, LATER};
    const mez_split_params plain = {.sources = &source, .source_count = 1};
    if (is_taken(mez_split_create(&of_later, &split), "mez_split_source"))
        mez_split_destroy(&split);
    if (!is_taken(mez_split_create(&params, &split), "mez_split_params"))
        expect_ok(mez_split_create(&plain, &split), "a split");
    return split;
}

static void count_images(void *user, uint32_t done, uint32_t images)
{
    (void)images;
    *(uint32_t *)user = done;
}

static void write_split(const mez_split *split, const char *output)
{
    uint32_t written = 0;
    const mez_split_progress progress = {.function = count_images, .user = &written, LATER};
    if (is_taken(mez_split_write(split, output, &progress), "mez_split_progress"))
        check(written == mez_split_get_image_count(split), "all images are written");
}

static void count_steps(void *user, const mez_build_step *step, const char *text)
{
    (void)step;
    (void)text;
    *(uint32_t *)user += 1;
}

static void build(const mez_split *split, const mez_targets *targets)
{
    mez_build *build = NULL;
    uint32_t left_out = 0;
    const mez_target *target = mez_targets_find(targets, "spir64", NULL);
    const mez_build_params params = {
        .split = split, .name = "growing", .targets = &target, .target_count = 1, LATER};
    const mez_build_params listening = {.split = split,
        .name = "growing",
        .targets = &target,
        .target_count = 1,
        .listener = {.leave_out = count_steps, .user = &left_out, LATER}};
    if (is_taken(mez_build_create(&listening, &build), "mez_build_listener"))
        mez_build_destroy(&build);
    if (is_taken(mez_build_create(&params, &build), "mez_build_params"))
        check(mez_build_get_image_count(build, 0) == mez_split_get_image_count(split), "a build");
    mez_build_destroy(&build);
}

void use_toolchain(const char *kernels, const char *targets_path, const char *output)
{
    mez_code *code = NULL;
    mez_targets *targets = load_targets(targets_path);
    const mez_target *target = mez_targets_find(targets, "tgllp", NULL);
    expect_ok(mez_code_load(kernels, &code), kernels);
    mez_split *images = code ? split(mez_code_get_binary(code, 0)) : NULL;
    look_at_cache();
    look_at_target(target);
    judge(code, target);
    warn(code);
    choose(kernels);
    ask_compiler(target);
    compile();
    filter(targets);
    write_split(images, output);
    build(images, targets);
    mez_split_destroy(&images);
    mez_code_destroy(&code);
    mez_targets_destroy(&targets);
}
