// SPDX-License-Identifier: MIT
//
// mez-trace-writer PROCESS FILE: writes the trace of a program that was started with MEZ_TRACE=FILE, from the memory that it shares
// with us. The recorder in the program starts it, with the memory as file 3 and a pipe as file 4. It is not a child of the program,
// and so outlives it: what the program wrote before it was killed is in the trace.

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include "session.h"

enum { MEMORY = 3, ANSWER = 4, PAUSE = 3 /* ms */ };

static int complain(mez_error error)
{
    fputs("mez-trace: ", stderr);
    mez_error_print(stderr, error);
    return EXIT_FAILURE;
}

// Files of the program are none of ours: a pipe that we held would never end.
static void let_go(void)
{
    const int null = open("/dev/null", O_RDWR);
    if (null >= 0) {
        dup2(null, STDIN_FILENO);
        dup2(null, STDOUT_FILENO);
    }
    close_range(ANSWER + 1, ~0u, 0);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL); // the program may ignore it, and then we could not wait for ours
    setsid();
}

// Only the second process goes on: the program has no child then. It says who it is once it is ready.
static void become_nobodys_child(void)
{
    const pid_t child = fork();
    if (child != 0)
        _exit(child < 0);
    let_go();
}

static void answer(void)
{
    const pid_t self = getpid();
    if (write(ANSWER, &self, sizeof self) != (ssize_t)sizeof self)
        exit(EXIT_FAILURE); // the program has gone
    close(ANSWER);
}

static bool is_finished(const struct trace_memory *memory)
{
    return atomic_load_explicit(&memory->head->finished, memory_order_acquire) != 0;
}

// Until the program says that it exits, or is no more.
static const char *follow_program(
    const struct trace_memory *memory, struct trace_session *session, int program)
{
    struct pollfd gone = {.fd = program, .events = POLLIN};
    while (!is_finished(memory)) {
        trace_session_drain(session);
        if (poll(&gone, 1, PAUSE) > 0)
            return is_finished(memory) ? "exited"
                                       : "ended without exit: aborted, killed or replaced";
    }
    return "exited";
}

static int write_trace(
    const struct trace_memory *memory, struct trace_session *session, int program)
{
    struct trace_ending ending;
    const char *what = follow_program(memory, session, program);
    const mez_error error = trace_session_finish(session, what, &ending);
    if (mez_failed(error))
        return complain(error);
    trace_print_losses(stderr, &ending);
    return EXIT_SUCCESS;
}

static int run(struct trace_memory *memory, pid_t process, const char *path)
{
    struct trace_session *session = NULL;
    const int program = pidfd_open(process, 0);
    if (program < 0) {
        perror("mez-trace: the program can't be watched");
        return EXIT_FAILURE;
    }
    mez_error error = trace_session_create(memory, &session);
    if (!mez_failed(error))
        error = trace_session_add_own(session, path, process);
    int code = mez_failed(error) ? complain(error) : EXIT_SUCCESS;
    if (code == EXIT_SUCCESS) {
        answer();
        code = write_trace(memory, session, program);
    }
    trace_session_destroy(&session); // closes the file
    atomic_store_explicit(&memory->head->written, 1, memory_order_release);
    return code;
}

int main(int count, char **arguments)
{
    struct trace_memory memory = {0};
    if (count != 3) {
        fputs("usage: mez-trace-writer PROCESS FILE, started by libmez-trace.so\n", stderr);
        return 2;
    }
    if (!trace_memory_map(&memory, MEMORY)) {
        perror("mez-trace: the program's memory");
        return EXIT_FAILURE;
    }
    become_nobodys_child();
    return run(&memory, (pid_t)atoi(arguments[1]), arguments[2]);
}
