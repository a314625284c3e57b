// SPDX-License-Identifier: MIT
//
// mez: looks at devices and device images, and runs kernels, from a shell.

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <mezzanine/version.h>

#include "base/text.h"
#include "command.h"
#include "options.h"

static const struct command *const commands[] = {
    &info_command,
    &doctor_command,
    &kernels_command,
    &compile_command,
    &run_command,
    &check_command,
    &split_command,
    &build_command,
    &filter_command,
    &cache_command,
#ifdef MEZ_TRACING
    &trace_command,
#endif
};

#define COMMAND_COUNT (sizeof commands / sizeof *commands)

static void print_help(FILE *stream)
{
    fputs("usage: mez COMMAND [ARGUMENTS]\n\n", stream);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        mez_print(stream, "  %-8s  %s\n", commands[i]->name, commands[i]->summary);
    fputs(
        "\n`mez COMMAND --help` explains a command; `mez --version` prints the library's version.\n"
        "The exit code is 0 on success, 1 if something failed, and 2 if the command line is "
        "wrong.\n",
        stream);
}

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static int run(const struct command *command, int count, char *const *arguments)
{
    if (!command_line_wants_help(count, arguments))
        return command->run(count, arguments);
    fputs(command->usage, stdout);
    return EXIT_GOOD;
}

static int dispatch(int count, char *const *arguments)
{
    if (command_line_wants_help(1, arguments) || strcmp(arguments[0], "help") == 0) {
        print_help(stdout);
        return EXIT_GOOD;
    }
    if (strcmp(arguments[0], "--version") == 0) {
        mez_print(stdout, "mez %s\n", mez_version());
        return EXIT_GOOD;
    }
    const struct command *command = find_command(arguments[0]);
    if (command)
        return run(command, count - 1, arguments + 1);
    mez_print(stderr, "mez: unknown %s \"%s\"\n`mez --help` lists the commands\n",
        arguments[0][0] == '-' ? "option" : "command", arguments[0]);
    return EXIT_NO_COMMAND;
}

// Output that could not be written is a failure, as in `mez run ... > /dev/full`.
static int finish(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    perror("mez: standard output");
    return code == EXIT_GOOD ? EXIT_FAILED : code;
}

// Installed under this name as well, it is one command.
#define FILTER_NAME "sycl-aspect-filter"

static bool is_filter(const char *program)
{
    const char *slash = strrchr(program, '/');
    return strcmp(slash ? slash + 1 : program, FILTER_NAME) == 0;
}

// A standard stream that is closed leaves its number to the next file or pipe, and what is printed would go there. These can't be
// read or written either, and programs that are started do not get them.
static void hold_closed_streams(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0)
            (void)!open("/dev/null", (file == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
}

int main(int count, char **arguments)
{
    hold_closed_streams();
    if (count > 0 && is_filter(arguments[0]))
        return finish(run(&filter_command, count - 1, arguments + 1));
    if (count > 1)
        return finish(dispatch(count - 1, arguments + 1));
    print_help(stderr);
    return EXIT_NO_COMMAND;
}
