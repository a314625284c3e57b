// SPDX-License-Identifier: MIT

#include "split_request.h"

#include <stdlib.h>
#include <string.h>

#include "options.h"

bool split_take_file(void *target, const char *text, struct problem *problem)
{
    struct split_request *request = target;
    (void)problem;
    request->inputs[request->input_count++] =
        (struct split_input){.file = text, .fixed_targets = request->fixed_targets};
    return true;
}

bool split_take_mode(void *target, const char *text, struct problem *problem)
{
    static const struct {
        const char *name;
        enum split_mode mode;
    } modes[] = {
        {"", SPLIT_AUTO},
        {"auto", SPLIT_AUTO},
        {"per_kernel", SPLIT_PER_KERNEL},
        {"per_source", SPLIT_PER_SOURCE},
        {"off", SPLIT_OFF},
    };
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (strcmp(text, modes[i].name) == 0) {
            ((struct split_request *)target)->mode = modes[i].mode;
            return true;
        }
    }
    return problem_set(problem, "\"%.80s\" is none of per_kernel, per_source, auto and off", text);
}

bool split_take_numbering(void *target, const char *text, struct problem *problem)
{
    struct split_request *request = target;
    request->renumbered = strcmp(text, "renumbered") == 0;
    if (!request->renumbered && strcmp(text, "classic") != 0)
        return problem_set(problem, "\"%.80s\" is neither classic nor renumbered", text);
    return true;
}

#define TAKE(name, member, value)                                               \
    bool split_##name(void *request, const char *text, struct problem *problem) \
    {                                                                           \
        (void)text, (void)problem;                                              \
        ((struct split_request *)request)->member = value;                      \
        return true;                                                            \
    }

TAKE(take_output, output, text)
TAKE(take_config_file, config_file, text)
TAKE(take_fixed_targets, fixed_targets, *text ? text : NULL)
TAKE(take_kernels_only, kernels_only, true)
TAKE(take_no_debug_info, no_debug_info, true)
TAKE(take_doc_names, doc_names, true)

bool split_take_compiler_option(void *target, const char *text, struct problem *problem)
{
    (void)problem;
    compiler_options_add(&((struct split_request *)target)->compiler, text);
    return true;
}

static const struct option options[] = {
    {"-o", "OUT.table", split_take_output},
    {"--mode", "per_kernel|per_source|auto|off", split_take_mode},
    {"--fixed-targets", "NAME[,NAME]...", split_take_fixed_targets},
    {"--device-config-file", "FILE", split_take_config_file},
    {"--kernels-only", NULL, split_take_kernels_only},
    {"--no-debug-info", NULL, split_take_no_debug_info},
    {"--doc-names", NULL, split_take_doc_names},
    {"--numbering", "classic|renumbered", split_take_numbering},
    {0},
};
static const struct command_line command_line = {
    options, split_take_file, split_take_compiler_option};

bool split_request_init(struct split_request *request, int count, struct problem *problem)
{
    *request = (struct split_request){0};
    request->inputs = calloc((size_t)count + 1, sizeof *request->inputs);
    return (request->inputs && compiler_options_init(&request->compiler, count)) ||
           problem_set(problem, "there is not enough memory");
}

// One source is enough.
bool split_request_check(const struct split_request *request, struct problem *problem)
{
    if (request->input_count == 0)
        return problem_set(problem, "the input file is missing");
    for (unsigned i = 0; i < request->input_count; i++)
        if (compiler_options_fit(&request->compiler, request->inputs[i].file, problem))
            return true;
    return false;
}

bool split_request_read(
    struct split_request *request, int count, char *const *arguments, struct problem *problem)
{
    if (!split_request_init(request, count, problem) ||
        !command_line_read(&command_line, count, arguments, request, problem))
        return false;
    if (!split_request_check(request, problem))
        return false;
    return (request->output && *request->output) ||
           problem_set(problem, "the output is missing: add -o OUT.table");
}

void split_request_finish(struct split_request *request)
{
    free(request->inputs);
    request->inputs = NULL;
    compiler_options_finish(&request->compiler);
}
