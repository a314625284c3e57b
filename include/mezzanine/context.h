// SPDX-License-Identifier: MIT
//
// A context ties devices, memory, images and queues together. Most programs have one.
//
// With no params it takes the GPUs that the installed drivers report, else the CPU driver that
// comes with Mezzanine. MEZ_DEVICE=gpu|cpu|<part of a name> overrides the params. Which drivers are
// loaded is decided once per process, by its first context; see docs/environment.md.
//
// When a driver says that a device was lost, the context can only be destroyed: every wait and
// every submission, from then on or begun before, returns MEZ_ERRC_DEVICE_LOST with the story of
// the call that reported it first. Queues, events and memory are destroyed as usual, without
// waiting for what will not end. Other contexts are not touched. See docs/hangs.md.
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
    const char *device;     // "gpu", "cpu" or part of a device's name; NULL: the best there is

    // Buffers above a device's limit for one allocation, which is 4 GiB on most. Two things are
    // needed, and this sets both: allocations ask the driver to relax its limit, and images are
    // compiled with 64-bit buffer offsets (-ze-opt-greater-than-4GB-buffer-required), which makes
    // kernels somewhat slower. Drivers that don't list ZE_experimental_relaxed_allocation_limits
    // keep the limit; mez_alloc says so.
    bool large_buffers;

    mez_assert_params asserts; // what a failed assert does, where a queue does not say so itself

    mez_error_handler on_error; // gets errors of tasks, where a queue has no handler of its own
    uint64_t reserved[8];       // must be zero: mezzanine/base.h
} mez_context_params;

// Opens Level Zero if that has not happened, and takes every device that fits, best first.
// *context is yours, to be given to mez_context_destroy; NULL after an error.
//
// MEZ_ERRC_PLATFORM: no loader, no driver or no device that fits; the story lists each driver that
//     was tried and why it failed, and the device nodes with their permissions.
// MEZ_ERRC_WRONG_STATE: an earlier context chose other drivers; the story names MEZ_DRIVERS, which
//     loads both.
// MEZ_ERRC_INVALID_PARAMETER: `context` is NULL, an assert policy does not exist or lacks its
//     function, its limit is above 1024, or the value of an environment variable is invalid.
// MEZ_ERRC_FILE: the device configuration file (MEZ_DEVICE_CONFIG) can't be read, or says what it
//     must not.
// MEZ_ERRC_OUT_OF_HOST_MEMORY. What the driver says.
MEZ_API MEZ_CHECKED mez_error mez_context_create_at(
    const mez_location *where, const mez_context_params *params, mez_context **context);
#ifndef __cplusplus
#define mez_context_create(...) mez_context_create_at(MEZ_HERE, __VA_ARGS__)
#endif

// Waits for what its queues still run, reports failed asserts, frees all memory that was allocated
// with the context, and sets *context to NULL. Destroy queues, recordings, kernels, images, events
// and memory of the context first: what is left is named in warnings, with its debug name, the
// place of its creation and that of this call.
//
// Images, kernels, queues, recordings and events that are left may still be destroyed later, and
// keep what they need until then: the driver's context, and the memory, go with the last of them.
// They can't be used for anything else.
MEZ_API void mez_context_destroy_at(const mez_location *where, mez_context **context);
#ifndef __cplusplus
#define mez_context_destroy(context) mez_context_destroy_at(MEZ_HERE, context)
#endif

// One kind of memory.
typedef struct mez_memory_usage {
    uint64_t allocations;    // alive
    uint64_t bytes;          // that they asked for
    uint64_t driver_bytes;   // taken from the driver: for allocations, pools and deferred frees
    uint64_t pool_chunks;    // the driver's allocations that pools consist of
    uint64_t deferred;       // freed while queues were busy, and not available yet
    uint64_t deferred_bytes; // of those
    uint64_t reserved[2];    // zero: mezzanine/base.h
} mez_memory_usage;

typedef struct mez_context_statistics {
    uint32_t images; // alive: those that the user did not destroy, and those that others still need
    uint32_t kernels;
    uint32_t queues;
    uint32_t launches; // prepared
    uint32_t recordings;
    uint32_t events;
    uint32_t event_slabs;   // the driver's event pools that events are lent from
    uint32_t command_lists; // that queues and recordings keep: open, in flight and spare
    mez_memory_usage device_memory;
    mez_memory_usage host_memory;
    mez_memory_usage shared_memory;
    uint64_t reserved[8]; // zero: mezzanine/base.h
} mez_context_statistics;

// What the context has now. All zero for NULL.
MEZ_API void mez_context_get_statistics(mez_context *context, mez_context_statistics *statistics);

// Devices are numbered from 0, the best first. NULL where there is no such device. Their parts are
// not among them: see mez_device_get_sub_device.
MEZ_API uint32_t mez_context_get_device_count(const mez_context *context);
MEZ_API mez_device *mez_context_get_device(const mez_context *context, uint32_t index);

MEZ_END

#endif
