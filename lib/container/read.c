// SPDX-License-Identifier: MIT
//
// Recognising what bytes are, and reading them.

#include "container/bundle.h"

#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "container/offload.h"
#include "container/properties.h"
#include "container/syclbin.h"
#include "container/table.h"
#include "container/zstd.h"
#include "spirv/module.h"

// --- File tables: a binary for each row

typedef struct table_loader {
    mez_bundle *bundle;
    mez_table table;
    const char *path;
    size_t code, properties, symbols; // columns; MEZ_NO_COLUMN: none
} table_loader;

// The cell, "" where there is no such column.
static const char *cell_of(const table_loader *loader, size_t row, size_t column)
{
    return column == MEZ_NO_COLUMN ? "" : mez_table_get(&loader->table, row, column);
}

static mez_error resolve(const table_loader *loader, const char *cell, const char **path)
{
    char *resolved = mez_table_resolve(loader->path, cell);
    *path = resolved;
    return mez_bundle_keep(loader->bundle, resolved);
}

// A row's code is one module, not a container of several: the row's properties are about it.
static mez_error load_code(const table_loader *loader, const char *cell, mez_binary **binary)
{
    mez_container_bytes code = {0};
    MEZ_TRY(resolve(loader, cell, &code.source));
    mez_file file;
    MEZ_TRY(mez_file_read(code.source, &file));
    MEZ_TRY(mez_bundle_keep(loader->bundle, file.bytes));
    code.bytes = file.bytes;
    code.size = file.size;
    MEZ_TRY(mez_bundle_add(loader->bundle, &code, binary));
    (*binary)->format = mez_code_recognise(code.bytes, code.size);
    (*binary)->packed = mez_zstd_recognise(code.bytes, code.size);
    return mez_ok();
}

static mez_error load_symbols(const table_loader *loader, const char *cell, mez_binary *binary)
{
    const char *path;
    MEZ_TRY(resolve(loader, cell, &path));
    mez_symbols symbols = {0};
    mez_error error = mez_symbols_load(path, &symbols);
    if (!mez_failed(error))
        error = mez_binary_set_kernels(
            loader->bundle, binary, (const char *const *)symbols.items, symbols.count);
    mez_symbols_finish(&symbols);
    return error;
}

static mez_error load_properties(const table_loader *loader, const char *cell, mez_binary *binary)
{
    const char *path;
    MEZ_TRY(resolve(loader, cell, &path));
    MEZ_TRY(mez_prop_load(path, &binary->properties));
    return mez_binary_take_kernel_names(loader->bundle, binary);
}

// Symbol files go before the property set of kernel names, which they are made from.
static mez_error load_row(const table_loader *loader, size_t row)
{
    const char *code = cell_of(loader, row, loader->code);
    const char *properties = cell_of(loader, row, loader->properties);
    const char *symbols = cell_of(loader, row, loader->symbols);
    if (code[0] == '\0')
        return mez_ok();
    mez_binary *binary;
    MEZ_TRY(load_code(loader, code, &binary));
    if (properties[0] != '\0')
        MEZ_TRY(load_properties(loader, properties, binary));
    return symbols[0] != '\0' ? load_symbols(loader, symbols, binary) : mez_ok();
}

static size_t find_column(const mez_table *table, const char *title, size_t untitled)
{
    if (table->titled)
        return mez_table_find_column(table, title);
    return untitled < table->titles.count ? untitled : MEZ_NO_COLUMN;
}

static mez_error load_rows(table_loader *loader)
{
    const mez_table *table = &loader->table;
    loader->code = find_column(table, MEZ_COLUMN_CODE, 0);
    loader->properties = find_column(table, MEZ_COLUMN_PROPERTIES, 1);
    loader->symbols = find_column(table, MEZ_COLUMN_SYMBOLS, 2);
    if (table->titled && loader->code == MEZ_NO_COLUMN)
        return mez_error_make(MEZ_ERRC_INVALID_IMAGE,
            "%s: a file table without the column \"" MEZ_COLUMN_CODE
            "\"; a property file goes into one beside its code",
            loader->path);
    for (size_t i = 0; i < table->rows; i++) {
        const mez_error error = load_row(loader, i);
        if (mez_failed(error))
            return mez_error_add(error, "file table", "%s, row %zu", loader->path, i + 1);
    }
    return mez_ok();
}

// Reads the table and the files that it names; `path` is the table's own. Rows without code, without properties or without symbols
// are fine. Without titles the columns are code, properties and symbols, in this order.
//
// MEZ_ERRC_INVALID_IMAGE for a damaged table or file of it, MEZ_ERRC_FILE for one that can't be read, each with the table's row;
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
static mez_error read_table(mez_bundle *bundle, const char *text, size_t size, const char *path)
{
    table_loader loader = {.bundle = bundle, .path = path};
    bundle->budget = SIZE_MAX; // rows copy nothing but their own files
    mez_error error = mez_table_read(text, size, path, &loader.table);
    if (!mez_failed(error))
        error = load_rows(&loader);
    mez_table_finish(&loader.table);
    return error;
}

// --- Containers

// Files that people take for images, besides those that they take for SPIR-V.
static const char *guess(const mez_container_bytes *span)
{
    if (span->size == 0)
        return "empty";
    if (span->bytes[0] == '[')
        return "probably a file table, which must be loaded by its path";
    if (span->size >= 4 && memcmp(span->bytes, "\177ELF", 4) == 0)
        return "an ELF file of the host; images that a compiler has put into it are in its section "
               ".llvm.offloading, for llvm-objcopy --dump-section";
    const char *recognised = mez_spirv_recognise(span->bytes, span->size);
    return recognised ? recognised
                      : "none of the forms that are known, or damaged in its first bytes";
}

// MEZ_ERRC_INVALID_IMAGE for bytes that are none of the forms that are known, with a guess at what they are.
static mez_error not_recognised(const mez_container_bytes *span)
{
    return mez_error_make(
        MEZ_ERRC_INVALID_IMAGE, "%s: no device image: it is %s", span->source, guess(span));
}

static mez_error read_raw(mez_bundle *bundle, const mez_container_bytes *span)
{
    const mez_code_format format = mez_code_recognise(span->bytes, span->size);
    if (format == MEZ_CODE_UNKNOWN)
        return not_recognised(span);
    mez_binary *binary;
    MEZ_TRY(mez_bundle_add(bundle, span, &binary));
    binary->format = format;
    return mez_ok();
}

// A whole container that is packed. What is in it has no properties that could be judged first, so nothing is lost by unpacking.
static mez_error read_packed(mez_bundle *bundle, const mez_container_bytes *span)
{
    mez_container_bytes inner;
    MEZ_TRY(mez_bundle_unpack(bundle, span, &inner));
    inner.depth++;
    return mez_bundle_read_span(bundle, &inner);
}

mez_error mez_bundle_read_span(mez_bundle *bundle, const mez_container_bytes *span)
{
    if (span->depth > MEZ_DEEPEST_CONTAINER)
        return mez_error_make(MEZ_ERRC_INVALID_IMAGE, "%s: more than %d nested containers",
            span->source, MEZ_DEEPEST_CONTAINER);
    if (mez_offload_recognise(span->bytes, span->size))
        return mez_bundle_read_offload(bundle, span);
    if (mez_syclbin_recognise(span->bytes, span->size))
        return mez_bundle_read_syclbin(bundle, span);
    if (mez_zstd_recognise(span->bytes, span->size))
        return read_packed(bundle, span);
    return read_raw(bundle, span);
}

static mez_container container_of(const void *bytes, size_t size)
{
    if (mez_offload_recognise(bytes, size))
        return MEZ_CONTAINER_OFFLOAD;
    return mez_syclbin_recognise(bytes, size) ? MEZ_CONTAINER_SYCLBIN : MEZ_CONTAINER_RAW;
}

// The bundle is new, and the caller destroys it after an error.
static mez_error read_into(mez_bundle *bundle, const void *bytes, size_t size, const char *source)
{
    mez_container_bytes span = {.bytes = bytes, .size = size};
    MEZ_TRY(mez_bundle_copy_string(bundle, source, strlen(source), &span.source));
    bundle->budget = mez_bundle_budget(size);
    return mez_bundle_read_span(bundle, &span);
}

static bool ends_with(const char *path, const char *ending)
{
    const size_t length = strlen(path), ending_length = strlen(ending);
    return length >= ending_length && strcmp(path + length - ending_length, ending) == 0;
}

static bool is_table(const char *path, const mez_file *file)
{
    return ends_with(path, ".table") || (file->size > 0 && ((const char *)file->bytes)[0] == '[');
}

static mez_error finish_reading(mez_error error, mez_bundle **bundle)
{
    if (mez_failed(error))
        mez_bundle_destroy(bundle);
    return error;
}

mez_error mez_bundle_read_within(
    const void *bytes, size_t size, const char *source, uint64_t unpack_limit, mez_bundle **bundle)
{
    *bundle = mez_bundle_create(container_of(bytes, size));
    if (!*bundle)
        return mez_error_no_memory("a bundle of device images");
    mez_error error = mez_bundle_limit(*bundle, unpack_limit);
    if (!mez_failed(error))
        error = read_into(*bundle, bytes, size, source);
    return finish_reading(error, bundle);
}

static mez_error load_into(mez_bundle *bundle, const char *path)
{
    mez_file file;
    MEZ_TRY(mez_file_read(path, &file));
    MEZ_TRY(mez_bundle_keep(bundle, file.bytes));
    if (ends_with(path, ".prop"))
        return mez_error_make(MEZ_ERRC_INVALID_IMAGE,
            "%s: a property file has no code: load the file table that names both", path);
    if (is_table(path, &file)) {
        bundle->container = MEZ_CONTAINER_TABLE;
        return read_table(bundle, file.bytes, file.size, path);
    }
    bundle->container = container_of(file.bytes, file.size);
    return read_into(bundle, file.bytes, file.size, path);
}

mez_error mez_bundle_load_within(const char *path, uint64_t unpack_limit, mez_bundle **bundle)
{
    *bundle = mez_bundle_create(MEZ_CONTAINER_RAW);
    if (!*bundle)
        return mez_error_no_memory("a bundle of device images");
    mez_error error = mez_bundle_limit(*bundle, unpack_limit);
    if (!mez_failed(error))
        error = load_into(*bundle, path);
    return finish_reading(error, bundle);
}

// --- Unpacking

static mez_error check_usable(
    const mez_binary *binary, mez_code_format format, const mez_container_bytes *code)
{
    switch (format) {
    case MEZ_CODE_NATIVE:
    case MEZ_CODE_SPIRV:
        return mez_ok();
    case MEZ_CODE_LLVM:
        return mez_error_make(MEZ_ERRC_INVALID_IMAGE,
            "%s: LLVM bitcode, which no driver accepts: translate it with llvm-spirv",
            binary->source);
    default:
        return not_recognised(code);
    }
}

static mez_error unpack(mez_bundle *bundle, mez_binary *binary, mez_bytes *unpacked)
{
    const mez_container_bytes packed = {
        .bytes = binary->code, .size = binary->code_size, .source = binary->source};
    MEZ_TRY(mez_bundle_unpack_bytes(bundle, &packed, unpacked));
    const mez_container_bytes code = {
        .bytes = unpacked->data, .size = unpacked->size, .source = binary->source};
    mez_code_format format = mez_code_recognise(code.bytes, code.size);
    if (format == MEZ_CODE_UNKNOWN)
        format = binary->format;
    MEZ_TRY(check_usable(binary, format, &code));
    void *data = unpacked->data;
    const size_t size = unpacked->size;
    *unpacked = (mez_bytes){0};
    MEZ_TRY(mez_bundle_keep(bundle, data));
    binary->code = data;
    binary->code_size = size;
    binary->format = format;
    binary->packed = false;
    return mez_ok();
}

mez_error mez_binary_unpack(mez_bundle *bundle, mez_binary *binary)
{
    if (!binary->packed) {
        const mez_container_bytes code = {
            .bytes = binary->code, .size = binary->code_size, .source = binary->source};
        return check_usable(binary, binary->format, &code);
    }
    mez_bytes unpacked = {0};
    const uint64_t before = bundle->unpacked;
    const mez_error error = unpack(bundle, binary, &unpacked);
    mez_bytes_finish(&unpacked);
    if (mez_failed(error))
        bundle->unpacked = before;
    return error;
}
