// SPDX-License-Identifier: MIT
//
// A program of another project, which holds its kernel, or with an argument loads that file.

#include <stdio.h>

#include <mezzanine/mezzanine.h>

#include "kernels.h"

static mez_error run(mez_context *context, mez_queue *queue, mez_kernel *scale)
{
    mez_error error;
    int *values = mez_alloc_shared(context, 16 * sizeof *values, &error);
    if (!values)
        return error;
    error = mez_submit(queue, scale, MEZ_RANGE(16), MEZ_ARGS(MEZ_PTR(values)), NULL);
    if (!mez_failed(error))
        error = mez_queue_wait(queue);
    printf("%d\n", values[10]);
    const mez_error freed = mez_free(context, values);
    return mez_failed(error) ? error : freed;
}

int main(int argc, char **argv)
{
    const mez_image_params held = {.code = kernels_spv, .size = kernels_spv_size};
    const mez_image_params file = {.path = argv[argc - 1]};
    mez_context *context = NULL;
    mez_queue *queue = NULL;
    mez_image *image = NULL;
    mez_kernel *scale = NULL;
    mez_error error = mez_context_create(NULL, &context);
    if (!mez_failed(error))
        error = mez_queue_create(context, NULL, &queue);
    if (!mez_failed(error))
        error = mez_image_create(context, argc > 1 ? &file : &held, &image);
    if (!mez_failed(error))
        error = mez_kernel_create(image, "scale", &scale);
    if (!mez_failed(error))
        error = run(context, queue, scale);
    mez_error_print(stderr, error);
    mez_kernel_destroy(&scale);
    mez_image_destroy(&image);
    mez_queue_destroy(&queue);
    mez_context_destroy(&context);
    return mez_failed(error);
}
