// SPDX-License-Identifier: MIT
//
// The file of one entry: a header, then the binary. Reading believes nothing: the process that wrote it may have been killed,
// the disk may have lost what was not yet written, and anybody may have changed it.
//
// Thread-safety: safe.

#ifndef MEZ_CACHE_ENTRY_H
#define MEZ_CACHE_ENTRY_H

#include "cache/cache.h"
#include "cache/sha256.h"

// In the host's byte order; a host of another one finds a wrong version.
typedef struct mez_cache_header {
    char magic[8]; // "MEZCACHE"
    uint32_t version;
    uint32_t header_size;
    uint64_t size;                      // of the binary
    uint8_t key[32];                    // whose entry it is
    uint8_t checksum[MEZ_SHA256_BYTES]; // of the binary
} mez_cache_header;

mez_cache_header mez_cache_header_of(const mez_cache_key *key, const void *bytes, size_t size);

typedef enum mez_cache_reading {
    MEZ_CACHE_READ,    // *bytes are the binary
    MEZ_CACHE_DAMAGED, // it is not an entry of this key, or not as it was written
    MEZ_CACHE_FOREIGN, // it belongs to another user, or others may write to it
    MEZ_CACHE_FAILED,  // the system did not let us read, or memory is short
} mez_cache_reading;

// Does the file or folder belong to this user, and may nobody else write to it?
struct stat;
bool mez_cache_is_ours_alone(const struct stat *about);

// Reads the entry in an open file, which stays open. *bytes are to be freed with mez_free_memory, and NULL unless it was read.
mez_cache_reading mez_cache_read_entry(
    int file, const mez_cache_key *key, void **bytes, size_t *size);

// Writes the entry to an open, empty file. False: not all of it could be written; errno says why.
bool mez_cache_write_entry(int file, const mez_cache_key *key, const void *bytes, size_t size);

// Names of files in the folder.
enum { MEZ_CACHE_NAME_SIZE = 2 * 32 + sizeof ".bin" };
void mez_cache_entry_name(const mez_cache_key *key, char name[MEZ_CACHE_NAME_SIZE]);
bool mez_cache_is_entry_name(const char *name);

#endif
