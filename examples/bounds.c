// SPDX-License-Identifier: MIT
//
// A bug, caught by a device-side assert: the kernel needs count - 1 work-items and the program submits count. The last one
// would read past the end, silently; instead the program prints the line of the kernel and dies by SIGABRT, as with C's
// assert. Compile the kernel with -DNDEBUG and the assert is gone: bounds_ndebug.spv.
//
//     bounds [bounds.spv]

#include <stdlib.h>

#include <mezzanine/mezzanine.h>

static mez_error shift(mez_context *context, mez_queue *queue, mez_kernel *kernel)
{
    const int32_t count = 64;
    mez_error err;
    // One element more than `count`, so that the bug does no harm here.
    int32_t *from = mez_alloc_shared(context, ((size_t)count + 1) * sizeof *from, &err);
    if (!from)
        return err;
    int32_t *to = mez_alloc_shared(context, (size_t)count * sizeof *to, &err);
    if (!to) {
        mez_free(context, from);
        return err;
    }
    for (int32_t i = 0; i <= count; i++)
        from[i] = i;

    err = mez_submit(queue, kernel, MEZ_ND_RANGE(MEZ_SIZE((size_t)count), MEZ_SIZE(8)),
        MEZ_ARGS(MEZ_PTR(from), MEZ_PTR(to), MEZ_VAL(count)), NULL);
    if (!mez_failed(err))
        err = mez_queue_wait(queue);
    if (!mez_failed(err))
        printf("bounds: nobody noticed: to[%d] = %d\n", count - 1, to[count - 1]);
    mez_free(context, from);
    mez_free(context, to);
    return err;
}

int main(int argc, char **argv)
{
    mez_context *context = NULL;
    mez_queue *queue = NULL;
    mez_kernel *kernel = NULL;
    mez_error err = mez_context_create(NULL, &context);
    if (!mez_failed(err))
        err = mez_queue_create(context, NULL, &queue);
    if (!mez_failed(err))
        err = mez_kernel_load(context, argc > 1 ? argv[1] : "bounds.spv", "shift_left", &kernel);
    if (!mez_failed(err))
        err = shift(context, queue, kernel);
    mez_error_print(stderr, err);
    mez_kernel_destroy(&kernel);
    mez_queue_destroy(&queue);
    mez_context_destroy(&context);
    return mez_failed(err) ? EXIT_FAILURE : EXIT_SUCCESS;
}
