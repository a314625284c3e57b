// SPDX-License-Identifier: MIT
//
// One source, compiled by the programs of this machine.

#include <mezzanine/compile.h>

#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "base/version.h"
#include "compile/command.h"
#include "compile/compile.h"
#include "compile/depfile.h"
#include "source/source.h"

struct mez_compilation {
    mez_compiled compiled;
    char *path; // of the source; NULL: it was a text
};

static mez_error no_memory(void)
{
    return mez_error_no_memory("a compilation");
}

// --- What is asked for

static mez_error check_cached(const mez_compilation_params *params)
{
    if (!params->cached ||
        (params->format == MEZ_COMPILATION_SPIRV && !params->validate && !params->color))
        return mez_ok();
    return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
        "mez_compilation_create takes \"cached\" for SPIR-V alone, without \"validate\" and "
        "\"color\"");
}

static mez_error check_params(const mez_compilation_params *params)
{
    MEZ_REQUIRE_OF("mez_compilation_create", params, NULL);
    MEZ_TRY_RESERVED(mez_compilation_params, params);
    MEZ_TRY_RESERVED(mez_compilation_listener, &params->listener);
    if (!params->path && !params->text)
        return mez_error_make(
            MEZ_ERRC_INVALID_PARAMETER, "mez_compilation_create needs a \"path\" or a \"text\"");
    if (params->path && params->text)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "mez_compilation_create compiles a \"path\" or a \"text\", but was given both");
    if (params->path && !*params->path)
        return mez_error_make(
            MEZ_ERRC_INVALID_PARAMETER, "mez_compilation_create: \"path\" is empty");
    if (params->format > MEZ_COMPILATION_BITCODE)
        return mez_error_make(
            MEZ_ERRC_INVALID_PARAMETER, "%d is not a format of compilations", (int)params->format);
    return check_cached(params);
}

static size_t text_size(const mez_compilation_params *params)
{
    return params->text_size == 0 ? strlen(params->text) : params->text_size;
}

// --- Compiling

static mez_error run_compiler(
    const mez_compilation_params *params, const mez_words *options, mez_compiled *compiled)
{
    const mez_compiler_choice choice = {.clang = params->clang, .llvm_spirv = params->llvm_spirv};
    mez_compiler compiler;
    MEZ_TRY(mez_compiler_find(&choice, &compiler));
    const mez_compile_params inner = {
        .compiler = &compiler,
        .path = params->path,
        .text = params->path ? NULL : params->text,
        .text_size = params->path ? 0 : text_size(params),
        .name = params->name,
        .options = options,
        .output =
            params->format == MEZ_COMPILATION_BITCODE ? MEZ_COMPILE_BITCODE : MEZ_COMPILE_SPIRV,
        .validate = params->validate,
        .color = params->color,
        .stop = params->stop,
    };
    const mez_error error = mez_compile(&inner, compiled);
    mez_compiler_finish(&compiler);
    return error;
}

// --- From the cache

static mez_error get_from(mez_cache *cache, const mez_compilation_params *params, const char *text,
    const mez_words *options, mez_compiled *compiled)
{
    const mez_compiler_choice choice = {.clang = params->clang, .llvm_spirv = params->llvm_spirv};
    const mez_source source = {.path = params->path,
        .text = text,
        .name = params->name,
        .options = options,
        .choice = &choice};
    mez_source_code code;
    MEZ_TRY(mez_source_get(cache, &source, &code));
    *compiled =
        (mez_compiled){.code = code.spirv, .size = code.size, .files = code.files, .log = code.log};
    return mez_ok();
}

// What it runs has the stop of the thread.
static mez_error get_stopped(mez_cache *cache, const mez_compilation_params *params,
    const char *text, const mez_words *options, mez_compiled *compiled)
{
    mez_stop *before = mez_stop_of_thread();
    if (params->stop)
        mez_thread_set_stop(params->stop);
    const mez_error error = get_from(cache, params, text, options, compiled);
    mez_thread_set_stop(before);
    return error;
}

// `text` NULL: it is a file.
static mez_error get_cached(const mez_compilation_params *params, const char *text,
    const mez_words *options, mez_compiled *compiled)
{
    mez_cache *cache;
    MEZ_TRY(mez_cache_open(NULL, &cache));
    const mez_error error = get_stopped(cache, params, text, options, compiled);
    mez_cache_close(&cache);
    return error;
}

static mez_error get_cached_text(
    const mez_compilation_params *params, const mez_words *options, mez_compiled *compiled)
{
    const size_t size = text_size(params);
    if (memchr(params->text, '\0', size)) // which the cache takes for its end
        return run_compiler(params, options, compiled);
    char *text = mez_alloc_array(size + 1, 1);
    if (!text)
        return no_memory();
    memcpy(text, params->text, size);
    text[size] = '\0';
    const mez_error error = get_cached(params, text, options, compiled);
    mez_free_memory(text);
    return error;
}

// --- All of it

static mez_error get_code(
    const mez_compilation_params *params, const mez_words *options, mez_compiled *compiled)
{
    if (!params->cached)
        return run_compiler(params, options, compiled);
    return params->path ? get_cached(params, NULL, options, compiled)
                        : get_cached_text(params, options, compiled);
}

static mez_error compile(const mez_compilation_params *params, mez_compiled *compiled)
{
    mez_words options = {0};
    mez_error error = params->options ? mez_words_split(&options, params->options) : mez_ok();
    if (!mez_failed(error))
        error = get_code(params, &options, compiled);
    mez_words_finish(&options);
    return error;
}

static void report(const mez_compilation_listener *listener, const mez_compiled *compiled)
{
    if (listener->steps && compiled->steps && *compiled->steps)
        listener->steps(listener->user, compiled->steps);
    if (listener->printed && compiled->log && *compiled->log)
        listener->printed(listener->user, compiled->log);
}

mez_error mez_compilation_create(
    const mez_compilation_params *params, mez_compilation **compilation)
{
    MEZ_REQUIRE(compilation, NULL);
    *compilation = NULL;
    MEZ_TRY(check_params(params));
    mez_compilation *made = mez_new(mez_compilation);
    if (!made)
        return no_memory();
    made->path = params->path ? mez_copy_string(params->path) : NULL;
    mez_error error = params->path && !made->path ? no_memory() : mez_ok();
    if (!mez_failed(error))
        error = compile(params, &made->compiled);
    report(&params->listener, &made->compiled);
    if (mez_failed(error))
        mez_compilation_destroy(&made);
    *compilation = made;
    return error;
}

void mez_compilation_destroy(mez_compilation **compilation)
{
    if (!compilation)
        return;
    mez_compilation *old = *compilation;
    *compilation = NULL;
    if (!old)
        return;
    mez_compiled_finish(&old->compiled);
    mez_free_memory(old->path);
    mez_free_memory(old);
}

// --- Looking at it

const void *mez_compilation_get_code(const mez_compilation *compilation, size_t *size)
{
    if (size)
        *size = compilation ? compilation->compiled.size : 0;
    return compilation ? compilation->compiled.code : NULL;
}

const char *mez_compilation_get_log(const mez_compilation *compilation)
{
    return compilation && compilation->compiled.log ? compilation->compiled.log : "";
}

uint32_t mez_compilation_get_file_count(const mez_compilation *compilation)
{
    return compilation ? (uint32_t)compilation->compiled.files.count : 0;
}

const char *mez_compilation_get_file(const mez_compilation *compilation, uint32_t index)
{
    return index < mez_compilation_get_file_count(compilation)
               ? compilation->compiled.files.items[index]
               : NULL;
}

mez_error mez_compilation_get_rule(const mez_compilation *compilation, const char *target,
    char *buffer, size_t size, size_t *length)
{
    static const mez_compilation none;
    MEZ_REQUIRE(target, NULL);
    const mez_compilation *of = compilation ? compilation : &none;
    mez_bytes text = {0};
    const mez_error error = mez_depfile_write(target, of->path, &of->compiled.files, &text);
    mez_bounded copy = mez_bounded_begin(buffer, size);
    if (!mez_failed(error))
        mez_bounded_add(&copy, (const char *)text.data, text.size);
    if (length)
        *length = copy.length;
    mez_bytes_finish(&text);
    return error;
}

// --- Options

mez_error mez_compilation_check_options(const char *options)
{
    mez_words words = {0};
    mez_compile_options read;
    mez_error error = options ? mez_words_split(&words, options) : mez_ok();
    if (!mez_failed(error))
        error = mez_compile_options_read(&words, &read);
    mez_words_finish(&words);
    return error;
}

bool mez_compilation_option_takes_next(const char *word)
{
    return word && mez_compile_option_takes_next(word);
}
