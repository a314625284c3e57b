// SPDX-License-Identifier: MIT
//
// The program of program.c in C++, which takes the plain functions underneath the macros.

#include <cstdio>
#include <cstdlib>

#include <mezzanine/mezzanine.h>

static mez_error run(mez_context *context, mez_queue *queue, mez_kernel *scale, int *values)
{
    const mez_location here = {__FILE__, __func__, __LINE__, 0};
    const int factor = 3;
    for (int i = 0; i < 16; i++)
        values[i] = i;
    mez_range range = {};
    range.dimensions = 1;
    range.global[0] = 16;
    const mez_arg items[] = {
        {MEZ_ARG_VALUE, sizeof factor, &factor},
        {MEZ_ARG_POINTER, sizeof values, values},
    };
    const mez_args args = {2, items};
    const mez_error error = mez_submit_at(&here, queue, scale, &range, &args, nullptr);
    if (mez_failed(error))
        return error;
    const mez_error waited = mez_queue_wait_at(nullptr, queue);
    const mez_device_info *info = mez_device_get_info(mez_context_get_device(context, 0));
    std::printf("scale: %d on a %s\n", values[10], info->type == MEZ_DEVICE_CPU ? "CPU" : "GPU");
    return waited;
}

int main(int argc, char **argv)
{
    mez_context *context = nullptr;
    mez_queue *queue = nullptr;
    mez_kernel *scale = nullptr;
    int *values = nullptr;
    const char *path = argc > 1 ? argv[1] : "scale.spv";
    mez_error error = mez_context_create_at(nullptr, nullptr, &context);
    if (!mez_failed(error))
        error = mez_queue_create_at(nullptr, context, nullptr, &queue);
    if (!mez_failed(error))
        error = mez_kernel_load_at(nullptr, context, path, "scale", &scale);
    if (!mez_failed(error))
        values =
            static_cast<int *>(mez_alloc_shared_at(nullptr, context, 16 * sizeof *values, &error));
    if (!mez_failed(error))
        error = run(context, queue, scale, values);
    mez_error_print(stderr, error);
    if (values)
        mez_free_at(nullptr, context, values);
    mez_kernel_destroy_at(nullptr, &scale);
    mez_queue_destroy_at(nullptr, &queue);
    mez_context_destroy_at(nullptr, &context);
    return mez_failed(error) ? EXIT_FAILURE : EXIT_SUCCESS;
}
