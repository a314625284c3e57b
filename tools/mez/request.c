// SPDX-License-Identifier: MIT

#include "request.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

static bool take_global(void *target, const char *text, struct problem *problem)
{
    struct run_request *request = target;
    unsigned dimensions;
    if (!sizes_parse(text, request->range.global, &dimensions, problem))
        return false;
    request->range.dimensions = dimensions;
    return true;
}

static bool take_local(void *target, const char *text, struct problem *problem)
{
    struct run_request *request = target;
    return sizes_parse(text, request->range.local, &request->local_dimensions, problem);
}

static bool take_device(void *target, const char *text, struct problem *problem)
{
    ((struct run_request *)target)->device = text;
    return *text || problem_set(problem, "no device is named");
}

static bool take_flags(void *target, const char *text, struct problem *problem)
{
    (void)problem;
    ((struct run_request *)target)->flags = text;
    return true;
}

static bool take_print(void *target, const char *text, struct problem *problem)
{
    struct run_request *request = target;
    return print_request_parse(text, &request->prints[request->print_count++], problem);
}

static bool take_save(void *target, const char *text, struct problem *problem)
{
    struct run_request *request = target;
    return save_request_parse(text, &request->saves[request->save_count++], problem);
}

static bool take_timeout(void *target, const char *text, struct problem *problem)
{
    return seconds_parse(text, &((struct run_request *)target)->timeout, problem);
}

static bool take_repeat(void *target, const char *text, struct problem *problem)
{
    uint64_t repeat;
    if (!count_parse(text, strlen(text), MOST_REPEATS, &repeat, problem))
        return false;
    ((struct run_request *)target)->repeat = (unsigned)repeat;
    return repeat > 0 || problem_set(problem, "at least 1");
}

static bool take_time(void *target, const char *text, struct problem *problem)
{
    (void)text, (void)problem;
    ((struct run_request *)target)->time = true;
    return true;
}

static bool take_all(void *target, const char *text, struct problem *problem)
{
    (void)text, (void)problem;
    ((struct run_request *)target)->all = true;
    return true;
}

static bool take_argument(struct run_request *request, const char *text, struct problem *problem)
{
    struct problem why;
    const size_t index = request->argument_count++;
    struct argument *argument = &request->arguments[index];
    if (!argument_parse(text, argument, &why))
        return problem_set(problem, "argument %zu: %.400s", index, why.text);
    if (argument->printed)
        request->prints[request->print_count++] = (struct print_request){.argument = index};
    return true;
}

static bool take_positional(void *target, const char *text, struct problem *problem)
{
    struct run_request *request = target;
    if (!request->file) {
        request->file = text;
        return true;
    }
    if (!request->kernel) {
        request->kernel = text;
        return true;
    }
    return take_argument(request, text, problem);
}

static const struct option options[] = {
    {"--global", "N[,M[,K]]", take_global},
    {"--local", "N[,M[,K]]", take_local},
    {"--device", "gpu|cpu|NAME", take_device},
    {"--flags", "FLAGS", take_flags},
    {"--print", "INDEX[:FIRST[:COUNT]]", take_print},
    {"--save", "INDEX=FILE", take_save},
    {"--repeat", "N", take_repeat},
    {"--timeout", "SECONDS", take_timeout},
    {"--time", NULL, take_time},
    {"--all", NULL, take_all},
    {0},
};
static const struct command_line command_line = {options, take_positional};

static bool check_presence(const struct run_request *request, struct problem *problem)
{
    if (!request->file)
        return problem_set(problem, "no file is named");
    if (!request->kernel)
        return problem_set(
            problem, "no kernel is named; `mez kernels %.200s` lists them", request->file);
    if (request->range.dimensions == 0)
        return problem_set(problem, "the range is missing: --global N[,M[,K]]");
    if (request->local_dimensions && request->local_dimensions != request->range.dimensions)
        return problem_set(problem, "--global has %u sizes and --local has %u",
            request->range.dimensions, request->local_dimensions);
    return true;
}

static bool check_buffer_index(
    const struct run_request *request, const char *option, size_t index, struct problem *problem)
{
    if (index >= request->argument_count)
        return problem_set(problem, "%s %zu: the kernel is given %zu arguments, numbered from 0",
            option, index, request->argument_count);
    if (request->arguments[index].kind != ARGUMENT_BUFFER)
        return problem_set(problem, "%s %zu: that argument is no buffer", option, index);
    return true;
}

static bool check_print(
    const struct run_request *request, struct print_request *print, struct problem *problem)
{
    if (!check_buffer_index(request, "--print", print->argument, problem))
        return false;
    const uint64_t elements = request->arguments[print->argument].buffer.count;
    if (print->first >= elements || (print->counted && print->count > elements - print->first))
        return problem_set(
            problem, "--print %zu: the buffer has %" PRIu64 " elements", print->argument, elements);
    if (!print->counted)
        print->count = elements - print->first;
    return true;
}

static bool check_outputs(struct run_request *request, struct problem *problem)
{
    for (size_t i = 0; i < request->print_count; i++)
        if (!check_print(request, &request->prints[i], problem))
            return false;
    for (size_t i = 0; i < request->save_count; i++)
        if (!check_buffer_index(request, "--save", request->saves[i].argument, problem))
            return false;
    return true;
}

bool run_request_init(struct run_request *request, int count)
{
    const size_t room = (size_t)count + 1;
    *request = (struct run_request){.timeout = MEZ_FOREVER, .repeat = 1};
    request->arguments = calloc(room, sizeof *request->arguments);
    request->prints = calloc(room, sizeof *request->prints);
    request->saves = calloc(room, sizeof *request->saves);
    return request->arguments && request->prints && request->saves;
}

void run_request_finish(struct run_request *request)
{
    free(request->arguments);
    free(request->prints);
    free(request->saves);
}

bool run_request_read(
    struct run_request *request, int count, char *const *arguments, struct problem *problem)
{
    return command_line_read(&command_line, count, arguments, request, problem) &&
           check_presence(request, problem) && check_outputs(request, problem);
}
