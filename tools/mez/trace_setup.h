// SPDX-License-Identifier: MIT
//
// The environment in which a program is traced.

#ifndef TRACE_SETUP_H
#define TRACE_SETUP_H

#include "problem.h"

// Puts into our own environment, which the program inherits, where the dispatcher and the recorder are, and the memory, which is our
// open file. A dispatcher that the user has chosen stays, and so do subscribers, beside ours. False: the libraries are not where they
// should be, or there is no memory.
bool trace_setup(int memory, struct problem *problem);

#endif
