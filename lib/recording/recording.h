// SPDX-License-Identifier: MIT
//
// Recordings. operations.c keeps what the user recorded, as commands that have been checked; recording.c makes closed command lists
// of it; replay.c lends such a list to a queue for one task. A list that came back is lent again as it is, unless an operation
// or an allocation has changed since it was made.
//
// Locks: a queue gives lists back with its own lock held, so that no queue's lock is taken under a recording's.

#ifndef MEZ_RECORDING_RECORDING_H
#define MEZ_RECORDING_RECORDING_H

#include <mezzanine/recording.h>

#include "base/lock.h"
#include "base/vector.h"
#include "device/platform.h"
#include "task/command.h"
#include "task/readback.h"
#include "task/kernels.h"

// Most lists of a recording that one queue has in flight.
#define MEZ_MOST_REPLAYS 4

// A command list of a recording.
typedef struct mez_recorded_list {
    mez_encoding encoding;    // what a queue sees of it
    mez_recording *recording; // referenced while the list is lent
    bool used;                // has been filled, and must be reset first
    uint64_t version;         // of the operations in it; 0: of none, it has to be made
    uint64_t allocations;     // platform->allocation_generation when it was made
    struct mez_recorded_list *next;
} mez_recorded_list;

struct mez_recording {
    mez_ref ref;            // the user's, and one for each list that is lent
    mez_platform *platform; // referenced
    mez_device *device;
    mez_object object;
    char *name;
    bool in_order;

    mez_lock lock; // guards all below
    MEZ_VECTOR(mez_command *) operations;
    uint64_t version;         // counts changes of the operations, from 1
    mez_used_kernels kernels; // kernels with arguments of this recording's own
    mez_recorded_list *spare; // not lent, the last used first
    atomic_uint lent;         // how many are; read without the lock
};

// A list of the operations as they are now, with one reference, for one task. Errors: no memory, what the driver says.
mez_error mez_recording_borrow(mez_recording *recording, mez_recorded_list **list);

// What the user needs to find a failed call again.
mez_error mez_recording_add_facts(mez_error error, const mez_location *where,
    const mez_recording *recording, const mez_task_params *task);

#endif
