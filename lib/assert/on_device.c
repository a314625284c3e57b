// SPDX-License-Identifier: MIT

#include "assert/on_device.h"

#include "queue/queue.h"

#define PATIENCE 1000000000u // ns

static mez_error open_queue(const mez_module *module, mez_queue **queue)
{
    mez_device *device = module->device;
    const bool copies = device->copy.queues > 0;
    return mez_queue_create_hidden(
        device->platform, device, copies ? &device->copy : &device->compute, "asserts", queue);
}

static mez_error run(mez_queue *queue, mez_command *command)
{
    MEZ_TRY(mez_queue_submit_task(queue, command, NULL));
    return mez_queue_wait_quietly(queue, PATIENCE);
}

// One that hangs is in use by the device, and stays as it is.
static void close_queue(mez_queue *queue, mez_error outcome)
{
    if (!mez_error_is(outcome, MEZ_ERRC_TIMEOUT))
        mez_queue_destroy_hidden(queue);
}

static mez_error run_once(const mez_module *module, mez_command *command)
{
    mez_queue *queue;
    MEZ_TRY(open_queue(module, &queue));
    const mez_error outcome = run(queue, command);
    close_queue(queue, outcome);
    return outcome;
}

static mez_error zero(const mez_module *module, void *variable, size_t size)
{
    static const char nothing = 0; // the narrowest pattern: some engines take no other
    mez_command command = {.kind = MEZ_COMMAND_FILL};
    command.fill.to = variable;
    command.fill.pattern = &nothing;
    command.fill.pattern_size = sizeof nothing;
    command.fill.size = size;
    return run_once(module, &command);
}

// The flag comes last: with it the next failure gets the record.
mez_error mez_record_clear_on_device(const mez_module *module)
{
    if (module->assert_log)
        MEZ_TRY(zero(module, module->assert_log, sizeof(mez_assert_log)));
    return zero(module, module->assert_record, sizeof((mez_assert_record *)0)->flag);
}

// Through USM host memory: copies to plain memory may wait for everything before them (docs/internals/drivers.md#memory).
static mez_error copy_out(
    const mez_module *module, const void *variable, void *to, size_t size, void *memory)
{
    mez_command command = {.kind = MEZ_COMMAND_COPY};
    command.copy.to = memory;
    command.copy.from = variable;
    command.copy.size = size;
    MEZ_TRY(run_once(module, &command));
    memcpy(to, memory, size);
    return mez_ok();
}

mez_error mez_read_from_device(
    const mez_module *module, const void *variable, void *to, size_t size)
{
    const ze_host_mem_alloc_desc_t description = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    mez_platform *platform = module->device->platform;
    void *memory;
    MEZ_TRY(ZE(zeMemAllocHost, platform->ze, &description, size, 0, &memory));
    const mez_error error = copy_out(module, variable, to, size, memory);
    if (!mez_error_is(error, MEZ_ERRC_TIMEOUT)) // else the device may still write there
        ZE_LOGGED(zeMemFree, platform->ze, memory);
    return error;
}
