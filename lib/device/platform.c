// SPDX-License-Identifier: MIT

#include "device/platform.h"

#include "base/log.h"
#include "device/lost.h"
#include "device/object.h"

void mez_platform_init(mez_platform *platform)
{
    mez_ref_init(&platform->ref);
    pthread_mutex_init(&platform->objects_lock, NULL);
    pthread_mutex_init(&platform->uses_lock, NULL);
    pthread_mutex_init(&platform->loss_lock, NULL);
    pthread_mutex_init(&platform->native_assert_lock, NULL);
}

void mez_platform_finish(mez_platform *platform)
{
    mez_error_release(platform->loss);
    pthread_mutex_destroy(&platform->native_assert_lock);
    pthread_mutex_destroy(&platform->loss_lock);
    pthread_mutex_destroy(&platform->uses_lock);
    pthread_mutex_destroy(&platform->objects_lock);
}

void mez_platform_share_ze(mez_platform *platform)
{
    if (atomic_exchange(&platform->shares_ze, true))
        return;
    atomic_fetch_add(&platform->allocation_generation, 1); // what was set until now counts no more
}

mez_error mez_platform_foreign_device(const mez_device *device)
{
    return mez_error_make(
        MEZ_ERRC_INVALID_PARAMETER, "device \"%s\" belongs to another context", device->info.name);
}

// --- Lost devices

bool mez_error_says_lost(mez_error error)
{
    return mez_failed(error) && mez_error_get_category(error) == MEZ_CATEGORY_LEVEL_ZERO &&
           mez_error_is(error, MEZ_ERRC_DEVICE_LOST);
}

mez_error mez_platform_note_loss(mez_platform *platform, mez_error error)
{
    if (!mez_error_says_lost(error))
        return error;
    pthread_mutex_lock(&platform->loss_lock);
    const bool first = !mez_platform_is_lost(platform);
    if (first) {
        platform->loss = mez_error_retain(mez_error_seal(error));
        atomic_store_explicit(&platform->lost, true, memory_order_release);
    }
    pthread_mutex_unlock(&platform->loss_lock);
    if (first) {
        mez_objects_notify_lost(platform);
        mez_log_error(MEZ_TOPIC_DEVICE, platform->loss);
    }
    return platform->loss;
}
