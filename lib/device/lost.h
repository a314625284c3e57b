// SPDX-License-Identifier: MIT
//
// A device that is lost stays lost: what a driver keeps of a context with it can only be destroyed, and an
// event or a fence that it never signals would be waited for without end. So the first call that a driver answers with a lost
// device marks the whole context, and everybody who waits or submits afterwards gets the same story.
//
// Thread-safety: safe.

#ifndef MEZ_DEVICE_LOST_H
#define MEZ_DEVICE_LOST_H

#include "base/error.h"
#include "device/platform.h"

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
