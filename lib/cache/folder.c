// SPDX-License-Identifier: MIT

#include "cache/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "cache/walk.h"

// No write takes so many seconds.
#define ABANDONED_AFTER 3600

// --- Opening

// What is there stays as it is: some file systems refuse to make it for another reason than that it is there.
static bool make_one_folder(const char *path)
{
    if (mkdir(path, 0700) == 0 || errno == EEXIST)
        return true;
    const int reason = errno;
    if (access(path, F_OK) == 0)
        return true;
    errno = reason;
    return false;
}

// Makes the parents of a path and then itself. The first that can't be made has the reason: the others only lack it.
static bool make_folders(const char *path)
{
    char *copy = mez_copy_string(path);
    if (!copy) {
        errno = ENOMEM;
        return false;
    }
    bool made = true;
    for (char *slash = strchr(copy + 1, '/'); slash && made; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        made = make_one_folder(copy);
        *slash = '/';
    }
    made = made && make_one_folder(copy);
    const int reason = errno;
    mez_free_memory(copy);
    errno = reason;
    return made;
}

static bool is_ours_alone(int folder)
{
    struct stat about;
    if (fstat(folder, &about) != 0)
        return false;
    errno = EPERM;
    return about.st_uid == geteuid() && !(about.st_mode & (S_IWGRP | S_IWOTH));
}

int mez_cache_open_folder(const char *path, bool create)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    int folder = open(path, flags);
    if (folder < 0 && errno == ENOENT && create && make_folders(path))
        folder = open(path, flags);
    if (folder < 0 || is_ours_alone(folder))
        return folder;
    const int reason = errno;
    close(folder);
    errno = reason;
    return -1;
}

// --- Storing

// A file that is new, with its name in `name`; -1: errno.
static int create_unfinished(int folder, char name[32])
{
    uint64_t random;
    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
        return -1;
    snprintf(name, 32, MEZ_CACHE_UNFINISHED "%016llx", (unsigned long long)random);
    return openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
}

// Without fsync: it takes longer than most kernels take to compile, and an entry that a power failure leaves half written has a
// wrong checksum.
bool mez_cache_store(int folder, const mez_cache_key *key, const void *bytes, size_t size)
{
    char unfinished[32], name[MEZ_CACHE_NAME_SIZE];
    mez_cache_entry_name(key, name);
    const int file = create_unfinished(folder, unfinished);
    if (file < 0)
        return false;
    bool stored = mez_cache_write_entry(file, key, bytes, size);
    int reason = errno;
    if (close(file) != 0 && stored) { // some file systems find the disk full only now
        stored = false;
        reason = errno;
    }
    if (stored && renameat(folder, unfinished, folder, name) != 0) {
        stored = false;
        reason = errno;
    }
    if (!stored)
        unlinkat(folder, unfinished, 0);
    errno = reason;
    return stored;
}

// --- All of it

static void remove_abandoned(int folder, const char *name, const struct stat *about)
{
    if (about->st_mtim.tv_sec < time(NULL) - ABANDONED_AFTER)
        unlinkat(folder, name, 0);
}

static bool measure_file(void *user, int folder, mez_cache_file_kind kind, const char *name)
{
    mez_cache_usage *usage = user;
    struct stat about;
    if (fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT; // another process removed it
    if (kind == MEZ_CACHE_FILE_UNFINISHED)
        remove_abandoned(folder, name, &about);
    if (kind != MEZ_CACHE_FILE_ENTRY)
        return true;
    usage->entries++;
    usage->bytes += (uint64_t)about.st_size;
    return true;
}

bool mez_cache_measure(int folder, mez_cache_usage *usage)
{
    *usage = (mez_cache_usage){0};
    return mez_cache_walk(folder, measure_file, usage);
}

// What is being written is left to its writer.
static bool remove_file(void *user, int folder, mez_cache_file_kind kind, const char *name)
{
    if (kind == MEZ_CACHE_FILE_UNFINISHED)
        return true;
    if (unlinkat(folder, name, 0) != 0)
        return errno == ENOENT;
    *(uint64_t *)user += kind == MEZ_CACHE_FILE_ENTRY;
    return true;
}

bool mez_cache_empty(int folder, uint64_t *removed)
{
    *removed = 0;
    return mez_cache_walk(folder, remove_file, removed);
}
