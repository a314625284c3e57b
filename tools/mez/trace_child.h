// SPDX-License-Identifier: MIT
//
// The traced program: it has our standard files and our terminal, and signals that are sent to us.

#ifndef TRACE_CHILD_H
#define TRACE_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct trace_child {
    pid_t process;
    int status; // once it has ended, as waitpid has it
    sigset_t watched, before;
};

// 0, or why it can't be started, an errno. From here to trace_child_finish this thread takes no signal that ends programs.
int trace_child_start(struct trace_child *child, char *const *program);

// Waits a moment, as long as `milliseconds`, and passes on what is sent to us. True: it has ended.
bool trace_child_wait(struct trace_child *child, int milliseconds);

void trace_child_finish(struct trace_child *child);

// "exited with 3", "was killed by signal 9 (Killed)"
void trace_child_describe(const struct trace_child *child, char *text, size_t size);

// As shells report it: the exit status, or 128 plus the signal.
int trace_child_code(const struct trace_child *child);

#endif
