// SPDX-License-Identifier: MIT
//
// Events and their pools.
#ifndef ZE_CPU_EVENT_H
#define ZE_CPU_EVENT_H

#include "sync.h"

// A counter-based event stands for the latest command that was given it to signal. Each such
// command gets an event of its own, a ticket, and whoever waits keeps the ticket that was the latest
// when the wait was appended; so the event may be passed on while older waits are under way.
struct _ze_event_handle_t {
    struct zc_completion completion;
    bool timestamps; // asked for kernel timestamps
    bool counter_based;
    bool shared;             // with other processes
    zc_device_set devices;   // that may signal it; of a shared one see zc_event_devices
    atomic_uint loss;        // why it failed, where it did: a number of loss.h (zc_event_loss)
    atomic_int failed_in;    // of a shared one: the process that knows the number
    atomic_bool assert_news; // whoever waits is to receive a failed assert
    bool standalone;         // owns its memory, has no pool
    uint32_t counter_flags;  // of a standalone one: what it was created with
    ze_event_scope_flags_t signal_scope, wait_scope;
    atomic_uint references; // of a ticket
    _Atomic uint64_t start, end;
    ze_event_handle_t latest; // ticket of a counter-based event; NULL: none yet
};

struct _ze_event_pool_handle_t {
    ze_event_pool_handle_t next; // in the list of all
    ze_context_handle_t context;
    ze_event_pool_flags_t flags;
    uint32_t count;
    bool timestamps;
    bool counter_based;
    zc_device_set devices; // that may signal its events
    struct _ze_event_handle_t *events;
    int fd;        // of a file that has the events, for other processes; -1: they are not shared
    bool imported; // another process's
};

// Events for a pool that can be shared, in a file. False: there is no memory for them.
bool zc_event_pool_share(ze_event_pool_handle_t pool);
// A pool that is complete is known to the process until it goes.
void zc_event_pool_add(ze_event_pool_handle_t pool);
void zc_event_pool_remove(ze_event_pool_handle_t pool);
// NULL: no pool has the event.
ze_event_pool_handle_t zc_event_pool_of(ze_event_handle_t event);
// Gives the events back.
void zc_event_pool_finish(ze_event_pool_handle_t pool);

// The devices that may signal it. Another process counts its own, so that for a shared event it may be any.
static inline zc_device_set zc_event_devices(const struct _ze_event_handle_t *event)
{
    return event->shared ? ZC_ALL_DEVICES : event->devices;
}

// A command that signals the event starts or is over; takes the time where the pool asked for it.
void zc_event_begin(ze_event_handle_t event);
void zc_event_finish(ze_event_handle_t event, bool ok);
// The command failed, for the reason of that number (loss.h).
void zc_event_fail(ze_event_handle_t event, unsigned loss);
// Why it failed; 0: only another process knows that, or the whole device was lost.
unsigned zc_event_loss(const struct _ze_event_handle_t *event);
// Waits, and reports failed asserts.
ze_result_t zc_event_wait(ze_event_handle_t event, uint64_t timeout);
void zc_event_reset(ze_event_handle_t event);
ze_kernel_timestamp_result_t zc_event_timestamps(ze_event_handle_t event);

// Of a counter-based event. A new ticket for a command of that device, the latest from now on; NULL when memory is short.
ze_event_handle_t zc_ticket_create(ze_event_handle_t event, zc_device_set device);
// The latest ticket; NULL: there is nothing to wait for.
ze_event_handle_t zc_ticket_hold(ze_event_handle_t event);
// Gives back what the two functions above returned; NULL is fine.
void zc_ticket_release(ze_event_handle_t ticket);

#endif
