// SPDX-License-Identifier: MIT
//
// Carrying out what a split_request says, up to the split: for the commands that write it or build it.

#ifndef SPLIT_JOB_H
#define SPLIT_JOB_H

#include <mezzanine/split.h>

#include "split_request.h"

struct split_job_input;

// Zeroed memory holds nothing.
struct split_job {
    const char *command; // for messages: "split"
    struct split_request *request;
    struct split_job_input *inputs;
    mez_split_source *sources;
    mez_targets *own_table;
    const mez_targets *table; // of targets; NULL: not asked for
    mez_split *split;
};

// Reads the table of targets: the file that is named, or the default one.
mez_error split_job_find_table(struct split_job *job);

// Reads the inputs and splits them. Warnings go to stderr. An output that would go over an input is refused before anything is read.
mez_error split_job_run(struct split_job *job);

// The same of the files of images that a table has beside it: MEZ_ERRC_INVALID_PARAMETER.
mez_error split_job_check_images(const struct split_job *job);

void split_job_finish(struct split_job *job);

#endif
