// SPDX-License-Identifier: MIT

#include "compile/stream.h"

#include <string.h>
#include <sys/stat.h>

// What is opened in another process by these names is something else, or in another place, even where it is a plain file.
static const char *const own_files[] = {
    "/dev/stdin", "/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"};

static bool is_own(const char *path)
{
    for (size_t i = 0; i < sizeof own_files / sizeof *own_files; i++)
        if (strncmp(path, own_files[i], strlen(own_files[i])) == 0)
            return true;
    return false;
}

bool mez_compile_is_stream(const char *path)
{
    struct stat about;
    return is_own(path) || (stat(path, &about) == 0 && !S_ISREG(about.st_mode));
}
