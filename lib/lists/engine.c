// SPDX-License-Identifier: MIT
//
// The engine of the device that a queue runs on, and how urgent its work is.

#include "queue/queue.h"

static mez_error no_copy_engine(const mez_device *device)
{
    return mez_error_make(MEZ_ERRC_FEATURE_NOT_SUPPORTED,
        "device \"%s\" has no engine that only copies: use MEZ_ENGINE_ANY, whose engine copies too",
        device->info.name);
}

static mez_error choose_priority(mez_queue_priority wanted, ze_command_queue_priority_t *priority)
{
    static const ze_command_queue_priority_t translations[] = {
        [MEZ_PRIORITY_NORMAL] = ZE_COMMAND_QUEUE_PRIORITY_NORMAL,
        [MEZ_PRIORITY_LOW] = ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW,
        [MEZ_PRIORITY_HIGH] = ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH,
    };
    if ((size_t)wanted >= sizeof translations / sizeof translations[0])
        return mez_error_make(
            MEZ_ERRC_INVALID_PARAMETER, "queue priority %d does not exist", (int)wanted);
    *priority = translations[wanted];
    return mez_ok();
}

mez_error mez_queue_choose_engine(mez_queue *queue, const mez_queue_params *params)
{
    const mez_device *device = queue->device;
    MEZ_TRY(choose_priority(params->priority, &queue->priority));
    if (params->engine > MEZ_ENGINE_COPY)
        return mez_error_make(
            MEZ_ERRC_INVALID_PARAMETER, "queue engine %d does not exist", (int)params->engine);
    queue->any_engine = params->engine == MEZ_ENGINE_ANY;
    queue->engine = params->engine == MEZ_ENGINE_COPY ? &device->copy : &device->compute;
    return queue->engine->queues > 0 ? mez_ok() : no_copy_engine(device);
}

ze_command_queue_desc_t mez_queue_description(const mez_queue *queue)
{
    return (ze_command_queue_desc_t){
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
        .ordinal = queue->engine->ordinal,
        .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
        .priority = queue->priority,
    };
}
