// SPDX-License-Identifier: MIT
//
// Includes every header of Mezzanine that a program needs to run kernels on devices.

#ifndef MEZZANINE_MEZZANINE_H
#define MEZZANINE_MEZZANINE_H

#include <mezzanine/assert.h>
#include <mezzanine/base.h>
#include <mezzanine/context.h>
#include <mezzanine/device.h>
#include <mezzanine/driver.h>
#include <mezzanine/error.h>
#include <mezzanine/event.h>
#include <mezzanine/image.h>
#include <mezzanine/ipc.h>
#include <mezzanine/kernel.h>
#include <mezzanine/launch.h>
#include <mezzanine/log.h>
#include <mezzanine/memory.h>
#include <mezzanine/queue.h>
#include <mezzanine/recording.h>
#include <mezzanine/settings.h>
#include <mezzanine/version.h>

#endif
