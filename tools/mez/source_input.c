// SPDX-License-Identifier: MIT

#include "source_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mezzanine/compile.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "contents.h"
#include "file.h"
#include "interrupt.h"

bool source_input_is(const char *path)
{
    static const char ending[] = ".cl";
    const size_t length = strlen(path);
    return length >= sizeof ending - 1 && strcmp(path + length - (sizeof ending - 1), ending) == 0;
}

static mez_error copy_code(const mez_compilation *compilation, void **bytes, size_t *size)
{
    const void *code = mez_compilation_get_code(compilation, size);
    mez_print(stderr, "%-s", mez_compilation_get_log(compilation));
    *bytes = malloc(*size);
    if (!*bytes)
        return mez_error_no_memory("a kernel's code");
    memcpy(*bytes, code, *size);
    return mez_ok();
}

static mez_error compile(const char *path, const char *options, void **bytes, size_t *size)
{
    const mez_compilation_params params = {.path = path, .options = options, .cached = true};
    mez_compilation *compilation;
    MEZ_TRY(mez_compilation_create(&params, &compilation));
    const mez_error error = copy_code(compilation, bytes, size);
    mez_compilation_destroy(&compilation);
    return error;
}

// Lines first: the user's own -g wins.
static char *add_lines(const struct compiler_options *options)
{
    char *text = options ? compiler_options_join(options) : strdup("");
    char *all = text ? mez_print_string("-gline-tables-only %s", text) : NULL;
    free(text);
    return all;
}

mez_error source_input_read(
    const char *path, const struct compiler_options *options, void **code, size_t *size)
{
    struct interrupt interrupt;
    *code = NULL;
    char *all = add_lines(options);
    if (!all)
        return mez_error_no_memory("options");
    interrupt_begin(&interrupt);
    const mez_error error = compile(path, all, code, size);
    mez_free_memory(all);
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
    mez_file file;
    MEZ_TRY(mez_file_read("/dev/stdin", &file));
    const bool is_source = is_text(file.bytes, file.size);
    char *text = is_source ? mez_slice_copy((mez_slice){file.bytes, file.size}) : NULL;
    all.path = NULL;
    all.debug_name = "<stdin>";
    all.source = text;
    all.code = is_source ? NULL : file.bytes;
    all.size = is_source ? 0 : file.size;
    mez_error error;
    if (is_source && !text)
        error = mez_error_no_memory("standard input");
    else if (is_source)
        error = load_source(context, &all, image);
    else
        error = mez_image_create_at(NULL, context, &all, image);
    mez_free_memory(text);
    mez_file_finish(&file);
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
