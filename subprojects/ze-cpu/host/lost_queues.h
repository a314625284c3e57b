// SPDX-License-Identifier: MIT
//
// The queues that are lost and not destroyed: after a loss a program may take the device for dead, and free what is still in use.
#ifndef ZE_CPU_LOST_QUEUES_H
#define ZE_CPU_LOST_QUEUES_H

#include "queue.h"

void zc_lost_queues_add(struct zc_queue *queue);
// The queue goes, lost or not.
void zc_lost_queues_remove(struct zc_queue *queue);

// For calls that free what commands signal. Waits until no lost queue has any work, for a second at most.
void zc_queues_settle(void);

#endif
