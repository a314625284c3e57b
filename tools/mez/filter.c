// SPDX-License-Identifier: MIT
//
// mez filter: takes the rows out of a file table that a target can't run. The same as sycl-aspect-filter, under which name it is
// installed too, so that its options can be written with one dash.

#include <stdio.h>
#include <string.h>

#include <mezzanine/filter.h>

#include "base/file.h"
#include "base/text.h"
#include "command.h"
#include "contents.h"
#include "options.h"

static const char usage[] =
    "usage: mez filter -target=TARGET [-device-config-file=FILE] [-o OUTPUT] TABLE\n"
    "\n"
    "Copies a file table without the rows whose device code TARGET can't run, which is decided by\n"
    "the aspects, sub-group sizes and fixed targets in the property files. A table without the\n"
    "column \"Properties\" is copied unchanged. It is not an error if no row remains.\n"
    "\n"
    "  -target=TARGET             the architecture, such as intel_gpu_tgllp\n"
    "  -device-config-file=FILE   description of targets (default: MEZ_DEVICE_CONFIG, else built "
    "in)\n"
    "  -o OUTPUT                  file for the new table (default: standard output)\n"
    "  --doc-names                property files are in the forms of the published specification\n"
    "  --verbose                  show which rows are left out, and why\n";

struct request {
    const char *table, *output, *target, *config;
    bool doc_forms, verbose;
};

static bool take_table(void *target, const char *text, struct problem *problem)
{
    struct request *request = target;
    if (request->table)
        return problem_set(problem, "unexpected second table \"%.80s\"", text);
    request->table = text;
    return true;
}

TAKE_MEMBER(take_output, request, output, text)
TAKE_MEMBER(take_target, request, target, text)
TAKE_MEMBER(take_config, request, config, text)
TAKE_MEMBER(take_doc_names, request, doc_forms, true)
TAKE_MEMBER(take_verbose, request, verbose, true)

static const struct option options[] = {
    {"-target", "TARGET", take_target},
    {"--target", "TARGET", take_target},
    {"-device-config-file", "FILE", take_config},
    {"--device-config-file", "FILE", take_config},
    {"-o", "OUTPUT", take_output},
    {"--doc-names", NULL, take_doc_names},
    {"--verbose", NULL, take_verbose},
    {0},
};
static const struct command_line command_line = {options, take_table, NULL};

static void warn(void *user, const char *warning)
{
    (void)user;
    mez_print(stderr, "mez filter: warning: %-s\n", warning);
}

static void report_left_out(void *user, const char *code, const char *why)
{
    const struct request *request = user;
    if (request->verbose)
        mez_print(stderr, "mez filter: %s is left out, because it needs %s\n", code, why);
}

static mez_error write_table(const struct request *request, const mez_filter *filtered)
{
    size_t size;
    const char *text = mez_filter_get_text(filtered, &size);
    if (request->output)
        return mez_filter_write(filtered, request->output);
    fwrite(text, 1, size, stdout);
    return mez_ok();
}

// The reader of tables describes one that is damaged.
static mez_error check_contents(const char *path, const mez_file *file)
{
    const char *name = contents_name(path, file->bytes, file->size);
    if (!name || strcmp(name, "a file table") == 0)
        return mez_ok();
    const mez_error error = mez_error_make(
        MEZ_ERRC_INVALID_IMAGE, "%s: `mez filter` reads file tables, but this is %s", path, name);
    return mez_error_add(error, "what helps",
        "`mez split -o OUT.table` and `mez build --format=table` write tables");
}

static mez_error filter_file(
    const struct request *request, const mez_targets *targets, const mez_file *file)
{
    const mez_filter_params params = {.path = request->table,
        .text = file->bytes,
        .text_size = file->size,
        .targets = targets,
        .target = request->target,
        .doc_names = request->doc_forms,
        .leave_out = report_left_out,
        .user = (void *)request};
    mez_filter *filtered = NULL;
    MEZ_TRY(check_contents(request->table, file));
    mez_error error = mez_filter_create(&params, &filtered);
    if (!mez_failed(error))
        error = write_table(request, filtered);
    mez_filter_destroy(&filtered);
    return error;
}

static mez_error filter_table(const struct request *request, const mez_targets *targets)
{
    mez_file file;
    MEZ_TRY(mez_file_read(request->table, &file));
    const mez_error error = filter_file(request, targets, &file);
    mez_file_finish(&file);
    return error;
}

static mez_error filter(const struct request *request)
{
    const mez_targets_params warnings = {.warn = warn};
    mez_targets *own = NULL;
    const mez_targets *targets = NULL;
    mez_error error = request->config ? mez_targets_load(request->config, &warnings, &own)
                                      : mez_targets_get_default(&targets);
    if (!mez_failed(error))
        error = filter_table(request, own ? own : targets);
    mez_targets_destroy(&own);
    return error;
}

static int run(int count, char *const *arguments)
{
    struct request request = {0};
    struct problem problem;
    if (!command_line_read(&command_line, count, arguments, &request, &problem))
        return report_usage(&filter_command, &problem);
    if (!request.target || !request.table) {
        problem_set(&problem, request.target ? "the input table is missing"
                                             : "the target is missing: add -target=TARGET");
        return report_usage(&filter_command, &problem);
    }
    const mez_error error = filter(&request);
    return mez_failed(error) ? report_error(error) : EXIT_GOOD;
}

const struct command filter_command = {
    "filter", "removes from a file table what a target can't run", usage, run};
