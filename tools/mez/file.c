// SPDX-License-Identifier: MIT

#include "file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool system_problem(const char *path, struct problem *problem)
{
    return problem_set(problem, "%s: %s", path, strerror(errno));
}

bool file_read_exactly(const char *path, void *bytes, size_t size, struct problem *problem)
{
    FILE *file = fopen(path, "rbe");
    if (!file)
        return system_problem(path, problem);
    const size_t got = fread(bytes, 1, size, file);
    const bool failed = ferror(file);
    const bool more = !failed && got == size && fgetc(file) != EOF;
    if (failed)
        system_problem(path, problem);
    else if (got != size || more)
        problem_set(problem, "%s has %s bytes than the buffer, which has %zu", path,
            more ? "more" : "fewer", size);
    fclose(file);
    return !failed && got == size && !more;
}

// Devices stay.
static void remove_piece(const char *path)
{
    struct stat about;
    if (stat(path, &about) == 0 && S_ISREG(about.st_mode))
        unlink(path);
}

bool file_write(const char *path, const void *bytes, size_t size, struct problem *problem)
{
    FILE *file = fopen(path, "wbe");
    if (!file)
        return system_problem(path, problem);
    bool written = size == 0 || fwrite(bytes, 1, size, file) == size;
    if (!written)
        system_problem(path, problem);
    if (fclose(file) != 0 && written) // buffered bytes may find the disk full only now
        written = system_problem(path, problem);
    if (!written)
        remove_piece(path);
    return written;
}
