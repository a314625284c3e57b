// SPDX-License-Identifier: MIT

#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int mez_test_be_child(const char *name, const mez_test_child *children)
{
    prctl(PR_SET_DUMPABLE, 0); // it dies on purpose: no core, which takes seconds under sanitizers
    for (const mez_test_child *child = children; child && child->name; child++) {
        if (strcmp(child->name, name) != 0)
            continue;
        child->run();
        mez_test_end_child();
        return EXIT_SUCCESS;
    }
    fprintf(stderr, "no child is named \"%s\"\n", name);
    return EXIT_FAILURE;
}

static void exec_child(const char *name, int output)
{
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    char self[] = "/proc/self/exe", option[] = "--child", child[64];
    snprintf(child, sizeof child, "%s", name);
    char *const arguments[] = {self, option, child, NULL};
    execv(self, arguments);
    _exit(127);
}

static void read_all(int from, char *text, size_t size)
{
    size_t used = 0;
    char scrap[512];
    for (;;) {
        const bool room = used < size - 1;
        const ssize_t got =
            read(from, room ? text + used : scrap, room ? size - 1 - used : sizeof scrap);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        used += room ? (size_t)got : 0;
    }
    text[used] = '\0';
}

mez_test_running mez_test_start_child(const char *name)
{
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        exec_child(name, ends[1]);
    close(ends[1]);
    return (mez_test_running){.process = child, .output = ends[0]};
}

void mez_test_await_child(const mez_test_running *child, mez_test_death *death)
{
    read_all(child->output, death->output, sizeof death->output);
    close(child->output);
    int status;
    assert_int_equal(waitpid(child->process, &status, 0), child->process);
    death->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    death->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void mez_test_check_death(const mez_test_death *death, int signal, const char *text)
{
    if (death->signal != signal || !strstr(death->output, text))
        fail_msg("expected signal %d and\n%s\nbut signal %d, exit code %d and\n%s", signal, text,
            death->signal, death->exit_code, death->output);
}

void mez_test_run_child(const char *name, mez_test_death *death)
{
    const mez_test_running child = mez_test_start_child(name);
    mez_test_await_child(&child, death);
}
