// SPDX-License-Identifier: MIT

#include "child.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

static void set_environment(const char *const *environment)
{
    for (; environment && *environment; environment++) {
        char copy[4096];
        snprintf(copy, sizeof copy, "%s", *environment);
        char *value = strchr(copy, '=');
        if (!value) {
            unsetenv(copy);
            continue;
        }
        *value = '\0';
        setenv(copy, value + 1, 1);
    }
}

static void become(const char *scene, const char *const *environment, int output)
{
    set_environment(environment);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    execl(getenv("MEZ_TEST_CHILD"), "child", scene, (char *)NULL);
    _exit(126);
}

static void read_output(child *result, int input)
{
    size_t length = 0;
    ssize_t got;
    while ((got = read(input, result->output + length, sizeof result->output - 1 - length)) > 0)
        length += (size_t)got;
    result->output[length] = '\0';
}

void child_run(child *result, const char *scene, const char *const *environment)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        become(scene, environment, ends[1]);
    close(ends[1]);
    read_output(result, ends[0]);
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    result->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    result->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}
