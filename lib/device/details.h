// SPDX-License-Identifier: MIT
//
// What a device is made of: mez_device_get_details.

#ifndef MEZ_DEVICE_DETAILS_H
#define MEZ_DEVICE_DETAILS_H

#include "device/platform.h"

// Frees what was asked about the devices of a platform that goes.
void mez_devices_forget_details(mez_platform *platform);

#endif
