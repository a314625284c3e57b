// SPDX-License-Identifier: MIT
//
// Includes every header of libmezzanine-image, which works on device code and needs no device.
//
// Functions that return a property or answer a question accept NULL, and then return 0, NULL, false
// or an empty text. mez_findings_get_answer returns MEZ_MAY_HAVE for NULL, since nothing has been
// judged.
//
// libmezzanine contains all of this as well, so a program should link only one of the two
// libraries.

#ifndef MEZZANINE_TOOLCHAIN_H
#define MEZZANINE_TOOLCHAIN_H

#include <mezzanine/base.h>
#include <mezzanine/build.h>
#include <mezzanine/cache.h>
#include <mezzanine/code.h>
#include <mezzanine/compile.h>
#include <mezzanine/error.h>
#include <mezzanine/filter.h>
#include <mezzanine/log.h>
#include <mezzanine/split.h>
#include <mezzanine/stop.h>
#include <mezzanine/target.h>
#include <mezzanine/version.h>

#endif
