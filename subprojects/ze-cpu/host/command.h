// SPDX-License-Identifier: MIT
//
// Commands: what lists record and queues execute. Each kind embeds struct zc_command as its first
// member.
#ifndef ZE_CPU_COMMAND_H
#define ZE_CPU_COMMAND_H

#include "event.h"
#include "worker.h"

#include <stddef.h>

struct zc_command {
    struct zc_command *next; // in a queue
    // Does the work; NULL: there is none. False: it failed, and the queue with it.
    bool (*run)(const struct zc_command *command, struct zc_runner *runner);
    // Releases what the command holds apart from its own memory; NULL: nothing.
    void (*finish)(struct zc_command *command);
    bool may_block;           // too long to run inside an append to an asynchronous list
    bool signals_ticket;      // `signal` is a ticket of a counter-based event
    ze_event_handle_t signal; // or NULL
    ze_event_handle_t *waits; // all of them before run
    uint32_t wait_count;
    uint32_t ticket_count; // the first of the waits are tickets
};

// The four parameters that nearly every append call has.
struct zc_append {
    ze_command_list_handle_t list;
    ze_event_handle_t signal;
    uint32_t wait_count;
    ze_event_handle_t *waits;
};

// A zeroed command of `size` bytes, its events copied from `append`; NULL when memory is short.
void *zc_command_create(size_t size, const struct zc_append *append);
void zc_command_destroy(struct zc_command *command);
// Makes the command fit to be executed once more.
void zc_command_rearm(struct zc_command *command);

// Are all events that the command waits for signalled?
bool zc_command_is_ready(const struct zc_command *command);
// Waits, runs, signals. When `lost`, or when an awaited event had failed, only signals failure.
// Returns success.
bool zc_command_execute(const struct zc_command *command, struct zc_runner *runner, bool lost);

#endif
