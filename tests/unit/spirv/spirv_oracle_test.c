// SPDX-License-Identifier: MIT
//
// Whether our verdict on a kernel agrees with Intel's compiler, asked through ocloc for a device
// with doubles (skl) and one without (tgllp). Both have half, 64-bit atomics and sub-groups of 8,
// 16 and 32.
//
// Usage: spirv_oracle_test ocloc module.spv... [--overlooked module.spv...]; each module has one
// kernel, "test". What the compiler overlooks it builds for the device without doubles, though the
// code it makes has them: we refuse, and a compiler that has learned to would make this test fail.

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <spawn.h>
#include <sys/wait.h>
#include <fcntl.h>
#include <unistd.h>

#include "files.h"
#include "spirv/reader.h"
#include "spirv/survey.h"

extern char **environ;

static const struct device {
    const char *name;
    bool fp64;
} devices[] = {{"skl", true}, {"tgllp", false}};

static bool should_build(const struct mez_spirv_kernel_needs *needs, const struct device *device)
{
    const uint32_t sub_group = needs->modes->sub_group_size;
    if (mez_aspects_has(&needs->required, MEZ_ASPECT_fp64) && !device->fp64)
        return false;
    return sub_group == 0 || sub_group == 8 || sub_group == 16 || sub_group == 32;
}

// Whether ocloc compiles the module; its output goes to a folder that is thrown away.
static bool builds(char *ocloc, char *module, const char *device, char *folder)
{
    char *arguments[] = {ocloc, "compile", "-spirv_input", "-device", (char *)device, "-file",
        module, "-out_dir", folder, "-output", "module", NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);

    pid_t child;
    const int error = posix_spawn(&child, ocloc, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error) {
        fprintf(stderr, "%s: %s\n", ocloc, strerror(error));
        exit(1);
    }
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int compare_verdicts(char *ocloc, char *path, const struct mez_spirv_kernel_needs *needs,
    bool overlooked, char *folder)
{
    int disagreements = 0;
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        const bool ours = should_build(needs, &devices[i]);
        const bool theirs = builds(ocloc, path, devices[i].name, folder);
        const bool differs = overlooked && !devices[i].fp64;
        if ((ours != theirs) != differs) {
            fprintf(stderr, "%s on %s: we say it %s, ocloc that it %s\n", path, devices[i].name,
                ours ? "builds" : "fails", theirs ? "builds" : "fails");
            disagreements++;
        }
    }
    return disagreements;
}

static int compare_module(char *ocloc, char *path, bool overlooked, char *folder)
{
    size_t size;
    void *bytes = read_whole_file(path, &size);
    struct mez_spirv_problem problem = {0};
    struct mez_spirv_module *module;
    struct mez_spirv_survey *survey = NULL;
    int disagreements = 1;

    if (mez_spirv_module_create(bytes, size, &problem, &module) ||
        mez_spirv_survey_create(module, MEZ_SURVEY_VALUES, &problem, &survey))
        fprintf(stderr, "%s: %s\n", path, problem.text);
    else
        disagreements = compare_verdicts(
            ocloc, path, mez_spirv_survey_find_kernel(survey, "test"), overlooked, folder);

    mez_spirv_survey_destroy(&survey);
    mez_spirv_module_destroy(&module);
    free(bytes);
    return disagreements;
}

static void remove_folder(const char *folder)
{
    static const char *const families[] = {"Gen9core", "Gen12LPlp"};
    static const char *const endings[] = {"bin", "gen", "spv", "dbg"};
    for (size_t i = 0; i < 8; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/module_%s.%s", folder, families[i / 4], endings[i % 4]);
        unlink(path);
    }
    if (rmdir(folder))
        perror(folder);
}

int main(int count, char **arguments)
{
    if (count < 3 || !*arguments[1]) {
        fprintf(stderr, "skipped: there is no ocloc\n");
        return 77;
    }
    char folder[] = "/tmp/spirv_oracle.XXXXXX";
    if (!mkdtemp(folder)) {
        perror(folder);
        return 1;
    }
    int modules = 0, disagreements = 0;
    bool overlooked = false;
    for (int i = 2; i < count; i++) {
        if (strcmp(arguments[i], "--overlooked") == 0) {
            overlooked = true;
            continue;
        }
        disagreements += compare_module(arguments[1], arguments[i], overlooked, folder);
        modules++;
    }
    remove_folder(folder);
    printf("%d modules, %d disagreements\n", modules, disagreements);
    return disagreements != 0;
}
