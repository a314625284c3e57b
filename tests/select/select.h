// SPDX-License-Identifier: MIT
//
// The choice of a device: MEZ_TEST_DEVICE becomes the environment that the drivers read.

#ifndef MEZ_TEST_SELECT_H
#define MEZ_TEST_SELECT_H

#include <mezzanine/error.h>

// Sets the environment, before anything is loaded. False, with a message, where MEZ_TEST_DEVICE is invalid.
bool mez_test_select_device(void);

// What MEZ_TEST_DEVICE says.
const char *mez_test_device_name(void);

// Do kernels really run on it?
bool mez_test_runs_kernels(void);

// May a kernel that never ends be left behind? Signals reach a tight loop late under TSan.
bool mez_test_may_abandon(void);

// Is there no such device on this machine? Then the reason is written. To be asked after mez_test_select_device, before anything is
// loaded.
bool mez_test_is_absent(char *reason, size_t size);

// The same of a GPU, by the error for which no context could be made.
bool mez_test_has_no_gpu(mez_error error, char *reason, size_t size);

// Does the compiler of this driver resolve asserts by itself? Of a GPU nobody knows: false.
bool mez_test_compiler_brings_asserts(void);

// What a driver that only imitates the device falls short of, by the names of mez_test_has, with a space behind each.
const char *mez_test_device_lacks(void);

#endif
