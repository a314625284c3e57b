// SPDX-License-Identifier: MIT

#include "check_request.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool take_file(void *target, const char *text, struct problem *problem)
{
    struct check_request *request = target;
    if (request->file)
        return problem_set(problem, "unexpected second file \"%.80s\"", text);
    request->file = text;
    return true;
}

static bool take_target(void *target, const char *text, struct problem *problem)
{
    struct check_request *request = target;
    (void)problem;
    request->targets[request->target_count++] = text; // there is room for every argument
    return true;
}

static bool take_device(void *target, const char *text, struct problem *problem)
{
    struct check_request *request = target;
    request->wants_device = true;
    if (*text == '\0' || text[strspn(text, "0123456789")] != '\0') {
        request->device = text;
        return true;
    }
    const unsigned long index = strtoul(text, NULL, 10);
    if (index > UINT16_MAX)
        return problem_set(problem, "there is no device %.40s", text);
    request->has_index = true;
    request->index = (unsigned)index;
    return true;
}

TAKE_MEMBER(take_config_file, check_request, config_file, text)

TAKE_MEMBER(take_fixed_targets, check_request, fixed_targets, text)

static bool take_mode(void *target, const char *text, struct problem *problem)
{
    struct check_request *request = target;
    request->types = strcmp(text, "types") == 0;
    if (!request->types && strcmp(text, "values") != 0)
        return problem_set(problem, "\"%.80s\" is neither values nor types", text);
    return true;
}

static bool take_compiler(void *target, const char *text, struct problem *problem)
{
    const bool is_version = (*text == '1' || *text == '2') && (text[1] == '\0' || text[1] == '.') &&
                            text[strspn(text, "0123456789.")] == '\0';
    ((struct check_request *)target)->judged_for = text;
    return is_version ||
           problem_set(problem,
               "\"%.80s\" is not a version of a known compiler, such as 1.0 or 2.40", text);
}

TAKE_MEMBER(take_json, check_request, json, true)

static bool take_compiler_option(void *target, const char *text, struct problem *problem)
{
    (void)problem;
    compiler_options_add(&((struct check_request *)target)->compiler, text);
    return true;
}

static const struct option options[] = {
    {"--target", "NAME", take_target},
    {"--device", "N|gpu|cpu|NAME", take_device},
    {"--device-config-file", "FILE", take_config_file},
    {"--fixed-targets", "NAME[,NAME]...", take_fixed_targets},
    {"--mode", "values|types", take_mode},
    {"--compiler", "VERSION", take_compiler},
    {"--json", NULL, take_json},
    {0},
};
static const struct command_line command_line = {options, take_file, take_compiler_option};

bool check_request_read(
    struct check_request *request, int count, char *const *arguments, struct problem *problem)
{
    *request = (struct check_request){0};
    request->targets = calloc((size_t)count + 1, sizeof *request->targets);
    if (!request->targets || !compiler_options_init(&request->compiler, count))
        return problem_set(problem, "there is not enough memory");
    if (!command_line_read(&command_line, count, arguments, request, problem))
        return false;
    if (!request->file)
        return problem_set(problem, "the input file is missing");
    request->wants_device |= request->target_count == 0;
    return compiler_options_fit(&request->compiler, request->file, problem);
}

void check_request_finish(struct check_request *request)
{
    free(request->targets);
    request->targets = NULL;
    compiler_options_finish(&request->compiler);
}
