// SPDX-License-Identifier: MIT
//
// The shared kernels, as OpenCL C.

#include "barriers.h"
