// SPDX-License-Identifier: MIT
//
// The smallest complete program: load a kernel, give it memory, run it, look at the result.
//
//     saxpy [saxpy.spv]

#include <stdlib.h>

#include <mezzanine/mezzanine.h>

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "saxpy.spv";
    const size_t n = 1000;
    const float a = 2.0f;
    mez_context *context = NULL;
    mez_queue *queue = NULL;
    mez_kernel *saxpy = NULL;
    float *x = NULL, *y = NULL;
    mez_error err;

    // Every call returns an error or success; `out` prints the story of the first failure and frees what there is.
    if (mez_failed(err = mez_context_create(NULL, &context)))
        goto out;
    if (mez_failed(err = mez_queue_create(context, NULL, &queue)))
        goto out;
    if (mez_failed(err = mez_kernel_load(context, path, "saxpy", &saxpy)))
        goto out;
    if (!(x = mez_alloc_shared(context, n * sizeof *x, &err)))
        goto out;
    if (!(y = mez_alloc_shared(context, n * sizeof *y, &err)))
        goto out;

    for (size_t i = 0; i < n; i++) {
        x[i] = (float)i;
        y[i] = 1.0f;
    }

    // Submitting returns at once; only after a wait has the kernel run for certain.
    err =
        mez_submit(queue, saxpy, MEZ_RANGE(n), MEZ_ARGS(MEZ_VAL(a), MEZ_PTR(x), MEZ_PTR(y)), NULL);
    if (mez_failed(err))
        goto out;
    if (mez_failed(err = mez_queue_wait(queue)))
        goto out;

    printf("saxpy: y[0] = %g, y[1] = %g, y[%zu] = %g\n", y[0], y[1], n - 1, y[n - 1]);
out:
    mez_error_print(stderr, err);
    mez_free(context, x);
    mez_free(context, y);
    mez_kernel_destroy(&saxpy);
    mez_queue_destroy(&queue);
    mez_context_destroy(&context);
    return mez_failed(err) ? EXIT_FAILURE : EXIT_SUCCESS;
}
