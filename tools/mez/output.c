// SPDX-License-Identifier: MIT

#include "output.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/text.h"
#include "file.h"

static uint64_t shown_count(const struct print_request *print, bool all)
{
    const bool cut = !all && !print->counted && print->count > MOST_PRINTED;
    return cut ? MOST_PRINTED : print->count;
}

static void print_buffer(FILE *stream, const struct print_request *print,
    const struct buffer_spec *spec, const void *bytes, bool all)
{
    char type[VALUE_TYPE_NAME];
    value_type_name(&spec->type, type);
    mez_print(stream, "argument %zu: %s[%" PRIu64 "]\n", print->argument, type, spec->count);
    const uint64_t shown = shown_count(print, all);
    buffer_print(stream, spec, bytes, print->first, shown);
    if (shown < print->count)
        mez_print(stream, "  ... and %" PRIu64 " more; --all prints them\n", print->count - shown);
}

void output_print(FILE *stream, const struct run_request *request, const struct launch *launch)
{
    for (size_t i = 0; i < request->print_count; i++) {
        const struct print_request *print = &request->prints[i];
        print_buffer(stream, print, &request->arguments[print->argument].buffer,
            launch->buffers[print->argument].host, request->all);
    }
}

bool output_save(
    const struct run_request *request, const struct launch *launch, struct problem *problem)
{
    for (size_t i = 0; i < request->save_count; i++) {
        const struct launch_buffer *buffer = &launch->buffers[request->saves[i].argument];
        if (!file_write(request->saves[i].file, buffer->host, buffer->size, problem))
            return false;
    }
    return true;
}

// As value_print has it, cut where a vector is long.
static void describe_value(
    const struct buffer_spec *spec, const void *bytes, uint64_t index, char *text, size_t room)
{
    FILE *stream = fmemopen(text, room, "w");
    text[0] = '\0';
    if (!stream)
        return;
    const size_t size = value_type_size(&spec->type);
    value_print(stream, &spec->type, (const unsigned char *)bytes + index * size);
    fclose(stream);
    text[room - 1] = '\0';
}

static bool say_difference(const struct expect_request *expect,
    const struct buffer_difference *difference, const void *got, const void *wanted,
    struct problem *problem)
{
    char is[96], should[96];
    describe_value(&expect->spec, got, difference->first, is, sizeof is);
    describe_value(&expect->spec, wanted, difference->first, should, sizeof should);
    return problem_set(problem,
        "argument %zu: %" PRIu64 " of %" PRIu64
        " elements are not as expected; the first is [%" PRIu64 "]: %s instead of %s",
        expect->argument, difference->elements, expect->spec.count, difference->first, is, should);
}

static bool check_buffer(
    const struct expect_request *expect, const void *got, double tolerance, struct problem *problem)
{
    void *wanted = malloc(buffer_size(&expect->spec));
    if (!wanted)
        return problem_set(problem, "out of memory");
    bool good = buffer_fill(&expect->spec, wanted, problem);
    if (good) {
        const struct buffer_difference difference =
            buffer_compare(&expect->spec, got, wanted, tolerance);
        good =
            difference.elements == 0 || say_difference(expect, &difference, got, wanted, problem);
    }
    free(wanted);
    return good;
}

bool output_check(
    const struct run_request *request, const struct launch *launch, struct problem *problem)
{
    for (size_t i = 0; i < request->expect_count; i++) {
        const struct expect_request *expect = &request->expects[i];
        if (!check_buffer(
                expect, launch->buffers[expect->argument].host, request->tolerance, problem))
            return false;
    }
    return true;
}

static int shorter_first(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

void output_times(FILE *stream, const struct launch *launch)
{
    const unsigned count = launch->request->repeat;
    double *seconds = launch->seconds;
    qsort(seconds, count, sizeof *seconds, shorter_first);
    mez_print(stream,
        "host time from submission to the end of the wait, without compilation and copies: ");
    if (count == 1)
        mez_print(stream, "%.3f us\n", seconds[0] * 1e6);
    else
        mez_print(stream, "%u runs, shortest %.3f us, median %.3f us, longest %.3f us\n", count,
            seconds[0] * 1e6, seconds[count / 2] * 1e6, seconds[count - 1] * 1e6);
}
