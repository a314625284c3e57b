// SPDX-License-Identifier: MIT
//
// Programs that a test starts because they die, or because they need an environment of their own.

#ifndef MEZ_TESTS_NOOP_CHILD_H
#define MEZ_TESTS_NOOP_CHILD_H

#include <stdbool.h>

typedef struct child {
    int exit_code; // -1: a signal ended it
    int signal;
    char output[16384]; // stdout and stderr
} child;

// Runs the helper program with one argument. `environment` lists "NAME=value", or "NAME" to remove it; NULL at its end.
void child_run(child *result, const char *scene, const char *const *environment);

#endif
