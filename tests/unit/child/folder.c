// SPDX-License-Identifier: MIT

#include "folder.h"

#include <dirent.h>
#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int make_folder(void **state)
{
    char path[] = "/tmp/mez-test-XXXXXX";
    if (!mkdtemp(path))
        return -1;
    *state = strdup(path);
    return *state ? setenv("TMPDIR", *state, 1) : -1;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about, (void)kind, (void)place;
    return remove(path);
}

int remove_folder(void **state)
{
    nftw(*state, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    free(*state);
    return unsetenv("TMPDIR");
}

unsigned count_files(const char *folder)
{
    unsigned count = 0;
    DIR *open = opendir(folder);
    assert_non_null(open);
    for (const struct dirent *entry; (entry = readdir(open));)
        count += entry->d_name[0] != '.';
    closedir(open);
    return count;
}

char *make_program(const char *folder, const char *script)
{
    char *path;
    assert_true(asprintf(&path, "%s/program", folder) > 0);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\n%s\n", script);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0700), 0);
    return path;
}
