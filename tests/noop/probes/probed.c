// SPDX-License-Identifier: MIT
//
// A program with each kind of probe, for fired.py: on the quick path of a queue with an in-order list, and on the long way. All are
// in one thread: gdb does not count well where two come to breakpoints at the same time.

#include <mezzanine/mezzanine.h>
#include <stdlib.h>

#include "noop.h"

static void must(mez_error error)
{
    if (!mez_failed(error))
        return;
    mez_error_print(stderr, error);
    exit(1);
}

static void use(mez_queue *queue, char *memory)
{
    const int zero = 0;
    mez_event *copied;
    must(mez_copy(queue, memory, memory + 64, 64, MEZ_TASK(.event = &copied)));
    must(mez_fill(
        queue, memory, &zero, sizeof zero, 64, MEZ_TASK(.wait_for = &copied, .wait_count = 1)));
    must(mez_event_wait(copied));
    must(mez_queue_wait(queue));
    mez_event_destroy(&copied);
    mez_error_ignore(mez_copy(queue, memory, memory, 64, NULL)); // the ranges overlap
}

int main(void)
{
    struct noop_config config = noop_config_default();
    config.api_version = (ze_api_version_t)ZE_MAKE_VERSION(1, 14); // in-order lists
    noop_configure(&config);
    mez_context *context;
    mez_queue *queue;
    must(mez_context_create(NULL, &context));
    must(mez_queue_create(context, &(mez_queue_params){.debug_name = "probed"}, &queue));
    char *memory = mez_alloc_shared(context, 128, NULL);
    if (!memory)
        return 1;
    use(queue, memory);
    must(mez_free(context, memory));
    mez_error_ignore(mez_free(context, memory)); // twice
    mez_queue_destroy(&queue);
    mez_context_destroy(&context);
    return 0;
}
