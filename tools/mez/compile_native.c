// SPDX-License-Identifier: MIT

#include "compile_native.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "build/build.h"
#include "check/fixed.h"
#include "target/table.h"

struct native {
    const struct compile_request *request;
    const char *path;
    mez_stop *stop;
    mez_targets *own_table;
    const mez_targets *table;
    mez_fixed_targets wanted;
    const mez_target **targets;
    uint32_t target_count;
    char *name; // of the images
    mez_split *split;
    mez_build *build;
};

static void tell_warning(void *context, const char *text)
{
    (void)context;
    fprintf(stderr, "%s\n", text);
}

static void tell_left_out(void *context, const mez_build_step *step, const char *why)
{
    (void)context;
    fprintf(stderr, "mez compile: %s%s", step->image, step->kernels->count ? " (" : "");
    for (size_t i = 0; i < step->kernels->count; i++)
        fprintf(stderr, "%s%s", i ? ", " : "", step->kernels->names[i]);
    fprintf(stderr, "%s is left out for %s: it needs %s\n", step->kernels->count ? ")" : "",
        step->target->name, why);
}

static void tell_printed(void *context, const mez_build_step *step, const char *text)
{
    const struct native *native = context;
    if (native->request->verbose)
        fprintf(stderr, "%s for %s: %s says:\n%s\n", step->image, step->target->name,
            step->target->aot_toolchain, text);
}

static mez_error find_table(struct native *native)
{
    if (!native->request->config_file)
        return mez_targets_default(&native->table);
    const mez_error error =
        mez_targets_load(native->request->config_file, NULL, &native->own_table);
    native->table = native->own_table;
    return error;
}

static char *join_names(const struct compile_request *request)
{
    mez_text text = {0};
    for (unsigned i = 0; i < request->target_count; i++)
        mez_text_add(&text, "%s%s", i ? "," : "", request->targets[i]);
    char *names = mez_copy_string(mez_text_get(&text));
    mez_text_finish(&text);
    return names;
}

// The targets that are named, each once whatever the names.
static mez_error find_targets(struct native *native)
{
    MEZ_TRY(find_table(native));
    char *names = join_names(native->request);
    const mez_error error = names ? mez_fixed_targets_read(names, native->table, &native->wanted)
                                  : mez_error_no_memory("targets");
    mez_free_memory(names);
    MEZ_TRY(error);
    native->targets = calloc(native->wanted.count + 1, sizeof *native->targets);
    if (!native->targets)
        return mez_error_no_memory("targets");
    for (uint32_t i = 0; i < native->wanted.count; i++) {
        const mez_target *target = native->wanted.devices[i].target;
        uint32_t same = 0;
        while (same < native->target_count && native->targets[same] != target)
            same++;
        native->targets[same] = target;
        native->target_count += same == native->target_count;
    }
    return mez_ok();
}

// "app" for "folder/app.table".
static mez_error find_name(struct native *native)
{
    const char *slash = strrchr(native->path, '/');
    native->name = mez_copy_string(slash ? slash + 1 : native->path);
    if (!native->name)
        return mez_error_no_memory("the output's name");
    char *dot = strrchr(native->name, '.');
    if (dot && dot != native->name)
        *dot = '\0';
    return mez_ok();
}

static mez_error split(struct native *native, const mez_compiled *compiled)
{
    const mez_split_source source = {
        .name = native->request->input, .code = compiled->code, .size = compiled->size};
    const mez_split_params params = {.sources = &source,
        .source_count = 1,
        .writing = {.numbering = MEZ_ASPECTS_CLASSIC},
        .warn = tell_warning};
    return mez_split_create(&params, &native->split);
}

static mez_error build(struct native *native)
{
    const mez_build_params params = {
        .split = native->split,
        .name = native->name,
        .targets = native->targets,
        .target_count = native->target_count,
        .writing = {.numbering = MEZ_ASPECTS_CLASSIC},
        .stop = native->stop,
        .listener = {.leave_out = tell_left_out, .printed = tell_printed, .context = native},
    };
    return mez_build_create(&params, &native->build);
}

static mez_error run(struct native *native, const mez_compiled *compiled)
{
    MEZ_TRY(find_targets(native));
    MEZ_TRY(find_name(native));
    MEZ_TRY(split(native, compiled));
    MEZ_TRY(build(native));
    if (mez_is_stopped(native->stop))
        return mez_stopped();
    return mez_build_write(native->build, native->path,
        native->request->format == COMPILE_SYCLBIN ? MEZ_BUILD_SYCLBIN : MEZ_BUILD_TABLE);
}

mez_error compile_native(const struct compile_request *request, const char *path,
    const mez_compiled *compiled, mez_stop *stop)
{
    struct native native = {.request = request, .path = path, .stop = stop};
    const mez_error error = run(&native, compiled);
    mez_build_destroy(&native.build);
    mez_split_destroy(&native.split);
    mez_fixed_targets_finish(&native.wanted);
    mez_targets_destroy(&native.own_table);
    free(native.targets);
    mez_free_memory(native.name);
    return error;
}
