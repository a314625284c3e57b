// SPDX-License-Identifier: MIT

#include "source_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "contents.h"
#include "file.h"
#include "interrupt.h"
#include "source/source.h"

bool source_input_is(const char *path)
{
    return mez_source_is_file(path);
}

// Lines first: the user's own -g wins.
static mez_error collect(const struct compiler_options *options, mez_words *words)
{
    MEZ_TRY(mez_words_add(words, "-gline-tables-only"));
    for (size_t i = 0; options && i < options->count; i++)
        MEZ_TRY(mez_words_add(words, options->words[i]));
    return mez_ok();
}

static mez_error take(mez_source_code *code, void **bytes, size_t *size)
{
    fputs(code->log, stderr);
    *bytes = malloc(code->size);
    *size = code->size;
    if (*bytes)
        memcpy(*bytes, code->spirv, code->size);
    mez_free_memory(code->spirv);
    mez_free_memory(code->log);
    return *bytes ? mez_ok() : mez_error_no_memory("a kernel's code");
}

static mez_error compile(const char *path, const mez_words *options, void **bytes, size_t *size)
{
    const mez_source source = {.path = path, .options = options};
    mez_source_code code;
    mez_cache *cache;
    MEZ_TRY(mez_cache_open(NULL, &cache));
    const mez_error error = mez_source_get(cache, &source, &code);
    mez_cache_close(&cache);
    return mez_failed(error) ? error : take(&code, bytes, size);
}

mez_error source_input_read(
    const char *path, const struct compiler_options *options, void **code, size_t *size)
{
    mez_words words = {0};
    struct interrupt interrupt;
    *code = NULL;
    interrupt_begin(&interrupt);
    mez_error error = collect(options, &words);
    if (!mez_failed(error))
        error = compile(path, &words, code, size);
    mez_words_finish(&words);
    interrupt_end(&interrupt);
    return error;
}

static mez_error load_source(
    mez_context *context, const mez_image_params *params, mez_image **image)
{
    struct interrupt interrupt;
    interrupt_begin(&interrupt);
    const mez_error error = mez_image_create_at(NULL, context, params, image);
    interrupt_end(&interrupt);
    return error;
}

// A text, which no container is, unless it is a file table.
static bool is_text(const void *bytes, size_t size)
{
    return !contents_name("", bytes, size) && !memchr(bytes, '\0', size);
}

static mez_error load_standard_input(
    mez_context *context, const mez_image_params *params, mez_image **image)
{
    mez_image_params all = *params;
    struct problem problem;
    size_t size;
    char *bytes = file_read("/dev/stdin", &size, &problem);
    char *text = bytes ? realloc(bytes, size + 1) : NULL;
    if (!text) {
        free(bytes);
        return bytes ? mez_error_no_memory("standard input")
                     : mez_error_make(MEZ_ERRC_FILE, "%s", problem.text);
    }
    text[size] = '\0';
    all.path = NULL;
    all.debug_name = "<stdin>";
    mez_error error;
    if (is_text(text, size)) {
        all.source = text;
        error = load_source(context, &all, image);
    } else {
        all.code = text;
        all.size = size;
        error = mez_image_create_at(NULL, context, &all, image);
    }
    free(text);
    return error;
}

mez_error source_input_load(mez_context *context, const mez_image_params *params,
    const struct compiler_options *options, mez_image **image)
{
    mez_image_params all = *params;
    char *text = compiler_options_join(options);
    if (!text)
        return mez_error_no_memory("options");
    all.compile_options = text;
    mez_error error;
    if (strcmp(params->path, "-") == 0)
        error = load_standard_input(context, &all, image);
    else if (source_input_is(params->path))
        error = load_source(context, &all, image);
    else
        error = mez_image_create_at(NULL, context, &all, image);
    free(text);
    return error;
}
