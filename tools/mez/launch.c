// SPDX-License-Identifier: MIT

#include "launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/file.h"
#include "fit.h"
#include "open.h"
#include "source_input.h"

// Stories and traces show the user's line of source. Here that is a command line, so no call names a line of ours.
static const mez_location *const nowhere = NULL;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static bool out_of_memory(struct problem *problem)
{
    return problem_set(problem, "out of memory");
}

static mez_error create_queue(struct launch *launch)
{
    const mez_error error = open_device("mez run", launch->request->device, true, &launch->context);
    if (mez_failed(error))
        return error;
    return mez_queue_create_at(nowhere, launch->context, NULL, &launch->queue);
}

static mez_error load_with(struct launch *launch, const struct compiler_options *options)
{
    const struct run_request *request = launch->request;
    const mez_image_params params = {.path = request->file, .build_flags = request->flags};
    mez_error error = source_input_load(launch->context, &params, options, &launch->image);
    if (!mez_failed(error))
        error = mez_kernel_create_at(nowhere, launch->image, request->kernel, &launch->kernel);
    if (!mez_failed(error)) // now, so that no run's time has it in it
        error = mez_kernel_build_at(
            nowhere, launch->kernel, mez_context_get_device(launch->context, 0));
    return error;
}

// Would compiling it again, with lines, gain nothing?
static bool has_lines(const struct run_request *request)
{
    if (!source_input_is(request->file) || mez_file_is_stream(request->file))
        return true;
    for (size_t i = 0; i < request->compiler.count; i++)
        if (strncmp(request->compiler.words[i], "-g", 2) == 0)
            return true;
    return false;
}

static mez_error load_with_lines(struct launch *launch)
{
    const struct compiler_options *given = &launch->request->compiler;
    struct compiler_options options;
    if (!compiler_options_init(&options, (int)given->count + 1))
        return mez_error_no_memory("options");
    compiler_options_add(&options, "-gline-tables-only");
    for (size_t i = 0; i < given->count; i++)
        compiler_options_add(&options, given->words[i]);
    const mez_error error = load_with(launch, &options);
    compiler_options_finish(&options);
    return error;
}

// What the device lacks for a source is reported with lines of the source.
static mez_error load_kernel(struct launch *launch)
{
    const mez_error error = load_with(launch, &launch->request->compiler);
    if (!mez_error_is(error, MEZ_ERRC_KERNEL_NOT_SUPPORTED) || has_lines(launch->request))
        return error;
    mez_kernel_destroy(&launch->kernel);
    mez_image_destroy(&launch->image);
    const mez_error lined = load_with_lines(launch);
    return mez_error_is(lined, MEZ_ERRC_KERNEL_NOT_SUPPORTED) ? lined : error;
}

// The device's memory first: it has a limit, while filling more than the host has would make it swap.
static bool create_buffer(struct launch *launch, size_t index, const struct buffer_spec *spec,
    struct launch_buffer *buffer, mez_error *error, struct problem *problem)
{
    char name[40];
    snprintf(name, sizeof name, "argument %zu", index);
    buffer->size = buffer_size(spec);
    buffer->device = mez_alloc_at(nowhere, launch->context,
        &(const mez_memory_params){.debug_name = name}, buffer->size, error);
    if (!buffer->device)
        return false;
    buffer->host = malloc(buffer->size);
    if (!buffer->host)
        return out_of_memory(problem);
    if (!buffer_fill(spec, buffer->host, problem))
        return false;
    *error = mez_copy_at(nowhere, launch->queue, buffer->device, buffer->host, buffer->size, NULL);
    return !mez_failed(*error);
}

static mez_arg launch_argument(const struct argument *argument, const struct launch_buffer *buffer)
{
    switch (argument->kind) {
    case ARGUMENT_VALUE:
        return (mez_arg){
            MEZ_ARG_VALUE, value_type_size(&argument->value.type), argument->value.bytes};
    case ARGUMENT_LOCAL:
        return (mez_arg){MEZ_ARG_LOCAL, argument->local_size, NULL};
    default: // the null pointer is a buffer without memory
        return (mez_arg){MEZ_ARG_POINTER, sizeof(void *), buffer->device};
    }
}

static bool prepare_arguments(struct launch *launch, mez_error *error, struct problem *problem)
{
    const struct run_request *request = launch->request;
    const size_t room = request->argument_count + 1; // never 0, for which calloc may return NULL
    launch->buffers = calloc(room, sizeof *launch->buffers);
    launch->arguments = calloc(room, sizeof *launch->arguments);
    launch->seconds = calloc(request->repeat, sizeof *launch->seconds);
    if (!launch->buffers || !launch->arguments || !launch->seconds)
        return out_of_memory(problem);
    for (size_t i = 0; i < request->argument_count; i++) {
        const struct argument *argument = &request->arguments[i];
        struct launch_buffer *buffer = &launch->buffers[i];
        if (argument->kind == ARGUMENT_BUFFER &&
            !create_buffer(launch, i, &argument->buffer, buffer, error, problem))
            return false;
        launch->arguments[i] = launch_argument(argument, buffer);
    }
    return true;
}

bool launch_prepare(struct launch *launch, const struct run_request *request, mez_error *error,
    struct problem *problem)
{
    *launch = (struct launch){.request = request};
    *error = create_queue(launch);
    if (!mez_failed(*error))
        *error = load_kernel(launch);
    if (mez_failed(*error) || !arguments_fit(launch->kernel, request, problem) ||
        !prepare_arguments(launch, error, problem))
        return false;
    *error = mez_queue_wait_for(launch->queue, request->timeout);
    return !mez_failed(*error);
}

static mez_error run_once(struct launch *launch, double *seconds)
{
    const struct run_request *request = launch->request;
    const mez_args arguments = {request->argument_count, launch->arguments};
    const double start = now();
    mez_error error =
        mez_submit_at(nowhere, launch->queue, launch->kernel, &request->range, &arguments, NULL);
    if (!mez_failed(error))
        error = mez_queue_wait_for(launch->queue, request->timeout);
    *seconds = now() - start;
    return error;
}

static mez_error fetch_buffers(struct launch *launch)
{
    mez_error error = mez_ok();
    for (size_t i = 0; i < launch->request->argument_count && !mez_failed(error); i++) {
        const struct launch_buffer *buffer = &launch->buffers[i];
        if (buffer->device)
            error = mez_copy_at(
                nowhere, launch->queue, buffer->host, buffer->device, buffer->size, NULL);
    }
    return mez_failed(error) ? error : mez_queue_wait_for(launch->queue, launch->request->timeout);
}

static void swap_buffers(struct launch *launch, const struct swap_request *swap)
{
    const size_t a = swap->arguments[0], b = swap->arguments[1];
    const struct launch_buffer buffer = launch->buffers[a];
    launch->buffers[a] = launch->buffers[b];
    launch->buffers[b] = buffer;
    launch->arguments[a].data = launch->buffers[a].device;
    launch->arguments[b].data = launch->buffers[b].device;
}

mez_error launch_run(struct launch *launch)
{
    for (unsigned i = 0; i < launch->request->repeat; i++) {
        for (size_t k = 0; i > 0 && k < launch->request->swap_count; k++)
            swap_buffers(launch, &launch->request->swaps[k]);
        const mez_error error = run_once(launch, &launch->seconds[i]);
        if (mez_failed(error))
            return error;
    }
    return fetch_buffers(launch);
}

// A kernel that has written beside a buffer of the device's is found where that is freed. The first error is returned, the log has all.
static mez_error free_buffers(struct launch *launch)
{
    mez_error first = mez_ok();
    for (size_t i = 0; launch->buffers && i < launch->request->argument_count; i++) {
        const mez_error error = mez_free_at(nowhere, launch->context, launch->buffers[i].device);
        if (!mez_failed(first))
            first = error;
        free(launch->buffers[i].host);
    }
    return first;
}

// The queue first: it waits for what still uses the buffers.
mez_error launch_finish(struct launch *launch)
{
    mez_queue_destroy(&launch->queue);
    mez_kernel_destroy(&launch->kernel);
    mez_image_destroy(&launch->image);
    const mez_error error = launch->context ? free_buffers(launch) : mez_ok();
    mez_context_destroy(&launch->context);
    free(launch->buffers);
    free(launch->arguments);
    free(launch->seconds);
    return error;
}
