// SPDX-License-Identifier: MIT
//
// Going through the files of the folder. Those that do not bear our names are passed over.
//
// Thread-safety: safe, with other processes too; a file may be gone when it is visited.

#ifndef MEZ_CACHE_WALK_H
#define MEZ_CACHE_WALK_H

#include <stdbool.h>

typedef enum mez_cache_file_kind {
    MEZ_CACHE_FILE_FOREIGN, // never visited
    MEZ_CACHE_FILE_ENTRY,
    MEZ_CACHE_FILE_UNFINISHED, // an entry that is being written
    MEZ_CACHE_FILE_COUNTS,
} mez_cache_file_kind;

// What an unfinished file's name begins with.
#define MEZ_CACHE_UNFINISHED ".new-"

// The file of the counts.
#define MEZ_CACHE_COUNTS_NAME "counts"

// False, with errno, ends the walk.
typedef bool mez_cache_visit(void *user, int folder, mez_cache_file_kind kind, const char *name);

// False: errno says why not all were visited.
bool mez_cache_walk(int folder, mez_cache_visit *visit, void *user);

#endif
