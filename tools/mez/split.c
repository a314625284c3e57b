// SPDX-License-Identifier: MIT
//
// mez split: device code into images of kernels that go together.

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "split/split.h"
#include "split_job.h"

static const char usage[] =
    "usage: mez split [OPTIONS] [COMPILER'S OPTIONS] -o OUT.table INPUT.spv|INPUT.cl...\n"
    "\n"
    "Splits SPIR-V into images of kernels that go together: those of one image need the same\n"
    "aspects, the same work-group size and the same sub-group size. Several files are linked\n"
    "first. Writes OUT_0.spv, OUT_0.prop and OUT_0.sym for the first image, and so on, and the\n"
    "table of them all. Files in OpenCL C whose names end in .cl are compiled first, with\n"
    "-DNAME=VALUE, -Ifolder, -O3, -g and other options of clang among ours.\n"
    "\n"
    "  --mode=per_kernel       an image for each kernel and exported function\n"
    "  --mode=per_source       an image for each input file, or several where needs differ\n"
    "  --mode=off              one image, or several where needs differ\n"
    "  --mode=auto             per_kernel, unless that doubles the code (default)\n"
    "  --fixed-targets=T,...   the input files behind it will run on these targets only: their\n"
    "                          code is split exactly as the mode says, and you are warned of\n"
    "                          what a target lacks. An empty list ends it\n"
    "  --kernels-only          exported functions get no images of their own\n"
    "  --no-debug-info         leave out what -g adds, but for line numbers\n"
    "  --doc-names             properties in the forms of the published document\n"
    "  --numbering=classic|renumbered\n"
    "                          the numbers of aspects (default: classic)\n"
    "  --device-config-file=F  what targets have (default: MEZ_DEVICE_CONFIG, or our own)\n";

#define SECONDS_BEFORE_PROGRESS 1

struct progress {
    time_t start;
    bool shown;
};

static void tell_progress(void *context, uint32_t done, uint32_t images)
{
    struct progress *progress = context;
    if (time(NULL) - progress->start < SECONDS_BEFORE_PROGRESS || !isatty(STDERR_FILENO))
        return;
    progress->shown = true;
    fprintf(stderr, "\r%u of %u images%s", (unsigned)done, (unsigned)images,
        done == images ? "\n" : "");
}

static mez_error write_output(const struct split_job *job)
{
    struct progress seen = {.start = time(NULL)};
    const mez_split_progress progress = {.tell = tell_progress, .context = &seen};
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
