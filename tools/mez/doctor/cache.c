// SPDX-License-Identifier: MIT
//
// The cache of built binaries: nothing fails without it, and everything is compiled each time.

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "cache/cache.h"
#include "cache/folder.h"
#include "doctor.h"

#define CHECK "cache"

// Unlike mez_cache_measure it removes nothing.
static bool measure_file(void *user, int folder, mez_cache_file_kind kind, const char *name)
{
    mez_cache_usage *usage = user;
    struct stat about;
    if (kind == MEZ_CACHE_FILE_ENTRY && fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) == 0) {
        usage->entries++;
        usage->bytes += (uint64_t)about.st_size;
    }
    return true;
}

static void report_size(struct findings *findings, const mez_cache_settings *settings, int folder)
{
    mez_cache_usage usage = {0};
    mez_cache_walk(folder, measure_file, &usage);
    found_pass(findings, CHECK, "%s: %" PRIu64 " entries, %" PRIu64 " of %" PRIu64 " bytes",
        settings->folder, usage.entries, usage.bytes, settings->limit);
}

static void report_closed(struct findings *findings, const char *folder, int reason)
{
    found_warn(findings, CHECK, "%s can't be used: %s", folder,
        reason == EPERM ? "it belongs to another user, or others may write to it"
                        : strerror(reason));
    found_advice(findings,
        "until then programs compile everything each time; make it a folder that only "
        "you can write to (`chmod 700`), or set MEZ_CACHE to another folder");
}

// What the folder would be made in: the nearest that is there.
static int open_parent(const char *folder)
{
    char *path = mez_copy_string(folder);
    int parent = -1;
    if (!path) {
        errno = ENOMEM;
        return -1;
    }
    do {
        char *slash = strrchr(path, '/');
        slash[slash == path] = '\0'; // the root keeps its slash
        parent = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    } while (parent < 0 && errno == ENOENT && path[1]);
    const int reason = errno;
    mez_free_memory(path);
    errno = reason;
    return parent;
}

static bool is_writable(int folder)
{
    return faccessat(folder, ".", W_OK | X_OK, AT_EACCESS) == 0;
}

static void report_missing(struct findings *findings, const char *folder)
{
    const int parent = open_parent(folder);
    if (parent >= 0 && is_writable(parent))
        found_pass(findings, CHECK, "%s is made when the first binary is stored", folder);
    else
        report_closed(findings, folder, errno);
    if (parent >= 0)
        close(parent);
}

static void look_at_folder(struct findings *findings, const mez_cache_settings *settings)
{
    const int folder = mez_cache_open_folder(settings->folder, false);
    if (folder < 0 && errno == ENOENT)
        report_missing(findings, settings->folder);
    else if (folder < 0 || !is_writable(folder))
        report_closed(findings, settings->folder, errno);
    else
        report_size(findings, settings, folder);
    if (folder >= 0)
        close(folder);
}

static void report_off(struct findings *findings, const char *why)
{
    if (strncmp(why, "MEZ_CACHE", strlen("MEZ_CACHE")) == 0) {
        found_pass(findings, CHECK, "off: %s", why);
        return;
    }
    found_warn(findings, CHECK, "off: %s", why);
    found_advice(findings, "set HOME, or set MEZ_CACHE to a folder");
}

void check_cache(struct doctor *doctor)
{
    char line[1024];
    mez_cache_settings settings;
    const mez_error error = mez_cache_read_settings(&(mez_cache_params){0}, &settings);
    if (mez_failed(error)) {
        error_line(error, NULL, line, sizeof line);
        found_fail(&doctor->findings, CHECK, "%s", line);
        found_advice(&doctor->findings, "correct the variable or unset it");
        return;
    }
    if (settings.off)
        report_off(&doctor->findings, settings.off);
    else
        look_at_folder(&doctor->findings, &settings);
    mez_free_memory(settings.folder);
}
