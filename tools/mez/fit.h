// SPDX-License-Identifier: MIT
//
// Do the arguments that the user wrote have the types that the kernel takes? The library sees bytes and counts them; here the types
// are known.

#ifndef FIT_H
#define FIT_H

#include <mezzanine/kernel.h>

#include "request.h"

// False: a value has another type than the kernel takes, however many bytes both have. A buffer whose elements seem to be others is
// warned of on stderr, as what is behind a pointer is not always known. What the library refuses by itself is left to it.
bool arguments_fit(
    const mez_kernel *kernel, const struct run_request *request, struct problem *problem);

#endif
