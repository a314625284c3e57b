// SPDX-License-Identifier: MIT
//
// The writer starts itself a second time and sends its number through a pipe: the first one ends at once and is waited for here.

#include "spawn_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/installed.h"

extern char **environ;

enum { WRITER_MEMORY = 3, WRITER_ANSWER = 4, HIGHER = 10 };

// Both files are moved out of the way first, as either may have the other's number.
static int spawn(const char *program, char *const *arguments, int memory, int answer, pid_t *child)
{
    posix_spawn_file_actions_t files;
    int failed = posix_spawn_file_actions_init(&files);
    if (failed)
        return failed;
    failed = posix_spawn_file_actions_adddup2(&files, memory, WRITER_MEMORY);
    if (!failed)
        failed = posix_spawn_file_actions_adddup2(&files, answer, WRITER_ANSWER);
    if (!failed)
        failed = posix_spawn(child, program, &files, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    return failed;
}

static int start(const char *output, int memory, int answer, pid_t *child)
{
    char program[PATH_MAX];
    char process[16];
    snprintf(process, sizeof process, "%d", (int)getpid());
    if (!mez_path_beside("mez-trace-writer", program, sizeof program))
        return ENOENT;
    char *const arguments[] = {program, process, (char *)output, NULL};
    return spawn(program, arguments, memory, answer, child);
}

static pid_t read_answer(int pipe)
{
    pid_t writer = 0;
    ssize_t got;
    do
        got = read(pipe, &writer, sizeof writer);
    while (got < 0 && errno == EINTR);
    if (got == (ssize_t)sizeof writer)
        return writer;
    errno = ECHILD;
    return 0;
}

static void reap(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
}

pid_t trace_spawn_writer(const char *output, int memory)
{
    int ends[2];
    pid_t child = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return 0;
    const int high_memory = fcntl(memory, F_DUPFD_CLOEXEC, HIGHER);
    const int high_answer = fcntl(ends[1], F_DUPFD_CLOEXEC, HIGHER);
    close(ends[1]);
    const int failed = high_memory < 0 || high_answer < 0
                           ? errno
                           : start(output, high_memory, high_answer, &child);
    if (high_memory >= 0)
        close(high_memory);
    if (high_answer >= 0)
        close(high_answer);
    pid_t writer = 0;
    if (!failed) {
        writer = read_answer(ends[0]);
        reap(child);
    }
    close(ends[0]);
    if (failed)
        errno = failed;
    return writer;
}

// It runs as the same user, so only its absence is an error.
bool trace_writer_lives(pid_t writer)
{
    return kill(writer, 0) == 0 || errno != ESRCH;
}
