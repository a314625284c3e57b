// SPDX-License-Identifier: MIT
//
// Everything of libmezzanine-image: device code without a device.
//
// Getters and questions accept NULL, as those of the runtime do, and return 0, NULL, false or an
// empty text. Findings that are NULL answer MEZ_MAY_HAVE, since nobody has judged.
//
// libmezzanine has all of it, too: a program links one of the two.

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
