// SPDX-License-Identifier: MIT

#include "device/platform.h"

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
