// SPDX-License-Identifier: MIT

#include "source/key.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <mezzanine/version.h>

#include "base/alloc.h"
#include "base/file.h"
#include "cache/sha256.h"

// --- Before anything is read

// Variables by which clang takes more folders and options.
static const char *const clang_variables[] = {
    "CPATH", "C_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS", "COMPILER_PATH", "CLANG_NO_DEFAULT_CONFIG"};

#define VARIABLES (sizeof clang_variables / sizeof *clang_variables)

static mez_cache_part part_of(const char *string)
{
    return (mez_cache_part){string, string ? strlen(string) : 0};
}

static bool has_debug_option(const mez_words *options)
{
    for (size_t i = 0; i < options->count; i++)
        if (strncmp(options->items[i], "-g", 2) == 0)
            return true;
    return false;
}

// Debug information names it, and names of files may begin there.
static bool needs_folder(const mez_source *source, const mez_source_folders *folders)
{
    return folders->relative || (source->path && source->path[0] != '/') ||
           (source->options && has_debug_option(source->options));
}

static void add_options(const mez_words *options, mez_cache_part *parts, size_t *count)
{
    for (size_t i = 0; options && i < options->count; i++)
        parts[(*count)++] = part_of(options->items[i]);
}

static void add_variables(mez_cache_part *parts, size_t *count)
{
    for (size_t i = 0; i < VARIABLES; i++) {
        const char *value = getenv(clang_variables[i]);
        parts[(*count)++] = part_of(value ? clang_variables[i] : "");
        parts[(*count)++] = part_of(value);
    }
}

#define OTHER_PARTS 6

static bool make_list_key(
    const mez_source *source, const mez_compiler *compiler, const char *folder, mez_cache_key *key)
{
    const size_t room =
        (source->options ? source->options->count : 0) + 2 * VARIABLES + OTHER_PARTS;
    mez_cache_part *parts = mez_alloc_array(room, sizeof *parts);
    size_t count = 0;
    if (!parts)
        return false;
    parts[count++] = part_of("inputs of OpenCL C of Mezzanine " MEZ_VERSION);
    parts[count++] = part_of(compiler->identity);
    parts[count++] = part_of(source->path ? "file" : "text");
    parts[count++] = part_of(source->path ? source->path : source->text);
    parts[count++] = part_of(source->path ? NULL : source->name);
    parts[count++] = part_of(folder);
    add_variables(parts, &count);
    add_options(source->options, parts, &count);
    *key = mez_cache_key_of(parts, count);
    mez_free_memory(parts);
    return true;
}

bool mez_source_list_key(const mez_source *source, const mez_compiler *compiler,
    const mez_source_folders *folders, mez_cache_key *key)
{
    if (!needs_folder(source, folders))
        return make_list_key(source, compiler, NULL, key);
    char *folder = getcwd(NULL, 0);
    const bool made = folder && make_list_key(source, compiler, folder, key);
    free(folder);
    return made;
}

// --- With all that is read

static bool is_before(const struct timespec *time, const struct timespec *other)
{
    return time->tv_sec != other->tv_sec ? time->tv_sec < other->tv_sec
                                         : time->tv_nsec < other->tv_nsec;
}

// Both times: one may be set at will, and the other shows that a file was put in another's place.
static bool is_unchanged_since(const char *path, const struct timespec *begun)
{
    struct stat file;
    return stat(path, &file) == 0 && is_before(&file.st_mtim, begun) &&
           is_before(&file.st_ctim, begun);
}

static void add_part(mez_sha256 *sum, const void *bytes, size_t size)
{
    const uint64_t length = size;
    mez_sha256_add(sum, &length, sizeof length);
    mez_sha256_add(sum, bytes, size);
}

// Its time is asked for when it has been read, so that no change between the two is missed.
static bool add_file(mez_sha256 *sum, const char *path, mez_source_run *run)
{
    mez_file file;
    if (mez_failed(mez_file_read(path, &file)))
        return false;
    add_part(sum, path, strlen(path));
    add_part(sum, file.bytes, file.size);
    const bool good = !run || is_unchanged_since(path, &run->begun);
    if (run)
        mez_volatile_look(&run->asked, file.bytes, file.size);
    mez_file_finish(&file);
    return good;
}

static bool add_input(mez_sha256 *sum, const mez_source_input *input, mez_source_run *run)
{
    if (input->kind == MEZ_SOURCE_ABSENT)
        return access(input->path, F_OK) != 0;
    return add_file(sum, input->path, run);
}

bool mez_source_code_key(const mez_cache_key *list_key, const void *list, size_t size,
    mez_source_run *run, mez_cache_key *key)
{
    mez_sha256 sum;
    mez_source_input input;
    mez_sha256_init(&sum);
    add_part(&sum, list_key->digest, sizeof list_key->digest);
    for (size_t offset = 0; mez_source_inputs_next(list, size, &offset, &input);)
        if (!add_input(&sum, &input, run))
            return false;
    mez_sha256_finish(&sum, key->digest);
    return !run || !mez_volatile_is(&run->asked);
}
