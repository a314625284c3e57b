// SPDX-License-Identifier: MIT
//
// Losing the device on demand: after a number of commands (ZE_CPU_LOSE_DEVICE), or when the
// extension function zeCpuLoseDevice is called. There is no way back.
#ifndef ZE_CPU_LOSS_H
#define ZE_CPU_LOSS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum zc_loss_state { ZC_LOSS_NONE, ZC_LOSS_COUNTING, ZC_LOSS_LOST };
extern atomic_uint zc_loss_state;

static inline bool zc_is_lost(void)
{
    return atomic_load_explicit(&zc_loss_state, memory_order_acquire) == ZC_LOSS_LOST;
}

// The device is lost when `count` commands have run.
void zc_lose_after(uint64_t count);

// A command is about to run. False: the device is lost, it must not.
bool zc_loss_count_down(void);
static inline bool zc_loss_admits(void)
{
    return atomic_load_explicit(&zc_loss_state, memory_order_acquire) == ZC_LOSS_NONE ||
           zc_loss_count_down();
}

#endif
