// SPDX-License-Identifier: MIT

#include "launch.h"

#include <stdlib.h>
#include <time.h>

#include "file.h"
#include "open.h"

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
    const mez_error error = open_device("mez run", launch->request->device, &launch->context);
    if (mez_failed(error))
        return error;
    return mez_queue_create_at(nowhere, launch->context, NULL, &launch->queue);
}

static mez_error create_kernel(struct launch *launch, const void *code, size_t size)
{
    const struct run_request *request = launch->request;
    const mez_image_params params = {
        .code = code, .size = size, .build_flags = request->flags, .debug_name = request->file};
    mez_error error = mez_image_create_at(nowhere, launch->context, &params, &launch->image);
    if (!mez_failed(error))
        error = mez_kernel_create_at(nowhere, launch->image, request->kernel, &launch->kernel);
    if (!mez_failed(error)) // now, so that no run's time has it in it
        error =
            mez_kernel_build_at(nowhere, launch->kernel, mez_context_device(launch->context, 0));
    return error;
}

// The file is read here because mez_image_load takes no build flags.
static bool load_kernel(struct launch *launch, mez_error *error, struct problem *problem)
{
    size_t size;
    void *code = file_read(launch->request->file, &size, problem);
    if (!code)
        return false;
    *error = create_kernel(launch, code, size);
    free(code);
    return !mez_failed(*error);
}

// The device's memory first: it has a limit, while filling more than the host has would make it swap.
static bool create_buffer(struct launch *launch, const struct buffer_spec *spec,
    struct launch_buffer *buffer, mez_error *error, struct problem *problem)
{
    buffer->size = buffer_size(spec);
    buffer->device = mez_alloc_device_at(nowhere, launch->context, buffer->size, error);
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
    default: // the pointer to nothing is a buffer without memory
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
            !create_buffer(launch, &argument->buffer, buffer, error, problem))
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
    if (mez_failed(*error))
        return false;
    if (!load_kernel(launch, error, problem) || !prepare_arguments(launch, error, problem))
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

mez_error launch_run(struct launch *launch)
{
    for (unsigned i = 0; i < launch->request->repeat; i++) {
        const mez_error error = run_once(launch, &launch->seconds[i]);
        if (mez_failed(error))
            return error;
    }
    return fetch_buffers(launch);
}

// The queue first: it waits for what still uses the buffers.
void launch_finish(struct launch *launch)
{
    mez_queue_destroy(&launch->queue);
    mez_kernel_destroy(&launch->kernel);
    mez_image_destroy(&launch->image);
    for (size_t i = 0; launch->buffers && i < launch->request->argument_count; i++) {
        if (launch->buffers[i].device)
            mez_free(launch->context, launch->buffers[i].device);
        free(launch->buffers[i].host);
    }
    mez_context_destroy(&launch->context);
    free(launch->buffers);
    free(launch->arguments);
    free(launch->seconds);
}
