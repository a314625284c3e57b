// SPDX-License-Identifier: MIT

#include "option_values.h"

#include <math.h>
#include <string.h>

#include "number.h"

bool sizes_parse(const char *text, size_t sizes[3], unsigned *dimensions, struct problem *problem)
{
    for (*dimensions = 0; *dimensions < 3;) {
        const size_t length = strcspn(text, ",");
        uint64_t size;
        if (!count_parse(text, length, SIZE_MAX, &size, problem))
            return false;
        if (size == 0)
            return problem_set(problem, "each size must be at least 1");
        sizes[(*dimensions)++] = (size_t)size;
        if (!text[length])
            return true;
        text += length + 1;
    }
    return problem_set(problem, "there are more than three sizes");
}

bool seconds_parse(const char *text, uint64_t *nanoseconds, struct problem *problem)
{
    struct value_type type;
    double seconds;
    if (!value_type_parse("double", strlen("double"), &type, problem) ||
        !number_parse(type.number, text, strlen(text), &seconds, problem))
        return false;
    if (!(seconds > 0) || seconds > 1e9)
        return problem_set(problem,
            "\"%.40s\" is not a time: use a number of seconds greater than 0 and at most 1e9",
            text);
    *nanoseconds = (uint64_t)ceil(seconds * 1e9);
    return true;
}

// Reads up to `most` counts with colons between; *read is how many there were.
static bool counts_parse(
    const char *text, uint64_t *counts, unsigned most, unsigned *read, struct problem *problem)
{
    for (*read = 0; *read < most;) {
        const size_t length = strcspn(text, ":");
        if (!count_parse(text, length, UINT64_MAX, &counts[(*read)++], problem))
            return false;
        if (!text[length])
            return true;
        text += length + 1;
    }
    return problem_set(problem, "there are more than three numbers: use INDEX[:FIRST[:COUNT]]");
}

bool print_request_parse(const char *text, struct print_request *print, struct problem *problem)
{
    uint64_t counts[3] = {0};
    unsigned read;
    if (!counts_parse(text, counts, 3, &read, problem))
        return false;
    *print = (struct print_request){.argument = (size_t)counts[0],
        .first = counts[1],
        .count = counts[2],
        .counted = read == 3};
    if (print->counted && print->count == 0)
        return problem_set(problem, "COUNT must be at least 1");
    return true;
}

// Reads INDEX=VALUE; `missing` is the problem where there is no value.
static bool indexed_parse(const char *text, size_t *index, const char **value, const char *missing,
    struct problem *problem)
{
    const size_t length = strcspn(text, "=");
    uint64_t argument;
    if (!text[length] || !text[length + 1])
        return problem_set(problem, "%s", missing);
    if (!count_parse(text, length, SIZE_MAX, &argument, problem))
        return false;
    *index = (size_t)argument;
    *value = text + length + 1;
    return true;
}

bool save_request_parse(const char *text, struct save_request *save, struct problem *problem)
{
    *save = (struct save_request){0};
    return indexed_parse(
        text, &save->argument, &save->file, "the file is missing: write INDEX=FILE", problem);
}

bool expect_request_parse(const char *text, struct expect_request *expect, struct problem *problem)
{
    *expect = (struct expect_request){0};
    return indexed_parse(text, &expect->argument, &expect->start,
        "the expected contents are missing: write INDEX=START", problem);
}

bool swap_request_parse(const char *text, struct swap_request *swap, struct problem *problem)
{
    const size_t length = strcspn(text, ",");
    uint64_t first, second;
    if (!text[length])
        return problem_set(problem, "two arguments are needed: write INDEX,INDEX");
    if (!count_parse(text, length, SIZE_MAX, &first, problem) ||
        !count_parse(text + length + 1, strlen(text + length + 1), SIZE_MAX, &second, problem))
        return false;
    *swap = (struct swap_request){{(size_t)first, (size_t)second}};
    return true;
}

bool tolerance_parse(const char *text, double *tolerance, struct problem *problem)
{
    struct value_type type;
    if (!value_type_parse("double", strlen("double"), &type, problem) ||
        !number_parse(type.number, text, strlen(text), tolerance, problem))
        return false;
    return (*tolerance >= 0 && isfinite(*tolerance)) ||
           problem_set(
               problem, "\"%.40s\" is not a tolerance: use a number that is not negative", text);
}
