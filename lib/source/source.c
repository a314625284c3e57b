// SPDX-License-Identifier: MIT
//
// Code that was compiled before, in the cache of built binaries. Two entries belong to a compilation: under what is known before
// anything is read, the list of files that it depended on; under that and their content, the code. So a header that changes to
// and fro finds both of its codes, and a list that another process has just replaced leads to right code or to none.

#include "source/source.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <mezzanine/version.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/log.h"
#include "cache/sha256.h"
#include "container/bundle.h"
#include "source/inputs.h"

// A compilation that was made just now.
typedef struct source_run {
    struct timespec begun; // when the compiler was started
    mez_volatile asked;    // what its options and text ask for; that of its files is added
} source_run;

typedef struct cached_source {
    mez_cache *cache; // NULL: nothing is cached
    mez_source_folders folders;
    mez_cache_key list_key;
    source_run run; // of the compiler
} cached_source;

// --- The key that is known before anything is read

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

// Of all that is known before a file is read. False: there is none, for lack of memory or of a folder that the process is in.
static bool list_key_of(const mez_source *source, const mez_compiler *compiler,
    const mez_source_folders *folders, mez_cache_key *key)
{
    if (!needs_folder(source, folders))
        return make_list_key(source, compiler, NULL, key);
    char *folder = getcwd(NULL, 0);
    const bool made = folder && make_list_key(source, compiler, folder, key);
    free(folder);
    return made;
}

// --- The key with all that is read

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
static bool add_file(mez_sha256 *sum, const char *path, source_run *run)
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

static bool add_input(mez_sha256 *sum, const mez_source_input *input, source_run *run)
{
    if (input->kind == MEZ_SOURCE_ABSENT)
        return access(input->path, F_OK) != 0;
    return add_file(sum, input->path, run);
}

// Of the first key and the content of all inputs. False: a file that was read can't be any more, or one that was not there is.
// `run` not NULL: also where a file has changed since it was begun, or where it is volatile with all its files.
static bool code_key_of(const mez_cache_key *list_key, const void *list, size_t size,
    source_run *run, mez_cache_key *key)
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

// --- One compilation

// To be finished in any case. MEZ_ERRC_OUT_OF_HOST_MEMORY.
static mez_error init_cached(
    mez_cache *cache, const mez_source *source, const mez_compiler *compiler, cached_source *cached)
{
    static const mez_words none;
    const mez_words *options = source->options ? source->options : &none;
    bool followed;
    *cached = (cached_source){0};
    if (!mez_cache_is_on(cache) || (source->path && mez_file_is_stream(source->path)))
        return mez_ok();
    MEZ_TRY(mez_source_folders_read(options, &cached->folders, &followed));
    if (followed && list_key_of(source, compiler, &cached->folders, &cached->list_key))
        cached->cache = cache;
    return mez_ok();
}

// --- Finding

// An entry is the log, a NUL, and the code. Takes the bytes over, or leaves them.
static bool take_entry(char *bytes, size_t size, mez_source_code *code)
{
    const char *nul = memchr(bytes, '\0', size);
    const size_t start = nul ? (size_t)(nul + 1 - bytes) : size;
    if (mez_code_recognise(bytes + start, size - start) != MEZ_CODE_SPIRV)
        return false;
    code->log = mez_copy_string(bytes);
    if (!code->log)
        return false;
    memmove(bytes, bytes + start, size - start); // to where words may stand
    code->spirv = bytes;
    code->size = size - start;
    return true;
}

static bool find_code(mez_cache *cache, const mez_cache_key *key, mez_source_code *code)
{
    void *bytes;
    size_t size;
    if (!mez_cache_get(cache, key, &bytes, &size))
        return false;
    if (take_entry(bytes, size, code))
        return true;
    mez_free_memory(bytes);
    mez_cache_reject(cache, key);
    return false;
}

// False: there is no memory.
static bool list_files(const void *list, size_t size, mez_words *files)
{
    mez_source_input input;
    bool good = true;
    for (size_t offset = 0; good && mez_source_inputs_next(list, size, &offset, &input);)
        if (input.kind == MEZ_SOURCE_READ) {
            const mez_error error = mez_words_add(files, input.path);
            good = !mez_failed(error);
            mez_error_release(error);
        }
    return good;
}

// The list with the code.
static bool take_found(const void *list, size_t size, mez_source_code *code)
{
    if (list_files(list, size, &code->files))
        return true;
    mez_source_code_finish(code);
    return false;
}

// False: there is none that holds for the files as they are now.
static bool find_cached(const cached_source *cached, mez_source_code *code)
{
    void *list;
    size_t size;
    mez_cache_key code_key;
    if (!cached->cache || !mez_cache_get(cached->cache, &cached->list_key, &list, &size))
        return false;
    bool found = mez_source_inputs_are_whole(list, size);
    if (!found)
        mez_cache_reject(cached->cache, &cached->list_key);
    found = found && code_key_of(&cached->list_key, list, size, NULL, &code_key) &&
            find_code(cached->cache, &code_key, code) && take_found(list, size, code);
    mez_free_memory(list);
    return found;
}

// --- Storing

// The compiler is about to be started. The coarse clock is the one that files get their times of.
static void begin_run(cached_source *cached)
{
    clock_gettime(CLOCK_REALTIME_COARSE, &cached->run.begun);
}

// Files are looked at when they are read for their content.
static void look_at_source(const mez_source *source, mez_volatile *asked)
{
    for (size_t i = 0; source->options && i < source->options->count; i++)
        mez_volatile_look(asked, source->options->items[i], strlen(source->options->items[i]));
    if (!source->path)
        mez_volatile_look(asked, source->text, strlen(source->text));
}

static bool make_list(const cached_source *cached, const mez_words *files, mez_bytes *list)
{
    for (size_t i = 0; i < files->count; i++)
        mez_source_inputs_add(list, MEZ_SOURCE_READ, files->items[i]);
    const mez_error error = mez_source_add_absent(&cached->folders, files, list);
    mez_log_error(MEZ_TOPIC_IMAGE, error);
    return !mez_failed(error) && !list->failed && list->size <= MEZ_SOURCE_MOST_BYTES;
}

// The list last: one that is there leads to code.
static void put(cached_source *cached, const mez_bytes *list, const mez_compiled *compiled)
{
    mez_cache_key code_key;
    if (!code_key_of(&cached->list_key, list->data, list->size, &cached->run, &code_key))
        return;
    mez_bytes entry = {0};
    mez_bytes_add(&entry, compiled->log, strlen(compiled->log) + 1);
    mez_bytes_add(&entry, compiled->code, compiled->size);
    if (!entry.failed && mez_cache_put(cached->cache, &code_key, entry.data, entry.size))
        mez_cache_put(cached->cache, &cached->list_key, list->data, list->size);
    mez_bytes_finish(&entry);
}

// What the compiler has made is not stored where a file has changed meanwhile, or where it depends on more than files: the time, or
// whether a file is there.
static void put_run(cached_source *cached, const mez_source *source, const mez_compiled *compiled)
{
    mez_bytes list = {0};
    if (!cached->cache)
        return;
    look_at_source(source, &cached->run.asked);
    if (make_list(cached, &compiled->files, &list))
        put(cached, &list, compiled);
    mez_bytes_finish(&list);
}

// --- Getting code

bool mez_source_is_file(const char *path)
{
    static const char ending[] = ".cl";
    const size_t length = strlen(path);
    return length >= sizeof ending - 1 && strcmp(path + length - (sizeof ending - 1), ending) == 0;
}

// The code and the log become the caller's.
static void take(mez_compiled *compiled, mez_source_code *code)
{
    *code = (mez_source_code){compiled->code, compiled->size, compiled->log, compiled->files};
    compiled->code = NULL;
    compiled->log = NULL;
    compiled->files = (mez_words){0};
}

static mez_error compile(const mez_source *source, const mez_compiler *compiler,
    cached_source *cached, mez_source_code *code)
{
    const mez_compile_params params = {
        .compiler = compiler,
        .path = source->path,
        .text = source->text,
        .text_size = source->path ? 0 : strlen(source->text),
        .name = source->name,
        .options = source->options,
    };
    mez_compiled compiled;
    begin_run(cached);
    const mez_error error = mez_compile(&params, &compiled);
    if (!mez_failed(error)) {
        put_run(cached, source, &compiled);
        take(&compiled, code);
    }
    mez_compiled_finish(&compiled);
    return error;
}

mez_error mez_source_get(mez_cache *cache, const mez_source *source, mez_source_code *code)
{
    mez_compiler compiler;
    cached_source cached;
    *code = (mez_source_code){0};
    MEZ_TRY(mez_compiler_find(source->choice, &compiler));
    mez_error error = init_cached(cache, source, &compiler, &cached);
    if (!mez_failed(error) && !find_cached(&cached, code))
        error = compile(source, &compiler, &cached, code);
    mez_source_folders_finish(&cached.folders);
    mez_compiler_finish(&compiler);
    return error;
}

void mez_source_code_finish(mez_source_code *code)
{
    mez_free_memory(code->spirv);
    mez_free_memory(code->log);
    mez_words_finish(&code->files);
    *code = (mez_source_code){0};
}
