// SPDX-License-Identifier: MIT

#include "build/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// --- Starting

static mez_error start_error(const mez_child *child, int reason)
{
    return mez_error_make(
        MEZ_ERRC_FILE, "%s can't be run: %s", child->command->items[0], strerror(reason));
}

static int redirect(posix_spawn_file_actions_t *files, const char *output)
{
    int failed = posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!failed)
        failed = posix_spawn_file_actions_addopen(
            files, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (!failed)
        failed = posix_spawn_file_actions_adddup2(files, STDOUT_FILENO, STDERR_FILENO);
    return failed;
}

// A group of its own, so that what the program starts itself is stopped with it. Signals that our thread blocks are not blocked
// there.
static int set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none;
    sigemptyset(&none);
    int failed = posix_spawnattr_setsigmask(attributes, &none);
    if (!failed)
        failed = posix_spawnattr_setpgroup(attributes, 0);
    return failed ? failed
                  : posix_spawnattr_setflags(
                        attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
}

static int spawn_with(const mez_child *child, posix_spawn_file_actions_t *files, pid_t *process)
{
    posix_spawnattr_t attributes;
    int failed = posix_spawnattr_init(&attributes);
    if (failed)
        return failed;
    failed = redirect(files, child->output);
    if (!failed)
        failed = set_attributes(&attributes);
    if (!failed)
        failed = posix_spawnp(
            process, child->command->items[0], files, &attributes, child->command->items, environ);
    posix_spawnattr_destroy(&attributes);
    return failed;
}

static int spawn(const mez_child *child, pid_t *process)
{
    posix_spawn_file_actions_t files;
    int failed = posix_spawn_file_actions_init(&files);
    if (failed)
        return failed;
    failed = spawn_with(child, &files, process);
    posix_spawn_file_actions_destroy(&files);
    return failed;
}

// Under the lock, so that nobody misses the child who stops all of them.
static mez_error start(const mez_child *child, pid_t *process)
{
    mez_build_stop *stop = child->stop;
    int failed = 0;
    pthread_mutex_lock(&stop->lock);
    const bool wanted = stop->wanted;
    if (!wanted && stop->count == MEZ_BUILD_MOST_JOBS)
        failed = EAGAIN;
    if (!wanted && !failed)
        failed = spawn(child, process);
    if (!wanted && !failed)
        stop->children[stop->count++] = *process;
    pthread_mutex_unlock(&stop->lock);
    if (wanted)
        return mez_build_stopped();
    return failed ? start_error(child, failed) : mez_ok();
}

// --- Waiting

static void forget(mez_build_stop *stop, pid_t process)
{
    for (unsigned i = 0; i < stop->count; i++) {
        if (stop->children[i] == process) {
            stop->children[i] = stop->children[--stop->count];
            return;
        }
    }
}

static int await_end(pid_t process)
{
    siginfo_t info;
    while (waitid(P_PID, (id_t)process, &info, WEXITED | WNOWAIT) != 0)
        if (errno != EINTR)
            return errno;
    return 0;
}

// Its number is free for others once it is reaped, so it is taken off the list first. False: how it ended can't be had, as where
// the program ignores SIGCHLD.
static bool reap(mez_build_stop *stop, pid_t process, int *status)
{
    const int failed = await_end(process);
    pthread_mutex_lock(&stop->lock);
    forget(stop, process);
    const bool reaped = !failed && waitpid(process, status, WNOHANG) == process;
    pthread_mutex_unlock(&stop->lock);
    return reaped;
}

static mez_error judge(const char *program, int status)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return mez_ok();
    if (WIFEXITED(status))
        return mez_error_make(
            MEZ_ERRC_COMPILE_PROGRAM, "%s failed: exit status %d", program, WEXITSTATUS(status));
    const int number = WTERMSIG(status);
    return mez_error_make(MEZ_ERRC_COMPILE_PROGRAM, "%s was ended by signal %d (%s)", program,
        number, sigdescr_np(number) ? sigdescr_np(number) : "unknown");
}

mez_error mez_child_run(const mez_child *child)
{
    const char *program = child->command->items[0];
    pid_t process;
    int status;
    MEZ_TRY(start(child, &process));
    const bool reaped = reap(child->stop, process, &status);
    if (mez_build_is_stopped(child->stop))
        return mez_build_stopped();
    return reaped ? judge(program, status)
                  : mez_error_make(MEZ_ERRC_COMPILE_PROGRAM,
                        "how %s ended is not known: does this process ignore SIGCHLD?", program);
}
