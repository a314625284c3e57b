// SPDX-License-Identifier: MIT

#include "compile_output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "embed.h"
#include "same_file.h"

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

// --- Protection of files that are read

static bool is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

static mez_error check_source(const char *path, const char *what, const char *source)
{
    if (!path || is_standard(path) || is_standard(source) || !same_file(path, source))
        return mez_ok();
    return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
        "%s would overwrite the input %s: use another file for the %s", path, source, what);
}

mez_error compile_output_check(const struct compile_request *request, const char *path)
{
    MEZ_TRY(check_source(path, "output", request->input));
    MEZ_TRY(check_source(request->depfile, "list of files", request->input));
    if (!request->depfile || is_standard(path))
        return mez_ok();
    // Before anything is compiled: can a list have this output?
    MEZ_TRY(mez_compilation_get_rule(NULL, path, NULL, 0, NULL));
    if (!same_file(path, request->depfile))
        return mez_ok();
    return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
        "the output and --depfile=%s are the same file: use another file for one of them",
        request->depfile);
}

mez_error compile_output_check_files(
    const struct compile_request *request, const char *path, const mez_compilation *compilation)
{
    for (uint32_t i = 0; i < mez_compilation_get_file_count(compilation); i++) {
        const char *file = mez_compilation_get_file(compilation, i);
        MEZ_TRY(check_source(path, "output", file));
        MEZ_TRY(check_source(request->depfile, "list of files", file));
    }
    return mez_ok();
}

// --- What

// More characters than any compiler has to distinguish, and than a message should hold.
#define LONGEST_NAME 255

// For names that the user chose: one made from the output's name ends in _spv, and is like none of these.
static mez_error check_chosen(const char *name)
{
    const size_t length = strlen(name);
    if (length > LONGEST_NAME)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "--name has %zu characters, but at most %d are allowed: choose a shorter name", length,
            LONGEST_NAME);
    if (embed_is_known(name))
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "\"%s\" is defined by compilers or by headers of C: choose another --name", name);
    return mez_ok();
}

static mez_error embed(const struct compile_request *request, const char *name,
    const mez_compilation *compilation, mez_bytes *bytes)
{
    size_t size;
    const void *code = mez_compilation_get_code(compilation, &size);
    if (!embed_is_name(name))
        return mez_error_make(
            MEZ_ERRC_INVALID_PARAMETER, "\"%s\" is not a valid identifier in C", name);
    if (embed_is_word(name))
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "\"%s\" is a keyword of C or C++, so it can't be a name", name);
    if (request->name)
        MEZ_TRY(check_chosen(name));
    if (request->format == COMPILE_H)
        embed_header(code, size, name, request->input, bytes);
    else if (!embed_object(code, size, name, bytes))
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "mez cannot write object files for this machine: write a .h instead");
    return bytes->failed ? mez_error_no_memory("the output") : mez_ok();
}

static mez_error make_bytes(const struct compile_request *request, const char *path,
    const mez_compilation *compilation, mez_bytes *bytes)
{
    if (request->format != COMPILE_H && request->format != COMPILE_O) {
        size_t size;
        const void *code = mez_compilation_get_code(compilation, &size);
        mez_bytes_add(bytes, code, size);
        return bytes->failed ? mez_error_no_memory("the output") : mez_ok();
    }
    const char *from = strcmp(path, "-") == 0 ? request->input : path;
    char *name = request->name ? mez_copy_string(request->name) : embed_name(from, "spv");
    const mez_error error =
        name ? embed(request, name, compilation, bytes) : mez_error_no_memory("a name");
    mez_free_memory(name);
    return error;
}

// --- Writing

// Not through the stream, which would keep what it can't write and fail again at the end.
static mez_error write_standard(const mez_bytes *bytes)
{
    if (fflush(stdout) == 0 && mez_file_write_all(STDOUT_FILENO, bytes->data, bytes->size))
        return mez_ok();
    return mez_error_make(MEZ_ERRC_FILE, "standard output can't be written: %s", strerror(errno));
}

// Regular files appear once all of them are complete; other outputs, such as pipes, replace nothing.
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

static mez_error make_list(const mez_compilation *compilation, const char *target, mez_bytes *list)
{
    size_t length;
    MEZ_TRY(mez_compilation_get_rule(compilation, target, NULL, 0, &length));
    char *text = mez_alloc_array(length + 1, 1);
    if (!text)
        return mez_error_no_memory("a list of files");
    const mez_error error = mez_compilation_get_rule(compilation, target, text, length + 1, NULL);
    mez_bytes_add(list, text, length);
    mez_free_memory(text);
    if (mez_failed(error))
        return error;
    return list->failed ? mez_error_no_memory("a list of files") : mez_ok();
}

mez_error compile_output_write_list(
    const struct compile_request *request, const char *path, const mez_compilation *compilation)
{
    mez_bytes list = {0};
    mez_error error = mez_ok();
    if (request->depfile)
        error = make_list(compilation, path, &list);
    if (request->depfile && !mez_failed(error))
        error = mez_file_replace(request->depfile, list.data, list.size);
    mez_bytes_finish(&list);
    return error;
}

static mez_error write_files(const struct compile_request *request, const char *path,
    const mez_compilation *compilation, const mez_bytes *bytes)
{
    mez_bytes list = {0};
    mez_error error = mez_ok();
    if (request->depfile)
        error = make_list(compilation, path, &list);
    if (!mez_failed(error))
        error = write_both(path, bytes, request->depfile, &list);
    mez_bytes_finish(&list);
    return error;
}

mez_error compile_output_write(
    const struct compile_request *request, const char *path, const mez_compilation *compilation)
{
    mez_bytes bytes = {0};
    mez_error error = make_bytes(request, path, compilation, &bytes);
    if (!mez_failed(error))
        error = write_files(request, path, compilation, &bytes);
    mez_bytes_finish(&bytes);
    return error;
}
