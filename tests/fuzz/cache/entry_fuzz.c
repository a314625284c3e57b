// SPDX-License-Identifier: MIT
//
// Fuzz target of the cache's entries: whatever the file, it is damaged or what was written. The first byte chooses whether the
// checksum is made right first, so that what stands behind it is reached too. Linked with replay.c instead of libFuzzer it replays
// the files it is given.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "cache/entry.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

// One file for all inputs.
static int open_file(const uint8_t *bytes, size_t size)
{
    static int file = -1;
    if (file < 0)
        file = memfd_create("entry", MFD_CLOEXEC);
    require(file >= 0 && fchmod(file, 0600) == 0 && ftruncate(file, 0) == 0);
    require(pwrite(file, bytes, size, 0) == (ssize_t)size);
    return file;
}

// As the writer would have written it, except for the sizes.
static void make_right(const mez_cache_key *key, uint8_t *bytes, size_t size)
{
    if (size < sizeof(mez_cache_header))
        return;
    mez_cache_header header = mez_cache_header_of(key, bytes + sizeof header, size - sizeof header);
    memcpy(&header.size, bytes + offsetof(mez_cache_header, size), sizeof header.size);
    memcpy(bytes, &header, sizeof header);
}

static void read_entry(const mez_cache_key *key, const uint8_t *bytes, size_t size)
{
    void *read;
    size_t got;
    const mez_cache_reading reading =
        mez_cache_read_entry(open_file(bytes, size), key, &read, &got);
    require((reading == MEZ_CACHE_READ) == (read != NULL));
    require(reading != MEZ_CACHE_FAILED);
    if (reading == MEZ_CACHE_READ) {
        require(got == size - sizeof(mez_cache_header));
        require(memcmp(read, bytes + sizeof(mez_cache_header), got) == 0);
    }
    mez_free_memory(read);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const mez_cache_key key = mez_cache_key_of(&(mez_cache_part){"key", 3}, 1);
    if (size < 1)
        return 0;
    uint8_t *copy = malloc(size);
    require(copy != NULL);
    memcpy(copy, bytes + 1, size - 1);
    if (bytes[0] & 1)
        make_right(&key, copy, size - 1);
    read_entry(&key, copy, size - 1);
    free(copy);
    return 0;
}
