// SPDX-License-Identifier: MIT

#include "argument.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

// What stands behind the prefix, or NULL where the text begins otherwise.
static const char *behind(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0 ? text + strlen(prefix) : NULL;
}

static bool parse_buffer(const char *text, struct argument *argument, struct problem *problem)
{
    argument->kind = ARGUMENT_BUFFER;
    return buffer_parse(text, &argument->buffer, problem);
}

static bool parse_local_elements(const char *text, size_t *size, struct problem *problem)
{
    struct buffer_spec elements;
    if (!buffer_parse(text, &elements, problem))
        return false;
    if (strchr(text, '='))
        return problem_set(problem, "local memory cannot have initial contents: remove =START");
    *size = buffer_size(&elements);
    return true;
}

static bool parse_local(const char *text, struct argument *argument, struct problem *problem)
{
    argument->kind = ARGUMENT_LOCAL;
    if (strchr(text, ':'))
        return parse_local_elements(text, &argument->local_size, problem);
    uint64_t size;
    if (!count_parse(text, strlen(text), SIZE_MAX, &size, problem))
        return false;
    argument->local_size = (size_t)size;
    return size > 0 || problem_set(problem, "local memory needs at least one byte");
}

static bool parse_value(const char *text, struct argument *argument, struct problem *problem)
{
    const char *colon = strchr(text, ':');
    struct value *value = &argument->value;
    argument->kind = ARGUMENT_VALUE;
    if (!colon)
        return problem_set(problem,
            "the type is missing: write a number as i32:%.40s or f32:%.40s, and a buffer as "
            "buf:TYPE:COUNT",
            text, text);
    return value_type_parse(text, (size_t)(colon - text), &value->type, problem) &&
           value_parse(&value->type, colon + 1, value->bytes, problem);
}

bool argument_parse(const char *text, struct argument *argument, struct problem *problem)
{
    *argument = (struct argument){.kind = ARGUMENT_NULL};
    const char *rest;
    if (strcmp(text, "null") == 0)
        return true;
    if ((rest = behind(text, "buf:")))
        return parse_buffer(rest, argument, problem);
    argument->printed = (rest = behind(text, "out:")) != NULL;
    if (rest)
        return parse_buffer(rest, argument, problem);
    if ((rest = behind(text, "local:")))
        return parse_local(rest, argument, problem);
    return parse_value(text, argument, problem);
}
