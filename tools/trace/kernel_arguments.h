// SPDX-License-Identifier: MIT
//
// The arguments of a launch, as the values of its node give them: in any order, and some of them may be missing.

#ifndef TRACE_KERNEL_ARGUMENTS_H
#define TRACE_KERNEL_ARGUMENTS_H

#include <mezzanine/xpti_data.h>

#include "read_values.h"

enum { TRACE_MOST_ARGUMENTS = 64 };

// Zero: none.
struct trace_kernel_arguments {
    uint64_t has; // a bit for each that is known
    mez_xpti_kernel_argument arguments[TRACE_MOST_ARGUMENTS];
};

// False: the value is not an argument, or one behind the most.
bool trace_kernel_arguments_take(
    struct trace_kernel_arguments *arguments, const struct trace_read_value *value);

// "0x7f2240, 4 bytes", in their order; addresses of memory as they are, and of others how large they are. NULL: there are none, or
// there is no memory. Free it with mez_free_memory.
char *trace_kernel_arguments_print(const struct trace_kernel_arguments *arguments);

#endif
