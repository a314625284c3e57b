// SPDX-License-Identifier: MIT
//
// Which compiler is found where: programs of the test's own, in a folder that PATH names.

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child/folder.h"
#include "compile/compiler.h"

// In the place of the library's.
static mez_build_time_compiler built;

mez_build_time_compiler mez_compiler_of_build_time(void)
{
    return built;
}

// cmocka's; *state is a folder in which nothing is, and PATH names nothing else.
static int begin(void **state)
{
    unsetenv("MEZ_CLANG");
    unsetenv("MEZ_LLVM_SPIRV");
    built = (mez_build_time_compiler){.clang = "", .llvm_spirv = ""};
    return make_folder(state) == 0 ? setenv("PATH", *state, 1) : -1;
}

static void add(const char *folder, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "we");
    assert_non_null(stream);
    fputs("#!/bin/sh\n", stream);
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(chmod(path, 0755), 0);
}

static void expect(const char *folder, const mez_compiler_choice *choice, const char *clang,
    const char *llvm_spirv)
{
    char path[256];
    mez_compiler compiler;
    assert_ok(mez_compiler_find(choice, &compiler));
    snprintf(path, sizeof path, "%s/%s", folder, clang);
    assert_string_equal(compiler.clang, path);
    snprintf(path, sizeof path, "%s/%s", folder, llvm_spirv);
    assert_string_equal(compiler.llvm_spirv, path);
    assert_contains(compiler.identity, compiler.clang);
    mez_compiler_finish(&compiler);
}

static void the_newest_whole_pair_is_taken(void **state)
{
    add(*state, "clang");
    add(*state, "llvm-spirv");
    expect(*state, NULL, "clang", "llvm-spirv");
    add(*state, "clang-22"); // whose llvm-spirv is not there
    add(*state, "clang-16");
    add(*state, "llvm-spirv-16");
    expect(*state, NULL, "clang-16", "llvm-spirv-16");
    add(*state, "clang-19");
    add(*state, "llvm-spirv-19");
    expect(*state, NULL, "clang-19", "llvm-spirv-19");
}

static void that_of_the_build_comes_first_while_it_is_there(void **state)
{
    char clang[256], llvm_spirv[256];
    snprintf(clang, sizeof clang, "%s/clang-15", (char *)*state);
    snprintf(llvm_spirv, sizeof llvm_spirv, "%s/llvm-spirv-15", (char *)*state);
    built = (mez_build_time_compiler){.clang = clang, .llvm_spirv = llvm_spirv};
    add(*state, "clang-15");
    add(*state, "clang-19");
    add(*state, "llvm-spirv-19");
    expect(*state, NULL, "clang-19", "llvm-spirv-19");
    add(*state, "llvm-spirv-15");
    expect(*state, NULL, "clang-15", "llvm-spirv-15");
}

static void no_compiler_is_an_error_that_says_what_to_install(void **state)
{
    (void)state;
    mez_compiler compiler;
    const mez_error error = mez_compiler_find(NULL, &compiler);
    assert_story(error, MEZ_ERRC_FILE, "no compiler for OpenCL C was found");
    assert_story(error, MEZ_ERRC_FILE, "advice: install clang and llvm-spirv");
    assert_null(compiler.clang);
}

static void what_the_user_names_is_taken_with_its_partner(void **state)
{
    add(*state, "clang-15");
    add(*state, "llvm-spirv-15");
    add(*state, "clang-19");
    add(*state, "llvm-spirv-19");
    expect(*state, &(mez_compiler_choice){.clang = "clang-15"}, "clang-15", "llvm-spirv-15");
    expect(
        *state, &(mez_compiler_choice){.llvm_spirv = "llvm-spirv-15"}, "clang-15", "llvm-spirv-15");
    expect(*state, &(mez_compiler_choice){.clang = "clang-15", .llvm_spirv = "llvm-spirv-19"},
        "clang-15", "llvm-spirv-19");
    setenv("MEZ_CLANG", "clang-15", 1);
    expect(*state, NULL, "clang-15", "llvm-spirv-15");
    expect(*state, &(mez_compiler_choice){.clang = "clang-19"}, "clang-19", "llvm-spirv-19");
    unsetenv("MEZ_CLANG");
}

static void a_plain_name_leads_to_its_version(void **state)
{
    char path[256];
    add(*state, "clang-19");
    add(*state, "llvm-spirv");
    add(*state, "llvm-spirv-19");
    snprintf(path, sizeof path, "%s/clang", (char *)*state);
    assert_int_equal(symlink("clang-19", path), 0);
    expect(*state, &(mez_compiler_choice){.clang = "clang"}, "clang", "llvm-spirv-19");
}

// As those of ccache's folder, in which nothing is a compiler.
static void add_wrapped(const char *folder, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/wrappers", folder);
    mkdir(path, 0700);
    add(folder, "wrappers/ccache");
    snprintf(path, sizeof path, "%s/wrappers/%s", folder, name);
    assert_int_equal(symlink("ccache", path), 0);
}

static void what_hides_a_compiler_is_passed_over(void **state)
{
    char path[512], wrapper[256], target[256];
    mez_compiler compiler;
    add_wrapped(*state, "clang-19");
    add_wrapped(*state, "clang-15");
    add(*state, "llvm-spirv-19");
    add(*state, "llvm-spirv-15");
    add(*state, "clang-19");
    snprintf(path, sizeof path, "%s/wrappers:%s", (char *)*state, (char *)*state);
    setenv("PATH", path, 1);
    expect(*state, NULL, "clang-19", "llvm-spirv-19");
    expect(*state, &(mez_compiler_choice){.clang = "clang-19"}, "clang-19", "llvm-spirv-19");
    snprintf(wrapper, sizeof wrapper, "%s/wrappers/clang-19", (char *)*state);
    expect(*state, &(mez_compiler_choice){.clang = wrapper}, "clang-19", "llvm-spirv-19");
    snprintf(target, sizeof target, "%s/mine", (char *)*state);
    assert_int_equal(symlink(wrapper, target), 0);
    assert_story(mez_compiler_find(&(mez_compiler_choice){.clang = target}, &compiler),
        MEZ_ERRC_FILE, "leads to ccache, and PATH has no other program of that name");
    assert_story(mez_compiler_find(&(mez_compiler_choice){.clang = "clang-15"}, &compiler),
        MEZ_ERRC_FILE, "clang-15 is not a program in PATH");
    built = (mez_build_time_compiler){.clang = wrapper, .llvm_spirv = "llvm-spirv-19"};
    expect(*state, NULL, "clang-19", "llvm-spirv-19");
}

static void a_version_that_is_too_old_is_named(void **state)
{
    mez_compiler compiler;
    add(*state, "clang-14");
    assert_story(mez_compiler_find(&(mez_compiler_choice){.clang = "clang-14"}, &compiler),
        MEZ_ERRC_FILE, "clang-14 is clang 14; versions 15 to 22 are needed");
    add(*state, "llvm-spirv-23");
    assert_story(
        mez_compiler_find(&(mez_compiler_choice){.llvm_spirv = "llvm-spirv-23"}, &compiler),
        MEZ_ERRC_FILE, "llvm-spirv-23 is llvm-spirv 23; versions 15 to 22 are needed");
}

static void what_is_no_program_is_named(void **state)
{
    mez_compiler compiler;
    add(*state, "clang-15");
    assert_story(mez_compiler_find(&(mez_compiler_choice){.clang = "/no/where/clang"}, &compiler),
        MEZ_ERRC_FILE, "/no/where/clang is not a program");
    assert_story(mez_compiler_find(&(mez_compiler_choice){.clang = *state}, &compiler),
        MEZ_ERRC_FILE, "is not a program");
    assert_story(mez_compiler_find(&(mez_compiler_choice){.clang = "clang-15"}, &compiler),
        MEZ_ERRC_FILE, "no llvm-spirv was found for");
    setenv("MEZ_LLVM_SPIRV", "nothing", 1);
    assert_story(mez_compiler_find(NULL, &compiler), MEZ_ERRC_FILE,
        "MEZ_LLVM_SPIRV: nothing is not a program in PATH");
    unsetenv("MEZ_LLVM_SPIRV");
}

#define FOLDER_TEST(name) cmocka_unit_test_setup_teardown(name, begin, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(the_newest_whole_pair_is_taken),
        FOLDER_TEST(that_of_the_build_comes_first_while_it_is_there),
        FOLDER_TEST(no_compiler_is_an_error_that_says_what_to_install),
        FOLDER_TEST(what_the_user_names_is_taken_with_its_partner),
        FOLDER_TEST(a_plain_name_leads_to_its_version),
        FOLDER_TEST(what_hides_a_compiler_is_passed_over),
        FOLDER_TEST(a_version_that_is_too_old_is_named),
        FOLDER_TEST(what_is_no_program_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
