// SPDX-License-Identifier: MIT
//
// mez build: device code, split, for several targets at once.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mezzanine/build.h>

#include "base/error.h"
#include "base/text.h"
#include "build_request.h"
#include "command.h"
#include "interrupt.h"
#include "split_job.h"
#include "target_list.h"

static const char usage[] =
    "usage: mez build --targets=T,... [OPTIONS] [COMPILER'S OPTIONS]\n"
    "                 -o OUT.table|OUT.syclbin INPUT.spv|INPUT.cl...\n"
    "\n"
    "Splits SPIR-V like mez split, and builds for each target the images that the target can run.\n"
    "Native code is made by the compiler that the device configuration file names for the target\n"
    "(such as ocloc). A target without one, such as spir64, gets the SPIR-V itself. It is not an\n"
    "error if a target can run none of the images. Inputs that end in .cl are OpenCL C and are\n"
    "compiled first; options of clang can be given among those of mez build.\n"
    "\n"
    "  --targets=T,...         the targets to build for, such as spir64,intel_gpu_tgllp\n"
    "  --format=table|syclbin  format of the output (default: by the extension of its name)\n"
    "  --mode=per_kernel|per_source|auto|off\n"
    "                          which kernels share an image; see mez split\n"
    "  --fixed-targets=T,...   the input files after this option run on these targets only, and\n"
    "                          are built for those that --targets also lists; a warning shows\n"
    "                          what one of them lacks. An empty list ends the effect\n"
    "  --aot-options=OPTIONS   more options for the compiler, quoted as in a shell\n"
    "  --jobs=N                number of compilers to run at a time (default: one per processor)\n"
    "  --kernels-only          do not make images for exported functions\n"
    "  --no-debug-info         remove debug information except line numbers\n"
    "  --doc-names             write properties in the forms of the published specification\n"
    "  --numbering=classic|renumbered\n"
    "                          numbering of aspects (default: classic)\n"
    "  --device-config-file=F  description of targets (default: MEZ_DEVICE_CONFIG, else built in)\n"
    "  --verbose               show what is built and what is left out, and the compilers' "
    "output\n";

// Everything that one run holds.
struct build {
    struct build_request request;
    struct split_job job;
    struct target_list targets; // each once
    char *name;                 // of the output, without folders and ending
    mez_build *result;
    bool shown; // progress stands on the terminal's line
};

// --- Messages

static void end_progress(struct build *build)
{
    if (build->shown)
        fputs("\r\033[K", stderr);
    build->shown = false;
}

#define KERNELS_NAMED 3

static void print_kernels(const mez_build_step *step)
{
    for (size_t i = 0; i < step->kernel_count && i < KERNELS_NAMED; i++)
        mez_print(stderr, "%s%s", i ? ", " : " (", step->kernels[i]);
    if (step->kernel_count > KERNELS_NAMED)
        mez_print(stderr, " and %zu more", step->kernel_count - KERNELS_NAMED);
    fputs(step->kernel_count ? ")" : "", stderr);
}

static void report_left_out(void *context, const mez_build_step *step, const char *why)
{
    const struct build *build = context;
    if (!build->request.verbose)
        return;
    mez_print(stderr, "mez build: %s", step->image);
    print_kernels(step);
    mez_print(stderr, " is left out for %s, because it needs %s\n",
        mez_target_get_name(step->target), why);
}

static void report_begin(void *context, const mez_build_step *step, uint32_t number, uint32_t count)
{
    struct build *build = context;
    if (!build->request.verbose && !isatty(STDERR_FILENO))
        return;
    end_progress(build);
    mez_print(stderr, "%u/%u %s for %s", (unsigned)number, (unsigned)count, step->image,
        mez_target_get_name(step->target));
    build->shown = !build->request.verbose;
    fputs(build->shown ? "" : "\n", stderr);
}

static void report_printed(void *context, const mez_build_step *step, const char *text)
{
    const struct build *build = context;
    const size_t length = strlen(text);
    mez_target_limits limits;
    if (!build->request.verbose)
        return;
    mez_target_get_limits(step->target, &limits);
    mez_print(stderr, "%s for %s: %s says:\n%-s%-s", step->image, mez_target_get_name(step->target),
        limits.compiler, text, text[length - 1] == '\n' ? "" : "\n");
}

static void print_summary(const struct build *build)
{
    const uint32_t images = mez_split_get_image_count(build->job.split);
    mez_print(stdout, "%s: %u image%s", build->request.split.output, (unsigned)images,
        images == 1 ? "" : "s");
    for (uint32_t i = 0; i < build->targets.count; i++)
        mez_print(stdout, "%s %u for %s", i ? "," : ":",
            (unsigned)mez_build_get_image_count(build->result, i),
            mez_target_get_name(build->targets.items[i]));
    putchar('\n');
}

// --- Building

static mez_error find_targets(struct build *build)
{
    MEZ_TRY(split_job_find_table(&build->job));
    MEZ_TRY(target_list_read(build->request.targets, build->job.table, &build->targets));
    target_list_unite(&build->targets);
    return mez_ok();
}

// "app" for "folder/app.table".
static mez_error find_name(struct build *build)
{
    const char *output = build->request.split.output;
    const char *slash = strrchr(output, '/');
    build->name = strdup(slash ? slash + 1 : output);
    if (!build->name)
        return mez_error_no_memory("the output's name");
    char *dot = strrchr(build->name, '.');
    if (dot && dot != build->name)
        *dot = '\0';
    return mez_ok();
}

static mez_error build_images(struct build *build, mez_stop *stop)
{
    const mez_build_params params = {
        .split = build->job.split,
        .name = build->name,
        .targets = build->targets.items,
        .target_count = build->targets.count,
        .aot_options = build->request.aot_options,
        .jobs = build->request.jobs,
        .stop = stop,
        .listener = {.leave_out = report_left_out,
            .begin = report_begin,
            .printed = report_printed,
            .user = build},
    };
    const mez_error error = mez_build_create(&params, &build->result);
    end_progress(build);
    return error;
}

static mez_error run_build(struct build *build, mez_stop *stop)
{
    MEZ_TRY(find_targets(build));
    MEZ_TRY(find_name(build));
    MEZ_TRY(split_job_run(&build->job));
    if (build->request.format == FORMAT_TABLE)
        MEZ_TRY(split_job_check_images(&build->job));
    MEZ_TRY(build_images(build, stop));
    MEZ_TRY(interrupt_check(stop));
    MEZ_TRY(mez_build_write(build->result, build->request.split.output,
        build->request.format == FORMAT_SYCLBIN ? MEZ_BUILD_SYCLBIN : MEZ_BUILD_TABLE));
    print_summary(build);
    return mez_ok();
}

static void build_finish(struct build *build)
{
    mez_build_destroy(&build->result);
    split_job_finish(&build->job);
    target_list_finish(&build->targets);
    free(build->name);
}

static int run_request(struct build *build)
{
    struct interrupt interrupt;
    build->job = (struct split_job){.command = "build", .request = &build->request.split};
    interrupt_begin(&interrupt);
    const mez_error error = run_build(build, interrupt.stop);
    build_finish(build);
    interrupt_end(&interrupt);
    return mez_failed(error) ? report_error(error) : EXIT_GOOD;
}

static int run(int count, char *const *arguments)
{
    struct build build = {0};
    struct problem problem;
    const int code = build_request_read(&build.request, count, arguments, &problem)
                         ? run_request(&build)
                         : report_usage(&build_command, &problem);
    build_request_finish(&build.request);
    return code;
}

const struct command build_command = {
    "build", "compiles SPIR-V for several targets ahead of time", usage, run};
