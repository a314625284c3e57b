// SPDX-License-Identifier: MIT

#include "source/kept.h"

#include <string.h>

#include "base/alloc.h"
#include "base/log.h"
#include "compile/stream.h"
#include "container/binary.h"

mez_error mez_source_kept_init(
    mez_cache *cache, const mez_source *source, const mez_compiler *compiler, mez_source_kept *kept)
{
    static const mez_words none;
    const mez_words *options = source->options ? source->options : &none;
    bool followed;
    *kept = (mez_source_kept){0};
    if (!mez_cache_is_on(cache) || (source->path && mez_compile_is_stream(source->path)))
        return mez_ok();
    MEZ_TRY(mez_source_folders_read(options, &kept->folders, &followed));
    if (followed && mez_source_list_key(source, compiler, &kept->folders, &kept->list_key))
        kept->cache = cache;
    return mez_ok();
}

void mez_source_kept_finish(mez_source_kept *kept)
{
    mez_source_folders_finish(&kept->folders);
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

bool mez_source_kept_find(const mez_source_kept *kept, mez_source_code *code)
{
    void *list;
    size_t size;
    mez_cache_key code_key;
    if (!kept->cache || !mez_cache_get(kept->cache, &kept->list_key, &list, &size))
        return false;
    bool found = mez_source_inputs_are_whole(list, size);
    if (!found)
        mez_cache_reject(kept->cache, &kept->list_key);
    found = found && mez_source_code_key(&kept->list_key, list, size, NULL, &code_key) &&
            find_code(kept->cache, &code_key, code);
    mez_free_memory(list);
    return found;
}

// --- Keeping

// The coarse clock is the one that files get their times of.
void mez_source_kept_begin(mez_source_kept *kept)
{
    clock_gettime(CLOCK_REALTIME_COARSE, &kept->run.begun);
}

// Files are looked at when they are read for their content.
static void look_at_source(const mez_source *source, mez_volatile *asked)
{
    for (size_t i = 0; source->options && i < source->options->count; i++)
        mez_volatile_look(asked, source->options->items[i], strlen(source->options->items[i]));
    if (!source->path)
        mez_volatile_look(asked, source->text, strlen(source->text));
}

static bool make_list(const mez_source_kept *kept, const mez_words *files, mez_bytes *list)
{
    for (size_t i = 0; i < files->count; i++)
        mez_source_inputs_add(list, MEZ_SOURCE_READ, files->items[i]);
    const mez_error error = mez_source_add_absent(&kept->folders, files, list);
    mez_log_error(MEZ_TOPIC_IMAGE, error);
    return !mez_failed(error) && !list->failed && list->size <= MEZ_SOURCE_MOST_BYTES;
}

// The list last: one that is there leads to code.
static void put(mez_source_kept *kept, const mez_bytes *list, const mez_compiled *compiled)
{
    mez_cache_key code_key;
    if (!mez_source_code_key(&kept->list_key, list->data, list->size, &kept->run, &code_key))
        return;
    mez_bytes entry = {0};
    mez_bytes_add(&entry, compiled->log, strlen(compiled->log) + 1);
    mez_bytes_add(&entry, compiled->code, compiled->size);
    if (!entry.failed && mez_cache_put(kept->cache, &code_key, entry.data, entry.size))
        mez_cache_put(kept->cache, &kept->list_key, list->data, list->size);
    mez_bytes_finish(&entry);
}

void mez_source_kept_put(
    mez_source_kept *kept, const mez_source *source, const mez_compiled *compiled)
{
    mez_bytes list = {0};
    if (!kept->cache)
        return;
    look_at_source(source, &kept->run.asked);
    if (make_list(kept, &compiled->files, &list))
        put(kept, &list, compiled);
    mez_bytes_finish(&list);
}
