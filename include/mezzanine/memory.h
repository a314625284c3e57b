// SPDX-License-Identifier: MIT
//
// Unified shared memory: memory that devices reach by plain pointers.
//
//   device   fast for the device; the host reaches it only by mez_copy and mez_fill
//   host     lives in host memory; both sides reach it by pointer
//   shared   both sides reach it by pointer; the driver moves it
//
// An allocation belongs to you until mez_free. You may free it while submitted tasks still use it:
// the library then keeps the memory, and does not use it again, until all tasks that were submitted
// to any queue of the context before mez_free have ended. Tasks that are submitted later, and
// commands that you submit with Level Zero, must not use it. If a queue was given up because its
// kernel hangs after a failed assert (docs/asserts.md), memory that is freed afterwards is never
// used again. A launch that is given such memory later is refused where that is seen:
// docs/checking.md. Checked contexts (mez_context_params.checked_memory) keep it back for a while,
// so that it is seen, and find writes into it and beside allocations.
//
// Allocations of at most 32 KiB come from pools, without a call of the driver, except for shared
// memory of discrete devices that move it between host and device. `dedicated` makes an allocation
// that is not part of a pool. Checked contexts have no pools.
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
    // A separate allocation of the driver, for IPC handles and other direct uses of Level Zero.
    bool dedicated;
    const char *debug_name; // shown in messages; copied
    uint64_t reserved[5];   // must be zero: mezzanine/base.h
} mez_memory_params;

// Allocates `size` bytes, uninitialised. Returns NULL on failure. *error (`error` may be NULL) is
// the error, or success.
//
// MEZ_ERRC_INVALID_PARAMETER: `context` is NULL, `size` is 0, the alignment is not a power of two,
//     or the device belongs to another context.
// MEZ_ERRC_MEMORY_ALLOCATION: the device has not enough memory, or the size is above its limit for
//     one allocation, which is 4 GiB on most devices (see mez_context_params.large_buffers). The
//     library has returned unused memory of pools and deferred frees to the driver, and has tried
//     again, before it fails. The story has the limit, the device's memory, how much of it is free
//     (or why that is not known, see mez_device_get_memory_state), what this context has allocated,
//     and what helps.
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

// Frees memory that mez_alloc returned, which tasks may still use (see above). `pointer` may be
// NULL.
//
// MEZ_ERRC_INVALID_PARAMETER: the pointer is not the start of an allocation of this context, or has
//     been freed already; nothing is freed, and the story says what the pointer is.
// MEZ_ERRC_STRAY_WRITE: in checked contexts: memory beside this allocation was written, or memory
//     that had been freed before and is not kept back any more; the story names the allocation. The
//     memory is freed all the same. Where it waits for tasks, a wait returns the error instead.
// What the driver says if it can't free the memory; the pointer is invalid in any case.
MEZ_API mez_error mez_free_at(const mez_location *where, mez_context *context, void *pointer);

typedef enum mez_pointer_origin {
    MEZ_POINTER_PLAIN = 0,      // not known to the driver: malloc, the stack, or no memory at all
    MEZ_POINTER_ALLOCATION = 1, // in an allocation of this context
    // In memory of this context, but not in an allocation: freed, or between allocations.
    MEZ_POINTER_FREED = 2,
    MEZ_POINTER_FOREIGN = 3, // USM that was allocated without Mezzanine
} mez_pointer_origin;

typedef struct mez_memory_info {
    mez_pointer_origin origin;
    mez_memory_kind kind; // not for plain memory
    // NULL for host memory, plain memory, and memory of devices that the context does not have.
    mez_device *device;
    void *base;             // the allocation's start; NULL for plain and freed memory
    size_t size;            // of the whole allocation, bytes
    size_t offset;          // of the pointer in it
    const char *debug_name; // NULL: none; lives as long as the allocation
    uint64_t reserved[6];   // zero: mezzanine/base.h
} mez_memory_info;

// Describes the memory at an address, which may be anywhere in an allocation.
//
// MEZ_ERRC_INVALID_PARAMETER: `context` or `info` is NULL. What the driver says about a pointer
//     that is not in memory of this context.
MEZ_API MEZ_CHECKED mez_error mez_memory_get_info_at(
    const mez_location *where, mez_context *context, const void *pointer, mez_memory_info *info);

#ifndef __cplusplus
#define mez_free(context, pointer) mez_free_at(MEZ_HERE, context, pointer)
#define mez_memory_get_info(context, pointer, info) \
    mez_memory_get_info_at(MEZ_HERE, context, pointer, info)
#endif

MEZ_END

#endif
