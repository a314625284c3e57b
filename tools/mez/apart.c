// SPDX-License-Identifier: MIT

#include "apart.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

static bool read_all(int file, void *bytes, size_t size)
{
    for (char *next = bytes; size > 0;) {
        const ssize_t got = read(file, next, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        next += got;
        size -= (size_t)got;
    }
    return true;
}

// Never returns. It ends by _exit, so that nothing of the parent's is cleaned up twice.
static void run_child(const struct apart *apart, int file, int output)
{
    if (output >= 0 && (dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0))
        _exit(1);
    signal(SIGALRM, SIG_DFL);
    alarm(apart->seconds);
    apart->work(apart->question, apart->answer);
    fflush(stdout);
    _exit(mez_file_write_all(file, apart->answer, apart->size) ? 0 : 1);
}

static void report_end(const struct apart *apart, int status, char *end, size_t size)
{
    const char *who = apart->who ? apart->who : "the driver";
    if (!WIFSIGNALED(status))
        snprintf(end, size, "%s ended the process with exit code %d", who, WEXITSTATUS(status));
    else if (WTERMSIG(status) == SIGALRM && apart->seconds)
        snprintf(end, size, "%s did not answer within %u s", who, apart->seconds);
    else
        snprintf(end, size, "%s crashed: %s", who, strsignal(WTERMSIG(status)));
}

static bool wait_for_child(const struct apart *apart, pid_t child, int file, char *end, size_t size)
{
    int status = 0;
    const bool answered = read_all(file, apart->answer, apart->size);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (answered)
        return true;
    memset(apart->answer, 0, apart->size);
    report_end(apart, status, end, size);
    return false;
}

static bool fail(const char *what, char *end, size_t size)
{
    snprintf(end, size, "%s: %s", what, strerror(errno));
    return false;
}

static bool ask(const struct apart *apart, int output, char *end, size_t size)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) // what a driver starts must not hold it open
        return fail("pipe", end, size);
    fflush(NULL); // otherwise both processes could print what is buffered
    const pid_t child = fork();
    if (child == 0)
        run_child(apart, ends[1], output);
    close(ends[1]);
    const bool answered =
        child > 0 ? wait_for_child(apart, child, ends[0], end, size) : fail("fork", end, size);
    close(ends[0]);
    return answered;
}

// A file, not a pipe: nobody reads while the other process prints.
static bool ask_quietly(const struct apart *apart, char *end, size_t size)
{
    const int output = memfd_create("output", MFD_CLOEXEC);
    if (output < 0)
        return fail("memfd_create", end, size);
    const bool answered = ask(apart, output, end, size);
    const ssize_t length = pread(output, apart->printed, apart->printed_size - 1, 0);
    apart->printed[length > 0 ? length : 0] = '\0';
    close(output);
    return answered;
}

bool apart_ask(const struct apart *apart, char *end, size_t end_size)
{
    memset(apart->answer, 0, apart->size);
    end[0] = '\0';
    if (!apart->printed)
        return ask(apart, -1, end, end_size);
    apart->printed[0] = '\0';
    return ask_quietly(apart, end, end_size);
}
