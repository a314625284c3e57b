// SPDX-License-Identifier: MIT

#include "build/scratch.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/log.h"

#define OPEN_FOLDERS 16 // more levels cost time, not success

mez_error mez_scratch_init(mez_scratch *scratch)
{
    const char *parent = getenv("TMPDIR");
    scratch->path = mez_print_string("%s/mez-build-XXXXXX", parent && *parent ? parent : "/tmp");
    if (!scratch->path)
        return mez_error_no_memory("a folder's name");
    if (mkdtemp(scratch->path))
        return mez_ok();
    const mez_error error =
        mez_error_make(MEZ_ERRC_FILE, "%s can't be made: %s", scratch->path, strerror(errno));
    mez_free_memory(scratch->path);
    scratch->path = NULL;
    return error;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about, (void)kind, (void)place;
    if (remove(path) != 0)
        mez_log(IMAGE, WARN, "%s can't be removed: %s", path, strerror(errno));
    return 0;
}

void mez_scratch_finish(mez_scratch *scratch)
{
    if (scratch->path && nftw(scratch->path, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS) != 0)
        mez_log(IMAGE, WARN, "%s can't be removed: %s", scratch->path, strerror(errno));
    mez_free_memory(scratch->path);
    scratch->path = NULL;
}
