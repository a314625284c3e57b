// SPDX-License-Identifier: MIT
//
// mez split: device code into images of kernels that go together.

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include <mezzanine/split.h>

#include "base/text.h"
#include "command.h"
#include "split_job.h"

static const char usage[] =
    "usage: mez split [OPTIONS] [COMPILER'S OPTIONS] -o OUT.table INPUT.spv|INPUT.cl...\n"
    "\n"
    "Splits SPIR-V into images, so that all kernels of an image need the same aspects, work-group\n"
    "size and sub-group size. Several files are linked first. OUT_0.spv, OUT_0.prop and OUT_0.sym\n"
    "are written for the first image, and so on, and a file table that lists them. Inputs that\n"
    "end in .cl are OpenCL C and are compiled first; -DNAME=VALUE, -Ifolder, -O3, -g and other\n"
    "options of clang can be given.\n"
    "\n"
    "  --mode=per_kernel       one image per kernel and exported function\n"
    "  --mode=per_source       one image per input file, more where requirements differ\n"
    "  --mode=off              one image, more where requirements differ\n"
    "  --mode=auto             per_kernel, unless that doubles the code (default)\n"
    "  --fixed-targets=T,...   the input files after this option run on these targets only: their\n"
    "                          code is split by the mode alone, and a warning shows what a target\n"
    "                          lacks. An empty list ends the effect\n"
    "  --kernels-only          do not make images for exported functions\n"
    "  --no-debug-info         remove debug information except line numbers\n"
    "  --doc-names             write properties in the forms of the published specification\n"
    "  --numbering=classic|renumbered\n"
    "                          numbering of aspects (default: classic)\n"
    "  --device-config-file=F  description of targets (default: MEZ_DEVICE_CONFIG, else built "
    "in)\n";

#define SECONDS_BEFORE_PROGRESS 1

struct progress {
    time_t start;
    bool shown;
};

static void report_progress(void *context, uint32_t done, uint32_t images)
{
    struct progress *progress = context;
    if (time(NULL) - progress->start < SECONDS_BEFORE_PROGRESS || !isatty(STDERR_FILENO))
        return;
    progress->shown = true;
    mez_print(stderr, "\r%u of %u images%-s", (unsigned)done, (unsigned)images,
        done == images ? "\n" : "");
}

static mez_error write_output(const struct split_job *job)
{
    struct progress seen = {.start = time(NULL)};
    const mez_split_progress progress = {.function = report_progress, .user = &seen};
    const mez_error error = mez_split_write(job->split, job->request->output, &progress);
    if (mez_failed(error) && seen.shown)
        fputc('\n', stderr);
    return error;
}

static int run_split(struct split_request *request)
{
    struct split_job job = {.command = "split", .request = request};
    mez_error error = split_job_run(&job);
    if (!mez_failed(error))
        error = split_job_check_images(&job);
    if (!mez_failed(error))
        error = write_output(&job);
    split_job_finish(&job);
    return mez_failed(error) ? report_error(error) : EXIT_GOOD;
}

static int run(int count, char *const *arguments)
{
    struct split_request request;
    struct problem problem;
    const int code = split_request_read(&request, count, arguments, &problem)
                         ? run_split(&request)
                         : report_usage(&split_command, &problem);
    split_request_finish(&request);
    return code;
}

const struct command split_command = {
    "split", "splits SPIR-V into images of kernels that go together", usage, run};
