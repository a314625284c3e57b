// SPDX-License-Identifier: MIT
//
// What a run leaves behind: printed and saved buffers, and times.

#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdio.h>

#include "launch.h"

// Elements of a buffer that are printed unless the user asks for more.
#define MOST_PRINTED 64

void output_print(FILE *stream, const struct run_request *request, const struct launch *launch);

bool output_save(
    const struct run_request *request, const struct launch *launch, struct problem *problem);

// False: a buffer does not hold what is expected, or that can't be read.
bool output_check(
    const struct run_request *request, const struct launch *launch, struct problem *problem);

// Sorts launch->seconds.
void output_times(FILE *stream, const struct launch *launch);

#endif
