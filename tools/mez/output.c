// SPDX-License-Identifier: MIT

#include "output.h"

#include <inttypes.h>
#include <stdlib.h>

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
    fprintf(stream, "argument %zu: %s[%" PRIu64 "]\n", print->argument, type, spec->count);
    const uint64_t shown = shown_count(print, all);
    buffer_print(stream, spec, bytes, print->first, shown);
    if (shown < print->count)
        fprintf(stream, "  ... and %" PRIu64 " more; --all prints them\n", print->count - shown);
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
    fprintf(stream, "host time of submit and wait, without compilation and copies: ");
    if (count == 1)
        fprintf(stream, "%.3f us\n", seconds[0] * 1e6);
    else
        fprintf(stream, "%u runs, shortest %.3f us, median %.3f us, longest %.3f us\n", count,
            seconds[0] * 1e6, seconds[count / 2] * 1e6, seconds[count - 1] * 1e6);
}
