// SPDX-License-Identifier: MIT

#include "compile_native.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mezzanine/build.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"
#include "interrupt.h"
#include "target_list.h"

struct native {
    const struct compile_request *request;
    const char *path;
    mez_stop *stop;
    mez_targets *own_table;
    const mez_targets *table;
    struct target_list targets; // each once
    char *name;                 // of the images
    mez_split *split;
    mez_build *build;
};

static void report_warning(void *context, const char *text)
{
    (void)context;
    mez_print(stderr, "%-s\n", text);
}

static void report_left_out(void *context, const mez_build_step *step, const char *why)
{
    (void)context;
    mez_print(stderr, "mez compile: %s%s", step->image, step->kernel_count ? " (" : "");
    for (size_t i = 0; i < step->kernel_count; i++)
        mez_print(stderr, "%s%s", i ? ", " : "", step->kernels[i]);
    mez_print(stderr, "%s is left out for %s, because it needs %s\n", step->kernel_count ? ")" : "",
        mez_target_get_name(step->target), why);
}

static void report_printed(void *context, const mez_build_step *step, const char *text)
{
    const struct native *native = context;
    mez_target_limits limits;
    if (!native->request->verbose)
        return;
    mez_target_get_limits(step->target, &limits);
    mez_print(stderr, "%s for %s: %s says:\n%-s\n", step->image, mez_target_get_name(step->target),
        limits.compiler, text);
}

static mez_error find_table(struct native *native)
{
    if (!native->request->config_file)
        return mez_targets_get_default(&native->table);
    const mez_error error =
        mez_targets_load(native->request->config_file, NULL, &native->own_table);
    native->table = native->own_table;
    return error;
}

static mez_error find_targets(struct native *native)
{
    const struct compile_request *request = native->request;
    MEZ_TRY(find_table(native));
    MEZ_TRY(target_list_read_each(
        request->targets, request->target_count, native->table, &native->targets));
    target_list_unite(&native->targets);
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

static mez_error split(struct native *native, const mez_compilation *compilation)
{
    mez_split_source source = {.name = native->request->input};
    source.code = mez_compilation_get_code(compilation, &source.size);
    const mez_split_params params = {.sources = &source, .source_count = 1, .warn = report_warning};
    return mez_split_create(&params, &native->split);
}

static mez_error build(struct native *native)
{
    const mez_build_params params = {
        .split = native->split,
        .name = native->name,
        .targets = native->targets.items,
        .target_count = native->targets.count,
        .stop = native->stop,
        .listener = {.leave_out = report_left_out, .printed = report_printed, .user = native},
    };
    return mez_build_create(&params, &native->build);
}

static mez_error run(struct native *native, const mez_compilation *compilation)
{
    MEZ_TRY(find_targets(native));
    MEZ_TRY(find_name(native));
    MEZ_TRY(split(native, compilation));
    MEZ_TRY(build(native));
    MEZ_TRY(interrupt_check(native->stop));
    return mez_build_write(native->build, native->path,
        native->request->format == COMPILE_SYCLBIN ? MEZ_BUILD_SYCLBIN : MEZ_BUILD_TABLE);
}

mez_error compile_native(const struct compile_request *request, const char *path,
    const mez_compilation *compilation, mez_stop *stop)
{
    struct native native = {.request = request, .path = path, .stop = stop};
    const mez_error error = run(&native, compilation);
    mez_build_destroy(&native.build);
    mez_split_destroy(&native.split);
    mez_targets_destroy(&native.own_table);
    target_list_finish(&native.targets);
    mez_free_memory(native.name);
    return error;
}
