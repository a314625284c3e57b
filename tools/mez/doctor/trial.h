// SPDX-License-Identifier: MIT
//
// Opening a context in a process of its own, to see what happens.

#ifndef DOCTOR_TRIAL_H
#define DOCTOR_TRIAL_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

// What the process is like before it opens the context.
struct trial_params {
    // This one alone, and none of Mezzanine's variables counts; NULL: as for any program.
    const char *driver;
    const char *forgotten; // a variable that is not set there; NULL: none
};

struct trial {
    // Of the driver by itself, where one was named.
    bool loaded;
    char path[PATH_MAX];
    char load_error[1024];
    uint32_t missing; // functions without which the loader refuses it
    char first_missing[64];

    // Of the context.
    uint32_t devices; // 0: `story` has the reason
    uint32_t gpus;
    char first[256];         // name of the best device
    char story[2048];        // in one line
    char twice[2][PATH_MAX]; // two files that are the same library, both in the process; "": none

    // Of the process.
    char printed[512]; // first line, if any
    // How it ended, where it did not come to its end; then all but this and `printed` is zero.
    char end[256];
};

void trial_run(const struct trial_params *params, struct trial *trial);

#endif
