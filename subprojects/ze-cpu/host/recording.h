// SPDX-License-Identifier: MIT
//
// The commands of a regular list. List and submissions share it, so that a list may be reset or
// destroyed by a thread that saw the last command's event while the queue is still leaving the
// list.
#ifndef ZE_CPU_RECORDING_H
#define ZE_CPU_RECORDING_H

#include "command.h"

struct zc_recording {
    atomic_uint references;
    struct zc_command **commands;
    size_t count, capacity;
    bool signals_tickets; // some command signals a counter-based event
};

struct zc_recording *zc_recording_create(void);
struct zc_recording *zc_recording_ref(struct zc_recording *recording);
void zc_recording_unref(struct zc_recording *recording);
// False: memory is short, and the command still the caller's.
bool zc_recording_add(struct zc_recording *recording, struct zc_command *command);
// The recording is submitted to the queue with that runner, perhaps not for the first time.
void zc_recording_begin(struct zc_recording *recording, struct zc_runner *runner);
// Executes the commands in order; after a failure, and where `ok` is false, the others only pass it on to their events.
bool zc_recording_execute(const struct zc_recording *recording, struct zc_runner *runner, bool ok);

#endif
