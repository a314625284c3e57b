// SPDX-License-Identifier: MIT

#include "cache/counts.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache/folder.h"

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
