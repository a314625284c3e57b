// SPDX-License-Identifier: MIT
//
// Which kind of queue suits a driver, the engine of the device that a queue runs on, and how urgent its work is.

#include <string.h>

#include "base/environment.h"
#include "queue/queue.h"

mez_error mez_queue_read_setting(mez_queue_kind *kind)
{
    const char *text = mez_setting(MEZ_VARIABLE_QUEUE);
    if (!text)
        return mez_ok();
    static const struct {
        const char *name;
        mez_queue_kind kind;
    } names[] = {
        {"immediate", MEZ_QUEUE_IMMEDIATE},
        {"batched", MEZ_QUEUE_BATCHED},
        {"basic", MEZ_QUEUE_BASIC},
        {"adaptive", MEZ_QUEUE_ADAPTIVE},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(text, names[i].name) == 0) {
            *kind = names[i].kind;
            return mez_ok();
        }
    }
    return mez_setting_refused(MEZ_VARIABLE_QUEUE);
}

mez_error mez_queue_read_offload_setting(bool *offloads)
{
    const char *text = mez_setting(MEZ_VARIABLE_COPY_OFFLOAD);
    *offloads = !text || strcmp(text, "1") == 0;
    if (*offloads || strcmp(text, "0") == 0)
        return mez_ok();
    return mez_setting_refused(MEZ_VARIABLE_COPY_OFFLOAD);
}

static mez_error no_in_order_lists(const mez_caps *caps)
{
    return mez_error_make(MEZ_ERRC_FEATURE_NOT_SUPPORTED,
        "the driver (Level Zero %u.%u) has no in-order immediate lists: use the kind batched or "
        "basic",
        caps->api_version >> 16, caps->api_version & 0xffff);
}

// Drivers with in-order lists are those for which immediate lists are cheap.
static const mez_queue_ops *kind_that_suits(const mez_caps *caps)
{
    return caps->in_order_lists ? &mez_immediate_queue : &mez_batched_queue;
}

// Where batches are what suits a driver, no two threads may submit at the same time (batch.c). To make immediate lists, of which
// each append is a submission, take turns as well would cost more than they gain.
static const mez_queue_ops *basic_kind(const mez_caps *caps, bool in_order)
{
    return in_order || !caps->in_order_lists ? &mez_basic_queue : &mez_basic_immediate_queue;
}

// Without lists in order there is nothing to choose from, and out of order nothing is known to gain by batches there.
static const mez_queue_ops *adaptive_kind(const mez_caps *caps, bool in_order)
{
    return in_order && caps->in_order_lists ? &mez_adaptive_queue : kind_that_suits(caps);
}

mez_error mez_queue_choose_kind(
    const mez_caps *caps, mez_queue_kind wanted, bool in_order, const mez_queue_ops **ops)
{
    MEZ_TRY(mez_queue_read_setting(&wanted));
    switch (wanted) {
    case MEZ_QUEUE_ANY:
        *ops = kind_that_suits(caps);
        return mez_ok();
    case MEZ_QUEUE_IMMEDIATE:
        *ops = &mez_immediate_queue;
        return caps->in_order_lists ? mez_ok() : no_in_order_lists(caps);
    case MEZ_QUEUE_BATCHED:
        *ops = &mez_batched_queue;
        return mez_ok();
    case MEZ_QUEUE_BASIC:
        *ops = basic_kind(caps, in_order);
        return mez_ok();
    case MEZ_QUEUE_ADAPTIVE:
        *ops = adaptive_kind(caps, in_order);
        return mez_ok();
    }
    return mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "queue kind %d does not exist", (int)wanted);
}

// --- Engines

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
