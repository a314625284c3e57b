// SPDX-License-Identifier: MIT
//
// All pools of the process, to find the one that an event belongs to: an event may lie in memory that other processes share, where
// a pointer to its pool would mean something else to each of them.
#include "event.h"

#include <pthread.h>

static struct {
    pthread_mutex_t lock; // guards what follows
    ze_event_pool_handle_t first;
} pools = {.lock = PTHREAD_MUTEX_INITIALIZER};

void zc_event_pool_add(ze_event_pool_handle_t pool)
{
    pthread_mutex_lock(&pools.lock);
    pool->next = pools.first;
    pools.first = pool;
    pthread_mutex_unlock(&pools.lock);
}

void zc_event_pool_remove(ze_event_pool_handle_t pool)
{
    pthread_mutex_lock(&pools.lock);
    ze_event_pool_handle_t *link = &pools.first;
    while (*link != pool)
        link = &(*link)->next;
    *link = pool->next;
    pthread_mutex_unlock(&pools.lock);
}

ze_event_pool_handle_t zc_event_pool_of(ze_event_handle_t event)
{
    pthread_mutex_lock(&pools.lock);
    ze_event_pool_handle_t pool = pools.first;
    while (pool && !(event >= pool->events && event < pool->events + pool->count))
        pool = pool->next;
    pthread_mutex_unlock(&pools.lock);
    return pool;
}
