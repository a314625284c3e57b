// SPDX-License-Identifier: MIT

#include "cache/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cache/entry.h"

static mez_cache_file_kind kind_of(const char *name)
{
    if (mez_cache_is_entry_name(name))
        return MEZ_CACHE_FILE_ENTRY;
    if (strcmp(name, MEZ_CACHE_COUNTS_NAME) == 0)
        return MEZ_CACHE_FILE_COUNTS;
    return strncmp(name, MEZ_CACHE_UNFINISHED, strlen(MEZ_CACHE_UNFINISHED)) == 0
               ? MEZ_CACHE_FILE_UNFINISHED
               : MEZ_CACHE_FILE_FOREIGN;
}

bool mez_cache_walk(int folder, mez_cache_visit *visit, void *user)
{
    const int own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); // closedir closes it
    DIR *files = own < 0 ? NULL : fdopendir(own);
    if (!files) {
        if (own >= 0)
            close(own);
        return false;
    }
    const struct dirent *file;
    bool good = true;
    errno = 0;
    while (good && (file = readdir(files))) {
        const mez_cache_file_kind kind = kind_of(file->d_name);
        good = kind == MEZ_CACHE_FILE_FOREIGN || visit(user, folder, kind, file->d_name);
        errno = good ? 0 : errno;
    }
    const int reason = errno;
    closedir(files);
    errno = reason;
    return reason == 0;
}
