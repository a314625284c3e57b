// SPDX-License-Identifier: MIT

#include "options.h"

#include <stdio.h>
#include <string.h>

#include "compiler_options.h"

static bool is_help(const char *argument)
{
    return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

bool command_line_wants_help(int count, char *const *arguments)
{
    for (int i = 0; i < count && strcmp(arguments[i], "--") != 0; i++)
        if (is_help(arguments[i]))
            return true;
    return false;
}

static const struct option *find_option(const struct option *options, const char *argument)
{
    const size_t length = strcspn(argument, "=");
    for (; options->name; options++)
        if (strlen(options->name) == length && memcmp(options->name, argument, length) == 0)
            return options;
    return NULL;
}

static bool take_value(
    const struct option *option, const char *value, void *request, struct problem *problem)
{
    struct problem why;
    if (option->take(request, value, &why))
        return true;
    return problem_set(problem, "%s: %.400s", option->name, why.text);
}

static bool read_compiler_option(const struct command_line *line, const char *argument,
    const char *next, bool *used_next, void *request, struct problem *problem)
{
    if (!line->take_compiler_option || argument[1] == '-')
        return problem_set(problem, "unknown option %.80s", argument);
    *used_next = next && compiler_option_takes_next(argument);
    return line->take_compiler_option(request, argument, problem) &&
           (!*used_next || line->take_compiler_option(request, next, problem));
}

// `next` is the argument behind, NULL at the end; *used_next becomes true if it was the value.
static bool read_option(const struct command_line *line, const char *argument, const char *next,
    bool *used_next, void *request, struct problem *problem)
{
    const struct option *option = find_option(line->options, argument);
    if (!option)
        return read_compiler_option(line, argument, next, used_next, request, problem);
    const char *equals = strchr(argument, '=');
    if (!option->value_name)
        return equals ? problem_set(problem, "option %s takes no value", option->name)
                      : take_value(option, NULL, request, problem);
    *used_next = !equals;
    if (!equals && !next)
        return problem_set(problem, "option %s needs a value: %s %s", option->name, option->name,
            option->value_name);
    return take_value(option, equals ? equals + 1 : next, request, problem);
}

static bool read_positional(
    const struct command_line *line, const char *argument, void *request, struct problem *problem)
{
    if (!line->take_positional)
        return problem_set(problem, "unexpected argument \"%.80s\"", argument);
    return line->take_positional(request, argument, problem);
}

bool command_line_read(const struct command_line *line, int count, char *const *arguments,
    void *request, struct problem *problem)
{
    bool only_positional = false;
    for (int i = 0; i < count; i++) {
        const char *argument = arguments[i];
        bool used_next = false;
        bool good = true;
        if (only_positional || argument[0] != '-' || argument[1] == '\0')
            good = read_positional(line, argument, request, problem);
        else if (strcmp(argument, "--") == 0)
            only_positional = true;
        else
            good = read_option(line, argument, i + 1 < count ? arguments[i + 1] : NULL, &used_next,
                request, problem);
        if (!good)
            return false;
        i += used_next;
    }
    return true;
}
