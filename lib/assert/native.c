// SPDX-License-Identifier: MIT

#include "assert/native.h"

#include "assert/deliver.h"

// The CPU driver's: the oldest record that nobody has asked for.
#define GET_RECORD "zeCpuGetAssertRecord"
typedef ze_result_t get_record_function(ze_device_handle_t device, void *record, size_t size);

static get_record_function *find_function(const mez_platform *platform)
{
    void *address = NULL;
    if (platform->caps.wrapped || ZE_RESULT(zeDriverGetExtensionFunctionAddress, platform->driver,
                                      GET_RECORD, &address) != ZE_RESULT_SUCCESS)
        return NULL;
    return (get_record_function *)(uintptr_t)address;
}

// False: there is none to be had.
static bool read_record(const mez_queue *queue, mez_assert_record *record)
{
    get_record_function *get = find_function(queue->platform);
    return get && get(queue->device->ze, record, sizeof *record) == ZE_RESULT_SUCCESS;
}

// Drivers that abort look whenever somebody waits for any event, also for one that does not happen
// (docs/internals/asserts.md#native-asserts).
static void wait_for_nothing(mez_queue *queue)
{
    mez_event *event;
    if (mez_failed(mez_event_create(queue->platform, 0, &event)))
        return;
    ZE_RESULT(zeEventHostSynchronize, event->ze, 0);
    mez_event_unref(event);
}

bool mez_assert_ask_driver(mez_queue *queue, mez_assert_record *record)
{
    wait_for_nothing(queue);
    return read_record(queue, record);
}

mez_error mez_assert_reported_by_driver(mez_queue *queue, uint64_t first_task, uint64_t last_task)
{
    mez_assert_record record = {0};
    if (!read_record(queue, &record))
        record = (mez_assert_record){0};
    const mez_failed_assert failed = {
        .queue = queue, .first_task = first_task, .last_task = last_task, .record = &record};
    return mez_assert_deliver(&failed);
}
