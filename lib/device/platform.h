// SPDX-License-Identifier: MIT
//
// What everything in a context shares: the driver, the Level Zero context and the devices. A mez_context begins with its
// platform, so that the folders below context/ can use one without knowing the other.

#ifndef MEZ_DEVICE_PLATFORM_H
#define MEZ_DEVICE_PLATFORM_H

#include <mezzanine/context.h>

#include <pthread.h>
#include <stdatomic.h>

#include "base/list.h"
#include "base/ref.h"
#include "base/story.h"
#include "device/assert_policy.h"
#include "device/device.h"
#include "ze/caps.h"

// What a context counts. A user may forget to destroy the first ones; the others are the library's own.
typedef enum mez_object_kind {
    MEZ_OBJECT_IMAGE,
    MEZ_OBJECT_KERNEL,
    MEZ_OBJECT_QUEUE,
    MEZ_OBJECT_LAUNCH,
    MEZ_OBJECT_RECORDING,
    MEZ_OBJECT_EVENT,
    MEZ_OBJECT_EVENT_SLAB,
    MEZ_OBJECT_COMMAND_LIST,
    MEZ_OBJECT_KINDS
} mez_object_kind;

struct mez_event_slabs;
struct mez_list_store;
struct mez_memory;
struct mez_kernel_uses;
struct mez_queues;
struct mez_completion;
struct mez_assert_needs;
struct mez_assert_functions;
struct mez_asserts;
struct mez_cache;

typedef struct mez_platform mez_platform;

struct mez_platform {
    // The context's, and one for each image and queue: what the user forgot to destroy still works.
    mez_ref ref;
    void (*destroy)(mez_platform *platform); // with the last reference

    ze_driver_handle_t driver;
    ze_context_handle_t ze;
    bool borrows_ze; // the application's: not ours to destroy
    mez_caps caps;

    // First what the driver lists, best first; then their sub-devices, and the sub-devices of those.
    struct mez_device *devices;
    uint32_t device_count; // listed
    uint32_t device_total; // with sub-devices: what has one of a thing for each device has so many

    // Each belongs to the folder that defines it.
    struct mez_event_slabs *event_slabs;
    struct mez_list_store *list_store;
    struct mez_completion *completion;
    struct mez_assert_needs *assert_needs;
    const struct mez_assert_functions *assert_functions;
    struct mez_asserts *asserts;
    struct mez_memory *memory;
    struct mez_kernel_uses *kernel_uses;
    struct mez_queues *queues;
    struct mez_cache *cache; // of built binaries; NULL until it is opened
    // The memory's, that wait for tasks, and one in a checked context; read without its lock by mez_memory_sweep.
    atomic_uint deferred_frees;

    // Counts every allocation and every free that the driver was asked for. Whoever caches a kernel argument that the driver
    // has seen must set it again once this has changed: the same address may be another allocation by then.
    atomic_uint_fast64_t allocation_generation;
    // The user may allocate and free in `ze` without us, which that number does not see: pointers are never taken for set.
    atomic_bool shares_ze;
    bool large_buffers; // mez_context_params.large_buffers

    mez_assert_policies assert_policies;

    // See the section on lost devices.
    atomic_bool lost;
    mez_error loss; // set once, before `lost` is; retained
    pthread_mutex_t loss_lock;

    // Nanoseconds without progress after which a wait warns; 0: never.
    uint64_t stall_after;

    MEZ_LINK(struct mez_platform) link; // in the list of all that there are

    pthread_mutex_t objects_lock; // guards the list
    struct mez_object *objects;   // alive, the newest first
    atomic_uint live[MEZ_OBJECT_KINDS];
};

// Makes the locks; before anything else is done with a platform. Its one reference is the caller's.
void mez_platform_init(mez_platform *platform);
void mez_platform_finish(mez_platform *platform);

// From the end of the program on, calls are refused. To be called when the driver has been opened: handlers of the program's that are
// registered later are called while it still works.
void mez_platform_watch_exit(void);

static inline void mez_platform_ref(mez_platform *platform)
{
    mez_ref_get(&platform->ref);
}

static inline void mez_platform_unref(mez_platform *platform)
{
    if (mez_ref_put(&platform->ref))
        platform->destroy(platform);
}

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

// From now on the user may allocate memory in the Level Zero context by himself.
void mez_platform_share_ze(mez_platform *platform);

mez_error mez_platform_foreign_device(const mez_device *device);

// The device to use for `wanted`: itself if it is of this platform, the first for NULL. Sets an error otherwise.
static inline mez_error mez_platform_device(
    mez_platform *platform, mez_device *wanted, mez_device **device)
{
    *device = wanted ? wanted : &platform->devices[0];
    if (__builtin_expect((*device)->platform == platform, 1))
        return mez_ok();
    return mez_platform_foreign_device(*device);
}

// Frees what was asked about the devices of a platform that goes.
void mez_devices_forget_details(mez_platform *platform);

// --- Objects
//
// What a context knows of the objects that its user creates, so that it can name those that were forgotten.
//
// Images, kernels, queues, prepared launches and recordings have one each. Events are made with every other task and only
// counted; allocations are known to lib/memory.
//
// Thread-safety: safe.

typedef struct mez_object {
    mez_object_kind kind;
    const char *name; // the owner's
    mez_location where;
    // Called once when a device of the context is lost, with the list's lock held. NULL: need not know. Set it before the object is
    // added; one that is added later looks by itself.
    void (*lost)(struct mez_object *object);
    // The same where the process has no driver any more (base/process.h): its quick paths must end in a call that is refused. In a child
    // of fork() this thread is the only one, and nobody else holds a lock. NULL: need not know.
    void (*close)(struct mez_object *object);
    MEZ_LINK(struct mez_object) link; // in the platform's list
} mez_object;

// Adds an object to the platform's list and counts it. The place is unknown until mez_object_set_place.
void mez_object_add(
    mez_platform *platform, mez_object *object, mez_object_kind kind, const char *name);
void mez_object_remove(mez_platform *platform, mez_object *object);

// Remembers the user's call that created it; NULL: unknown.
void mez_object_set_place(mez_platform *platform, mez_object *object, const mez_location *where);

// "created at FILE:LINE, FUNCTION", or "created at an unknown place".
void mez_place_describe(const mez_location *where, mez_text *text);

// "; destroyed at FILE:LINE, FUNCTION", for what a destroying call has to say; nothing where the place is unknown.
void mez_place_describe_end(const mez_location *where, mez_text *text);

// Notifies those that need to know that a device is lost.
void mez_objects_notify_lost(mez_platform *platform);

// Describes what is alive at this place of a list. False: there are not so many.
typedef bool mez_leak_describe(mez_platform *platform, unsigned place, mez_text *text);

// Warns of what is alive, of which there are `count`, where a context is destroyed by the call at `where`: names the first 32, and
// counts more, which `others` says something of. Each is described by itself, as the log may call the user's function, and what
// callbacks and host tasks let go of goes meanwhile.
void mez_leaks_report(mez_platform *platform, const char *context_name, const mez_location *where,
    uint64_t count, mez_leak_describe *describe, const char *others);

// Warns of each object that is alive, except events; the context is destroyed by the call at `where`.
void mez_objects_report(
    mez_platform *platform, const char *context_name, const mez_location *where);

// --- Lost devices
//
// A device that is lost stays lost: what a driver keeps of a context with it can only be destroyed, and an
// event or a fence that it never signals would be waited for without end. So the first call that a driver answers with a lost
// device marks the whole context, and everybody who waits or submits afterwards gets the same story.
//
// Thread-safety: safe.

// Does the driver say with this error that a device is lost?
bool mez_error_says_lost(mez_error error);

// Marks the platform if the error says so, and logs it the first time. No locks are held: the log may call the user. Returns the
// error that everybody gets: the first that was noted. Any other error is returned as it is. Nothing can be added to the story
// afterwards.
mez_error mez_platform_note_loss(mez_platform *platform, mez_error error);

static inline bool mez_platform_is_lost(const mez_platform *platform)
{
    return __builtin_expect(atomic_load_explicit(&platform->lost, memory_order_acquire), 0);
}

// The error that was noted; success where no device is lost.
static inline mez_error mez_platform_loss(const mez_platform *platform)
{
    return mez_platform_is_lost(platform) ? platform->loss : mez_ok();
}

// Is this the error that was noted, and logged?
static inline bool mez_platform_has_noted(const mez_platform *platform, mez_error error)
{
    const mez_error loss = mez_platform_loss(platform);
    return mez_failed(loss) && loss.value == error.value && loss.origin == error.origin;
}

#endif
