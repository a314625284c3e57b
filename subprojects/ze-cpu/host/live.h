// SPDX-License-Identifier: MIT
//
// Which handles of one kind there are. A kernel's argument comes as a pointer to a handle, so that a program may give any address
// in its place, and that of an object which it has destroyed.
//
// Thread-safety: every function locks.
#ifndef ZE_CPU_LIVE_H
#define ZE_CPU_LIVE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct zc_live {
    pthread_mutex_t lock; // guards what follows
    void **objects;       // sorted by address
    size_t count, capacity;
};
#define ZC_LIVE_INIT                       \
    {                                      \
        .lock = PTHREAD_MUTEX_INITIALIZER, \
    }

// False: memory is short.
bool zc_live_add(struct zc_live *live, void *object);
// False: there is no such object.
bool zc_live_remove(struct zc_live *live, const void *object);
// Calls visit(object, user) under the lock, if there is such an object; `visit` may be NULL. False: there is none.
bool zc_live_visit(
    struct zc_live *live, const void *object, void (*visit)(void *object, void *user), void *user);

#endif
