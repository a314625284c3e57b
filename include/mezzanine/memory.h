// SPDX-License-Identifier: MIT
//
// Unified shared memory: pointers that the device understands.
//
//   device   fast for the device; the host reaches it only by mez_copy and mez_fill
//   host     lives in host memory; both sides reach it by pointer
//   shared   both sides reach it by pointer; the driver moves it
//
// An allocation belongs to you until mez_free. It must not be freed while a submitted command may still use it: wait first.
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
    mez_device *device;     // owner of device and shared memory; NULL: the context's first
    size_t alignment;       // bytes, a power of two; 0: what the driver prefers
    const char *debug_name; // shown in messages; copied
} mez_memory_params;

// Allocates `size` bytes, uninitialised. Returns NULL on failure and, where `error` is not NULL, says why there; on success
// *error is set to success.
//
// MEZ_ERRC_INVALID_PARAMETER: no context, size 0, an alignment that is no power of two, a device of another context.
// MEZ_ERRC_MEMORY_ALLOCATION: the device has no room, or the size is above its limit; the story names both.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
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

// Frees what mez_alloc returned. NULL is accepted.
// MEZ_ERRC_INVALID_PARAMETER: the pointer is not the start of an allocation of this context; nothing is freed.
MEZ_API mez_error mez_free(mez_context *context, void *pointer);

MEZ_END

#endif
