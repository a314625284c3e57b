// SPDX-License-Identifier: MIT
//
// zeInit with the settings that are refused; one process each, because a process initialises once.
//   test_init FLAGS RESULT [TEXT]: zeInit(FLAGS) gives RESULT, and TEXT appears on stderr.
#include <level_zero/ze_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Sends stderr to a temporary file. Returns a copy of the old one.
static int divert_stderr(FILE *file)
{
    const int before = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    return before;
}

static void read_back(FILE *file, char *text, size_t size)
{
    rewind(file);
    text[fread(text, 1, size - 1, file)] = '\0';
}

int main(int argc, char **argv)
{
    char text[1024];
    FILE *file = tmpfile();
    if (argc < 3 || !file)
        return 99;
    const unsigned flags = (unsigned)strtoul(argv[1], NULL, 0);
    const unsigned expected = (unsigned)strtoul(argv[2], NULL, 0);
    const int before = divert_stderr(file);
    const unsigned result = (unsigned)zeInit(flags);
    dup2(before, STDERR_FILENO);
    close(before);
    read_back(file, text, sizeof text);
    fclose(file);
    fprintf(stderr, "zeInit(%u) = 0x%x, stderr: %s\n", flags, result, text);
    if (result != expected)
        return 1;
    return argc > 3 && !strstr(text, argv[3]);
}
