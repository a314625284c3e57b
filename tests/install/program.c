// SPDX-License-Identifier: MIT
//
// A program in C that uses the installed library. program.cpp is the same in C++.

#include <stdlib.h>

#include <mezzanine/mezzanine.h>

static mez_error run(mez_context *context, mez_queue *queue, mez_kernel *scale, int *values)
{
    const int factor = 3;
    for (int i = 0; i < 16; i++)
        values[i] = i;
    const mez_error error =
        mez_submit(queue, scale, MEZ_RANGE(16), MEZ_ARGS(MEZ_VAL(factor), MEZ_PTR(values)), NULL);
    if (mez_failed(error))
        return error;
    const mez_device_info *info = mez_device_get_info(mez_context_get_device(context, 0));
    const mez_error waited = mez_queue_wait(queue);
    printf("scale: %d on a %s\n", values[10], info->type == MEZ_DEVICE_CPU ? "CPU" : "GPU");
    return waited;
}

int main(int argc, char **argv)
{
    mez_context *context = NULL;
    mez_queue *queue = NULL;
    mez_kernel *scale = NULL;
    int *values = NULL;
    mez_error error = mez_context_create(NULL, &context);
    if (!mez_failed(error))
        error = mez_queue_create(context, NULL, &queue);
    if (!mez_failed(error))
        error = mez_kernel_load(context, argc > 1 ? argv[1] : "scale.spv", "scale", &scale);
    if (!mez_failed(error))
        values = mez_alloc_shared(context, 16 * sizeof *values, &error);
    if (!mez_failed(error))
        error = run(context, queue, scale, values);
    mez_error_print(stderr, error);
    if (values)
        mez_free(context, values);
    mez_kernel_destroy(&scale);
    mez_queue_destroy(&queue);
    mez_context_destroy(&context);
    return mez_failed(error) ? EXIT_FAILURE : EXIT_SUCCESS;
}
