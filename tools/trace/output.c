// SPDX-License-Identifier: MIT

#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/text.h"

enum { MOST_TURNS = 100, FILE_BUFFER = 1 << 18 };

// Where a file system has no locks we do without.
static bool is_free(int file)
{
    return flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

// Only files on disks are locked and emptied, others have nothing to lose. False with errno; EWOULDBLOCK: somebody writes to it.
static bool take(int file, bool *replaces)
{
    struct stat status;
    *replaces = false;
    if (fstat(file, &status) != 0)
        return false;
    if (!S_ISREG(status.st_mode))
        return true;
    if (!is_free(file) || fstat(file, &status) != 0) // its size may have changed meanwhile
        return false;
    *replaces = status.st_size > 0;
    return ftruncate(file, 0) == 0;
}

// NULL with errno, as above.
static FILE *open_free(const char *path, bool *replaces)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return NULL;
    FILE *stream = take(file, replaces) ? fdopen(file, "w") : NULL;
    if (stream) {
        setvbuf(stream, NULL, _IOFBF, FILE_BUFFER); // a smaller one would do, only slower
        return stream;
    }
    const int reason = errno;
    close(file);
    errno = reason;
    return NULL;
}

static mez_error open_error(const char *path)
{
    if (errno == EWOULDBLOCK)
        return mez_error_make(MEZ_ERRC_FILE, "%s: another trace is being written to it", path);
    return mez_file_error(path);
}

mez_error trace_output_open(const char *path, FILE **file)
{
    bool replaces;
    *file = open_free(path, &replaces);
    return *file ? mez_ok() : open_error(path);
}

// --- Names

static char *put_process(const char *pattern, pid_t process)
{
    char *name = mez_copy_string(pattern);
    for (const char *mark; name && (mark = strstr(name, "%p"));) {
        char *next = mez_print_string("%.*s%d%s", (int)(mark - name), name, (int)process, mark + 2);
        mez_free_memory(name);
        name = next;
    }
    return name;
}

// Of turns after the first: a process that executes another program is the same, and its first trace is still open.
static char *insert(const char *name, pid_t process, unsigned turn)
{
    const char *folder_end = strrchr(name, '/');
    const char *dot = strrchr(folder_end ? folder_end : name, '.');
    const int stem = (int)(dot ? (size_t)(dot - name) : strlen(name));
    if (turn == 1)
        return mez_print_string("%.*s.%d%s", stem, name, (int)process, name + stem);
    return mez_print_string("%.*s.%d-%u%s", stem, name, (int)process, turn, name + stem);
}

char *trace_output_name(const char *pattern, pid_t process, unsigned turn)
{
    char *name = put_process(pattern, process);
    if (!name || turn == 0)
        return name;
    char *other = insert(name, process, turn);
    mez_free_memory(name);
    return other;
}

static void say(const char *name, unsigned turn, bool replaces)
{
    if (turn > 0)
        mez_print(stderr,
            "mez-trace: another trace is being written where MEZ_TRACE says: this one goes to %s\n",
            name);
    if (replaces)
        mez_print(stderr,
            "mez-trace: what was in %s is gone; %%p in its name gives each program its own\n",
            name);
}

mez_error trace_output_open_own(const char *pattern, pid_t process, FILE **file, char **name)
{
    for (unsigned turn = 0;; turn++) {
        bool replaces;
        *name = trace_output_name(pattern, process, turn);
        if (!*name)
            return mez_error_no_memory("a trace");
        *file = open_free(*name, &replaces);
        if (*file) {
            say(*name, turn, replaces);
            return mez_ok();
        }
        if (errno != EWOULDBLOCK || turn == MOST_TURNS)
            break;
        mez_free_memory(*name);
    }
    const mez_error error = open_error(*name);
    mez_free_memory(*name);
    *name = NULL;
    return error;
}
