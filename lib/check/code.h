// SPDX-License-Identifier: MIT
//
// What code asks for by itself, without a word of its author.

#ifndef MEZ_CHECK_CODE_H
#define MEZ_CHECK_CODE_H

#include "aspect/aspect.h"

// Does code that uses it need a device that tells of it? Compilers refuse such code for others, or it fails when it runs. Of other
// aspects that code uses, such as atomics on 16 bits, devices don't tell enough to refuse anything.
bool mez_aspect_is_told(mez_aspect aspect);

#endif
