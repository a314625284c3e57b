// SPDX-License-Identifier: MIT

#include "same_file.h"

#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/text.h"

static const char *name_in(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool are_same(const struct stat *one, const struct stat *other)
{
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

static bool stat_folder(const char *path, struct stat *about)
{
    char *folder =
        mez_print_string("%.*s.", (int)(name_in(path) - path), path); // "a/." of "a/b", "." of "b"
    const bool good = folder && stat(folder, about) == 0;
    mez_free_memory(folder);
    return good;
}

bool same_file(const char *one, const char *other)
{
    struct stat a, b;
    const bool has_a = stat(one, &a) == 0, has_b = stat(other, &b) == 0;
    if (has_a || has_b)
        return has_a && has_b && S_ISREG(a.st_mode) && are_same(&a, &b);
    return strcmp(name_in(one), name_in(other)) == 0 && stat_folder(one, &a) &&
           stat_folder(other, &b) && are_same(&a, &b);
}
