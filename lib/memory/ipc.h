// SPDX-License-Identifier: MIT
//
// What stands in a mez_ipc_handle, for those who pass it on.

#ifndef MEZ_MEMORY_IPC_H
#define MEZ_MEMORY_IPC_H

#include <mezzanine/ipc.h>

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "memory/memory.h"

// A file descriptor that stands for memory, and who closes it. Drivers differ in that: some close the descriptor with the memory, some
// leave it to their user, and none says so. So we remember which file it was, and close it if it is still there.
typedef struct mez_descriptor {
    int32_t fd;
    int32_t known;          // 0: there is no descriptor, and nothing else counts
    uint64_t device, inode; // of the file, to know it by
} mez_descriptor;

// Is `fd` open, and does it stand for memory (a memfd or a dma-buf)? A driver's handle need not begin with a descriptor.
bool mez_descriptor_read(int fd, mez_descriptor *descriptor);

// Is fd the same file as the descriptor's?
bool mez_descriptor_matches(const mez_descriptor *descriptor, int fd);

// How many bytes of memory a descriptor stands for; `unknown` where its file does not say.
uint64_t mez_descriptor_size(int fd, uint64_t unknown);

// Closes it unless somebody has.
void mez_descriptor_finish(const mez_descriptor *descriptor);

// A descriptor of this process for another one's; -1 with errno.
int mez_descriptor_fetch(const mez_descriptor *descriptor, pid_t process);

typedef struct mez_ipc_message {
    uint32_t magic;
    int32_t process; // that owns the memory and the descriptor
    uint64_t size;   // that the owner asked for
    mez_descriptor descriptor;
    ze_ipc_mem_handle_t ze; // begins with the descriptor, where that is known
    uint64_t checksum;      // of all before
} mez_ipc_message;

_Static_assert(sizeof(mez_ipc_message) <= sizeof(mez_ipc_handle), "a handle holds what we need");

// --- ipc_handle.c

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
