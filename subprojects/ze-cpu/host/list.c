// SPDX-License-Identifier: MIT
//
// Command lists.
#include "list.h"

#include "check.h"
#include "loss.h"
#include "own.h"
#include "queue.h"
#include "recording.h"

#include <stdlib.h>
#include <ze_newer.h>

// Flags that a driver may know or ignore; Intel's 22.43 ignores those that came after it.
#define KNOWN_FLAGS 0x3fu

static ze_command_list_handle_t create_list(
    ze_context_handle_t context, ze_device_handle_t device, uint32_t ordinal)
{
    ze_command_list_handle_t list = calloc(1, sizeof *list);
    if (!list)
        return NULL;
    list->context = context;
    list->device = device;
    list->ordinal = ordinal;
    list->group = zc_device_queue_group(device, ordinal);
    return list;
}

ze_result_t zeCommandListCreate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_command_list_desc_t *desc, ze_command_list_handle_t *list)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(desc);
    ZC_REQUIRE_POINTER(list);
    ZC_REQUIRE_FLAGS(desc->flags, KNOWN_FLAGS);
    ZC_REQUIRE(zc_device_queue_group(device, desc->commandQueueGroupOrdinal),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ze_command_list_handle_t new = create_list(context, device, desc->commandQueueGroupOrdinal);
    ZC_REQUIRE(new, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    new->recording = zc_recording_create();
    if (!new->recording) {
        free(new);
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    }
    new->flags = desc->flags;
    new->in_order = zc_settings.newer && (desc->flags & ZE_NEWER_COMMAND_LIST_FLAG_IN_ORDER);
    *list = new;
    return ZE_RESULT_SUCCESS;
}

static struct zc_queue *create_queue(ze_device_handle_t device, uint32_t ordinal)
{
    struct zc_queue *queue = malloc(sizeof *queue);
    if (queue && zc_queue_init(queue, device, ordinal))
        return queue;
    free(queue);
    return NULL;
}

ze_result_t zeCommandListCreateImmediate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_command_queue_desc_t *desc, ze_command_list_handle_t *list)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(desc);
    ZC_REQUIRE_POINTER(list);
    const ze_result_t checked = zc_check_queue_desc(device, desc);
    ZC_PASS(checked);
    ze_command_list_handle_t new = create_list(context, device, desc->ordinal);
    ZC_REQUIRE(new, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    new->queue = create_queue(device, desc->ordinal);
    if (!new->queue) {
        free(new);
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    }
    new->made = *desc;
    new->made.pNext = NULL;
    new->synchronous = desc->mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
    new->in_order = zc_settings.newer && (desc->flags & ZE_NEWER_COMMAND_QUEUE_FLAG_IN_ORDER);
    *list = new;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListDestroy(ze_command_list_handle_t list)
{
    ZC_REQUIRE_HANDLE(list);
    if (list->queue) {
        zc_queue_finish(list->queue);
        free(list->queue);
    }
    if (list->recording)
        zc_recording_unref(list->recording);
    free(list);
    return ZE_RESULT_SUCCESS;
}

// An immediate list can't be closed or reset, which programs do all the same.
ze_result_t zeCommandListClose(ze_command_list_handle_t list)
{
    ZC_REQUIRE_HANDLE(list);
    ZC_REQUIRE(list->recording || !zc_settings.strict, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    list->closed = list->recording != NULL;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListReset(ze_command_list_handle_t list)
{
    ZC_REQUIRE_HANDLE(list);
    ZC_REQUIRE(list->recording || !zc_settings.strict, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    if (!list->recording)
        return ZE_RESULT_SUCCESS;
    struct zc_recording *empty = zc_recording_create();
    ZC_REQUIRE(empty, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    zc_recording_unref(list->recording);
    list->recording = empty;
    list->closed = false;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zc_check_append(const struct zc_append *append)
{
    ZC_REQUIRE_HANDLE(append->list);
    ZC_REQUIRE(!append->list->closed, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ZC_REQUIRE(append->waits || !append->wait_count, ZE_RESULT_ERROR_INVALID_SIZE);
    for (uint32_t i = 0; i < append->wait_count; i++)
        ZC_REQUIRE_HANDLE(append->waits[i]);
    const bool signals_counter = append->signal && append->signal->counter_based;
    const ze_result_t status =
        append->list->queue ? zc_queue_status(append->list->queue) : ZE_RESULT_SUCCESS;
    ZC_PASS(status);
    ZC_REQUIRE(!signals_counter || append->list->in_order, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    return ZE_RESULT_SUCCESS;
}

static ze_result_t record(struct zc_recording *recording, struct zc_command *command)
{
    if (zc_recording_add(recording, command))
        return ZE_RESULT_SUCCESS;
    zc_command_destroy(command);
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
}

// An idle queue needs no hop to its thread for what is short or would be waited for anyway. Nothing
// else is appended meanwhile: calls on one list must not run at the same time. A kernel may wait
// for the host's next action, so that an asynchronous list never runs one here; nor does it wait for an engine.
static bool can_execute_here(ze_command_list_handle_t list, const struct zc_command *command)
{
    const bool is_quick = !command->may_block && !list->queue->runner.turn;
    return (list->synchronous || is_quick) && zc_queue_takes_work_here(list->queue) &&
           zc_command_is_ready(command, &list->queue->runner);
}

ze_result_t zc_list_append(ze_command_list_handle_t list, struct zc_command *command)
{
    ZC_REQUIRE(command, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    if (list->recording) {
        command->order.waits_for_list = list->in_order;
        return record(list->recording, command);
    }
    command->order.waits_for_queue |= list->in_order;
    zc_command_begin(command, &list->queue->runner);
    if (can_execute_here(list, command))
        zc_queue_execute_here(list->queue, command);
    else
        zc_queue_submit(list->queue, command);
    return list->synchronous ? zc_queue_wait(list->queue, ZC_FOREVER) : ZE_RESULT_SUCCESS;
}

ze_result_t zc_command_list_host_synchronize(ze_command_list_handle_t list, uint64_t timeout)
    ZC_ENTRY_POINT(zeCommandListHostSynchronize);

ze_result_t zc_command_list_host_synchronize(ze_command_list_handle_t list, uint64_t timeout)
{
    ZC_REQUIRE_NEWER();
    ZC_REQUIRE_HANDLE(list);
    ZC_REQUIRE(list->queue, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    return zc_queue_wait(list->queue, timeout);
}
