// SPDX-License-Identifier: MIT
//
// The devices of ZE_CPU_DEVICES, for tests of several.
#ifndef ZE_CPU_TESTS_DEVICES_H
#define ZE_CPU_TESTS_DEVICES_H

#include "harness.h"

#define MAX_DEVICES 64

struct devices {
    uint32_t count;
    ze_device_handle_t devices[MAX_DEVICES];
    ze_device_properties_t properties[MAX_DEVICES];
    char personas[MAX_DEVICES][16]; // as ZE_CPU_DEVICES names them
};
extern struct devices all;

// Count and personas as the environment has them; the driver is not asked.
void read_expected(void);
// Group set-up for cmocka: what set_up does, and `all`.
int set_up_all(void **state);
ze_device_properties_t properties_of(ze_device_handle_t device);
// Skips the test where there is none.
ze_device_handle_t second_device(void);
// The device after the last is the first.
uint32_t after(uint32_t index);
void *alloc_on(uint32_t index, size_t size);

#endif
