// SPDX-License-Identifier: MIT
//
// The harness's choice of a device: MEZ_TEST_DEVICE becomes the environment that the drivers read.

#ifndef MEZ_TEST_SELECT_H
#define MEZ_TEST_SELECT_H

#include <mezzanine/error.h>

// Sets the environment, before anything is loaded. False, with a message, where MEZ_TEST_DEVICE has no meaning.
bool mez_test_select_device(void);

// What MEZ_TEST_DEVICE says.
const char *mez_test_device_name(void);

// Do kernels really run on it?
bool mez_test_runs_kernels(void);

// May a kernel that never ends be left behind? Signals reach a tight loop late under TSan.
bool mez_test_may_abandon(void);

// Is this why no context could be made: there is no such device on this machine? Then the reason is written.
bool mez_test_is_absent(mez_error error, char *reason, size_t size);

#endif
