// SPDX-License-Identifier: MIT
//
// Running programs to their end, and stopping them.
//
// Thread-safety: safe.

#ifndef MEZ_CHILD_CHILD_H
#define MEZ_CHILD_CHILD_H

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

#include <mezzanine/stop.h>

#include "base/error.h"
#include "child/words.h"

// --- Stopping
//
// Work is stopped from another thread: the programs that it has started are killed, and it cleans up and returns. The library
// installs no signal handler; a program that wants to end well on SIGINT wakes a thread, which then calls mez_stop_now (that takes
// a lock, so a handler can't).

// Most programs at a time.
#define MEZ_MOST_CHILDREN 256

struct mez_stop {
    pthread_mutex_t lock; // guards all below
    bool wanted;
    // Leaders of process groups. None has been reaped, so that no number belongs to somebody else.
    pid_t children[MEZ_MOST_CHILDREN];
    unsigned count;
};

#define MEZ_STOP_INIT                     \
    {                                     \
        .lock = PTHREAD_MUTEX_INITIALIZER \
    }

// What mez_thread_set_stop has set.
mez_stop *mez_stop_of_thread(void);

// MEZ_ERRC_WRONG_STATE: what work returns that was stopped. `what` was: "the build of app", or a program by its path.
mez_error mez_stopped(const char *what);

// --- Which file a name leads to
//
// A name with a '/' is the user's, and taken as it is. The program of any other is that which the build of the library has found, where
// there is one (ocloc), else the first in PATH's folders. Of these only absolute ones count, so that nothing runs because it lies in the
// current folder. Processes with more rights than their user (AT_SECURE) do not read PATH, but take the system's folders.

// False: there is none.
bool mez_program_find(const char *name, char path[PATH_MAX]);

// PATH's folders with colons between them; and the path of the next of them that has the program, behind which *folders then stands.
const char *mez_program_folders(void);
bool mez_program_next_in_path(const char **folders, const char *name, char path[PATH_MAX]);

// Is it a file that can be executed?
bool mez_is_program(const char *path);

// --- Running

typedef struct mez_child {
    const mez_words *command; // the program, which mez_program_find finds, and its arguments
    const char *output;       // the file that gets what it prints, on stdout and stderr
    mez_stop *stop;
} mez_child;

// Starts the program in a process group of its own, without input, and waits for its end. How that was is known whatever this
// process does about SIGCHLD or waits for; where another of its threads has waited for the program, that is run once more.
//
// MEZ_ERRC_FILE: it can't be started, with the system's reason. MEZ_ERRC_COMPILE_PROGRAM: it ended with another exit status than 0,
// or by a signal. MEZ_ERRC_WRONG_STATE: it was stopped, or is not started for that reason. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_child_run(const mez_child *child);

#endif
