// SPDX-License-Identifier: MIT
//
// What a context keeps for asserts: the modules whose record has been reported and must be cleared, and those whose record was
// seen half written.
//
// A module has one record, and the first failure keeps it until it is cleared, so that only one of several overlapping failures is
// reported. Clearing is a task of ours on the device, on a queue of its own: kernels of the module may be in flight
// elsewhere. It is done before the error is delivered, by the thread that delivers it, and without locks; so failures of what is
// submitted afterwards are reported again.
//
// Thread-safety: safe.

#ifndef MEZ_ASSERT_ASSERTS_H
#define MEZ_ASSERT_ASSERTS_H

#include <pthread.h>

#include "base/text.h"
#include "image/module.h"
#include "task/readback.h"

struct mez_asserts {
    pthread_mutex_t lock;     // guards the list, and the slots of modules
    mez_module *dirty;        // or in doubt; the image of each is referenced
    atomic_uint dirty_count;  // with those that are being cleared
    pthread_mutex_t clearing; // one thread at a time, so that a second one waits for the first
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
// queue that writes, and that queue reports it; or the device's atomics do not work, which is logged, once.
void mez_asserts_doubt(struct mez_asserts *asserts, mez_module *module);

// Clears what has been marked, and looks again at what is in doubt. No locks are held. What can't be done is logged.
void mez_asserts_settle(mez_platform *platform);

// The failures of a module that collects many (mez_assert_params.limit).

typedef struct mez_many_asserts {
    mez_assert_log *log;        // a copy of our own
    mez_assert_record *records; // the first failure, then those of other asserts, then more
    size_t count;
    uint32_t total; // work-items that failed, collected or not
} mez_many_asserts;

// Reads the module's log and collects at most `limit` records, of which `first` is the first; none where the log can't be read,
// which is logged. Waits for the device. To be finished.
void mez_many_asserts_read(const mez_module *module, const mez_assert_record *first, uint32_t limit,
    mez_many_asserts *many);
void mez_many_asserts_finish(mez_many_asserts *many);

// The same of one launch, from a mailbox with a log. Waits for nothing.
void mez_many_asserts_of_launch(const mez_assert_mailbox *mailbox, uint32_t launch,
    const mez_assert_record *first, uint32_t limit, mez_many_asserts *many);

// A line with how many there are, and one for each assert, with its count and the work-items that were collected.
void mez_many_asserts_describe(const mez_many_asserts *many, mez_text *text);

// Copies `size` bytes of a variable of the module's to the host, by a task of the library's own beside everything that runs. Waits for
// the device, for a second at most: what hangs may keep the engine. Errors: MEZ_ERRC_TIMEOUT, what the driver says.
mez_error mez_read_from_device(
    const mez_module *module, const void *variable, void *to, size_t size);

// For platform->assert_functions: the fallback that works on every driver. A failed assert fills a program-scope variable, a copy
// behind the tasks brings it to the host, and whoever sees the tasks' end (a waiter or the completion thread) reads it.
extern const mez_assert_functions mez_assert_hooks;

#endif
