// SPDX-License-Identifier: MIT
//
// What stands in a mez_ipc_handle, for those who pass it on.

#ifndef MEZ_MEMORY_IPC_H
#define MEZ_MEMORY_IPC_H

#include <mezzanine/ipc.h>

#include "memory/descriptor.h"
#include "memory/memory.h"

typedef struct mez_ipc_message {
    uint32_t magic;
    int32_t process; // that owns the memory and the descriptor
    uint64_t size;   // that the owner asked for
    mez_descriptor descriptor;
    ze_ipc_mem_handle_t ze; // begins with the descriptor, where that is known
    uint64_t checksum;      // of all before
} mez_ipc_message;

_Static_assert(sizeof(mez_ipc_message) <= sizeof(mez_ipc_handle), "a handle holds what we need");

// --- ipc_message.c

// Fills magic and checksum, when all else is there.
void mez_ipc_seal(mez_ipc_message *message);

// Are these bytes a whole message that mez_ipc_seal has seen, with values that can be? It may be of this process, and what it
// stands for may be gone. MEZ_ERRC_INVALID_PARAMETER.
mez_error mez_ipc_check(const mez_ipc_message *message);

// --- ipc.c

mez_error mez_ipc_export(mez_platform *platform, const void *pointer, mez_ipc_message *message);

// Is it sound, and from another process?
mez_error mez_ipc_check_foreign(const mez_ipc_message *message);

// Takes `fd`, a descriptor of this process for the message's one, also where it fails; -1 where the message has none.
mez_error mez_ipc_import(const mez_location *where, mez_platform *platform, mez_device *device,
    const mez_ipc_message *message, int fd, void **pointer);

#endif
