// SPDX-License-Identifier: MIT
//
// A device: this machine's cores, reported as the chosen persona; or a part of it. Several share the cores, and have equal parts of the
// memory.
#ifndef ZE_CPU_DEVICE_H
#define ZE_CPU_DEVICE_H

#include "device_list.h"
#include "loss.h"
#include "sync.h"

#include <engine.h>
#include <level_zero/ze_api.h>

struct _ze_device_handle_t {
    const struct zc_persona *persona; // one of the list of devices
    uint32_t index;                   // of the whole device in that list
    uint32_t number;                  // of the whole device among those of its persona
    ze_device_type_t type;
    char name[ZE_MAX_DEVICE_NAME];
    uint64_t total_memory;        // bytes
    _Atomic uint64_t used_memory; // of them (device_memory.h)
    ze_device_handle_t whole; // that it is a part of, however it is shown; itself, if it is none
    uint64_t max_allocation;  // bytes, without the relaxed-limits extension
    uint32_t thread_count;    // threads that run work-groups
    struct zc_queue_group groups[ZC_MAX_QUEUE_GROUPS];
    struct zc_turn turns[ZC_MAX_QUEUE_GROUPS]; // of the one engine of each group, where that is so
    uint32_t group_count;
    ze_device_handle_t parent; // of a sub-device that is shown as one; NULL else
    uint32_t part; // 0: the whole; else its sub-device's number plus one, however it is shown
    const ze_device_handle_t *sub_devices; // those that are shown
    uint32_t sub_device_count;
    ze_fabric_edge_handle_t edges; // those to other devices that were asked for (fabric.c)
};

// The whole device of that index. Reads ZE_CPU_DEVICE_TYPE and ZE_CPU_THREADS; a value that is not accepted is named on stderr.
ze_result_t zc_device_init(
    ze_device_handle_t device, const struct zc_device_list *list, uint32_t index);

// The same in every process, whatever of the devices a mask shows.
void zc_device_uuid(ze_device_handle_t device, ze_device_uuid_t *uuid);

// The whole device, as a set.
static inline zc_device_set zc_device_bit(ze_device_handle_t device)
{
    return (zc_device_set)1 << device->index;
}

// Is one a part of the other, or are both parts of a third?
static inline bool zc_device_is_kin(ze_device_handle_t device, ze_device_handle_t other)
{
    return device->index == other->index;
}

// What programs for it may use.
struct zc_features zc_device_features(ze_device_handle_t device);

// What queues of that group take turns at; NULL: each has an engine of its own.
struct zc_turn *zc_device_turn(ze_device_handle_t device, uint32_t ordinal);

// The queue group of that ordinal; NULL when there is none.
const struct zc_queue_group *zc_device_queue_group(ze_device_handle_t device, uint32_t ordinal);

#endif
