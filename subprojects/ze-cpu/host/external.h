// SPDX-License-Identifier: MIT
//
// Device memory that is shared by file descriptor: what the specification calls external memory. Ours is a file in memory
// (ipc.h); one that is imported may be any file that can be mapped, such as a buffer of another driver (dma-buf).
#ifndef ZE_CPU_EXTERNAL_H
#define ZE_CPU_EXTERNAL_H

#include "memory.h"

#define ZC_EXTERNAL_TYPES \
    (ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD | ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF)

// Refuses a description of an allocation that asks for import or export as it can't be. `device`: it is for device memory.
ze_result_t zc_external_check(const void *chain, bool device);
// The descriptor to import; -1: none is.
int zc_external_import(const void *chain);
// Bytes of the file to import; 0: none is, or nothing is known of it.
size_t zc_external_size(const void *chain);
// A descriptor of the driver's own for the program's. ZE_RESULT_ERROR_INVALID_ARGUMENT: it is none, or the file is smaller than `size`.
ze_result_t zc_external_open(int fd, size_t size, int *own);
// Gives the file to a query that asks for it. The descriptor is the program's to close.
ze_result_t zc_external_answer(void *chain, int fd);
// Maps the file as the allocation's memory. ZE_RESULT_ERROR_INVALID_ARGUMENT: it can't be mapped, or is smaller than the allocation.
// ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT: files are aligned to pages.
ze_result_t zc_external_map(struct zc_allocation *allocation, size_t alignment, int fd);
// Fills what the chain of a query asks for. The descriptor is the program's to close.
ze_result_t zc_external_query(ze_context_handle_t context, const void *pointer, void *chain);

#endif
