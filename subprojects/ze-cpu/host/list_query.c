// SPDX-License-Identifier: MIT
//
// What queues and lists were created with.
#include "list.h"
#include "query.h"
#include "queue.h"

#define QUEUE(name, entry, type, value) \
    ZC_QUERY(name, entry, ze_command_queue_handle_t, queue, true, type, value)

QUEUE(zc_queue_get_ordinal, zeCommandQueueGetOrdinal, uint32_t, queue->ordinal);
QUEUE(zc_queue_get_index, zeCommandQueueGetIndex, uint32_t, queue->made.index);
QUEUE(zc_queue_get_flags, zeCommandQueueGetFlags, ze_command_queue_flags_t, queue->made.flags);
QUEUE(zc_queue_get_mode, zeCommandQueueGetMode, ze_command_queue_mode_t, queue->made.mode);
QUEUE(zc_queue_get_priority, zeCommandQueueGetPriority, ze_command_queue_priority_t,
    queue->made.priority);

#define LIST(name, entry, condition, type, value) \
    ZC_QUERY(name, entry, ze_command_list_handle_t, list, condition, type, value)

LIST(zc_list_get_device, zeCommandListGetDeviceHandle, true, ze_device_handle_t, list->device);
LIST(zc_list_get_context, zeCommandListGetContextHandle, true, ze_context_handle_t, list->context);
LIST(zc_list_get_ordinal, zeCommandListGetOrdinal, true, uint32_t, list->ordinal);
LIST(zc_list_is_immediate, zeCommandListIsImmediate, true, ze_bool_t, list->queue != NULL);
LIST(zc_list_get_flags, zeCommandListGetFlags, list->recording, ze_command_list_flags_t,
    list->flags);
LIST(zc_list_get_index, zeCommandListImmediateGetIndex, list->queue, uint32_t, list->made.index);
LIST(zc_list_get_queue_flags, zeCommandListImmediateGetFlags, list->queue, ze_command_queue_flags_t,
    list->made.flags);
LIST(zc_list_get_mode, zeCommandListImmediateGetMode, list->queue, ze_command_queue_mode_t,
    list->made.mode);
LIST(zc_list_get_priority, zeCommandListImmediateGetPriority, list->queue,
    ze_command_queue_priority_t, list->made.priority);
