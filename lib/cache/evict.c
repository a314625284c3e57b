// SPDX-License-Identifier: MIT

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "cache/folder.h"
#include "cache/walk.h"

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
    const bool has_room = mez_grow(&list->items, list->count, &list->capacity);
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
