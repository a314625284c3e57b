// SPDX-License-Identifier: MIT

#include "trace_request.h"

#include <string.h>

#include "options.h"
#include "settings.h"

static bool add(struct trace_request *request, const char *path, enum trace_format format,
    struct problem *problem)
{
    if (request->output_count == TRACE_MOST_PICTURES)
        return problem_set(problem, "at most %d outputs can be given", TRACE_MOST_PICTURES);
    request->outputs[request->output_count++] =
        (struct trace_output){.path = path, .format = format};
    return true;
}

static bool take_output(void *request, const char *text, struct problem *problem)
{
    const enum trace_format format = trace_format_of(text);
    if (format == TRACE_FORMATS)
        return problem_set(
            problem, "\"%.80s\" ends in none of .json, .dot, .svg, .stats and .txt", text);
    return add(request, text, format, problem);
}

static bool take_graph(void *request, const char *text, struct problem *problem)
{
    const enum trace_format format = trace_format_of(text);
    if (format != TRACE_DOT && format != TRACE_SVG)
        return problem_set(problem, "\"%.80s\" ends in neither .svg nor .dot", text);
    return add(request, text, format, problem);
}

static bool take_statistics(void *request, const char *text, struct problem *problem)
{
    (void)text;
    return add(request, NULL, TRACE_STATISTICS, problem);
}

static bool take_text(void *request, const char *text, struct problem *problem)
{
    (void)text;
    return add(request, NULL, TRACE_TEXT, problem);
}

static bool take_detail(void *request, const char *text, struct problem *problem)
{
    uint8_t level;
    if (!trace_detail_of(text, &level))
        return problem_set(problem, "\"%.80s\" is none of " TRACE_DETAILS, text);
    ((struct trace_request *)request)->detail = text;
    return true;
}

static const struct option options[] = {
    {"-o", "FILE", take_output},
    {"--graph", "FILE.svg|FILE.dot", take_graph},
    {"--stats", NULL, take_statistics},
    {"--text", NULL, take_text},
    {"--detail", "basic|normal|verbose", take_detail},
    {0},
};
static const struct command_line command_line = {options, NULL, NULL};

static int count_own(int count, char *const *arguments)
{
    for (int i = 0; i < count; i++)
        if (strcmp(arguments[i], "--") == 0)
            return i;
    return count;
}

bool trace_request_read(
    struct trace_request *request, int count, char *const *arguments, struct problem *problem)
{
    const int own = count_own(count, arguments);
    *request = (struct trace_request){0};
    if (!command_line_read(&command_line, own, arguments, request, problem))
        return false;
    if (own + 1 >= count)
        return problem_set(
            problem, "the program is missing: use mez trace [OPTIONS] -- PROGRAM ...");
    request->program = arguments + own + 1;
    return request->output_count > 0 || add(request, "trace.json", TRACE_TIMELINE, problem);
}
