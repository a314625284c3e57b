// SPDX-License-Identifier: MIT
//
// mez build: device code, split, for several targets at once.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build/build.h"
#include "build_request.h"
#include "command.h"
#include "interrupt.h"
#include "split_job.h"

static const char usage[] =
    "usage: mez build --targets=T,... [OPTIONS] [COMPILER'S OPTIONS]\n"
    "                 -o OUT.table|OUT.syclbin INPUT.spv|INPUT.cl...\n"
    "\n"
    "Splits SPIR-V as mez split does, and builds for each target the images that it can run:\n"
    "native code by the program that the device configuration file names for it (ocloc), or the\n"
    "SPIR-V itself where it names none (spir64). That a target can run nothing is no failure.\n"
    "Files in OpenCL C whose names end in .cl are compiled first, with clang's options among "
    "ours.\n"
    "\n"
    "  --targets=T,...         what to build for, such as spir64,intel_gpu_tgllp\n"
    "  --format=table|syclbin  what to write (default: as the output's name ends)\n"
    "  --mode=per_kernel|per_source|auto|off\n"
    "                          what goes together; see mez split\n"
    "  --fixed-targets=T,...   the input files behind it will run on these targets only, and are\n"
    "                          built for those of them that --targets names; you are warned of\n"
    "                          what one of them lacks. An empty list ends it\n"
    "  --aot-options=OPTIONS   more options for the program, as in a shell\n"
    "  --jobs=N                programs at a time (default: one for each processor)\n"
    "  --kernels-only          exported functions get no images of their own\n"
    "  --no-debug-info         leave out what -g adds, but for line numbers\n"
    "  --doc-names             properties in the forms of the published document\n"
    "  --numbering=classic|renumbered\n"
    "                          the numbers of aspects (default: classic)\n"
    "  --device-config-file=F  what targets have (default: MEZ_DEVICE_CONFIG, or our own)\n"
    "  --verbose               says what is built and what is left out, and what programs print\n";

// Everything that one run holds.
struct build {
    struct build_request request;
    struct split_job job;
    mez_fixed_targets wanted;
    const mez_target **targets; // of `wanted`, each once
    uint32_t target_count;
    char *name; // of the output, without folders and ending
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

#define KERNELS_TOLD 3

static void print_kernels(const mez_symbols *kernels)
{
    for (size_t i = 0; i < kernels->count && i < KERNELS_TOLD; i++)
        fprintf(stderr, "%s%s", i ? ", " : " (", kernels->names[i]);
    if (kernels->count > KERNELS_TOLD)
        fprintf(stderr, " and %zu more", kernels->count - KERNELS_TOLD);
    fputs(kernels->count ? ")" : "", stderr);
}

static void tell_left_out(void *context, const mez_build_step *step, const char *why)
{
    const struct build *build = context;
    if (!build->request.verbose)
        return;
    fprintf(stderr, "mez build: %s", step->image);
    print_kernels(step->kernels);
    fprintf(stderr, " is left out for %s: it needs %s\n", step->target->name, why);
}

static void tell_begin(void *context, const mez_build_step *step, uint32_t number, uint32_t count)
{
    struct build *build = context;
    if (!build->request.verbose && !isatty(STDERR_FILENO))
        return;
    end_progress(build);
    fprintf(stderr, "%u/%u %s for %s", (unsigned)number, (unsigned)count, step->image,
        step->target->name);
    build->shown = !build->request.verbose;
    fputs(build->shown ? "" : "\n", stderr);
}

static void tell_printed(void *context, const mez_build_step *step, const char *text)
{
    const struct build *build = context;
    const size_t length = strlen(text);
    if (build->request.verbose)
        fprintf(stderr, "%s for %s: %s says:\n%s%s", step->image, step->target->name,
            step->target->aot_toolchain, text, text[length - 1] == '\n' ? "" : "\n");
}

static void print_summary(const struct build *build)
{
    printf("%s: %u image%s", build->request.split.output, (unsigned)build->result->image_count,
        build->result->image_count == 1 ? "" : "s");
    for (uint32_t i = 0; i < build->target_count; i++)
        printf("%s %u for %s", i ? "," : ":", (unsigned)build->result->counts[i],
            build->targets[i]->name);
    putchar('\n');
}

// --- Building

// The targets that are named, each once whatever the names.
static mez_error find_targets(struct build *build)
{
    MEZ_TRY(split_job_find_table(&build->job));
    MEZ_TRY(mez_fixed_targets_read(build->request.targets, build->job.table, &build->wanted));
    build->targets = calloc(build->wanted.count + 1, sizeof *build->targets);
    if (!build->targets)
        return mez_error_no_memory("targets");
    for (uint32_t i = 0; i < build->wanted.count; i++) {
        const mez_target *target = build->wanted.devices[i].target;
        uint32_t same = 0;
        while (same < build->target_count && build->targets[same] != target)
            same++;
        build->targets[same] = target;
        build->target_count += same == build->target_count;
    }
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
        .targets = build->targets,
        .target_count = build->target_count,
        .writing = build->job.writing,
        .aot_options = build->request.aot_options,
        .jobs = build->request.jobs,
        .stop = stop,
        .listener = {tell_left_out, tell_begin, tell_printed, build},
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
    MEZ_TRY(build_images(build, stop));
    if (mez_is_stopped(stop))
        return mez_stopped();
    MEZ_TRY(mez_build_write(build->result, build->request.split.output,
        build->request.format == FORMAT_SYCLBIN ? MEZ_BUILD_SYCLBIN : MEZ_BUILD_TABLE));
    print_summary(build);
    return mez_ok();
}

static void build_finish(struct build *build)
{
    mez_build_destroy(&build->result);
    split_job_finish(&build->job);
    mez_fixed_targets_finish(&build->wanted);
    free(build->targets);
    free(build->name);
}

static int run_request(struct build *build)
{
    struct interrupt interrupt;
    build->job = (struct split_job){.command = "build", .request = &build->request.split};
    interrupt_begin(&interrupt);
    const mez_error error = run_build(build, &interrupt.stop);
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
    "build", "builds SPIR-V for several targets ahead of time", usage, run};
