// SPDX-License-Identifier: MIT
//
// A way to a module's record beside everything that runs: a queue that is made for one task, on the engine that only copies
// where there is one.

#ifndef MEZ_ASSERT_LANE_H
#define MEZ_ASSERT_LANE_H

#include "image/module.h"

// Both wait for the device, for a second at most: what hangs may keep the engine. Errors: MEZ_ERRC_TIMEOUT, what the driver says.

// Forgets what the module has recorded.
mez_error mez_lane_clear(const mez_module *module);

// Copies `size` bytes of a variable of the module's to the host.
mez_error mez_lane_read(const mez_module *module, const void *variable, void *to, size_t size);

#endif
