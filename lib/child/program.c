// SPDX-License-Identifier: MIT
//
// Which file a program's name leads to.

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child/child.h"
#include "toolchain.h"

// Where PATH may not be read, or is not set.
#define USUAL "/usr/local/bin:/usr/bin:/bin"

bool mez_is_program(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0;
}

// A build on another machine may have found what is not here.
static bool find_as_built(const char *name, char path[PATH_MAX])
{
    static const char *const ocloc = MEZ_OCLOC_PATH; // "": there was none
    return strcmp(name, "ocloc") == 0 && (size_t)snprintf(path, PATH_MAX, "%s", ocloc) < PATH_MAX &&
           mez_is_program(path);
}

const char *mez_program_folders(void)
{
    const char *folders = secure_getenv("PATH");
    return folders ? folders : USUAL;
}

bool mez_program_next_in_path(const char **folders, const char *name, char path[PATH_MAX])
{
    bool found = false;
    while (!found && **folders) {
        const size_t length = strcspn(*folders, ":");
        if (**folders == '/')
            found = (size_t)snprintf(path, PATH_MAX, "%.*s/%s", (int)length, *folders, name) <
                        PATH_MAX &&
                    mez_is_program(path);
        *folders += length + ((*folders)[length] == ':');
    }
    return found;
}

bool mez_program_find(const char *name, char path[PATH_MAX])
{
    if (strchr(name, '/'))
        return (size_t)snprintf(path, PATH_MAX, "%s", name) < PATH_MAX;
    const char *folders = mez_program_folders();
    return *name && (find_as_built(name, path) || mez_program_next_in_path(&folders, name, path));
}
