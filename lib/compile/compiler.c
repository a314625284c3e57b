// SPDX-License-Identifier: MIT

#include "compile/compiler.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/environment.h"
#include "base/installed.h"
#include "base/text.h"
#include "child/child.h"

// Versions whose SPIR-V our drivers run, tried from the newest to the oldest.
enum { NEWEST_VERSION = 22, OLDEST_VERSION = 15 };

// Counts up when the same programs are called so that they may make something else.
#define RECIPE 4

// --- Programs

// A path that was found; longer ones can't be opened.
typedef struct program {
    char path[PATH_MAX];
} program;

static bool set_path(program *program, const char *format, ...) MEZ_PRINTF(2, 3);

static bool set_path(program *program, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(program->path, sizeof program->path, format, arguments);
    va_end(arguments);
    return length >= 0 && (size_t)length < sizeof program->path;
}

// FOLDER/NAME as an absolute path, where that is a program. Links are not resolved: clang goes by what it is called.
static bool find_in(const char *folder, size_t length, const char *name, program *found)
{
    char here[PATH_MAX];
    if (length > 0 && folder[0] == '/')
        return set_path(found, "%.*s/%s", (int)length, folder, name) && mez_is_program(found->path);
    if (!getcwd(here, sizeof here))
        return false;
    const char *between = length > 0 ? "/" : "";
    return set_path(found, "%s/%.*s%s%s", here, (int)length, folder, between, name) &&
           mez_is_program(found->path);
}

// Programs that stand under the names of compilers and look for these themselves, in the PATH of the moment: which one runs, and
// when it changes, can't be seen from them. Where the file is one, that which it is; else NULL.
static const char *wrapper_in(const char *path)
{
    static const char *const wrappers[] = {"ccache", "distcc", "icecc", "sccache"};
    char real[PATH_MAX];
    if (!realpath(path, real))
        return NULL;
    for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++)
        if (strcmp(strrchr(real, '/') + 1, wrappers[i]) == 0)
            return wrappers[i];
    return NULL;
}

static bool find_in_path(const char *name, program *found)
{
    const char *folders = mez_program_folders();
    while (mez_program_next_in_path(&folders, name, found->path))
        if (!wrapper_in(found->path))
            return true;
    return false;
}

static bool find_file(const char *path, program *found)
{
    return path[0] == '/' ? set_path(found, "%s", path) && mez_is_program(found->path)
                          : find_in("", 0, path, found);
}

// A wrapper leads to the program of its name that comes behind it in PATH, as it does by itself.
static bool find_program(const char *name, program *found)
{
    if (!*name)
        return false;
    if (!strchr(name, '/'))
        return find_in_path(name, found);
    return find_file(name, found) &&
           (!wrapper_in(found->path) || find_in_path(strrchr(name, '/') + 1, found));
}

static mez_error take(const program *found, char **path)
{
    *path = mez_copy_string(found->path);
    return *path ? mez_ok() : mez_error_no_memory("a compiler's path");
}

// --- Pairs

typedef struct pair {
    program clang, llvm_spirv;
} pair;

static bool find_pair(const char *clang, const char *llvm_spirv, pair *found)
{
    return find_program(clang, &found->clang) && find_program(llvm_spirv, &found->llvm_spirv);
}

static bool find_version(int version, pair *found)
{
    char clang[32], llvm_spirv[32];
    snprintf(clang, sizeof clang, "clang-%d", version);
    snprintf(llvm_spirv, sizeof llvm_spirv, "llvm-spirv-%d", version);
    return find_pair(clang, llvm_spirv, found);
}

static bool search(pair *found)
{
    const mez_build_time_compiler built = mez_compiler_of_build_time();
    if (find_pair(built.clang, built.llvm_spirv, found))
        return true;
    for (int version = NEWEST_VERSION; version >= OLDEST_VERSION; version--)
        if (find_version(version, found))
            return true;
    return find_pair("clang", "llvm-spirv", found);
}

// --- What the user says

// What is behind `name` in the last part of the path, as "-19"; NULL: it is called otherwise.
static const char *suffix_of(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    const char *last = slash ? slash + 1 : path;
    return strncmp(last, name, strlen(name)) == 0 ? last + strlen(name) : NULL;
}

// The version in the path of a program, as /usr/bin/clang-19 or /usr/lib/llvm-19/bin/clang; 0: none.
static int version_of(const char *path, const char *name)
{
    static const char folder[] = "/llvm-";
    const char *suffix = suffix_of(path, name);
    int version = 0;
    if (suffix && sscanf(suffix, "-%d", &version) == 1)
        return version;
    const char *found = strstr(path, folder);
    return found && sscanf(found + strlen(folder), "%d", &version) == 1 ? version : 0;
}

static bool find_beside(const char *path, const char *name, program *found)
{
    return find_in(path, (size_t)(strrchr(path, '/') - path), name, found);
}

// Beside the program, else in PATH.
static bool find_near(const char *path, const char *name, program *found)
{
    return find_beside(path, name, found) || find_program(name, found);
}

// One half of the compiler that is taken where the user says nothing.
static bool find_usual(const char *name, program *found)
{
    pair usual;
    if (!search(&usual))
        return false;
    *found = strcmp(name, "clang") == 0 ? usual.clang : usual.llvm_spirv;
    return true;
}

// The program of the same version. A path that shows none, as that of a wrapper, goes with the usual compiler.
static bool find_partner(const char *path, const char *name, const char *partner, program *found)
{
    char real[PATH_MAX], versioned[32];
    if (!realpath(path, real))
        return false;
    const int version = version_of(path, name) ? version_of(path, name) : version_of(real, name);
    snprintf(versioned, sizeof versioned, "%s-%d", partner, version);
    return (version > 0 && find_near(path, versioned, found)) ||
           find_beside(real, partner, found) ||
           (version > 0 ? find_near(path, partner, found) : find_usual(partner, found));
}

static mez_error take_choice(const char *name, const char *from, char **path)
{
    program found;
    if (!name)
        return mez_ok();
    if (find_program(name, &found))
        return take(&found, path);
    if (strchr(name, '/') && find_file(name, &found))
        return mez_error_make(MEZ_ERRC_FILE,
            "%s%s leads to %s, and PATH has no other program of that name", from, name,
            wrapper_in(found.path));
    return mez_error_make(
        MEZ_ERRC_FILE, "%s%s is not a program%s", from, name, strchr(name, '/') ? "" : " in PATH");
}

static mez_error no_partner(const char *path, const char *name, const char *partner)
{
    char real[PATH_MAX];
    int version = version_of(path, name);
    if (version == 0 && realpath(path, real))
        version = version_of(real, name);
    if (version > 0 && (version < OLDEST_VERSION || version > NEWEST_VERSION))
        return mez_error_make(MEZ_ERRC_FILE, "%s is %s %d; versions %d to %d are needed", path,
            name, version, OLDEST_VERSION, NEWEST_VERSION);
    return mez_error_make(MEZ_ERRC_FILE, "no %s was found for %s", partner, path);
}

static mez_error not_found(const mez_compiler *compiler)
{
    const mez_error error =
        compiler->clang ? no_partner(compiler->clang, "clang", "llvm-spirv")
        : compiler->llvm_spirv
            ? no_partner(compiler->llvm_spirv, "llvm-spirv", "clang")
            : mez_error_make(MEZ_ERRC_FILE, "no compiler for OpenCL C was found");
    return mez_error_add(error, "advice",
        "install clang and llvm-spirv of one version from %d to %d (Debian 12: clang-15 and "
        "llvm-spirv-15; Debian 13 and Ubuntu: clang-19 and llvm-spirv-19; Fedora: clang and "
        "spirv-llvm-translator), or set MEZ_CLANG and MEZ_LLVM_SPIRV to them",
        OLDEST_VERSION, NEWEST_VERSION);
}

static mez_error complete(mez_compiler *compiler)
{
    pair found;
    if (compiler->clang && compiler->llvm_spirv)
        return mez_ok();
    if (compiler->clang)
        return find_partner(compiler->clang, "clang", "llvm-spirv", &found.llvm_spirv)
                   ? take(&found.llvm_spirv, &compiler->llvm_spirv)
                   : not_found(compiler);
    if (compiler->llvm_spirv)
        return find_partner(compiler->llvm_spirv, "llvm-spirv", "clang", &found.clang)
                   ? take(&found.clang, &compiler->clang)
                   : not_found(compiler);
    if (!search(&found))
        return not_found(compiler);
    MEZ_TRY(take(&found.clang, &compiler->clang));
    return take(&found.llvm_spirv, &compiler->llvm_spirv);
}

static mez_error choose(const mez_compiler_choice *choice, mez_compiler *compiler)
{
    const char *clang = choice ? choice->clang : NULL;
    const char *llvm_spirv = choice ? choice->llvm_spirv : NULL;
    if (!clang && !llvm_spirv) {
        MEZ_TRY(take_choice(mez_setting(MEZ_VARIABLE_CLANG), "MEZ_CLANG: ", &compiler->clang));
        MEZ_TRY(take_choice(
            mez_setting(MEZ_VARIABLE_LLVM_SPIRV), "MEZ_LLVM_SPIRV: ", &compiler->llvm_spirv));
    }
    MEZ_TRY(take_choice(clang, "", &compiler->clang));
    MEZ_TRY(take_choice(llvm_spirv, "", &compiler->llvm_spirv));
    return complete(compiler);
}

// --- Which they are

// Links lead to the file that is replaced when another compiler is installed.
typedef struct description {
    char real[PATH_MAX];
    struct stat about;
} description;

static void describe(const char *path, description *description)
{
    if (!realpath(path, description->real) || stat(path, &description->about) != 0)
        *description = (struct description){0};
}

#define DESCRIPTION "%s = %s, %lld bytes of %lld.%09ld\n"
#define DESCRIBED(path, description)                                  \
    path, (description).real, (long long)(description).about.st_size, \
        (long long)(description).about.st_mtim.tv_sec, (description).about.st_mtim.tv_nsec

// Whole or not at all: what is left of it without memory would be another compiler's, too.
static mez_error identify(mez_compiler *compiler)
{
    description clang, llvm_spirv;
    describe(compiler->clang, &clang);
    describe(compiler->llvm_spirv, &llvm_spirv);
    compiler->identity = mez_print_string("recipe %d\n" DESCRIPTION DESCRIPTION, RECIPE,
        DESCRIBED(compiler->clang, clang), DESCRIBED(compiler->llvm_spirv, llvm_spirv));
    return compiler->identity ? mez_ok() : mez_error_no_memory("a compiler's name");
}

// It need not be there.
static mez_error find_validator(mez_compiler *compiler)
{
    program found;
    return find_program("spirv-val", &found) ? take(&found, &compiler->spirv_val) : mez_ok();
}

mez_error mez_compiler_find(const mez_compiler_choice *choice, mez_compiler *compiler)
{
    *compiler = (mez_compiler){0};
    mez_error error = choose(choice, compiler);
    if (!mez_failed(error))
        error = find_validator(compiler);
    if (!mez_failed(error))
        error = identify(compiler);
    if (mez_failed(error))
        mez_compiler_finish(compiler);
    return error;
}

void mez_compiler_finish(mez_compiler *compiler)
{
    mez_free_memory(compiler->clang);
    mez_free_memory(compiler->llvm_spirv);
    mez_free_memory(compiler->spirv_val);
    mez_free_memory(compiler->identity);
    *compiler = (mez_compiler){0};
}

// --- Headers

// From the folder of this library, and from that of a program that it is part of: where they are built, and where they are
// installed.
static const char *const built[] = {"../devicelib", "../../devicelib"};
static const char *const installed[] = {MEZ_DEVICELIB_FROM_LIBRARY, MEZ_DEVICELIB_FROM_PROGRAM};

#define A_HEADER "mezzanine/assert.h"

static bool has_header(const char *folder)
{
    char header[PATH_MAX];
    return (size_t)snprintf(header, sizeof header, "%s/" A_HEADER, folder) < sizeof header &&
           access(header, R_OK) == 0;
}

bool mez_kernel_headers_find(char *folder, size_t size)
{
    for (size_t i = 0; i < sizeof built / sizeof *built; i++)
        if (mez_path_in_build_tree(built[i], folder, size) && has_header(folder))
            return true;
    for (size_t i = 0; i < sizeof installed / sizeof *installed; i++)
        if (mez_path_beside(installed[i], folder, size) && has_header(folder))
            return true;
    return false;
}
