// SPDX-License-Identifier: MIT
//
// What a context knows of the objects that its user creates, so that it can name those that were forgotten.
//
// Images, kernels, queues, prepared launches and recordings have one each. Events are made with every other task and only
// counted; allocations are known to lib/memory.
//
// Thread-safety: safe.

#ifndef MEZ_DEVICE_OBJECT_H
#define MEZ_DEVICE_OBJECT_H

#include "base/list.h"
#include "device/platform.h"

typedef struct mez_object {
    mez_object_kind kind;
    const char *name; // the owner's
    mez_location where;
    // Called once when a device of the context is lost, with the list's lock held. NULL: need not know. Set it before the object is
    // added; one that is added later looks by itself.
    void (*lost)(struct mez_object *object);
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

// Most objects that one report names; more are counted.
#define MEZ_MOST_LEAKS_NAMED 32

// Warns of each object that is alive, except events; the context is destroyed by the call at `where`.
void mez_objects_report(
    mez_platform *platform, const char *context_name, const mez_location *where);

#endif
