// SPDX-License-Identifier: MIT
//
// How much of a device's memory is given out. All of it is the machine's, but a program that wants more than its device has gets an error,
// as from a GPU. Device memory counts, and images, and physical memory; shared memory does not, as it can lie elsewhere.
//
// Thread-safety: safe.
#ifndef ZE_CPU_DEVICE_MEMORY_H
#define ZE_CPU_DEVICE_MEMORY_H

#include "device.h"
#include "memory.h"

// False: the device, or the one that it is a part of, has not that much left. What is taken is given back.
bool zc_device_memory_take(ze_device_handle_t device, uint64_t size);
void zc_device_memory_give(ze_device_handle_t device, uint64_t size);
// Takes an allocation's memory and maps its block (block.h), which owns its pages. False: the device or the machine has not that much left.
bool zc_device_memory_map(struct zc_allocation *allocation, size_t alignment);
// Bytes.
uint64_t zc_device_memory_used(ze_device_handle_t device);

#endif
