// SPDX-License-Identifier: MIT

#include "fixture.h"

#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"

#define COUNTS "starts"

// More than a tick of the clock that files get their times of.
static void let_files_grow_old(void)
{
    const struct timespec pause = {.tv_nsec = 20000000};
    nanosleep(&pause, NULL);
}

void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    let_files_grow_old();
}

// A program that writes a line before it becomes the real one.
static void write_counting(const fixture *f, const char *name, const char *program)
{
    char *script = mez_print_string(
        "#!/bin/sh\necho %s >> %s/" COUNTS "\nexec %s \"$@\"\n", name, f->folder, program);
    assert_non_null(script);
    write_text(name, script);
    assert_int_equal(chmod(name, 0700), 0);
    mez_free_memory(script);
}

static void choose(const fixture *f, const char *variable, const char *name)
{
    char path[96];
    snprintf(path, sizeof path, "%s/%s", f->folder, name);
    setenv(variable, path, 1);
}

int fixture_setup(void **state)
{
    fixture *f = mez_new(fixture);
    mez_compiler compiler;
    char cache[96];
    assert_non_null(f);
    *state = f;
    strcpy(f->folder, "/tmp/mez-source-XXXXXX");
    if (!mkdtemp(f->folder) || chdir(f->folder) != 0)
        return -1;
    assert_ok(mez_compiler_find(NULL, &compiler));
    write_counting(f, "clang", compiler.clang);
    write_counting(f, "llvm-spirv", compiler.llvm_spirv);
    mez_compiler_finish(&compiler);
    choose(f, "MEZ_CLANG", "clang");
    choose(f, "MEZ_LLVM_SPIRV", "llvm-spirv");
    snprintf(cache, sizeof cache, "%s/cache", f->folder);
    assert_ok(mez_cache_open(&(mez_cache_params){.folder = cache}, &f->cache));
    return 0;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about, (void)kind, (void)where;
    return remove(path);
}

int fixture_teardown(void **state)
{
    fixture *f = *state;
    unsetenv("MEZ_CLANG");
    unsetenv("MEZ_LLVM_SPIRV");
    mez_cache_close(&f->cache);
    const bool removed =
        chdir("/") == 0 && nftw(f->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS) == 0;
    mez_free_memory(f);
    return removed ? 0 : -1;
}

unsigned starts(const fixture *f)
{
    unsigned count = 0;
    char path[96], line[32];
    snprintf(path, sizeof path, "%s/" COUNTS, f->folder);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    while (fgets(line, sizeof line, file))
        count += strcmp(line, "clang\n") == 0;
    fclose(file);
    unlink(path);
    return count;
}
