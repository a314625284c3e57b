// SPDX-License-Identifier: MIT
// When submissions complete: at once, or while the test holds them, when it says so.
//
// Held submissions are numbered from 1, and the ticket that an event, a fence, a queue or an
// immediate list keeps is the number of the submission that it stands for. Whatever has a ticket up
// to `completed` is complete.
#include "internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

_Atomic bool noop_held;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards changes of all three
static _Atomic uint64_t submitted;
static _Atomic uint64_t completed;

void noop_hold(bool hold)
{
    pthread_mutex_lock(&lock);
    if (!hold)
        completed = submitted;
    noop_held = hold;
    pthread_mutex_unlock(&lock);
    noop_plan_hold(hold);
}

void noop_release(uint64_t n)
{
    pthread_mutex_lock(&lock);
    const uint64_t pending = submitted - completed;
    completed += n < pending ? n : pending;
    pthread_mutex_unlock(&lock);
}

uint64_t noop_pending(void)
{
    pthread_mutex_lock(&lock);
    const uint64_t pending = submitted - completed;
    pthread_mutex_unlock(&lock);
    return pending;
}

uint64_t noop_ticket_draw_held(void)
{
    pthread_mutex_lock(&lock);
    const uint64_t ticket = noop_held ? ++submitted : NOOP_TICKET_DONE;
    pthread_mutex_unlock(&lock);
    return ticket;
}

ze_result_t noop_ticket_status(_Atomic uint64_t *ticket)
{
    const uint64_t number = atomic_load_explicit(ticket, memory_order_acquire);
    const bool done = number == NOOP_TICKET_DONE ||
                      number <= atomic_load_explicit(&completed, memory_order_acquire);
    return done ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY;
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// Looks again every 100 us rather than being woken: so signalling stays a plain store, which adds
// nothing to the instructions that a measurement counts.
ze_result_t noop_ticket_wait(_Atomic uint64_t *ticket, uint64_t timeout_ns)
{
    if (noop_ticket_status(ticket) == ZE_RESULT_SUCCESS)
        return ZE_RESULT_SUCCESS;
    const struct timespec pause = {.tv_nsec = 100000};
    const uint64_t start = now_ns();
    while (now_ns() - start < timeout_ns) {
        nanosleep(&pause, NULL);
        if (noop_ticket_status(ticket) == ZE_RESULT_SUCCESS)
            return ZE_RESULT_SUCCESS;
    }
    return ZE_RESULT_NOT_READY;
}

struct call {
    _Atomic uint64_t ticket;
    void (*function)(void *data);
    void *data;
};

static _Atomic unsigned calls_under_way;

static void *run_call(void *argument)
{
    struct call *call = argument;
    noop_ticket_wait(&call->ticket, UINT64_MAX);
    call->function(call->data);
    free(call);
    calls_under_way--;
    return NULL;
}

void noop_ticket_call(uint64_t ticket, void (*function)(void *data), void *data)
{
    pthread_t thread;
    struct call *call = calloc(1, sizeof *call);
    if (call == NULL)
        abort();
    *call = (struct call){.ticket = ticket, .function = function, .data = data};
    calls_under_way++;
    if (pthread_create(&thread, NULL, run_call, call) != 0)
        abort();
    pthread_detach(thread);
}

void noop_ticket_end_calls(void)
{
    const struct timespec pause = {.tv_nsec = 100000};
    while (calls_under_way > 0)
        nanosleep(&pause, NULL);
}
