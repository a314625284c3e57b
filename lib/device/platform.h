// SPDX-License-Identifier: MIT
//
// What everything in a context shares: the driver, the Level Zero context and the devices. A mez_context begins with its
// platform, so that the folders below context/ can use one without knowing the other.

#ifndef MEZ_DEVICE_PLATFORM_H
#define MEZ_DEVICE_PLATFORM_H

#include <pthread.h>
#include <stdatomic.h>

#include <mezzanine/context.h>

#include "device/device.h"
#include "ze/caps.h"

// Objects that a user may forget to destroy.
typedef enum mez_object_kind {
    MEZ_OBJECT_IMAGE,
    MEZ_OBJECT_KERNEL,
    MEZ_OBJECT_QUEUE,
    MEZ_OBJECT_EVENT,
    MEZ_OBJECT_ALLOCATION,
    MEZ_OBJECT_KINDS
} mez_object_kind;

struct mez_event_slabs;
struct mez_completion;
struct mez_probe_hooks;

typedef struct mez_platform {
    ze_driver_handle_t driver;
    ze_context_handle_t ze;
    mez_caps caps;

    struct mez_device *devices; // best first
    uint32_t device_count;

    // Each belongs to the folder that knows it.
    struct mez_event_slabs *event_slabs;
    struct mez_completion *completion;
    const struct mez_probe_hooks *probe_hooks;

    // Grows whenever the driver allocates or frees: a pointer may then mean another allocation than before, and what was
    // concluded from its value counts for nothing.
    atomic_uint_fast64_t allocation_generation;

    pthread_mutex_t uses_lock; // guards the lists of kernel/use.h

    atomic_uint live[MEZ_OBJECT_KINDS];
} mez_platform;

static inline mez_platform *mez_platform_of(mez_context *context)
{
    return (mez_platform *)context; // context/context.c asserts that it is the first member
}

static inline void mez_platform_count(mez_platform *platform, mez_object_kind kind)
{
    atomic_fetch_add_explicit(&platform->live[kind], 1, memory_order_relaxed);
}

static inline void mez_platform_uncount(mez_platform *platform, mez_object_kind kind)
{
    atomic_fetch_sub_explicit(&platform->live[kind], 1, memory_order_relaxed);
}

// Logs what the user left behind.
void mez_platform_report_leaks(mez_platform *platform, const char *context_name);

// The device to use for `wanted`: itself if it is of this platform, the first for NULL. Sets an error otherwise.
mez_error mez_platform_device(mez_platform *platform, mez_device *wanted, mez_device **device);

#endif
