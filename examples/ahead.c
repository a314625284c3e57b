// SPDX-License-Identifier: MIT
//
// Ahead of time, on a machine without a device or driver: checks what the kernels of a module require, splits the module, and builds
// its images for the targets.
//
//     ahead scale.spv scale.table spir64 tgllp

#include <stdlib.h>

#include <mezzanine/toolchain.h>

enum { MOST_TARGETS = 8 };

static mez_error find_targets(char **names, int count, const mez_target **targets)
{
    const mez_targets *table;
    const mez_error error = mez_targets_get_default(&table);
    for (int i = 0; i < count && !mez_failed(error); i++) {
        targets[i] = mez_targets_find(table, names[i], NULL);
        if (!targets[i]) {
            fprintf(stderr, "ahead: there is no target \"%s\"\n", names[i]);
            exit(EXIT_FAILURE);
        }
    }
    return error;
}

static mez_error check(const mez_code *code, const mez_target *target)
{
    mez_findings *findings = NULL;
    const mez_error error = mez_code_judge(code, &(mez_judge_params){.target = target}, &findings);
    for (uint32_t i = 0; i < mez_findings_get_count(findings); i++) {
        const mez_finding *finding = mez_findings_get_finding(findings, i);
        if (finding->answer == MEZ_LACKS)
            printf("%s: %s lacks %s %s\n", finding->kernel ? finding->kernel : "all kernels",
                mez_target_get_name(target), finding->kind, finding->value);
    }
    mez_findings_destroy(&findings);
    return error;
}

static mez_error split(const mez_code *code, mez_split **result)
{
    // Of a container with several binaries only the first one: others may be forms of the same.
    const mez_code_binary *binary = mez_code_get_binary(code, 0);
    if (binary->format == MEZ_BINARY_UNKNOWN)
        return binary->error;
    const mez_split_source source = {
        .name = binary->source, .code = binary->bytes, .size = binary->size};
    const mez_split_params params = {
        .sources = &source, .source_count = 1, .mode = MEZ_SPLIT_PER_KERNEL};
    return mez_split_create(&params, result);
}

static mez_error build(
    const mez_split *split, const mez_target **targets, uint32_t count, const char *path)
{
    mez_build *build = NULL;
    const mez_build_params params = {
        .split = split, .name = "image", .targets = targets, .target_count = count};
    mez_error error = mez_build_create(&params, &build);
    if (!mez_failed(error))
        error = mez_build_write(build, path, MEZ_BUILD_TABLE);
    for (uint32_t i = 0; i < count && !mez_failed(error); i++)
        printf("%s: %u of %u images\n", mez_target_get_name(targets[i]),
            (unsigned)mez_build_get_image_count(build, i),
            (unsigned)mez_split_get_image_count(split));
    mez_build_destroy(&build);
    return error;
}

int main(int argc, char **argv)
{
    const mez_target *targets[MOST_TARGETS];
    const int count = argc - 3;
    mez_code *code = NULL;
    mez_split *pieces = NULL;
    if (count < 1 || count > MOST_TARGETS) {
        fprintf(stderr, "usage: ahead CODE OUT.table TARGET...\n");
        return 2;
    }
    mez_error error = find_targets(argv + 3, count, targets);
    if (!mez_failed(error))
        error = mez_code_load(argv[1], &code);
    for (int i = 0; i < count && !mez_failed(error); i++)
        error = check(code, targets[i]);
    if (!mez_failed(error))
        error = split(code, &pieces);
    if (!mez_failed(error))
        error = build(pieces, targets, (uint32_t)count, argv[2]);
    mez_error_print(stderr, error);
    mez_split_destroy(&pieces);
    mez_code_destroy(&code);
    return mez_failed(error) ? EXIT_FAILURE : EXIT_SUCCESS;
}
