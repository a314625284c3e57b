// SPDX-License-Identifier: MIT

#include "build_request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

static bool take_format(void *target, const char *text, struct problem *problem)
{
    struct build_request *request = target;
    request->format = strcmp(text, "syclbin") == 0 ? FORMAT_SYCLBIN : FORMAT_TABLE;
    if (request->format == FORMAT_TABLE && strcmp(text, "table") != 0)
        return problem_set(problem, "\"%.80s\" is neither table nor syclbin", text);
    return true;
}

static bool take_jobs(void *target, const char *text, struct problem *problem)
{
    char *end;
    errno = 0;
    const unsigned long jobs = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || jobs == 0 || jobs > 10000)
        return problem_set(problem, "\"%.80s\" is not a number from 1 to 10000", text);
    ((struct build_request *)target)->jobs = (unsigned)jobs;
    return true;
}

TAKE_MEMBER(take_targets, build_request, targets, text)
TAKE_MEMBER(take_aot_options, build_request, aot_options, text)
TAKE_MEMBER(take_verbose, build_request, verbose, true)

static const struct option options[] = {
    {"--targets", "NAME[,NAME]...", take_targets},
    {"-o", "OUT.table|OUT.syclbin", split_take_output},
    {"--format", "table|syclbin", take_format},
    {"--mode", "per_kernel|per_source|auto|off", split_take_mode},
    {"--fixed-targets", "NAME[,NAME]...", split_take_fixed_targets},
    {"--device-config-file", "FILE", split_take_config_file},
    {"--aot-options", "OPTIONS", take_aot_options},
    {"--jobs", "N", take_jobs},
    {"--kernels-only", NULL, split_take_kernels_only},
    {"--no-debug-info", NULL, split_take_no_debug_info},
    {"--doc-names", NULL, split_take_doc_names},
    {"--numbering", "classic|renumbered", split_take_numbering},
    {"--verbose", NULL, take_verbose},
    {0},
};
static const struct command_line command_line = {
    options, split_take_file, split_take_compiler_option};

static bool ends_in(const char *text, const char *ending)
{
    const size_t length = strlen(text), end = strlen(ending);
    return length > end && strcmp(text + length - end, ending) == 0;
}

static bool find_format(struct build_request *request, struct problem *problem)
{
    const char *output = request->split.output;
    if (request->format != FORMAT_BY_NAME)
        return true;
    if (ends_in(output, ".syclbin"))
        request->format = FORMAT_SYCLBIN;
    else if (ends_in(output, ".table"))
        request->format = FORMAT_TABLE;
    else
        return problem_set(problem,
            "\"%.80s\" ends in neither .table nor .syclbin: choose the format with --format",
            output);
    return true;
}

bool build_request_read(
    struct build_request *request, int count, char *const *arguments, struct problem *problem)
{
    *request = (struct build_request){0};
    if (!split_request_init(&request->split, count, problem) ||
        !command_line_read(&command_line, count, arguments, request, problem))
        return false;
    if (!split_request_check(&request->split, problem))
        return false;
    if (!request->targets || !request->targets[strspn(request->targets, ",")])
        return problem_set(
            problem, "the targets are missing; add for example --targets=spir64,intel_gpu_tgllp");
    if (!request->split.output)
        return problem_set(problem, "the output is missing: add -o OUT.table or -o OUT.syclbin");
    return find_format(request, problem);
}

void build_request_finish(struct build_request *request)
{
    split_request_finish(&request->split);
}
