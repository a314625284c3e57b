// SPDX-License-Identifier: MIT
#include "device_queues.h"

#include "check.h"
#include "device.h"
#include "loss.h"
#include "own.h"
#include "shared_use.h"

#include <time.h>

static struct {
    pthread_mutex_t lock; // guards what follows
    struct zc_queue *first;
    uint64_t last_number;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

void zc_device_queues_add(struct zc_queue *queue)
{
    pthread_mutex_lock(&all.lock);
    queue->number = ++all.last_number;
    queue->next_of_all = all.first;
    all.first = queue;
    pthread_mutex_unlock(&all.lock);
}

void zc_device_queues_remove(struct zc_queue *queue)
{
    pthread_mutex_lock(&all.lock);
    struct zc_queue **link = &all.first;
    while (*link != queue)
        link = &(*link)->next_of_all;
    *link = queue->next_of_all;
    pthread_mutex_unlock(&all.lock);
}

// Others may submit and destroy queues meanwhile, and a program that goes on submitting must not keep us: of each queue, the newest
// first, all is waited for that it had when we came to it.
struct progress {
    uint64_t below;  // only queues of lower numbers are left
    uint64_t number; // of the queue that is waited for; 0: none is
    unsigned target;
};

static struct zc_queue *find_next(ze_device_handle_t device, uint64_t below)
{
    struct zc_queue *queue = all.first;
    while (queue && !(queue->number < below && zc_device_is_kin(queue->runner.device, device)))
        queue = queue->next_of_all;
    return queue;
}

static bool is_waited_for(const struct progress *progress)
{
    struct zc_queue *queue = all.first;
    while (queue && queue->number != progress->number)
        queue = queue->next_of_all;
    return queue && !zc_counter_has_reached(&queue->completed, progress->target);
}

// False: there is nothing left to wait for.
static bool look(ze_device_handle_t device, struct progress *progress)
{
    while (progress->number == 0 || !is_waited_for(progress)) {
        struct zc_queue *next = find_next(device, progress->below);
        if (!next)
            return false;
        progress->below = progress->number = next->number;
        progress->target = atomic_load(&next->submitted);
    }
    return true;
}

ze_result_t zc_device_synchronize(ze_device_handle_t device) ZC_ENTRY_POINT(zeDeviceSynchronize);

ze_result_t zc_device_synchronize(ze_device_handle_t device)
{
    struct progress progress = {.below = UINT64_MAX};
    bool waits = true;
    ZC_REQUIRE_NEWER();
    ZC_REQUIRE_HANDLE(device);
    while (waits && !zc_are_lost(zc_device_bit(device))) {
        pthread_mutex_lock(&all.lock);
        waits = look(device, &progress);
        pthread_mutex_unlock(&all.lock);
        if (waits)
            nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
    }
    zc_shared_use_observe();
    return zc_are_lost(zc_device_bit(device)) ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS;
}
