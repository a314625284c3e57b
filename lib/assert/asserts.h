// SPDX-License-Identifier: MIT
//
// What a context keeps for asserts: the modules whose record has been reported and must be cleared, and those whose record was
// seen half written.
//
// A module has one record, and the first failure keeps it until it is cleared, so that of failures which overlap one is told.
// Clearing is a task of ours on the device, on a queue of its own (lane.h): kernels of the module may be in flight elsewhere. It is
// done before anybody is handed the error, by whoever hands it over, and without locks; so what is submitted afterwards is
// told of again.
//
// Thread-safety: safe.

#ifndef MEZ_ASSERT_ASSERTS_H
#define MEZ_ASSERT_ASSERTS_H

#include <pthread.h>

#include "image/module.h"

struct mez_asserts {
    pthread_mutex_t lock;     // guards the list, and the slots of modules
    mez_module *dirty;        // or in doubt; the image of each is referenced
    atomic_uint dirty_count;  // with those that are being cleared
    pthread_mutex_t clearing; // one at a time, so that who finds another at it waits for him
};

// NULL: no memory.
struct mez_asserts *mez_asserts_create(void);
void mez_asserts_destroy(struct mez_asserts *asserts); // NULL is accepted

// Takes a record. False: it has been taken before, from another copy. True: it is the caller's to deliver, which marks it.
bool mez_asserts_take(
    struct mez_asserts *asserts, mez_module *module, const mez_assert_record *record);

// The module's record is to be cleared. Where more than one failure is asked for, what else the module has collected is added to
// the error before.
void mez_asserts_mark(struct mez_asserts *asserts, mez_module *module,
    const mez_assert_params *params, mez_error error);

// A copy of the module's record was half written. A kernel that has ended has written all of its own, so it is one of another
// queue that writes, and that queue tells of it; or the device's atomics do not work, which is logged, once.
void mez_asserts_doubt(struct mez_asserts *asserts, mez_module *module);

// Clears what has been marked, and looks again at what is in doubt. No locks are held. What can't be done is logged.
void mez_asserts_settle(mez_platform *platform);

#endif
