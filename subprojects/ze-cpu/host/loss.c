// SPDX-License-Identifier: MIT
//
// Losing the device on demand.
#include "loss.h"

#include "check.h"
#include "own.h"

atomic_uint zc_loss_state;

static _Atomic int64_t left;

void zc_lose_after(uint64_t count)
{
    atomic_store(&left, count < INT64_MAX ? (int64_t)count : INT64_MAX);
    atomic_store(&zc_loss_state, count ? ZC_LOSS_COUNTING : ZC_LOSS_LOST);
}

bool zc_loss_count_down(void)
{
    if (zc_is_lost())
        return false;
    const int64_t before = atomic_fetch_sub(&left, 1);
    if (before <= 1)
        atomic_store(&zc_loss_state, ZC_LOSS_LOST);
    return before >= 1;
}

ze_result_t zc_lose_device(ze_driver_handle_t driver) ZC_ENTRY_POINT(zeCpuLoseDevice);

// Waiters see it within moments. A kernel that is running goes on.
ze_result_t zc_lose_device(ze_driver_handle_t driver)
{
    ZC_REQUIRE_HANDLE(driver);
    zc_lose_after(0);
    return ZE_RESULT_SUCCESS;
}
