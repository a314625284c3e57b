// SPDX-License-Identifier: MIT
//
// Device memory shared between processes.
#ifndef ZE_CPU_IPC_H
#define ZE_CPU_IPC_H

#include "memory.h"

#include <sys/types.h>

// A file in memory as another process finds it: what handles begin with.
struct zc_ipc_file {
    int fd;
    pid_t pid;
    uint64_t size;
    uint64_t device, inode; // of the file, to know it by
};

// False: it is not a file.
bool zc_ipc_describe(int fd, uint64_t size, struct zc_ipc_file *file);
// Its memory, `size` bytes in whole pages, mapped into this process; NULL: it is not available. No descriptor is left open.
void *zc_ipc_map(const struct zc_ipc_file *file);

// Is the descriptor one of this process for the file?
bool zc_ipc_is_the_file(const struct zc_ipc_file *file, int fd);
// A descriptor of this process for the file, which the caller closes; -1: it is not available.
int zc_ipc_open_file(const struct zc_ipc_file *file);

// Bytes to allocate so that the allocation could be shared later: whole pages.
size_t zc_ipc_size(size_t size);
size_t zc_ipc_alignment(void);

// Moves the allocation's pages into a file, unless they are in one, and copies what is known of it. ZE_RESULT_ERROR_INVALID_ARGUMENT:
// it is none of the context's, or no device memory of this process.
ze_result_t zc_ipc_export(
    ze_context_handle_t context, const void *pointer, struct zc_allocation *allocation);

// The allocation goes: what was exported of it becomes ordinary memory again; processes that opened
// it keep their contents. False: that failed, and the memory must not be used again.
bool zc_ipc_withdraw(const struct zc_allocation *allocation);

#endif
