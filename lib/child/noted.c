// SPDX-License-Identifier: MIT

#include "child/noted.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

// What a shell says of programs.
enum { CAN_NOT_BE_RUN = 126, IS_NOT_THERE = 127, ENDED_BY_SIGNAL = 128 };

bool mez_status_may_get_lost(void)
{
    struct sigaction action;
    return sigaction(SIGCHLD, NULL, &action) == 0 &&
           (action.sa_handler != SIG_DFL || (action.sa_flags & SA_NOCLDWAIT));
}

mez_error mez_noting_command(const mez_words *command, const char *file, mez_words *noting)
{
    const char *const shell[] = {"/bin/sh", "-c", "\"$@\"; echo $? >\"$0\"", file};
    for (size_t i = 0; i < sizeof shell / sizeof *shell; i++)
        MEZ_TRY(mez_words_add(noting, shell[i]));
    for (size_t i = 0; i < command->count; i++)
        MEZ_TRY(mez_words_add(noting, command->items[i]));
    return mez_ok();
}

bool mez_noted_status(const char *file, int *status)
{
    int number;
    FILE *stream = fopen(file, "re");
    const bool noted = stream && fscanf(stream, "%d", &number) == 1 && number >= 0 && number < 256;
    if (stream)
        fclose(stream);
    unlink(file);
    if (noted)
        *status = number > ENDED_BY_SIGNAL ? W_EXITCODE(0, number - ENDED_BY_SIGNAL)
                                           : W_EXITCODE(number, 0);
    return noted;
}

int mez_noted_reason(int status)
{
    if (!WIFEXITED(status))
        return 0;
    return WEXITSTATUS(status) == IS_NOT_THERE     ? ENOENT
           : WEXITSTATUS(status) == CAN_NOT_BE_RUN ? EACCES
                                                   : 0;
}
