// SPDX-License-Identifier: MIT
//
// Mathematics.

#include "builtins.h"

float sinf(float);
double sin(double);
