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
    return *text || problem_set(problem, "the name of a device is missing");
}

TAKE_MEMBER(take_flags, run_request, flags, text)

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

static bool take_expect(void *target, const char *text, struct problem *problem)
{
    struct run_request *request = target;
    return expect_request_parse(text, &request->expects[request->expect_count++], problem);
}

static bool take_swap(void *target, const char *text, struct problem *problem)
{
    struct run_request *request = target;
    return swap_request_parse(text, &request->swaps[request->swap_count++], problem);
}

static bool take_tolerance(void *target, const char *text, struct problem *problem)
{
    return tolerance_parse(text, &((struct run_request *)target)->tolerance, problem);
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
    return repeat > 0 || problem_set(problem, "the number of runs must be at least 1");
}

TAKE_MEMBER(take_time, run_request, time, true)

TAKE_MEMBER(take_check, run_request, check, true)

TAKE_MEMBER(take_all, run_request, all, true)

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

static bool take_compiler_option(void *target, const char *text, struct problem *problem)
{
    (void)problem;
    compiler_options_add(&((struct run_request *)target)->compiler, text);
    return true;
}

static const struct option options[] = {
    {"--global", "N[,M[,K]]", take_global},
    {"--local", "N[,M[,K]]", take_local},
    {"--device", "gpu|cpu|NAME", take_device},
    {"--flags", "FLAGS", take_flags},
    {"--print", "INDEX[:FIRST[:COUNT]]", take_print},
    {"--save", "INDEX=FILE", take_save},
    {"--expect", "INDEX=START", take_expect},
    {"--tolerance", "NUMBER", take_tolerance},
    {"--swap", "INDEX,INDEX", take_swap},
    {"--repeat", "N", take_repeat},
    {"--timeout", "SECONDS", take_timeout},
    {"--time", NULL, take_time},
    {"--check", NULL, take_check},
    {"--all", NULL, take_all},
    {0},
};
static const struct command_line command_line = {options, take_positional, take_compiler_option};

static bool check_presence(const struct run_request *request, struct problem *problem)
{
    if (!request->file)
        return problem_set(problem, "the input file is missing");
    if (!request->kernel)
        return problem_set(problem,
            "the name of a kernel is missing; `mez kernels %.200s` lists the kernels",
            request->file);
    if (request->range.dimensions == 0)
        return problem_set(problem, "the range is missing: add --global N[,M[,K]]");
    if (request->local_dimensions && request->local_dimensions != request->range.dimensions)
        return problem_set(problem,
            "--global and --local must have the same number of sizes, but have %u and %u",
            request->range.dimensions, request->local_dimensions);
    return compiler_options_fit(&request->compiler, request->file, problem);
}

static bool check_buffer_index(
    const struct run_request *request, const char *option, size_t index, struct problem *problem)
{
    if (index >= request->argument_count)
        return problem_set(problem,
            "%s %zu: there is no such argument: %zu are given, numbered from 0", option, index,
            request->argument_count);
    if (request->arguments[index].kind != ARGUMENT_BUFFER)
        return problem_set(problem, "%s %zu: that argument is not a buffer", option, index);
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

static bool check_expect(
    const struct run_request *request, struct expect_request *expect, struct problem *problem)
{
    if (!check_buffer_index(request, "--expect", expect->argument, problem))
        return false;
    expect->spec = request->arguments[expect->argument].buffer;
    struct problem why;
    return buffer_start_parse(expect->start, &expect->spec, &why) ||
           problem_set(problem, "--expect %zu: %.400s", expect->argument, why.text);
}

// What is printed and expected of a buffer stands in its argument's type.
static bool check_swap(
    const struct run_request *request, const struct swap_request *swap, struct problem *problem)
{
    for (size_t i = 0; i < 2; i++)
        if (!check_buffer_index(request, "--swap", swap->arguments[i], problem))
            return false;
    const struct buffer_spec *a = &request->arguments[swap->arguments[0]].buffer;
    const struct buffer_spec *b = &request->arguments[swap->arguments[1]].buffer;
    const bool same = a->type.number == b->type.number &&
                      a->type.components == b->type.components && a->count == b->count;
    return same || problem_set(problem, "--swap %zu,%zu: the buffers differ in type or count",
                       swap->arguments[0], swap->arguments[1]);
}

static bool check_outputs(struct run_request *request, struct problem *problem)
{
    for (size_t i = 0; i < request->print_count; i++)
        if (!check_print(request, &request->prints[i], problem))
            return false;
    for (size_t i = 0; i < request->save_count; i++)
        if (!check_buffer_index(request, "--save", request->saves[i].argument, problem))
            return false;
    for (size_t i = 0; i < request->expect_count; i++)
        if (!check_expect(request, &request->expects[i], problem))
            return false;
    for (size_t i = 0; i < request->swap_count; i++)
        if (!check_swap(request, &request->swaps[i], problem))
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
    request->expects = calloc(room, sizeof *request->expects);
    request->swaps = calloc(room, sizeof *request->swaps);
    return compiler_options_init(&request->compiler, count) && request->arguments &&
           request->prints && request->saves && request->expects && request->swaps;
}

void run_request_finish(struct run_request *request)
{
    free(request->arguments);
    free(request->prints);
    free(request->saves);
    free(request->expects);
    free(request->swaps);
    compiler_options_finish(&request->compiler);
}

bool run_request_read(
    struct run_request *request, int count, char *const *arguments, struct problem *problem)
{
    return command_line_read(&command_line, count, arguments, request, problem) &&
           check_presence(request, problem) && check_outputs(request, problem);
}
