// SPDX-License-Identifier: MIT
//
// Commands about order and time: barriers, events, timestamps.
#include "check.h"
#include "list.h"
#include "unwritten.h"

#include <string.h>

// A command that only waits and signals.
static ze_result_t append_empty(const struct zc_append *append, struct zc_order order)
{
    const ze_result_t checked = zc_check_append(append);
    ZC_PASS(checked);
    struct zc_command *command = zc_command_create(sizeof *command, append);
    if (command)
        command->order = order;
    return zc_list_append(append->list, command);
}

// A barrier that waits for events waits for nothing else.
static ze_result_t append_barrier(const struct zc_append *append)
{
    return append_empty(append,
        (struct zc_order){.waits_for_queue = !append->wait_count, .blocks_following = true});
}

ze_result_t zeCommandListAppendBarrier(ze_command_list_handle_t list, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits)
{
    return append_barrier(&(struct zc_append){list, signal, wait_count, waits});
}

// Of all memory, not only of the ranges.
ze_result_t zeCommandListAppendMemoryRangesBarrier(ze_command_list_handle_t list,
    uint32_t range_count, const size_t *sizes, const void **ranges, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits)
{
    (void)range_count;
    ZC_REQUIRE_HANDLE(list);
    ZC_REQUIRE_POINTER(sizes);
    ZC_REQUIRE_POINTER(ranges);
    return append_barrier(&(struct zc_append){list, signal, wait_count, waits});
}

ze_result_t zeCommandListAppendSignalEvent(ze_command_list_handle_t list, ze_event_handle_t event)
{
    ZC_REQUIRE_HANDLE(list);
    ZC_REQUIRE_HANDLE(event);
    return append_empty(&(struct zc_append){.list = list, .signal = event}, (struct zc_order){0});
}

ze_result_t zeCommandListAppendWaitOnEvents(
    ze_command_list_handle_t list, uint32_t count, ze_event_handle_t *events)
{
    ZC_REQUIRE_HANDLE(list);
    ZC_REQUIRE_POINTER(events);
    return append_empty(&(struct zc_append){list, NULL, count, events}, (struct zc_order){0});
}

struct event_reset {
    struct zc_command command;
    ze_event_handle_t event;
};

static bool run_event_reset(const struct zc_command *command, struct zc_runner *runner)
{
    (void)runner;
    const struct event_reset *reset = (const void *)command;
    zc_event_reset(reset->event);
    return true;
}

ze_result_t zeCommandListAppendEventReset(ze_command_list_handle_t list, ze_event_handle_t event)
{
    const struct zc_append append = {.list = list};
    const ze_result_t checked = zc_check_append(&append);
    ZC_PASS(checked);
    ZC_REQUIRE_HANDLE(event);
    ZC_REQUIRE(!event->counter_based, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    struct event_reset *reset = zc_command_create(sizeof *reset, &append);
    ZC_REQUIRE(reset, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    reset->command.run = run_event_reset;
    reset->command.off_engine = true;
    reset->event = event;
    return zc_list_append(list, &reset->command);
}

struct timestamp {
    struct zc_command command;
    uint64_t *destination;
};

static bool run_timestamp(const struct zc_command *command, struct zc_runner *runner)
{
    (void)runner;
    const struct timestamp *timestamp = (const void *)command;
    zc_note_written(timestamp->destination, sizeof *timestamp->destination);
    *timestamp->destination = zc_now();
    return true;
}

ze_result_t zeCommandListAppendWriteGlobalTimestamp(ze_command_list_handle_t list,
    uint64_t *destination, ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits)
{
    const struct zc_append append = {list, signal, wait_count, waits};
    const ze_result_t checked = zc_check_append(&append);
    ZC_PASS(checked);
    ZC_REQUIRE_POINTER(destination);
    struct timestamp *timestamp = zc_command_create(sizeof *timestamp, &append);
    ZC_REQUIRE(timestamp, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    timestamp->command.run = run_timestamp;
    timestamp->destination = destination;
    return zc_list_append(list, &timestamp->command);
}

// One event's timestamps and where they go.
struct stamp {
    ze_event_handle_t event;
    char *destination;
};

struct timestamp_query {
    struct zc_command command;
    uint32_t count;
    struct stamp stamps[];
};

static bool run_timestamp_query(const struct zc_command *command, struct zc_runner *runner)
{
    (void)runner;
    const struct timestamp_query *query = (const void *)command;
    for (uint32_t i = 0; i < query->count; i++) {
        const ze_kernel_timestamp_result_t result = zc_event_timestamps(query->stamps[i].event);
        zc_note_written(query->stamps[i].destination, sizeof result);
        memcpy(query->stamps[i].destination, &result, sizeof result);
    }
    return true;
}

static ze_result_t check_timestamped(uint32_t count, ze_event_handle_t *events)
{
    for (uint32_t i = 0; i < count; i++) {
        ZC_REQUIRE_HANDLE(events[i]);
        ZC_REQUIRE(events[i]->timestamps || !zc_settings.strict, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    }
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListAppendQueryKernelTimestamps(ze_command_list_handle_t list, uint32_t count,
    ze_event_handle_t *events, void *destination, const size_t *offsets, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits)
{
    const struct zc_append append = {list, signal, wait_count, waits};
    ZC_REQUIRE_HANDLE(list);
    ZC_REQUIRE_POINTER(events);
    ZC_REQUIRE_POINTER(destination);
    ze_result_t checked;
    if ((checked = zc_check_append(&append)) || (checked = check_timestamped(count, events)))
        return checked;
    struct timestamp_query *query =
        zc_command_create(sizeof *query + count * sizeof query->stamps[0], &append);
    ZC_REQUIRE(query, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    query->command.run = run_timestamp_query;
    query->count = count;
    for (uint32_t i = 0; i < count; i++) {
        const size_t offset = offsets ? offsets[i] : i * sizeof(ze_kernel_timestamp_result_t);
        query->stamps[i] = (struct stamp){events[i], (char *)destination + offset};
    }
    return zc_list_append(list, &query->command);
}
