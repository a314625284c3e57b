// SPDX-License-Identifier: MIT

#ifndef BINS
#define BINS 256
#endif
