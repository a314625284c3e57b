// SPDX-License-Identifier: MIT

#include "device/lost.h"

#include "base/log.h"
#include "device/object.h"

bool mez_error_says_lost(mez_error error)
{
    return mez_failed(error) && mez_error_category(error) == MEZ_CATEGORY_LEVEL_ZERO &&
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
        mez_objects_tell_lost(platform);
        mez_log_error(MEZ_TOPIC_DEVICE, platform->loss);
    }
    return platform->loss;
}
