// SPDX-License-Identifier: MIT
//
// Tasks of the library's own on the record of a module, beside everything that runs: each on a queue that is made for it, on the
// engine that only copies where there is one.

#ifndef MEZ_ASSERT_ON_DEVICE_H
#define MEZ_ASSERT_ON_DEVICE_H

#include "image/module.h"

// Both wait for the device, for a second at most: what hangs may keep the engine. Errors: MEZ_ERRC_TIMEOUT, what the driver says.

// Forgets what the module has recorded.
mez_error mez_record_clear_on_device(const mez_module *module);

// Copies `size` bytes of a variable of the module's to the host.
mez_error mez_read_from_device(
    const mez_module *module, const void *variable, void *to, size_t size);

#endif
