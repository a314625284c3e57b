// SPDX-License-Identifier: MIT
//
// Reading launches, writing results.

#include "runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

void *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    long length = -1;
    if (file && fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) >= 0)
        bytes = malloc((size_t)length + 1);
    if (bytes) {
        rewind(file);
        *size = fread(bytes, 1, (size_t)length, file);
        bytes[*size] = '\0';
    } else {
        fprintf(stderr, "%s cannot be read\n", path);
    }
    if (file)
        fclose(file);
    return bytes;
}

static bool read_launch(FILE *file, struct launch *to)
{
    return fscanf(file, "%63s %zu %zu %zu %zu %zu %zu %zu %zu %zu %zu", to->name, &to->local[0],
               &to->local[1], &to->local[2], &to->groups[0], &to->groups[1], &to->groups[2],
               &to->offset[0], &to->offset[1], &to->offset[2], &to->result_bytes) == 11;
}

struct files {
    FILE *launches, *results;
    void *input;
};

static bool open_files(
    struct files *files, const char *launches, const char *input, const char *results)
{
    size_t size = 0;
    files->launches = fopen(launches, "r");
    files->results = fopen(results, "wb");
    files->input = read_file(input, &size);
    if (files->launches && files->results && files->input && size == INPUT_BYTES)
        return true;
    fprintf(
        stderr, "the files %s, %s and %s are not as they should be\n", launches, input, results);
    return false;
}

static void close_files(struct files *files)
{
    if (files->launches)
        fclose(files->launches);
    if (files->results)
        fclose(files->results);
    free(files->input);
}

// What a kernel has written is on disk before the next one runs, which may end the program.
static bool write_results(FILE *file, const struct launch *launch, const struct memory *memory)
{
    return fwrite(memory->results, launch->result_bytes, 1, file) == 1 &&
           fwrite(memory->totals, TOTALS_BYTES, 1, file) == 1 && fflush(file) == 0;
}

// Of processors, not of clocks, as a busy machine takes its time. 0: there is no limit from here on.
static void limit_time(int seconds)
{
    const struct itimerval limit = {.it_value = {.tv_sec = seconds}};
    setitimer(ITIMER_PROF, &limit, NULL);
}

bool run_launches(const char *launches, const char *input, const char *results,
    void *(*allocate)(size_t), void (*release)(void *),
    bool (*run)(const struct launch *launch, const struct memory *memory))
{
    struct files files;
    struct launch launch;
    bool ok = open_files(&files, launches, input, results);
    while (ok && read_launch(files.launches, &launch)) {
        void *in = allocate(INPUT_BYTES);
        const struct memory memory = {.results = allocate(launch.result_bytes),
            .totals = allocate(TOTALS_BYTES),
            .input = in};
        ok = memory.results && memory.totals && in;
        if (ok) {
            memset(memory.results, 0x55, launch.result_bytes);
            memcpy(memory.totals, files.input, TOTALS_BYTES);
            memcpy(in, files.input, INPUT_BYTES);
            limit_time(SECONDS_OF_A_KERNEL);
            ok = run(&launch, &memory) && write_results(files.results, &launch, &memory);
        }
        if (!ok)
            fprintf(stderr, "%s could not be run\n", launch.name);
        release(in);
        release(memory.totals);
        release(memory.results);
    }
    limit_time(0);
    close_files(&files);
    return ok;
}
