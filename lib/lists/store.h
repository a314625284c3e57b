// SPDX-License-Identifier: MIT
//
// Immediate lists of queues that are gone, for the next queues of the same kind.
//
// Only on drivers whose events go on pointing to the list that signalled them last: until such an event is reset, waited for or
// signalled again the driver writes through the pointer, so the list has to stay (docs/internals/drivers.md#events). Events return
// to the context's store whenever nobody needs them any more, hence a list stays as long as the context: of one description as
// many as queues have had at the same time. On other drivers lists are destroyed at once.
//
// Thread-safety: safe, except create and destroy.

#ifndef MEZ_LISTS_STORE_H
#define MEZ_LISTS_STORE_H

#include "queue/queue.h"

struct mez_list_store *mez_list_store_create(void); // NULL: no memory

// Behind the context's events. NULL in the platform is fine.
void mez_list_store_destroy(mez_platform *platform);

// An immediate list for the queue: one of the store that has the same description, or a new one. What the driver says.
mez_error mez_list_store_take(
    mez_queue *queue, const ze_command_queue_desc_t *description, ze_command_list_handle_t *list);

// Gives up a list that was taken for the queue and the description. `is_idle`: all in it has ended, and nothing has failed, so that
// another queue may have it; else it is destroyed.
void mez_list_store_give(mez_queue *queue, const ze_command_queue_desc_t *description,
    ze_command_list_handle_t list, bool is_idle);

#endif
