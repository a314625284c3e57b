// SPDX-License-Identifier: MIT
//
// Device memory shared between processes.
#ifndef ZE_CPU_IPC_H
#define ZE_CPU_IPC_H

#include "memory.h"

// Bytes to allocate so that the allocation could be shared later: whole pages.
size_t zc_ipc_size(size_t size);
size_t zc_ipc_alignment(void);

// The allocation goes: what was exported of it becomes ordinary memory again; processes that opened
// it keep their contents. False: that failed, and the memory must not be used again.
bool zc_ipc_withdraw(const struct zc_allocation *allocation);

#endif
