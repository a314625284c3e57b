// SPDX-License-Identifier: MIT
//
// Whether a folder can have entries, for who wants to know before one is stored. Nothing is changed.

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "cache/folder.h"

static mez_error unusable(const char *path, int reason)
{
    return mez_error_make(MEZ_ERRC_FILE, "%s can't be used: %s", path,
        reason == EPERM ? "it belongs to another user, or others may write to it"
                        : strerror(reason));
}

static bool is_writable(int folder)
{
    return faccessat(folder, ".", W_OK | X_OK, AT_EACCESS) == 0;
}

// What the folder would be made in: the nearest that is there. `path` is shortened to it. -1: errno says why there is none.
static int open_parent(char *path)
{
    int parent;
    do {
        char *slash = strrchr(path, '/');
        slash[slash == path] = '\0'; // the root keeps its slash
        parent = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    } while (parent < 0 && errno == ENOENT && path[1]);
    return parent;
}

static mez_error check_parent(const char *path)
{
    char *copy = mez_copy_string(path);
    if (!copy)
        return mez_error_no_memory("the folder of a cache");
    const int parent = open_parent(copy);
    const bool good = parent >= 0 && is_writable(parent);
    const int reason = errno;
    if (parent >= 0)
        close(parent);
    mez_free_memory(copy);
    return good ? mez_ok() : unusable(path, reason);
}

mez_error mez_cache_check_folder(const char *path)
{
    const int folder = mez_cache_open_folder(path, false);
    if (folder < 0 && errno == ENOENT)
        return check_parent(path);
    const bool good = folder >= 0 && is_writable(folder);
    const int reason = errno;
    if (folder >= 0)
        close(folder);
    return good ? mez_ok() : unusable(path, reason);
}
