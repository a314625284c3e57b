// SPDX-License-Identifier: MIT

#include "child/scratch.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/log.h"

#define OPEN_FOLDERS 16 // more levels cost time, not success

#define USUAL "/tmp"

// A path that is not absolute might be an option for the programs that get it.
static mez_error find_parent(const char *wanted, char **parent)
{
    const bool relative = wanted && *wanted && *wanted != '/';
    char *here = relative ? getcwd(NULL, 0) : NULL;
    if (relative && !here)
        return mez_error_make(
            MEZ_ERRC_FILE, "the path of TMPDIR can't be determined: %s", strerror(errno));
    *parent = relative ? mez_print_string("%s/%s", here, wanted)
                       : mez_copy_string(wanted && *wanted ? wanted : USUAL);
    free(here);
    return *parent ? mez_ok() : mez_error_no_memory("a folder's name");
}

// Compilers' options end a name at a '=', their lists at blanks, and their output has signs before some characters.
static bool can_be_given(const char *path)
{
    return !strpbrk(path, "=\n\r\t\"\\");
}

static mez_error choose_path(mez_scratch *scratch)
{
    char *parent;
    MEZ_TRY(find_parent(secure_getenv("TMPDIR"), &parent));
    const bool good = can_be_given(parent);
    if (!good)
        mez_log(IMAGE, INFO,
            "compilers can't use %s, the value of TMPDIR: " USUAL " is used instead", parent);
    scratch->path = mez_print_string("%s/mezzanine-XXXXXX", good ? parent : USUAL);
    mez_free_memory(parent);
    return scratch->path ? mez_ok() : mez_error_no_memory("a folder's name");
}

mez_error mez_scratch_init(mez_scratch *scratch)
{
    scratch->path = NULL;
    MEZ_TRY(choose_path(scratch));
    if (mkdtemp(scratch->path))
        return mez_ok();
    mez_error error = mez_error_make(
        MEZ_ERRC_FILE, "the folder %s can't be created: %s", scratch->path, strerror(errno));
    error = mez_error_add(error, "advice", "TMPDIR sets the folder for temporary files");
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
