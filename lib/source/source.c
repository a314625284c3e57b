// SPDX-License-Identifier: MIT

#include "source/source.h"

#include <string.h>

#include "base/alloc.h"
#include "source/cached.h"

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
    mez_source_cached *cached, mez_source_code *code)
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
    mez_source_cached_begin(cached);
    const mez_error error = mez_compile(&params, &compiled);
    if (!mez_failed(error)) {
        mez_source_cached_put(cached, source, &compiled);
        take(&compiled, code);
    }
    mez_compiled_finish(&compiled);
    return error;
}

mez_error mez_source_get(mez_cache *cache, const mez_source *source, mez_source_code *code)
{
    mez_compiler compiler;
    mez_source_cached cached;
    *code = (mez_source_code){0};
    MEZ_TRY(mez_compiler_find(source->choice, &compiler));
    mez_error error = mez_source_cached_init(cache, source, &compiler, &cached);
    if (!mez_failed(error) && !mez_source_cached_find(&cached, code))
        error = compile(source, &compiler, &cached, code);
    mez_source_cached_finish(&cached);
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
