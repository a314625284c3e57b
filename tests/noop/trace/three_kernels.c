// SPDX-License-Identifier: MIT
//
// The published scenario of asserts as a program of its own, for tools that watch one: three kernels that can assert, of which the
// third waits for the first. None runs before all are submitted.
//
//     three_kernels asserts.spv

#include <mezzanine/mezzanine.h>
#include <stdlib.h>

#include "noop.h"

enum { ITEMS = 64 };

static void must(mez_error error)
{
    if (!mez_failed(error))
        return;
    mez_error_print(stderr, error);
    exit(1);
}

// Asserts need a driver that links modules.
static void configure(void)
{
    static const char *const extensions[] = {"ZE_experimental_module_program", NULL};
    struct noop_config config = noop_config_default();
    config.extensions = extensions;
    config.execute_copies = true;
    noop_configure(&config);
}

static void submit_three(mez_queue *queue, mez_kernel *kernel, int *memory)
{
    const mez_args *args = MEZ_ARGS(MEZ_PTR(memory));
    const mez_range *range = MEZ_RANGE(ITEMS);
    mez_event *first;
    noop_hold(true);
    must(mez_submit(queue, kernel, range, args, MEZ_TASK(.event = &first)));
    must(mez_submit(queue, kernel, range, args, NULL));
    must(mez_submit(queue, kernel, range, args, MEZ_TASK(.wait_for = &first, .wait_count = 1)));
    must(mez_queue_flush(queue));
    noop_hold(false);
    must(mez_queue_wait(queue));
    mez_event_destroy(&first);
}

int main(int count, char **arguments)
{
    mez_context *context;
    mez_queue *queue;
    mez_kernel *kernel;
    mez_error error;
    if (count < 2)
        return 2;
    configure();
    must(mez_context_create(NULL, &context));
    must(mez_queue_create(context, &(mez_queue_params){.order = MEZ_OUT_OF_ORDER}, &queue));
    must(mez_kernel_load(context, arguments[1], "checked", &kernel));
    int *memory = mez_alloc_shared(context, ITEMS * sizeof *memory, &error);
    must(error);
    submit_three(queue, kernel, memory);
    mez_queue_destroy(&queue);
    must(mez_free(context, memory));
    mez_kernel_destroy(&kernel);
    mez_context_destroy(&context);
    return 0;
}
