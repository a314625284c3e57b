// SPDX-License-Identifier: MIT
//
// How a program ended, where the process that started it can't ask: it ignores SIGCHLD, or a handler or a thread of it waits for any
// child. A shell in between writes it into a file.
//
// Thread-safety: safe.

#ifndef MEZ_CHILD_NOTED_H
#define MEZ_CHILD_NOTED_H

#include <stdbool.h>

#include "child/words.h"

// Does this process handle or ignore SIGCHLD, so that waitpid may find no child to report?
bool mez_status_may_get_lost(void);

// The command that runs `command` and writes to `file` how it ended. MEZ_ERRC_OUT_OF_HOST_MEMORY; then some words may have been
// added.
mez_error mez_noting_command(const mez_words *command, const char *file, mez_words *noting);

// Reads and removes the file. *status as waitpid gives it. False: nothing is in it, as where the shell was killed; *status stays.
bool mez_noted_status(const char *file, int *status);

// Did the shell find that the program can't be run? Then why, in the system's numbers; 0: it could.
int mez_noted_reason(int status);

#endif
