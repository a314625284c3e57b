// SPDX-License-Identifier: MIT
//
// Running a program to its end.
//
// Thread-safety: safe.

#ifndef MEZ_CHILD_CHILD_H
#define MEZ_CHILD_CHILD_H

#include "child/stop.h"
#include "child/words.h"

typedef struct mez_child {
    const mez_words
        *command;       // the program, looked for in PATH where it has no '/', and its arguments
    const char *output; // the file that gets what it prints, on stdout and stderr
    mez_stop *stop;
} mez_child;

// Starts the program in a process group of its own, without input, and waits for its end. How that was is known whatever this
// process does about SIGCHLD or waits for; where another of its threads has waited for the program, that is run once more.
//
// MEZ_ERRC_FILE: it can't be started, with the system's reason. MEZ_ERRC_COMPILE_PROGRAM: it ended with another exit status than 0,
// or by a signal. MEZ_ERRC_WRONG_STATE: it was stopped, or is not started for that reason. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_child_run(const mez_child *child);

#endif
