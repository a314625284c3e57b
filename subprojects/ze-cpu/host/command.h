// SPDX-License-Identifier: MIT
//
// Commands: what lists record and queues execute. Each kind embeds struct zc_command as its first
// member.
#ifndef ZE_CPU_COMMAND_H
#define ZE_CPU_COMMAND_H

#include "event.h"
#include "worker.h"

#include <stddef.h>

struct zc_recording;

// What a command asks of its surroundings. Queues that execute strictly in order need not look.
struct zc_order {
    bool waits_for_queue;  // starts when all before it on the queue is complete
    bool waits_for_list;   // likewise, of its list only
    bool blocks_following; // nothing behind it starts before it is complete
    bool signals_last;     // completes when all before it on the queue is complete
};

struct zc_command {
    struct zc_command *next; // in a queue
    // Does the work; NULL: there is none. False: it failed, and the queue with it.
    bool (*run)(const struct zc_command *command, struct zc_runner *runner);
    // Are called, unless NULL, when the command is handed over to the queue with that runner, and when it has run or is not going to.
    // False: it failed for what happened in between.
    void (*begun)(struct zc_command *command, struct zc_runner *runner);
    bool (*ended)(const struct zc_command *command, struct zc_runner *runner);
    // Releases what the command holds apart from its own memory; NULL: nothing.
    void (*finish)(struct zc_command *command);
    bool may_block;  // too long to run inside an append to an asynchronous list
    bool off_engine; // needs no engine of the device
    bool uncounted;  // by those who lose the device after so many commands
    struct zc_order order;
    bool signals_ticket;      // `signal` is a ticket of a counter-based event
    ze_event_handle_t signal; // or NULL
    ze_event_handle_t *waits; // all of them before run
    uint32_t wait_count;
    uint32_t ticket_count;          // the first of the waits are tickets
    struct zc_recording *recording; // that the command executes, or NULL
    uint32_t started, completed;    // how many commands of a submission: for shuffle.c
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

// The command is handed over to the queue with that runner.
void zc_command_begin(struct zc_command *command, struct zc_runner *runner);

// Are all events that the command waits for signalled, or will some never be?
bool zc_command_is_ready(const struct zc_command *command, const struct zc_runner *runner);
// Did none of them report a failure? Notes why.
bool zc_command_waits_succeeded(const struct zc_command *command, struct zc_runner *runner);

// Does the work, unless `ok` is false. Returns success.
bool zc_command_run(const struct zc_command *command, struct zc_runner *runner, bool ok);
// The runner knows why not.
void zc_command_signal(const struct zc_command *command, bool ok, struct zc_runner *runner);
// Waits, runs, signals. When `lost`, or when an awaited event had failed, only signals failure.
// Returns success.
bool zc_command_execute(const struct zc_command *command, struct zc_runner *runner, bool lost);

#endif
