// SPDX-License-Identifier: MIT
//
// A folder for files that are not to stay, which nobody else can read.
//
// Thread-safety: safe, except for finishing.

#ifndef MEZ_CHILD_SCRATCH_H
#define MEZ_CHILD_SCRATCH_H

#include "base/error.h"

typedef struct mez_scratch {
    char *path; // absolute; NULL: there is none
} mez_scratch;

// Makes one in TMPDIR, or in /tmp, also where TMPDIR has a character in its name that compilers take for something else: =, ", \, a
// tab or the end of a line. MEZ_ERRC_FILE: it can't be made, with the system's reason. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_scratch_init(mez_scratch *scratch);

// Removes the folder with all that is in it; what can't be removed is logged.
void mez_scratch_finish(mez_scratch *scratch);

#endif
