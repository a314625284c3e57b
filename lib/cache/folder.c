// SPDX-License-Identifier: MIT
//
// The files of a cache: entries, those that are being written, and counts.

#include "cache/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/vector.h"
#include "cache/entry.h"

// --- Files

#define RANDOM_DIGITS 16

static bool is_unfinished(const char *name)
{
    const size_t length = strlen(MEZ_CACHE_UNFINISHED);
    return strncmp(name, MEZ_CACHE_UNFINISHED, length) == 0 &&
           strspn(name + length, "0123456789abcdef") == RANDOM_DIGITS &&
           !name[length + RANDOM_DIGITS];
}

static mez_cache_file_kind kind_of(const char *name)
{
    if (mez_cache_is_entry_name(name))
        return MEZ_CACHE_FILE_ENTRY;
    if (strcmp(name, MEZ_CACHE_COUNTS_NAME) == 0)
        return MEZ_CACHE_FILE_COUNTS;
    return is_unfinished(name) ? MEZ_CACHE_FILE_UNFINISHED : MEZ_CACHE_FILE_FOREIGN;
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
    return mez_cache_is_ours_alone(&about);
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
    snprintf(name, 32, MEZ_CACHE_UNFINISHED "%0*llx", RANDOM_DIGITS, (unsigned long long)random);
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

static bool count_file(void *user, int folder, mez_cache_file_kind kind, const char *name)
{
    mez_cache_usage *usage = user;
    struct stat about;
    if (kind != MEZ_CACHE_FILE_ENTRY)
        return true;
    if (fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT; // another process removed it
    usage->entries++;
    usage->bytes += (uint64_t)about.st_size;
    return true;
}

bool mez_cache_count_entries(int folder, mez_cache_usage *usage)
{
    *usage = (mez_cache_usage){0};
    return mez_cache_walk(folder, count_file, usage);
}

static bool measure_file(void *user, int folder, mez_cache_file_kind kind, const char *name)
{
    struct stat about;
    if (kind != MEZ_CACHE_FILE_UNFINISHED)
        return count_file(user, folder, kind, name);
    if (fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT;
    remove_abandoned(folder, name, &about);
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
    if (kind == MEZ_CACHE_FILE_UNFINISHED ||
        (kind == MEZ_CACHE_FILE_COUNTS && !mez_cache_has_counts(folder)))
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

// --- Eviction

typedef struct candidate {
    char name[MEZ_CACHE_NAME_SIZE];
    uint64_t size;
    struct timespec used;
} candidate;

typedef struct candidates {
    candidate *items;
    size_t count, capacity;
    uint64_t bytes;
} candidates;

static bool reserve(candidates *list)
{
    const bool has_room = mez_vector_reserve(list);
    if (!has_room)
        errno = ENOMEM;
    return has_room;
}

static bool collect(void *user, int folder, mez_cache_file_kind kind, const char *name)
{
    candidates *list = user;
    struct stat about;
    if (kind != MEZ_CACHE_FILE_ENTRY)
        return true;
    if (fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT;
    if (!reserve(list))
        return false;
    candidate *added = &list->items[list->count++];
    *added = (candidate){.size = (uint64_t)about.st_size, .used = about.st_mtim};
    memcpy(added->name, name, MEZ_CACHE_NAME_SIZE);
    list->bytes += added->size;
    return true;
}

static int by_use(const void *left, const void *right)
{
    const struct timespec *a = &((const candidate *)left)->used;
    const struct timespec *b = &((const candidate *)right)->used;
    if (a->tv_sec != b->tv_sec)
        return a->tv_sec < b->tv_sec ? -1 : 1;
    return (a->tv_nsec > b->tv_nsec) - (a->tv_nsec < b->tv_nsec);
}

static uint64_t remove_oldest(
    int folder, candidates *list, uint64_t wanted, const mez_cache_key *kept)
{
    uint64_t removed = 0;
    char kept_name[MEZ_CACHE_NAME_SIZE];
    mez_cache_entry_name(kept, kept_name);
    qsort(list->items, list->count, sizeof *list->items, by_use);
    for (size_t i = 0; i < list->count && list->bytes > wanted; i++) {
        if (strcmp(list->items[i].name, kept_name) == 0)
            continue;
        removed += unlinkat(folder, list->items[i].name, 0) == 0;
        list->bytes -= list->items[i].size;
    }
    return removed;
}

uint64_t mez_cache_evict(int folder, uint64_t limit, const mez_cache_key *kept)
{
    if (flock(folder, LOCK_EX | LOCK_NB) != 0)
        return 0;
    candidates list = {0};
    uint64_t removed = 0;
    if (mez_cache_walk(folder, collect, &list) && list.bytes > limit)
        removed = remove_oldest(folder, &list, limit - limit / 10, kept);
    mez_free_memory(list.items);
    flock(folder, LOCK_UN);
    return removed;
}

// --- Counts

// The file, in the host's byte order.
typedef struct counts_file {
    char magic[8]; // "MEZCOUNT"
    uint64_t totals[MEZ_CACHE_COUNTS];
} counts_file;

#define MAGIC "MEZCOUNT"

static void read_file(int file, uint64_t totals[MEZ_CACHE_COUNTS])
{
    counts_file content;
    memset(totals, 0, MEZ_CACHE_COUNTS * sizeof *totals);
    const ssize_t got = pread(file, &content, sizeof content, 0);
    if (got == (ssize_t)sizeof content && memcmp(content.magic, MAGIC, sizeof content.magic) == 0)
        memcpy(totals, content.totals, sizeof content.totals);
}

static bool write_file(int file, const uint64_t totals[MEZ_CACHE_COUNTS])
{
    counts_file content = {.magic = {0}};
    memcpy(content.magic, MAGIC, sizeof content.magic);
    memcpy(content.totals, totals, sizeof content.totals);
    return pwrite(file, &content, sizeof content, 0) == (ssize_t)sizeof content;
}

// A folder that is chosen for the cache may have another file of that name. What a full disk or a power failure left of ours is
// cut off, or zeros.
static bool is_ours(int file)
{
    struct stat about;
    char magic[sizeof MAGIC - 1];
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode))
        return false;
    const ssize_t got = pread(file, magic, sizeof magic, 0);
    return about.st_size == sizeof(counts_file) ||
           (got >= 0 && memcmp(magic, MAGIC, (size_t)got) == 0);
}

static int open_file(int folder, int flags)
{
    return openat(folder, MEZ_CACHE_COUNTS_NAME, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
}

static void add_waiting(mez_cache_counts *counts, int file)
{
    uint64_t totals[MEZ_CACHE_COUNTS], taken[MEZ_CACHE_COUNTS];
    read_file(file, totals);
    for (int i = 0; i < MEZ_CACHE_COUNTS; i++) {
        taken[i] = atomic_exchange(&counts->waiting[i], 0);
        totals[i] += taken[i];
    }
    if (write_file(file, totals))
        return;
    for (int i = 0; i < MEZ_CACHE_COUNTS; i++)
        mez_cache_add(counts, (mez_cache_count)i, taken[i]);
}

// Never waits for the lock: its owner may have been stopped with it.
void mez_cache_write_counts(mez_cache_counts *counts, int folder)
{
    const int file = open_file(folder, O_RDWR | O_CREAT);
    if (file < 0)
        return;
    if (is_ours(file) && flock(file, LOCK_EX | LOCK_NB) == 0)
        add_waiting(counts, file);
    close(file);
}

bool mez_cache_has_counts(int folder)
{
    const int file = open_file(folder, O_RDONLY);
    const bool has = file >= 0 && is_ours(file);
    if (file >= 0)
        close(file);
    return has;
}

void mez_cache_read_counts(
    const mez_cache_counts *counts, int folder, uint64_t totals[MEZ_CACHE_COUNTS])
{
    memset(totals, 0, MEZ_CACHE_COUNTS * sizeof *totals);
    const int file = folder < 0 ? -1 : open_file(folder, O_RDONLY);
    if (file >= 0) {
        read_file(file, totals);
        close(file);
    }
    for (int i = 0; i < MEZ_CACHE_COUNTS; i++)
        totals[i] += atomic_load(&counts->waiting[i]);
}
