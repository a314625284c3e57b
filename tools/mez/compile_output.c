// SPDX-License-Identifier: MIT

#include "compile_output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "compile/depfile.h"
#include "embed.h"

// --- Where

static const char *const endings[] = {
    [COMPILE_SPV] = "spv",
    [COMPILE_BC] = "bc",
    [COMPILE_H] = "h",
    [COMPILE_O] = "o",
};

char *compile_output_path(const struct compile_request *request)
{
    static const char source[] = ".cl";
    if (request->output)
        return mez_copy_string(request->output);
    const size_t length = strlen(request->input), end = strlen(source);
    const bool has_ending = length > end && strcmp(request->input + length - end, source) == 0;
    return mez_print_string("%.*s.%s", (int)(has_ending ? length - end : length), request->input,
        endings[request->format]);
}

// --- Against loss

static bool is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

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

// One plain file, by whatever names and links, or one to be where there is none yet.
static bool are_one_file(const char *one, const char *other)
{
    struct stat a, b;
    const bool has_a = stat(one, &a) == 0, has_b = stat(other, &b) == 0;
    if (has_a || has_b)
        return has_a && has_b && S_ISREG(a.st_mode) && are_same(&a, &b);
    return strcmp(name_in(one), name_in(other)) == 0 && stat_folder(one, &a) &&
           stat_folder(other, &b) && are_same(&a, &b);
}

static mez_error check_source(const char *path, const char *what, const char *source)
{
    if (!path || is_standard(path) || is_standard(source) || !are_one_file(path, source))
        return mez_ok();
    return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
        "%s would be written over %s, which is read: name another file for the %s", path, source,
        what);
}

// Before anything is compiled: can a list have this output?
static mez_error check_target(const char *path)
{
    static const mez_words none;
    mez_bytes list = {0};
    const mez_error error = mez_depfile_write(path, NULL, &none, &list);
    mez_bytes_finish(&list);
    return error;
}

mez_error compile_output_check(const struct compile_request *request, const char *path)
{
    MEZ_TRY(check_source(path, "output", request->input));
    MEZ_TRY(check_source(request->depfile, "list of files", request->input));
    if (!request->depfile || is_standard(path))
        return mez_ok();
    MEZ_TRY(check_target(path));
    if (!are_one_file(path, request->depfile))
        return mez_ok();
    return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
        "the output and --depfile=%s are one file: name another for one of them", request->depfile);
}

mez_error compile_output_check_files(
    const struct compile_request *request, const char *path, const mez_compiled *compiled)
{
    for (size_t i = 0; i < compiled->files.count; i++) {
        MEZ_TRY(check_source(path, "output", compiled->files.items[i]));
        MEZ_TRY(check_source(request->depfile, "list of files", compiled->files.items[i]));
    }
    return mez_ok();
}

// --- What

// More characters than any compiler has to distinguish, and than a message should hold.
#define LONGEST_NAME 255

// What the user thought of; a name from the output's ends in _spv, and is like none of these.
static mez_error check_chosen(const char *name)
{
    const size_t length = strlen(name);
    if (length > LONGEST_NAME)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "--name has %zu characters, and %d are the most: choose a shorter one", length,
            LONGEST_NAME);
    if (embed_is_known(name))
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "\"%s\" is a name that compilers or headers of C have: choose another for --name",
            name);
    return mez_ok();
}

static mez_error embed(const struct compile_request *request, const char *name,
    const mez_compiled *compiled, mez_bytes *bytes)
{
    if (!embed_is_name(name))
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "\"%s\" is no name in C", name);
    if (embed_is_word(name))
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "\"%s\" is a word of C or C++: nothing can be called so", name);
    if (request->name)
        MEZ_TRY(check_chosen(name));
    if (request->format == COMPILE_H)
        embed_header(compiled->code, compiled->size, name, request->input, bytes);
    else if (!embed_object(compiled->code, compiled->size, name, bytes))
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "objects are not written for this machine: use a .h instead");
    return bytes->failed ? mez_error_no_memory("the output") : mez_ok();
}

static mez_error make_bytes(const struct compile_request *request, const char *path,
    const mez_compiled *compiled, mez_bytes *bytes)
{
    if (request->format != COMPILE_H && request->format != COMPILE_O) {
        mez_bytes_add(bytes, compiled->code, compiled->size);
        return bytes->failed ? mez_error_no_memory("the output") : mez_ok();
    }
    const char *from = strcmp(path, "-") == 0 ? request->input : path;
    char *name = request->name ? mez_copy_string(request->name) : embed_name(from, "spv");
    const mez_error error =
        name ? embed(request, name, compiled, bytes) : mez_error_no_memory("a name");
    mez_free_memory(name);
    return error;
}

// --- Writing

// Past the stream, which would keep what it can't write, and fail with it once more at the end.
static mez_error write_standard(const mez_bytes *bytes)
{
    if (fflush(stdout) == 0 && mez_file_write_all(STDOUT_FILENO, bytes->data, bytes->size))
        return mez_ok();
    return mez_error_make(MEZ_ERRC_FILE, "standard output can't be written: %s", strerror(errno));
}

// A plain file appears when all are whole; the rest has no place to take.
static mez_error prepare(const char *path, const mez_bytes *bytes)
{
    return mez_file_is_special(path) ? mez_ok()
                                     : mez_file_write_aside(path, bytes->data, bytes->size);
}

static mez_error put(const char *path, const mez_bytes *bytes)
{
    return mez_file_is_special(path) ? mez_file_write_special(path, bytes->data, bytes->size)
                                     : mez_file_take_place(path);
}

static mez_error write_both(
    const char *path, const mez_bytes *bytes, const char *list_path, const mez_bytes *list)
{
    const bool standard = is_standard(path);
    mez_error error = standard ? mez_ok() : prepare(path, bytes);
    if (!mez_failed(error) && list_path)
        error = prepare(list_path, list);
    if (!mez_failed(error) && list_path)
        error = put(list_path, list);
    if (!mez_failed(error))
        error = standard ? write_standard(bytes) : put(path, bytes);
    if (mez_failed(error)) {
        if (!standard)
            mez_file_drop_aside(path);
        if (list_path)
            mez_file_drop_aside(list_path);
    }
    return error;
}

mez_error compile_output_write_list(
    const struct compile_request *request, const char *path, const mez_compiled *compiled)
{
    mez_bytes list = {0};
    mez_error error = mez_ok();
    if (request->depfile)
        error = mez_depfile_write(path, request->input, &compiled->files, &list);
    if (request->depfile && !mez_failed(error))
        error = mez_file_replace(request->depfile, list.data, list.size);
    mez_bytes_finish(&list);
    return error;
}

static mez_error write_files(const struct compile_request *request, const char *path,
    const mez_compiled *compiled, const mez_bytes *bytes)
{
    mez_bytes list = {0};
    mez_error error = mez_ok();
    if (request->depfile)
        error = mez_depfile_write(path, request->input, &compiled->files, &list);
    if (!mez_failed(error))
        error = write_both(path, bytes, request->depfile, &list);
    mez_bytes_finish(&list);
    return error;
}

mez_error compile_output_write(
    const struct compile_request *request, const char *path, const mez_compiled *compiled)
{
    mez_bytes bytes = {0};
    mez_error error = make_bytes(request, path, compiled, &bytes);
    if (!mez_failed(error))
        error = write_files(request, path, compiled, &bytes);
    mez_bytes_finish(&bytes);
    return error;
}
