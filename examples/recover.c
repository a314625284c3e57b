// SPDX-License-Identifier: MIT
//
// The bug of bounds.c, survived: the queue asks for an error instead of the end of the program. The wait returns it, the program
// submits one work-item less, and goes on to the right result.
//
//     recover [bounds.spv]

#include <inttypes.h>
#include <stdlib.h>

#include <mezzanine/mezzanine.h>

enum { COUNT = 64 };

static mez_error shift(
    mez_queue *queue, mez_kernel *kernel, const int32_t *from, int32_t *to, size_t work_items)
{
    const int32_t count = COUNT;
    mez_error err = mez_submit(queue, kernel, MEZ_ND_RANGE(MEZ_SIZE(work_items), MEZ_SIZE(1)),
        MEZ_ARGS(MEZ_PTR(from), MEZ_PTR(to), MEZ_VAL(count)), NULL);
    return mez_failed(err) ? err : mez_queue_wait(queue);
}

// Capture mode runs nothing, and so nothing fails there: then the first attempt is good enough.
static mez_error shift_safely(
    mez_queue *queue, mez_kernel *kernel, const int32_t *from, int32_t *to)
{
    mez_error err = shift(queue, kernel, from, to, COUNT);
    mez_assert_record record;
    if (!mez_error_get_assert(err, &record))
        return err;
    printf("recover: work-item %" PRIu64 " of %s was one too many\n", record.global_id[0],
        record.function);
    return shift(queue, kernel, from, to, COUNT - 1);
}

static mez_error run(mez_context *context, mez_queue *queue, mez_kernel *kernel)
{
    mez_error err = {0}, other = {0};
    // One element more, so that the bug does no harm here.
    int32_t *from = mez_alloc_shared(context, (COUNT + 1) * sizeof *from, &err);
    int32_t *to = mez_alloc_shared(context, COUNT * sizeof *to, &other);
    if (from && to) {
        for (int32_t i = 0; i <= COUNT; i++)
            from[i] = i;
        err = shift_safely(queue, kernel, from, to);
        if (!mez_failed(err))
            printf("recover: to[0] = %d, to[%d] = %d\n", to[0], COUNT - 2, to[COUNT - 2]);
    }
    mez_free(context, from);
    mez_free(context, to);
    return mez_failed(err) ? err : other;
}

int main(int argc, char **argv)
{
    const mez_queue_params params = {.asserts = {.policy = MEZ_ASSERT_ERROR}};
    mez_context *context = NULL;
    mez_queue *queue = NULL;
    mez_kernel *kernel = NULL;
    mez_error err = mez_context_create(NULL, &context);
    if (!mez_failed(err))
        err = mez_queue_create(context, &params, &queue);
    if (!mez_failed(err))
        err = mez_kernel_load(context, argc > 1 ? argv[1] : "bounds.spv", "shift_left", &kernel);
    if (!mez_failed(err))
        err = run(context, queue, kernel);
    mez_error_print(stderr, err);
    mez_kernel_destroy(&kernel);
    mez_queue_destroy(&queue);
    mez_context_destroy(&context);
    return mez_failed(err) ? EXIT_FAILURE : EXIT_SUCCESS;
}
