// SPDX-License-Identifier: MIT

#include "trace_child.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

// SIGCHLD among them ends our pause at once.
static void watch(struct trace_child *child)
{
    static const int watched[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGCHLD};
    signal(SIGCHLD, SIG_DFL); // a process that ignores it is notified of no child
    sigemptyset(&child->watched);
    for (size_t i = 0; i < sizeof watched / sizeof *watched; i++)
        sigaddset(&child->watched, watched[i]);
    sigprocmask(SIG_BLOCK, &child->watched, &child->before);
}

static int spawn(struct trace_child *child, char *const *program)
{
    posix_spawnattr_t attributes;
    int failed = posix_spawnattr_init(&attributes);
    if (failed)
        return failed;
    failed = posix_spawnattr_setsigmask(&attributes, &child->before);
    if (!failed)
        failed = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    if (!failed)
        failed = posix_spawnp(&child->process, program[0], NULL, &attributes, program, environ);
    posix_spawnattr_destroy(&attributes);
    return failed;
}

int trace_child_start(struct trace_child *child, char *const *program)
{
    *child = (struct trace_child){0};
    watch(child);
    const int failed = spawn(child, program);
    if (failed)
        trace_child_finish(child);
    return failed;
}

void trace_child_finish(struct trace_child *child)
{
    sigprocmask(SIG_SETMASK, &child->before, NULL);
}

// What a terminal sends, the program has got, too.
static void pass_on(const struct trace_child *child, const siginfo_t *signal)
{
    if (signal->si_signo != SIGCHLD && signal->si_code <= 0)
        kill(child->process, signal->si_signo);
}

bool trace_child_wait(struct trace_child *child, int milliseconds)
{
    const struct timespec pause = {.tv_nsec = milliseconds * 1000000L};
    siginfo_t signal;
    if (sigtimedwait(&child->watched, &signal, &pause) > 0)
        pass_on(child, &signal);
    return waitpid(child->process, &child->status, WNOHANG) == child->process;
}

void trace_child_describe(const struct trace_child *child, char *text, size_t size)
{
    if (WIFEXITED(child->status)) {
        snprintf(text, size, "exited with %d", WEXITSTATUS(child->status));
        return;
    }
    const int number = WTERMSIG(child->status);
    const char *name = sigdescr_np(number);
    snprintf(text, size, "was ended by signal %d (%s)", number, name ? name : "unknown");
}

int trace_child_code(const struct trace_child *child)
{
    return WIFEXITED(child->status) ? WEXITSTATUS(child->status) : 128 + WTERMSIG(child->status);
}
