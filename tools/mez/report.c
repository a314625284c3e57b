// SPDX-License-Identifier: MIT
//
// How commands fail.

#include <stdio.h>

#include "base/text.h"
#include "command.h"

int report_usage(const struct command *command, const struct problem *problem)
{
    mez_print(stderr, "mez %s: %s\n`mez %s --help` explains the command\n", command->name,
        problem->text, command->name);
    return EXIT_NO_COMMAND;
}

int report_problem(const struct command *command, const struct problem *problem)
{
    mez_print(stderr, "mez %s: %s\n", command->name, problem->text);
    return EXIT_FAILED;
}

int report_error(mez_error error)
{
    mez_error_print(stderr, error);
    return EXIT_FAILED;
}
