// SPDX-License-Identifier: MIT
//
// Running programs to their end, and stopping them.

#include "child/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"

// --- Stopping

mez_error mez_stop_create(mez_stop **stop)
{
    MEZ_REQUIRE(stop, NULL);
    *stop = mez_new(mez_stop);
    if (!*stop)
        return mez_error_no_memory("a stop");
    pthread_mutex_init(&(*stop)->lock, NULL);
    return mez_ok();
}

void mez_stop_destroy(mez_stop **stop)
{
    if (!stop)
        return;
    mez_stop *old = *stop;
    *stop = NULL;
    if (!old)
        return;
    pthread_mutex_destroy(&old->lock);
    mez_free_memory(old);
}

// What the programs write goes to a folder that is removed: there is nothing that they would have to tidy up.
void mez_stop_now(mez_stop *stop)
{
    if (!stop)
        return;
    pthread_mutex_lock(&stop->lock);
    stop->wanted = true;
    for (unsigned i = 0; i < stop->count; i++)
        kill(-stop->children[i], SIGKILL);
    pthread_mutex_unlock(&stop->lock);
}

bool mez_stop_is_set(mez_stop *stop)
{
    if (!stop)
        return false;
    pthread_mutex_lock(&stop->lock);
    const bool wanted = stop->wanted;
    pthread_mutex_unlock(&stop->lock);
    return wanted;
}

static _Thread_local mez_stop *of_thread;

mez_stop *mez_thread_set_stop(mez_stop *stop)
{
    mez_stop *before = of_thread;
    of_thread = stop;
    return before;
}

mez_stop *mez_stop_of_thread(void)
{
    return of_thread;
}

mez_error mez_stopped(const char *what)
{
    return mez_error_make(MEZ_ERRC_WRONG_STATE, "%s was stopped", what);
}

// --- Statuses that a shell has noted
//
// How a program ended, where the process that started it can't ask: it ignores SIGCHLD, or a handler or a thread of it waits for any
// child. A shell in between writes it into a file.

// What a shell says of programs.
enum { CAN_NOT_BE_RUN = 126, IS_NOT_THERE = 127, ENDED_BY_SIGNAL = 128 };

// Does this process handle or ignore SIGCHLD, so that waitpid may find no child to report?
static bool status_may_get_lost(void)
{
    struct sigaction action;
    return sigaction(SIGCHLD, NULL, &action) == 0 &&
           (action.sa_handler != SIG_DFL || (action.sa_flags & SA_NOCLDWAIT));
}

// The command that runs `command`, whose program is at `path`, and writes to `file` how it ended. MEZ_ERRC_OUT_OF_HOST_MEMORY; then some
// words may have been added.
static mez_error make_noting_command(
    const mez_words *command, const char *path, const char *file, mez_words *noting)
{
    const char *const shell[] = {"/bin/sh", "-c", "\"$@\"; echo $? >\"$0\"", file, path};
    for (size_t i = 0; i < sizeof shell / sizeof *shell; i++)
        MEZ_TRY(mez_words_add(noting, shell[i]));
    for (size_t i = 1; i < command->count; i++)
        MEZ_TRY(mez_words_add(noting, command->items[i]));
    return mez_ok();
}

// Reads and removes the file. *status as waitpid gives it. False: nothing is in it, as where the shell was killed; *status stays.
static bool take_noted_status(const char *file, int *status)
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

// Did the shell find that the program can't be run? Then why, in the system's numbers; 0: it could.
static int noted_reason(int status)
{
    if (!WIFEXITED(status))
        return 0;
    return WEXITSTATUS(status) == IS_NOT_THERE     ? ENOENT
           : WEXITSTATUS(status) == CAN_NOT_BE_RUN ? EACCES
                                                   : 0;
}

// --- Running

extern char **environ;

// --- Starting

static mez_error start_error(const mez_child *child, int reason)
{
    if (reason == ENOMEM)
        return mez_error_no_memory("a program that is started");
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
// there, and it learns how its own children end also where we ignore that.
static int set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none, children;
    sigemptyset(&none);
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    int failed = posix_spawnattr_setsigmask(attributes, &none);
    if (!failed)
        failed = posix_spawnattr_setsigdefault(attributes, &children);
    if (!failed)
        failed = posix_spawnattr_setpgroup(attributes, 0);
    return failed ? failed
                  : posix_spawnattr_setflags(attributes,
                        POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
}

// llvm-spirv 15 reads instructions that it has freed, which goes well until glibc is asked to overwrite what is freed. Meson asks for
// that in every test of every project, by this variable: compilers do not get it. NULL: no memory.
static char **make_environment(void)
{
    static const char variable[] = "MALLOC_PERTURB_=";
    size_t count = 0;
    while (environ && environ[count])
        count++;
    char **own = mez_alloc_array(count + 1, sizeof *own);
    size_t kept = 0;
    for (size_t i = 0; own && i < count; i++)
        if (strncmp(environ[i], variable, sizeof variable - 1) != 0)
            own[kept++] = environ[i];
    if (own)
        own[kept] = NULL;
    return own;
}

static int spawn_here(const mez_child *child, const posix_spawn_file_actions_t *files,
    const posix_spawnattr_t *attributes, pid_t *process)
{
    char path[PATH_MAX];
    if (!mez_program_find(child->command->items[0], path))
        return ENOENT;
    char **environment = make_environment();
    if (!environment)
        return ENOMEM;
    const int failed =
        posix_spawn(process, path, files, attributes, child->command->items, environment);
    mez_free_memory(environment);
    return failed;
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
        failed = spawn_here(child, files, &attributes, process);
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
    mez_stop *stop = child->stop;
    int failed = 0;
    pthread_mutex_lock(&stop->lock);
    const bool wanted = stop->wanted;
    if (!wanted && stop->count == MEZ_MOST_CHILDREN)
        failed = EAGAIN;
    if (!wanted && !failed)
        failed = spawn(child, process);
    if (!wanted && !failed)
        stop->children[stop->count++] = *process;
    pthread_mutex_unlock(&stop->lock);
    if (wanted)
        return mez_stopped(child->command->items[0]);
    return failed ? start_error(child, failed) : mez_ok();
}

// --- Waiting

static void forget(mez_stop *stop, pid_t process)
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

// Its number is free for others once it is reaped, so it is taken off the list first. False: how it ended is not known, as
// somebody else has.
static bool reap(mez_stop *stop, pid_t process, int *status)
{
    const int failed = await_end(process);
    pthread_mutex_lock(&stop->lock);
    forget(stop, process);
    const bool reaped = !failed && waitpid(process, status, WNOHANG) == process;
    pthread_mutex_unlock(&stop->lock);
    return reaped;
}

// *known: how it ended.
static mez_error run_to_end(const mez_child *child, int *status, bool *known)
{
    pid_t process;
    MEZ_TRY(start(child, &process));
    *known = reap(child->stop, process, status);
    return mez_stop_is_set(child->stop) ? mez_stopped(child->command->items[0]) : mez_ok();
}

// --- How it ended

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

static mez_error run_noting(const mez_child *child, const char *file)
{
    mez_words noting = {0};
    mez_child shell = {.command = &noting, .output = child->output, .stop = child->stop};
    char path[PATH_MAX];
    int status;
    bool known;
    if (!mez_program_find(child->command->items[0], path))
        return start_error(child, ENOENT);
    mez_error error = make_noting_command(child->command, path, file, &noting);
    if (!mez_failed(error))
        error = run_to_end(&shell, &status, &known);
    known = take_noted_status(file, &status);
    mez_words_finish(&noting);
    MEZ_TRY(error);
    const char *program = child->command->items[0];
    if (!known)
        return mez_error_make(
            MEZ_ERRC_COMPILE_PROGRAM, "the exit status of %s was not written to %s", program, file);
    const int reason = noted_reason(status);
    return reason ? start_error(child, reason) : judge(program, status);
}

// The second run is for programs in which somebody else has waited for the first one.
mez_error mez_child_run(const mez_child *child)
{
    int status;
    bool known = false;
    if (!status_may_get_lost())
        MEZ_TRY(run_to_end(child, &status, &known));
    if (known)
        return judge(child->command->items[0], status);
    char *file = mez_print_string("%s.status", child->output);
    const mez_error error = file ? run_noting(child, file) : mez_error_no_memory("a file's name");
    mez_free_memory(file);
    return error;
}
