// SPDX-License-Identifier: MIT

#include "split_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "contents.h"
#include "file.h"
#include "same_file.h"
#include "source_input.h"
#include "target_list.h"

struct split_job_input {
    void *code;
    struct target_list fixed;
};

static void report_warning(void *context, const char *text)
{
    (void)context;
    mez_print(stderr, "%-s\n", text);
}

static void report_table_warning(void *user, const char *text)
{
    const struct split_job *job = user;
    mez_print(stderr, "mez %s: warning: %-s\n", job->command, text);
}

// --- Targets

mez_error split_job_find_table(struct split_job *job)
{
    const mez_targets_params warnings = {.warn = report_table_warning, .user = job};
    if (job->table)
        return mez_ok();
    if (!job->request->config_file)
        return mez_targets_get_default(&job->table);
    const mez_error error = mez_targets_load(job->request->config_file, &warnings, &job->own_table);
    job->table = job->own_table;
    return error;
}

static mez_error read_targets(
    struct split_job *job, const char *names, struct split_job_input *input)
{
    MEZ_TRY(split_job_find_table(job));
    return target_list_read(names, job->table, &input->fixed);
}

// --- Inputs

// What is in a container has been split already, and its properties say more than its code does. The reader of SPIR-V
// describes other wrong files.
static mez_error check_contents(
    const struct split_job *job, const char *file, const void *bytes, size_t size)
{
    const char *name = contents_container(file, bytes, size);
    if (!name)
        return mez_ok();
    const mez_error error = mez_error_make(MEZ_ERRC_INVALID_IMAGE,
        "%s: `mez %s` reads SPIR-V as compilers write it, but this is %s", file, job->command,
        name);
    return mez_error_add(error, "what helps",
        "use the SPIR-V that it was made from; `mez kernels`, `mez check` and `mez run` read every "
        "container");
}

static mez_error read_input(struct split_job *job, const struct split_input *from,
    struct split_job_input *input, mez_split_source *source)
{
    if (from->fixed_targets)
        MEZ_TRY(read_targets(job, from->fixed_targets, input));
    *source = (mez_split_source){
        .name = from->file,
        .fixed_targets = input->fixed.items,
        .fixed_target_count = input->fixed.count,
    };
    if (source_input_is(from->file)) {
        MEZ_TRY(
            source_input_read(from->file, &job->request->compiler, &input->code, &source->size));
        source->code = input->code;
        return mez_ok();
    }
    mez_file file;
    MEZ_TRY(mez_file_read(from->file, &file));
    source->code = input->code = file.bytes;
    source->size = file.size;
    return check_contents(job, from->file, input->code, source->size);
}

static mez_error read_inputs(struct split_job *job)
{
    const unsigned count = job->request->input_count;
    job->inputs = calloc(count, sizeof *job->inputs);
    job->sources = calloc(count, sizeof *job->sources);
    if (!job->inputs || !job->sources)
        return mez_error_no_memory("the input files");
    for (unsigned i = 0; i < count; i++)
        MEZ_TRY(read_input(job, &job->request->inputs[i], &job->inputs[i], &job->sources[i]));
    return mez_ok();
}

// --- Protection of inputs

static mez_error check_output(const struct split_job *job, const char *path)
{
    for (unsigned i = 0; i < job->request->input_count; i++) {
        const char *input = job->request->inputs[i].file;
        if (same_file(path, input))
            return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
                "%s would overwrite the input %s: use another file for the output", path, input);
    }
    return mez_ok();
}

// What an image may be called: only its code can be an input.
static const char *const kinds[] = {"", "esimd_"};

static mez_error check_image(const struct split_job *job, int stem, unsigned image)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char *path = mez_print_string("%.*s_%s%u.spv", stem, job->request->output, kinds[i], image);
        const mez_error error =
            path ? check_output(job, path) : mez_error_no_memory("an image's files");
        mez_free_memory(path);
        MEZ_TRY(error);
    }
    return mez_ok();
}

mez_error split_job_check_images(const struct split_job *job)
{
    static const char ending[] = ".table";
    const char *output = job->request->output;
    const size_t length = strlen(output), end = strlen(ending);
    const bool has_ending = length > end && strcmp(output + length - end, ending) == 0;
    for (uint32_t i = 0; i < mez_split_get_image_count(job->split); i++)
        MEZ_TRY(check_image(job, (int)(has_ending ? length - end : length), i));
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

mez_error split_job_run(struct split_job *job)
{
    const struct split_request *request = job->request;
    MEZ_TRY(check_output(job, request->output));
    MEZ_TRY(read_inputs(job));
    const mez_split_params params = {
        .sources = job->sources,
        .source_count = request->input_count,
        .mode = library_mode(request->mode),
        .kernels_only = request->kernels_only,
        .without_debug_info = request->no_debug_info,
        .renumbered_aspects = request->renumbered,
        .doc_names = request->doc_names,
        .warn = report_warning,
    };
    MEZ_TRY(mez_split_create(&params, &job->split));
    if (mez_split_get_image_count(job->split) == 0)
        mez_print(stderr, "warning: there are no kernels%s\n",
            request->kernels_only ? "" : " and no exported functions");
    return mez_ok();
}

void split_job_finish(struct split_job *job)
{
    mez_split_destroy(&job->split);
    for (unsigned i = 0; job->inputs && i < job->request->input_count; i++) {
        free(job->inputs[i].code);
        target_list_finish(&job->inputs[i].fixed);
    }
    free(job->inputs);
    free(job->sources);
    mez_targets_destroy(&job->own_table);
}
