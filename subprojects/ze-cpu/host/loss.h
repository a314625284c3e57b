// SPDX-License-Identifier: MIT
//
// Losing devices: a queue whose command has failed, for a reason that has a story; and a whole device on demand, after a number of
// commands (ZE_CPU_LOSE_DEVICE), or when the extension functions zeCpuLoseDevice and zeCpuLoseOneDevice are called. There is no way back.
// A device goes with all its parts, and leaves the others.
#ifndef ZE_CPU_LOSS_H
#define ZE_CPU_LOSS_H

#include <level_zero/ze_api.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Whole devices, a bit for each by its index in ZE_CPU_DEVICES.
typedef uint64_t zc_device_set;
#define ZC_ALL_DEVICES UINT64_MAX

// Those of ZE_CPU_DEVICES that are not lost.
extern _Atomic zc_device_set zc_living_devices;
// Those that are lost, and the one that will be after so many commands.
extern _Atomic zc_device_set zc_frail_devices;

// Does none of them live? Of all devices: of those that there are.
static inline bool zc_are_lost(zc_device_set devices)
{
    return !(atomic_load_explicit(&zc_living_devices, memory_order_acquire) & devices);
}

// These are the devices that there are.
void zc_loss_init(zc_device_set devices);
// The devices are lost now.
void zc_lose(zc_device_set devices);
// The device is lost when `count` commands have run on it. For one device only.
void zc_lose_after(zc_device_set device, uint64_t count);

// A command is about to run on the device. False: that is lost, it must not.
bool zc_loss_count_down(zc_device_set device);
static inline bool zc_loss_admits(zc_device_set device)
{
    return !(atomic_load_explicit(&zc_frail_devices, memory_order_acquire) & device) ||
           zc_loss_count_down(device);
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
