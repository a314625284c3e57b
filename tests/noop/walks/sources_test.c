// SPDX-License-Identifier: MIT
//
// A walk over the error paths of images from source: a file that includes others, and a text, compiled or found where they were
// compiled before. The compiler is one that takes no time: it writes what its callers look for.

#include "walk.h"

#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text.h"

static char folder[64];  // of the cache, the compiler and the source
static bool starts_warm; // it was compiled before

// --- The compiler

static void write_file(const char *name, const char *content, mode_t mode)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(content, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, mode), 0);
}

static void write_program(const char *name, const char *cases)
{
    char *script = mez_print_string(
        "#!/bin/sh\nwhile [ $# -gt 0 ]; do\ncase $1 in\n%s\nesac\nshift\ndone\n", cases);
    assert_non_null(script);
    write_file(name, script, 0700);
    mez_free_memory(script);
}

static void choose(const char *variable, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    setenv(variable, path, 1);
}

static void write_compiler(void)
{
    char *clang = mez_print_string("-o) : > $2;;\n"
                                   "-MF) echo source: %s/k.cl %s/include/k.h > $2;;",
        folder, folder);
    char *llvm_spirv = mez_print_string("-o) cp %s $2;;", file_of("kernels.spv"));
    assert_non_null(clang);
    assert_non_null(llvm_spirv);
    write_program("clang", clang);
    write_program("llvm-spirv", llvm_spirv);
    mez_free_memory(clang);
    mez_free_memory(llvm_spirv);
    choose("MEZ_CLANG", "clang");
    choose("MEZ_LLVM_SPIRV", "llvm-spirv");
}

static int make_folder(void **state)
{
    (void)state;
    char include[128];
    strcpy(folder, "/tmp/mez-sources-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(include, sizeof include, "%s/include", folder);
    assert_int_equal(mkdir(include, 0700), 0);
    write_file("k.cl", "#include <k.h>\n", 0600);
    write_file("include/k.h", "kernel void nothing(void) {}\n", 0600);
    write_compiler();
    choose("MEZ_CACHE", "cache");
    usleep(20000); // what was written just now is not kept
    return 0;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about, (void)kind, (void)place;
    return remove(path);
}

static int remove_folder(void **state)
{
    (void)state;
    unsetenv("MEZ_CLANG");
    unsetenv("MEZ_LLVM_SPIRV");
    unsetenv("MEZ_CACHE");
    return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

// --- The program

static void prepare(void)
{
    char cache[128];
    snprintf(cache, sizeof cache, "%s/cache", folder);
    if (!starts_warm)
        nftw(cache, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void create(mez_context *context, const mez_image_params *params)
{
    mez_image *image;
    if (walk_went_well(mez_image_create(context, params, &image)))
        assert_true(mez_image_get_kernel_count(image) > 0);
    mez_image_destroy(&image);
}

static void play(void)
{
    mez_context *context;
    char path[128], options[160];
    snprintf(path, sizeof path, "%s/k.cl", folder);
    snprintf(options, sizeof options, "-I/nowhere -I%s/include -DA", folder);
    if (!walk_went_well(mez_context_create(NULL, &context)))
        return;
    create(context, &(const mez_image_params){.path = path, .compile_options = options});
    create(context, &(const mez_image_params){.source = "kernel void nothing(void) {}"});
    mez_context_destroy(&context);
}

static const walk the_walk = {.prepare = prepare,
    .play = play,
    .allocations_unheard = 48}; // what is not kept, or not found, for lack of memory

static void test_sources_that_are_compiled(void **state)
{
    (void)state;
    starts_warm = false;
    walk_clean(&the_walk);
    assert_true(walk_allocations(&the_walk) > 100);
}

static void test_sources_that_were_compiled_before(void **state)
{
    (void)state;
    starts_warm = false;
    walk_clean(&the_walk);
    starts_warm = true;
    walk_clean(&the_walk);
    assert_true(walk_allocations(&the_walk) > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_sources_that_are_compiled, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(
            test_sources_that_were_compiled_before, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
