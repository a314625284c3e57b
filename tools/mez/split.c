// SPDX-License-Identifier: MIT
//
// mez split: device code into images of kernels that go together.

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "check/fixed.h"
#include "command.h"
#include "file.h"
#include "split/output.h"
#include "split_request.h"

static const char usage[] =
    "usage: mez split [OPTIONS] -o OUT.table INPUT.spv...\n"
    "\n"
    "Splits SPIR-V into images of kernels that go together: those of one image need the same\n"
    "aspects, the same work-group size and the same sub-group size. Several files are linked\n"
    "first. Writes OUT_0.spv, OUT_0.prop and OUT_0.sym for the first image, and so on, and the\n"
    "table of them all.\n"
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

// One input and what it is made of.
struct input {
    void *code;
    mez_fixed_targets fixed;
    const mez_target **targets; // of `fixed`
};

// Everything that one run holds.
struct split {
    struct split_request request;
    struct input *inputs;
    mez_split_source *sources;
    mez_targets *own_table;
    const mez_targets *table;
    mez_split *result;
};

// --- Messages

static void tell_warning(void *context, const char *text)
{
    (void)context;
    fprintf(stderr, "%s\n", text);
}

static void tell_of_table(void *user, const char *text)
{
    (void)user;
    fprintf(stderr, "mez split: warning: %s\n", text);
}

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

// --- Inputs

static mez_error find_table(struct split *split)
{
    const mez_targets_warnings warnings = {.tell = tell_of_table};
    bool wanted = false;
    for (unsigned i = 0; i < split->request.input_count; i++)
        wanted |= split->request.inputs[i].fixed_targets != NULL;
    if (!wanted)
        return mez_ok();
    if (!split->request.config_file)
        return mez_targets_default(&split->table);
    const mez_error error =
        mez_targets_load(split->request.config_file, &warnings, &split->own_table);
    split->table = split->own_table;
    return error;
}

static mez_error read_targets(struct split *split, const char *names, struct input *input)
{
    MEZ_TRY(mez_fixed_targets_read(names, split->table, &input->fixed));
    input->targets = calloc(input->fixed.count + 1, sizeof *input->targets);
    if (!input->targets)
        return mez_error_no_memory("fixed targets");
    for (uint32_t i = 0; i < input->fixed.count; i++)
        input->targets[i] = input->fixed.devices[i].target;
    return mez_ok();
}

static mez_error read_input(struct split *split, const struct split_input *from,
    struct input *input, mez_split_source *source)
{
    struct problem problem;
    if (from->fixed_targets)
        MEZ_TRY(read_targets(split, from->fixed_targets, input));
    *source = (mez_split_source){
        .name = from->file,
        .fixed_targets = input->targets,
        .fixed_target_count = input->fixed.count,
    };
    source->code = input->code = file_read(from->file, &source->size, &problem);
    return input->code ? mez_ok() : mez_error_make(MEZ_ERRC_FILE, "%s", problem.text);
}

static mez_error read_inputs(struct split *split)
{
    const unsigned count = split->request.input_count;
    split->inputs = calloc(count, sizeof *split->inputs);
    split->sources = calloc(count, sizeof *split->sources);
    if (!split->inputs || !split->sources)
        return mez_error_no_memory("the input files");
    for (unsigned i = 0; i < count; i++)
        MEZ_TRY(
            read_input(split, &split->request.inputs[i], &split->inputs[i], &split->sources[i]));
    return mez_ok();
}

// --- Splitting

static mez_split_mode library_mode(enum split_mode mode)
{
    switch (mode) {
    case SPLIT_PER_KERNEL:
        return MEZ_SPLIT_PER_KERNEL;
    case SPLIT_PER_SOURCE:
        return MEZ_SPLIT_PER_SOURCE;
    case SPLIT_OFF:
        return MEZ_SPLIT_OFF;
    default:
        return MEZ_SPLIT_AUTO;
    }
}

static mez_error warn_of_targets(const struct split *split)
{
    for (unsigned i = 0; i < split->request.input_count; i++)
        MEZ_TRY(mez_fixed_targets_warn(
            &split->inputs[i].fixed, mez_split_survey(split->result, i), tell_warning, NULL));
    return mez_ok();
}

static mez_error write_output(const struct split *split)
{
    struct progress seen = {.start = time(NULL)};
    const mez_split_progress progress = {.tell = tell_progress, .context = &seen};
    const mez_error error = mez_split_write(split->result, split->request.output, &progress);
    if (mez_failed(error) && seen.shown)
        fputc('\n', stderr);
    return error;
}

static mez_error run_split(struct split *split)
{
    const struct split_request *request = &split->request;
    MEZ_TRY(find_table(split));
    MEZ_TRY(read_inputs(split));
    const mez_split_params params = {
        .sources = split->sources,
        .source_count = request->input_count,
        .mode = library_mode(request->mode),
        .kernels_only = request->kernels_only,
        .without_debug_info = request->no_debug_info,
        .writing = {.numbering = request->renumbered ? MEZ_ASPECTS_RENUMBERED : MEZ_ASPECTS_CLASSIC,
            .doc_names = request->doc_names},
        .warn = tell_warning,
    };
    MEZ_TRY(mez_split_create(&params, &split->result));
    MEZ_TRY(warn_of_targets(split));
    if (mez_split_image_count(split->result) == 0)
        fprintf(stderr, "warning: there are no kernels%s\n",
            request->kernels_only ? "" : " and no exported functions");
    return write_output(split);
}

static void split_finish(struct split *split)
{
    mez_split_destroy(&split->result);
    for (unsigned i = 0; split->inputs && i < split->request.input_count; i++) {
        free(split->inputs[i].code);
        free(split->inputs[i].targets);
        mez_fixed_targets_finish(&split->inputs[i].fixed);
    }
    free(split->inputs);
    free(split->sources);
    mez_targets_destroy(&split->own_table);
    split_request_finish(&split->request);
}

static int run(int count, char *const *arguments)
{
    struct split split = {0};
    struct problem problem;
    int code = EXIT_GOOD;
    if (split_request_read(&split.request, count, arguments, &problem)) {
        const mez_error error = run_split(&split);
        if (mez_failed(error))
            code = report_error(error);
    } else {
        code = report_usage(&split_command, &problem);
    }
    split_finish(&split);
    return code;
}

const struct command split_command = {
    "split", "splits SPIR-V into images of kernels that go together", usage, run};
