// SPDX-License-Identifier: MIT
//
// mez filter: takes the rows out of a file table that a target can't run. The same as sycl-aspect-filter, under which name it is
// installed too, so that its options can be written with one dash.

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/file.h"
#include "command.h"
#include "contents.h"
#include "filter/filter.h"
#include "options.h"

static const char usage[] =
    "usage: mez filter -target=TARGET [-device-config-file=FILE] [-o OUTPUT] TABLE\n"
    "\n"
    "Copies a file table without the rows whose device code TARGET can't run: by the aspects,\n"
    "sub-group sizes and fixed targets that their property files state. A table without the "
    "column\n"
    "\"Properties\" is copied as it is. That nothing is left is no failure.\n"
    "\n"
    "  -target=TARGET             the architecture, such as intel_gpu_tgllp\n"
    "  -device-config-file=FILE   what targets have, instead of MEZ_DEVICE_CONFIG or what is built "
    "in\n"
    "  -o OUTPUT                  where to write the table; standard output if it is left out\n"
    "  --doc-names                property files are in the forms of the published document\n"
    "  --verbose                  says which rows are left out, and why\n";

struct request {
    const char *table, *output, *target, *config;
    bool doc_forms, verbose;
};

static bool take_table(void *target, const char *text, struct problem *problem)
{
    struct request *request = target;
    if (request->table)
        return problem_set(problem, "\"%.80s\" is one table too many", text);
    request->table = text;
    return true;
}

#define TAKE(name, member, value)                                              \
    static bool name(void *request, const char *text, struct problem *problem) \
    {                                                                          \
        (void)text, (void)problem;                                             \
        ((struct request *)request)->member = value;                           \
        return true;                                                           \
    }

TAKE(take_output, output, text)
TAKE(take_target, target, text)
TAKE(take_config, config, text)
TAKE(take_doc_names, doc_forms, true)
TAKE(take_verbose, verbose, true)

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
    fprintf(stderr, "mez filter: warning: %s\n", warning);
}

static void tell(void *user, const char *code, const char *why)
{
    const struct request *request = user;
    if (request->verbose)
        fprintf(stderr, "mez filter: %s is left out: it needs %s\n", code, why);
}

static mez_error write_table(const struct request *request, const mez_table *table)
{
    mez_bytes text = {0};
    mez_error error = mez_table_write(table, &text);
    if (!mez_failed(error) && text.failed)
        error = mez_error_no_memory("the filtered table");
    if (!mez_failed(error) && !request->output && text.size > 0)
        fwrite(text.data, 1, text.size, stdout);
    if (!mez_failed(error) && request->output)
        error = mez_file_replace(request->output, text.data, text.size);
    mez_bytes_finish(&text);
    return error;
}

// A table that is damaged is the reader's to describe.
static mez_error read_table(const char *path, const mez_file *file, mez_table *table)
{
    const char *name = contents_name(path, file->bytes, file->size);
    if (!name || strcmp(name, "a file table") == 0)
        return mez_table_read(file->bytes, file->size, path, table);
    const mez_error error = mez_error_make(
        MEZ_ERRC_INVALID_IMAGE, "%s: `mez filter` takes file tables, and this is %s", path, name);
    return mez_error_add(error, "what helps",
        "`mez split -o OUT.table` and `mez build --format=table` write tables");
}

static mez_error load_table(const char *path, mez_table *table)
{
    mez_file file;
    MEZ_TRY(mez_file_read(path, &file));
    const mez_error error = read_table(path, &file, table);
    mez_file_finish(&file);
    return error;
}

static mez_error filter_table(const struct request *request, const mez_targets *targets)
{
    const mez_filter_params params = {.targets = targets,
        .target = request->target,
        .doc_forms = request->doc_forms,
        .tell = tell,
        .user = (void *)request};
    mez_table table = {0};
    mez_error error = load_table(request->table, &table);
    if (!mez_failed(error))
        error = mez_filter_table(&params, request->table, &table);
    if (!mez_failed(error))
        error = write_table(request, &table);
    mez_table_finish(&table);
    return error;
}

static mez_error filter(const struct request *request)
{
    const mez_targets_warnings warnings = {.tell = warn};
    mez_targets *own = NULL;
    const mez_targets *targets = NULL;
    mez_error error = request->config ? mez_targets_load(request->config, &warnings, &own)
                                      : mez_targets_default(&targets);
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
        problem_set(
            &problem, request.target ? "no table is named" : "no target is named: -target=TARGET");
        return report_usage(&filter_command, &problem);
    }
    const mez_error error = filter(&request);
    return mez_failed(error) ? report_error(error) : EXIT_GOOD;
}

const struct command filter_command = {
    "filter", "takes out of a file table what a target can't run", usage, run};
