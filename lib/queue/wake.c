// SPDX-License-Identifier: MIT

#include "queue/wake.h"

mez_error mez_queue_append_wake(mez_queue *queue, mez_ze_host_function *function, void *data)
{
    if (!mez_queue_can_wake(queue))
        return mez_error_make(MEZ_ERRC_FEATURE_NOT_SUPPORTED,
            "the driver of queue \"%s\" calls no host functions", queue->name);
    return ZE_NEWER(&queue->platform->caps.newer, zeCommandListAppendHostFunction,
        mez_queue_list_to_wake_from(queue), function, data, NULL, NULL, 0, NULL);
}
