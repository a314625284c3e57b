// SPDX-License-Identifier: MIT

#include "validate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

// What the program says; empty: nothing is wrong.
static void ask(const char *path, char *answer, size_t size)
{
    char command[4608];
    snprintf(
        command, sizeof command, "%s --target-env spv1.6 %s 2>&1", getenv("MEZ_SPIRV_VAL"), path);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    answer[fread(answer, 1, size - 1, pipe)] = '\0';
    const int status = pclose(pipe);
    if (status && !*answer)
        snprintf(answer, size, "exit status %d", status);
}

void assert_valid_spirv(const uint32_t *words, uint32_t word_count, const char *what)
{
    char path[] = "/tmp/mez-valid-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    const size_t size = word_count * sizeof *words;
    assert_int_equal(write(file, words, size), (ssize_t)size);
    close(file);

    char answer[1024];
    ask(path, answer, sizeof answer);
    unlink(path);
    if (*answer)
        fail_msg("%s: %s", what, answer);
}
