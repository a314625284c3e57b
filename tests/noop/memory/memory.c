// SPDX-License-Identifier: MIT

#include "memory.h"

mez_context *open_context_with(const struct noop_config *config, const mez_context_params *params)
{
    noop_reset();
    if (config)
        noop_configure(config);
    mez_context *context;
    assert_ok(mez_context_create(params, &context));
    return context;
}

mez_context *open_context(const struct noop_config *config)
{
    return open_context_with(config, NULL);
}

mez_context_statistics statistics_of(mez_context *context)
{
    mez_context_statistics statistics;
    mez_context_get_statistics(context, &statistics);
    return statistics;
}

void *get(mez_context *context, const mez_memory_params *params, size_t size)
{
    mez_error error;
    void *memory = mez_alloc(context, params, size, &error);
    assert_ok(error);
    assert_non_null(memory);
    return memory;
}

void put(mez_context *context, void *memory)
{
    assert_ok(mez_free(context, memory));
}

uint64_t driver_allocations(void)
{
    return noop_calls("zeMemAllocDevice") + noop_calls("zeMemAllocHost") +
           noop_calls("zeMemAllocShared");
}

void submit_fill(mez_queue *queue, void *memory)
{
    const char zero = 0;
    assert_ok(mez_fill(queue, memory, &zero, 1, 16, NULL));
}
