// SPDX-License-Identifier: MIT
//
// mez doctor: what stands between a program and its device, with what to do about it.

#include "doctor.h"

#include <stdarg.h>
#include <string.h>

#include <mezzanine/version.h>

#include "command.h"
#include "options.h"
#include "story_line.h"

static const char usage[] =
    "usage: mez doctor [--json] [--root DIR]\n"
    "\n"
    "Checks everything that a program needs to get a device: the Level Zero loader, each driver,\n"
    "libraries that are installed twice, device nodes and their groups, the kernel driver,\n"
    "environment variables, the cache, the device configuration file and traces. Each line shows\n"
    "PASS, WARN or FAIL, what was found, and what to do. Nothing is changed. The exit code is 1\n"
    "if there is a FAIL.\n"
    "\n"
    "  --json      print JSON\n"
    "  --root DIR  look for /dev, /sys, /etc and the folders of libraries below DIR, for tests\n"
    "              and to check a container from outside; drivers are still opened at their usual\n"
    "              places\n";

struct request {
    const char *root;
    bool json;
};

static bool take_json(void *target, const char *text, struct problem *problem)
{
    (void)text, (void)problem;
    ((struct request *)target)->json = true;
    return true;
}

static bool take_root(void *target, const char *text, struct problem *problem)
{
    if (!*text)
        return problem_set(problem, "the name of the folder is empty");
    ((struct request *)target)->root = text;
    return true;
}

static const struct option options[] = {
    {"--json", NULL, take_json}, {"--root", "DIR", take_root}, {0}};
static const struct command_line command_line = {options, NULL, NULL};

// In the order in which one would repair: each needs those before it.
static void (*const checks[])(struct doctor *) = {
    check_loader,
    check_copies,
    check_kernel,
    check_nodes,
    check_variables,
    check_drivers,
    check_device,
    check_cache,
    check_device_config,
#ifdef MEZ_TRACING
    check_traces,
#endif
    check_settings,
};

void system_path(const struct doctor *doctor, char path[PATH_MAX], const char *format, ...)
{
    const int length = snprintf(path, PATH_MAX, "%s", doctor->root);
    if (length < 0 || length >= PATH_MAX)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path + length, PATH_MAX - (size_t)length, format, arguments);
    va_end(arguments);
}

bool system_line(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    const bool read = fgets(line, (int)size, file) != NULL;
    fclose(file);
    if (read)
        line[strcspn(line, "\n")] = '\0';
    return read;
}

void error_line(mez_error error, const char *detail, char *line, size_t size)
{
    char story[8192];
    mez_error_get_story(error, story, sizeof story);
    story_line(story, detail, line, size);
}

static void print(const struct doctor *doctor, const mez_settings *settings)
{
    findings_print(stdout, &doctor->findings);
    settings_print(stdout, settings);
    findings_print_counts(stdout, &doctor->findings);
}

static void print_json(const struct doctor *doctor, const mez_settings *settings)
{
    mez_json json = {.stream = stdout};
    mez_json_open(&json, NULL, '{');
    mez_json_string(&json, "version", mez_version());
    findings_print_json(&json, &doctor->findings);
    settings_print_json(&json, settings);
    mez_json_close(&json, '}');
}

static int run(int count, char *const *arguments)
{
    struct request request = {.root = ""};
    struct problem problem;
    if (!command_line_read(&command_line, count, arguments, &request, &problem))
        return report_usage(&doctor_command, &problem);
    struct doctor doctor = {.root = request.root};
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        checks[i](&doctor);
    mez_settings *settings;
    const mez_error error = mez_settings_create(&settings);
    mez_error_release(error);
    doctor.findings.incomplete |= mez_failed(error);
    (request.json ? print_json : print)(&doctor, settings);
    mez_settings_destroy(&settings);
    const bool failed = doctor.findings.counts[VERDICT_FAIL] > 0 || doctor.findings.incomplete;
    if (doctor.findings.incomplete)
        fputs("mez doctor: there is not enough memory to show everything\n", stderr);
    findings_finish(&doctor.findings);
    return failed ? EXIT_FAILED : EXIT_GOOD;
}

const struct command doctor_command = {
    "doctor", "finds out why a program gets no device, and what to do", usage, run};
