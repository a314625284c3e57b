// SPDX-License-Identifier: MIT

#include "cache/entry.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"

#define MAGIC "MEZCACHE"
#define VERSION 1
#define SUFFIX ".bin"

static const char digits[] = "0123456789abcdef";

void mez_cache_entry_name(const mez_cache_key *key, char name[MEZ_CACHE_NAME_SIZE])
{
    for (size_t i = 0; i < sizeof key->digest; i++) {
        *name++ = digits[key->digest[i] >> 4];
        *name++ = digits[key->digest[i] & 15];
    }
    memcpy(name, SUFFIX, sizeof SUFFIX);
}

bool mez_cache_is_entry_name(const char *name)
{
    const size_t length = strspn(name, digits);
    return length == 2 * sizeof(mez_cache_key) && strcmp(name + length, SUFFIX) == 0;
}

mez_cache_header mez_cache_header_of(const mez_cache_key *key, const void *bytes, size_t size)
{
    mez_cache_header header = {
        .version = VERSION, .header_size = sizeof(mez_cache_header), .size = size};
    memcpy(header.magic, MAGIC, sizeof header.magic);
    memcpy(header.key, key->digest, sizeof header.key);
    mez_sha256 sum;
    mez_sha256_init(&sum);
    mez_sha256_add(&sum, bytes, size);
    mez_sha256_finish(&sum, header.checksum);
    return header;
}

// --- Reading

bool mez_cache_is_ours_alone(const struct stat *about)
{
    return about->st_uid == geteuid() && !(about->st_mode & (S_IWGRP | S_IWOTH));
}

// As many bytes as there are, up to `size`; -1: an error.
static ssize_t read_at(int file, void *bytes, size_t size, off_t offset)
{
    size_t done = 0;
    while (done < size) {
        const ssize_t got = pread(file, (char *)bytes + done, size - done, offset + (off_t)done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

// What the file says of itself, without a look at the binary; *size is the binary's.
static mez_cache_reading read_header(int file, mez_cache_header *header, size_t *size)
{
    struct stat about;
    if (fstat(file, &about) != 0)
        return MEZ_CACHE_FAILED;
    if (!mez_cache_is_ours_alone(&about))
        return MEZ_CACHE_FOREIGN;
    if (!S_ISREG(about.st_mode) || (uint64_t)about.st_size < sizeof *header ||
        (uint64_t)about.st_size > SIZE_MAX)
        return MEZ_CACHE_DAMAGED;
    const ssize_t got = read_at(file, header, sizeof *header, 0);
    if (got < 0)
        return MEZ_CACHE_FAILED;
    *size = (size_t)about.st_size - sizeof *header;
    return (size_t)got == sizeof *header ? MEZ_CACHE_READ : MEZ_CACHE_DAMAGED;
}

static bool is_entry(
    const mez_cache_header *header, const mez_cache_key *key, const void *bytes, size_t size)
{
    const mez_cache_header expected = mez_cache_header_of(key, bytes, size);
    return memcmp(header, &expected, sizeof expected) == 0;
}

mez_cache_reading mez_cache_read_entry(
    int file, const mez_cache_key *key, void **bytes, size_t *size)
{
    _Static_assert(sizeof(mez_cache_header) == 88, "no padding: headers are compared as bytes");
    mez_cache_header header;
    *bytes = NULL;
    mez_cache_reading reading = read_header(file, &header, size);
    if (reading != MEZ_CACHE_READ)
        return reading;
    if (header.size != *size) // memory for a true size only
        return MEZ_CACHE_DAMAGED;
    void *read = mez_alloc_array(*size ? *size : 1, 1);
    if (!read)
        return MEZ_CACHE_FAILED;
    const ssize_t got = read_at(file, read, *size, sizeof header);
    if (got < 0)
        reading = MEZ_CACHE_FAILED;
    else if ((size_t)got != *size || !is_entry(&header, key, read, *size))
        reading = MEZ_CACHE_DAMAGED;
    if (reading == MEZ_CACHE_READ)
        *bytes = read;
    else
        mez_free_memory(read);
    return reading;
}

// --- Writing

bool mez_cache_write_entry(int file, const mez_cache_key *key, const void *bytes, size_t size)
{
    const mez_cache_header header = mez_cache_header_of(key, bytes, size);
    return mez_file_write_all(file, &header, sizeof header) &&
           mez_file_write_all(file, bytes, size);
}
