// SPDX-License-Identifier: MIT
//
// Losing the device: a queue whose command has failed, for a reason that has a story; and the whole device on demand, after a number
// of commands (ZE_CPU_LOSE_DEVICE), or when the extension function zeCpuLoseDevice is called. There is no way back.
#ifndef ZE_CPU_LOSS_H
#define ZE_CPU_LOSS_H

#include <level_zero/ze_api.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
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

// Bytes of the longest story, which is one line.
#define ZC_LOSS_TEXT 1024

// Keeps the story of a loss, and prints it on stderr. Returns its number, which is not 0. The newest 64 are kept.
unsigned zc_loss_note(const char *story);
// Copies the story of that number; 0 is that of the loss on demand.
void zc_loss_get_story(unsigned number, char text[ZC_LOSS_TEXT]);

// For calls that return this result: if that is ZE_RESULT_ERROR_DEVICE_LOST, this story is why.
ze_result_t zc_loss_explain(ze_result_t result, unsigned number);

#endif
