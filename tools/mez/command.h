// SPDX-License-Identifier: MIT
//
// The commands of mez. Each reads its own arguments, prints its own messages and returns the exit code.

#ifndef COMMAND_H
#define COMMAND_H

#include <mezzanine/error.h>

#include "problem.h"

enum exit_code {
    EXIT_GOOD = 0,
    EXIT_FAILED = 1,    // the command line was right, the work failed
    EXIT_NO_COMMAND = 2 // the command line is wrong
};

struct command {
    const char *name;
    const char *summary;                           // one line
    const char *usage;                             // the whole text of --help
    int (*run)(int count, char *const *arguments); // without the command's name
};

extern const struct command build_command;
extern const struct command cache_command;
extern const struct command check_command;
extern const struct command compile_command;
extern const struct command doctor_command;
extern const struct command filter_command;
extern const struct command info_command;
extern const struct command kernels_command;
extern const struct command run_command;
extern const struct command split_command;
extern const struct command trace_command; // where tracing is built

// Say on stderr what is wrong, and return the exit code that belongs to it.
int report_usage(const struct command *command, const struct problem *problem);
int report_problem(const struct command *command, const struct problem *problem);
int report_error(mez_error error);

#endif
