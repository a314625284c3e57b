// SPDX-License-Identifier: MIT

#include "own_cache.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char folder[] = "/tmp/mez_test_cache.XXXXXX";
static bool is_made;

bool mez_test_make_cache(void)
{
    const char *wanted = getenv("MEZ_TEST_CACHE");
    if (!wanted || strcmp(wanted, "own") != 0)
        return true;
    is_made = mkdtemp(folder) != NULL;
    if (is_made)
        setenv("MEZ_CACHE", folder, 1);
    else
        fprintf(stderr, "%s: %s\n", folder, strerror(errno));
    return is_made;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    return remove(path);
}

bool mez_test_remove_folder(const char *path)
{
    const bool removed = nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS) == 0;
    if (!removed)
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return removed;
}

void mez_test_remove_cache(void)
{
    if (is_made)
        mez_test_remove_folder(folder);
}
