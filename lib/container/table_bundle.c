// SPDX-License-Identifier: MIT

#include "container/table_bundle.h"

#include "base/alloc.h"
#include "base/file.h"
#include "container/prop.h"
#include "container/table.h"
#include "container/zstd.h"

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
    mez_span code = {0};
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
            loader->bundle, binary, (const char *const *)symbols.names, symbols.count);
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
    return untitled < table->columns ? untitled : MEZ_NO_COLUMN;
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

mez_error mez_bundle_read_table(mez_bundle *bundle, const char *text, size_t size, const char *path)
{
    table_loader loader = {.bundle = bundle, .path = path};
    bundle->budget = SIZE_MAX; // rows copy nothing but their own files
    mez_error error = mez_table_read(text, size, path, &loader.table);
    if (!mez_failed(error))
        error = load_rows(&loader);
    mez_table_finish(&loader.table);
    return error;
}
