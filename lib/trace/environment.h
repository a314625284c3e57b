// SPDX-License-Identifier: MIT
//
// For this folder: MEZ_TRACE=FILE, in place of XPTI's own variables. It has our dispatcher load our recorder, which writes the file;
// both stand in a folder beside the library. Under `mez trace`, which sets XPTI's variables, there is nothing to do.

#ifndef MEZ_TRACE_ENVIRONMENT_H
#define MEZ_TRACE_ENVIRONMENT_H

#include <stdbool.h>

typedef struct mez_trace_environment {
    bool set;          // something was
    char *subscribers; // XPTI_SUBSCRIBERS as it was; NULL: not set
    char *dispatcher;  // the same of XPTI_FRAMEWORK_DISPATCHER
} mez_trace_environment;

// Sets what MEZ_TRACE stands for, until it is put back. What is missing is logged.
void mez_trace_environment_set(mez_trace_environment *before);
void mez_trace_environment_put_back(mez_trace_environment *before);

#endif
