// SPDX-License-Identifier: MIT
//
// Half precision numbers, which the compilers we build with do not all know.

#ifndef HALF_H
#define HALF_H

#include <stdint.h>

// Rounds to nearest, ties to even; what is too large becomes infinity.
uint16_t half_from_double(double number);
double half_to_double(uint16_t half);

#endif
