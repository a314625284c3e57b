// SPDX-License-Identifier: MIT
//
// Opening the device that the command line names.

#ifndef OPEN_H
#define OPEN_H

#include <mezzanine/context.h>

// A context with the devices that fit --device; NULL: what a program gets by default.
// `checked`: its memory is (docs/checking.md), unless MEZ_CHECK says otherwise.
mez_error open_device(const char *command, const char *device, bool checked, mez_context **context);

#endif
