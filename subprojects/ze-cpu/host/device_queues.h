// SPDX-License-Identifier: MIT
//
// All queues of the process, those of immediate lists included, to wait for what a whole device has to do.
#ifndef ZE_CPU_DEVICE_QUEUES_H
#define ZE_CPU_DEVICE_QUEUES_H

#include "queue.h"

void zc_device_queues_add(struct zc_queue *queue);
// It goes: nobody looks at it any more.
void zc_device_queues_remove(struct zc_queue *queue);

#endif
