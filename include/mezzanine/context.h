// SPDX-License-Identifier: MIT
//
// A context ties devices, memory, images and queues together. Most programs have one.
//
// With no params it takes the GPUs that the installed drivers report, else the CPU driver that
// comes with Mezzanine. MEZ_DEVICE=gpu|cpu|<part of a name> overrides the params. Which drivers are
// loaded is decided once per process, by its first context; see docs/environment.md.
//
// When a driver reports that a device was lost, nothing can be done with the context except to
// destroy it: all waits and submissions, also those that have already begun, return
// MEZ_ERRC_DEVICE_LOST with the story of the call that reported it first. Queues, events and memory
// are destroyed as usual, without waiting for tasks that will never end. Other contexts go on
// working. See docs/hangs.md.
//
// Thread-safety: a context may be used from any number of threads; create and destroy it from one.

#ifndef MEZZANINE_CONTEXT_H
#define MEZZANINE_CONTEXT_H

#include <mezzanine/assert.h>
#include <mezzanine/base.h>
#include <mezzanine/device.h>
#include <mezzanine/error.h>

MEZ_BEGIN

typedef struct mez_context mez_context;

typedef struct mez_context_params {
    const char *debug_name; // shown in messages; copied
    const char *device;     // "gpu", "cpu" or part of a device's name; NULL: the best

    // Allows buffers above a device's limit for one allocation, which is 4 GiB on most devices.
    // Allocations then ask the driver to relax its limit, and images are compiled with 64-bit
    // buffer offsets (-ze-opt-greater-than-4GB-buffer-required), which makes kernels somewhat
    // slower. Drivers that don't list ZE_experimental_relaxed_allocation_limits keep the limit, and
    // the error of mez_alloc says so.
    bool large_buffers;

    mez_assert_params asserts; // what a failed assert does on queues that don't choose it

    mez_error_handler on_error; // gets errors of tasks of queues without a handler

    // Checks memory: docs/checking.md. Ranges of all operations are compared with the allocations,
    // writes around allocations and into freed memory are found (MEZ_ERRC_STRAY_WRITE), and memory
    // that was freed is kept back for a while, so that its further use is refused. Takes time and
    // memory; for tests. MEZ_CHECK overrides it.
    bool checked_memory;

    uint64_t reserved[7]; // must be zero: mezzanine/base.h
} mez_context_params;

// Opens Level Zero, unless that has been done, and takes every device that fits, the best first.
// *context is yours, to be given to mez_context_destroy; NULL after an error.
//
// MEZ_ERRC_PLATFORM: no loader, no driver or no device that fits; the story lists each driver that
//     was tried and why it failed, and the device nodes with their permissions.
// MEZ_ERRC_WRONG_STATE: an earlier context chose other drivers; the story names MEZ_DRIVERS, which
//     loads both.
// MEZ_ERRC_INVALID_PARAMETER: `context` is NULL, an assert policy does not exist or lacks its
//     function, its limit is above 1024, or an environment variable has an invalid value.
// MEZ_ERRC_FILE: the device configuration file (MEZ_DEVICE_CONFIG) can't be read or is not valid.
// MEZ_ERRC_OUT_OF_HOST_MEMORY. What the driver says.
MEZ_API MEZ_CHECKED mez_error mez_context_create_at(
    const mez_location *where, const mez_context_params *params, mez_context **context);
#ifndef __cplusplus
#define mez_context_create(...) mez_context_create_at(MEZ_HERE, __VA_ARGS__)
#endif

// Waits for the tasks of all its queues, reports failed asserts, frees all memory that was
// allocated with the context, and sets *context to NULL. Destroy the context's queues, recordings,
// kernels, images, events and memory first: a warning names each one that is left, with its debug
// name, the place where it was created, and the place of this call.
//
// Images, kernels, queues, recordings and events that are left can't be used any more, but should
// still be destroyed later. The driver's context and the memory stay until the last of them has
// been destroyed.
MEZ_API void mez_context_destroy_at(const mez_location *where, mez_context **context);
#ifndef __cplusplus
#define mez_context_destroy(context) mez_context_destroy_at(MEZ_HERE, context)
#endif

// The use of one kind of memory.
typedef struct mez_memory_usage {
    uint64_t allocations; // alive
    uint64_t bytes;       // that these asked for
    // Taken from the driver: for allocations, pools and deferred frees, and for the fences and the
    // freed memory of checked contexts.
    uint64_t driver_bytes;
    uint64_t pool_chunks;    // the driver's allocations that pools consist of
    uint64_t deferred;       // freed while queues were busy, and not available yet
    uint64_t deferred_bytes; // of those
    uint64_t reserved[2];    // zero: mezzanine/base.h
} mez_memory_usage;

typedef struct mez_context_statistics {
    uint32_t images; // not destroyed yet, or still needed by other objects
    uint32_t kernels;
    uint32_t queues;
    uint32_t launches; // prepared
    uint32_t recordings;
    uint32_t events;
    uint32_t event_slabs;   // event pools of the driver, from which events come
    uint32_t command_lists; // of queues and recordings: open, in flight or unused
    mez_memory_usage device_memory;
    mez_memory_usage host_memory;
    mez_memory_usage shared_memory;
    uint64_t stray_writes; // that were found (mez_context_params.checked_memory)
    uint64_t reserved[7];  // zero: mezzanine/base.h
} mez_context_statistics;

// Writes what the context has at this moment; all zero where `context` is NULL.
MEZ_API void mez_context_get_statistics(mez_context *context, mez_context_statistics *statistics);

// Devices are numbered from 0, the best first. NULL where there is no such device. Sub-devices are
// not counted here: see mez_device_get_sub_device.
MEZ_API uint32_t mez_context_get_device_count(const mez_context *context);
MEZ_API mez_device *mez_context_get_device(const mez_context *context, uint32_t index);

MEZ_END

#endif
