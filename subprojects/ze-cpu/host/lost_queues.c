// SPDX-License-Identifier: MIT
//
// A list of the lost queues.
#include "lost_queues.h"

#include <time.h>

#define SETTLE_NS UINT64_C(1000000000)

static struct {
    atomic_bool any;
    pthread_mutex_t lock; // guards what follows
    struct zc_queue *first;
} lost = {.lock = PTHREAD_MUTEX_INITIALIZER};

void zc_lost_queues_add(struct zc_queue *queue)
{
    pthread_mutex_lock(&lost.lock);
    queue->next_lost = lost.first;
    lost.first = queue;
    atomic_store(&lost.any, true);
    pthread_mutex_unlock(&lost.lock);
}

void zc_lost_queues_remove(struct zc_queue *queue)
{
    pthread_mutex_lock(&lost.lock);
    struct zc_queue **link = &lost.first;
    while (*link && *link != queue)
        link = &(*link)->next_lost;
    if (*link)
        *link = queue->next_lost;
    atomic_store(&lost.any, lost.first != NULL);
    pthread_mutex_unlock(&lost.lock);
}

static bool are_settled(void)
{
    pthread_mutex_lock(&lost.lock);
    struct zc_queue *queue = lost.first;
    while (queue && !zc_queue_has_work(queue))
        queue = queue->next_lost;
    pthread_mutex_unlock(&lost.lock);
    return !queue;
}

void zc_queues_settle(void)
{
    if (!atomic_load(&lost.any))
        return;
    const uint64_t end = zc_deadline(SETTLE_NS);
    while (!are_settled() && zc_now() < end)
        nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
}
