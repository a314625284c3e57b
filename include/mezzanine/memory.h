// SPDX-License-Identifier: MIT
//
// Unified shared memory: pointers that the device understands.
//
//   device   fast for the device; the host reaches it only by mez_copy and mez_fill
//   host     lives in host memory; both sides reach it by pointer
//   shared   both sides reach it by pointer; the driver moves it
//
// An allocation belongs to you until mez_free. You may free it while submitted tasks still use it:
// the memory is then put off, and given to nobody, until every task that any queue of the context
// had taken before the free has ended. Tasks that are submitted later, and commands that you give
// to Level Zero by yourself, must not use it. Where a queue was given up, because its kernel hangs
// behind an assert that failed (docs/asserts.md), that is never so: what is freed later stays
// reserved.
//
// Small allocations (32 KiB at most) come from pools and cost no call into the driver; every kind
// is pooled except shared memory of discrete devices that move it between host and device.
// `dedicated` keeps one out of the pools.
//
// Thread-safety: safe.

#ifndef MEZZANINE_MEMORY_H
#define MEZZANINE_MEMORY_H

#include <mezzanine/base.h>
#include <mezzanine/context.h>

MEZ_BEGIN

typedef enum mez_memory_kind {
    MEZ_MEMORY_DEVICE = 0,
    MEZ_MEMORY_HOST = 1,
    MEZ_MEMORY_SHARED = 2,
} mez_memory_kind;

typedef struct mez_memory_params {
    mez_memory_kind kind;
    mez_device *device; // owner of device and shared memory; NULL: the context's first
    size_t alignment;   // bytes, a power of two; at least 64 is given in any case
    // An allocation of the driver by itself: for IPC handles and other uses of Level Zero behind
    // our back.
    bool dedicated;
    const char *debug_name; // shown in messages; copied
    uint64_t reserved[5];   // must be zero: mezzanine/base.h
} mez_memory_params;

// Allocates `size` bytes, uninitialised. Returns NULL on failure and, where `error` is not NULL,
// says why there; on success *error is set to success.
//
// MEZ_ERRC_INVALID_PARAMETER: no context, size 0, an alignment that is not a power of two, a device
//     of another context.
// MEZ_ERRC_MEMORY_ALLOCATION: the device has no room, or the size is above its limit. The story has
//     the limit, the device's memory, what is free of it (or why that is not known, see
//     mez_device_get_memory_state), what this context holds, and what helps. Before that, whatever
//     pools and deferred frees can spare has been given back and the driver asked again. More than
//     the limit (4 GiB on most): mez_context_params.large_buffers.
// MEZ_ERRC_OUT_OF_HOST_MEMORY. What else the driver says.
MEZ_API void *mez_alloc_at(const mez_location *where, mez_context *context,
    const mez_memory_params *params, size_t size, mez_error *error);
MEZ_API void *mez_alloc_device_at(
    const mez_location *where, mez_context *context, size_t size, mez_error *error);
MEZ_API void *mez_alloc_host_at(
    const mez_location *where, mez_context *context, size_t size, mez_error *error);
MEZ_API void *mez_alloc_shared_at(
    const mez_location *where, mez_context *context, size_t size, mez_error *error);
#ifndef __cplusplus
#define mez_alloc(...) mez_alloc_at(MEZ_HERE, __VA_ARGS__)
#define mez_alloc_device(context, size, error) mez_alloc_device_at(MEZ_HERE, context, size, error)
#define mez_alloc_host(context, size, error) mez_alloc_host_at(MEZ_HERE, context, size, error)
#define mez_alloc_shared(context, size, error) mez_alloc_shared_at(MEZ_HERE, context, size, error)
#endif

// Frees what mez_alloc returned; see above for memory that is still in use. NULL is accepted.
//
// MEZ_ERRC_INVALID_PARAMETER: the pointer is not the start of an allocation of this context, or has
//     been freed already; nothing is freed, and the story says what the pointer is.
// What the driver says where it refuses to take its memory back; the pointer is gone nevertheless.
MEZ_API mez_error mez_free_at(const mez_location *where, mez_context *context, void *pointer);

typedef enum mez_pointer_origin {
    MEZ_POINTER_PLAIN = 0, // nothing that the driver knows: malloc, the stack, or no memory at all
    MEZ_POINTER_ALLOCATION = 1, // in an allocation of this context
    // In memory of this context that has no owner: freed, or beside an allocation.
    MEZ_POINTER_FREED = 2,
    MEZ_POINTER_FOREIGN = 3, // USM that was made without Mezzanine, but known to the driver
} mez_pointer_origin;

typedef struct mez_memory_info {
    mez_pointer_origin origin;
    mez_memory_kind kind; // not for plain memory
    // NULL: host memory, plain memory, or a device that the context does not have.
    mez_device *device;
    void *base;             // the allocation's start; NULL for plain and freed memory
    size_t size;            // of the whole allocation, bytes
    size_t offset;          // of the pointer in it
    const char *debug_name; // NULL: none; lives as long as the allocation
    uint64_t reserved[6];   // zero: mezzanine/base.h
} mez_memory_info;

// What is at an address? Any pointer may be asked for, also one into the middle of an allocation.
//
// MEZ_ERRC_INVALID_PARAMETER: no context or no `info`. What the driver says to a pointer that is
//     not ours.
MEZ_API MEZ_CHECKED mez_error mez_memory_get_info_at(
    const mez_location *where, mez_context *context, const void *pointer, mez_memory_info *info);

#ifndef __cplusplus
#define mez_free(context, pointer) mez_free_at(MEZ_HERE, context, pointer)
#define mez_memory_get_info(context, pointer, info) \
    mez_memory_get_info_at(MEZ_HERE, context, pointer, info)
#endif

MEZ_END

#endif
