// SPDX-License-Identifier: MIT
//
// Counter-based events and their tickets.
#include "check.h"
#include "context.h"
#include "event.h"
#include "own.h"

#include <pthread.h>
#include <stdlib.h>
#include <ze_newer.h>

#define KNOWN_FLAGS 0x7fu

// Guards `latest` of all events: a ticket must not go between its being read and being kept.
static pthread_mutex_t tickets = PTHREAD_MUTEX_INITIALIZER;

static ze_event_handle_t exchange_latest(ze_event_handle_t event, ze_event_handle_t ticket)
{
    pthread_mutex_lock(&tickets);
    ze_event_handle_t before = event->latest;
    event->latest = ticket;
    pthread_mutex_unlock(&tickets);
    return before;
}

ze_event_handle_t zc_ticket_create(ze_event_handle_t event, zc_device_set device)
{
    ze_event_handle_t ticket = calloc(1, sizeof *ticket);
    if (!ticket)
        return NULL;
    ticket->timestamps = event->timestamps;
    ticket->devices = device;
    atomic_init(&ticket->references, 2); // the caller's and the event's
    zc_ticket_release(exchange_latest(event, ticket));
    return ticket;
}

ze_event_handle_t zc_ticket_hold(ze_event_handle_t event)
{
    pthread_mutex_lock(&tickets);
    ze_event_handle_t ticket = event->latest;
    if (ticket)
        atomic_fetch_add(&ticket->references, 1);
    pthread_mutex_unlock(&tickets);
    return ticket;
}

void zc_ticket_release(ze_event_handle_t ticket)
{
    if (ticket && atomic_fetch_sub(&ticket->references, 1) == 1)
        free(ticket);
}

ze_result_t zc_event_counter_based_create(ze_context_handle_t context, ze_device_handle_t device,
    const ze_newer_event_counter_based_desc_t *desc, ze_event_handle_t *event)
    ZC_ENTRY_POINT(zeEventCounterBasedCreate);

ze_result_t zc_event_counter_based_create(ze_context_handle_t context, ze_device_handle_t device,
    const ze_newer_event_counter_based_desc_t *desc, ze_event_handle_t *event)
{
    const uint32_t timestamps = ZE_NEWER_EVENT_COUNTER_BASED_FLAG_DEVICE_TIMESTAMP |
                                ZE_NEWER_EVENT_COUNTER_BASED_FLAG_HOST_TIMESTAMP;
    ZC_REQUIRE_NEWER();
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(event);
    const uint32_t flags = desc ? desc->flags : 0;
    ZC_REQUIRE_FLAGS(flags, KNOWN_FLAGS);
    ZC_REQUIRE(
        !(flags & ZE_NEWER_EVENT_COUNTER_BASED_FLAG_IPC), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    ze_event_handle_t new = calloc(1, sizeof *new);
    ZC_REQUIRE(new, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    new->counter_based = true;
    new->standalone = true;
    new->devices = context->devices;
    new->timestamps = flags &timestamps;
    new->counter_flags = flags;
    new->signal_scope = desc ? desc->signal : 0;
    new->wait_scope = desc ? desc->wait : 0;
    *event = new;
    return ZE_RESULT_SUCCESS;
}
