// SPDX-License-Identifier: MIT

#include "container/table.h"

#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "container/lines.h"

void mez_symbols_finish(mez_symbols *symbols)
{
    for (size_t i = 0; i < symbols->count; i++)
        mez_free_memory(symbols->names[i]);
    mez_free_memory(symbols->names);
    *symbols = (mez_symbols){0};
}

mez_error mez_symbols_add(mez_symbols *symbols, const char *name, size_t length)
{
    char *copy = NULL;
    if (!mez_grow(&symbols->names, symbols->count, &symbols->capacity) ||
        !(copy = mez_slice_copy((mez_slice){name, length})))
        return mez_error_no_memory("a list of symbols");
    symbols->names[symbols->count++] = copy;
    return mez_ok();
}

mez_error mez_symbols_read(const char *text, size_t size, const char *source, mez_symbols *symbols)
{
    mez_lines lines = {.rest = text, .left = size};
    mez_slice line;
    while (mez_lines_next(&lines, &line)) {
        if (memchr(line.start, '\0', line.length))
            return mez_error_make(
                MEZ_ERRC_INVALID_IMAGE, "%s:%zu: a NUL in a symbol's name", source, lines.number);
        MEZ_TRY(mez_symbols_add(symbols, line.start, line.length));
    }
    return mez_ok();
}

mez_error mez_symbols_load(const char *path, mez_symbols *symbols)
{
    mez_file file;
    MEZ_TRY(mez_file_read(path, &file));
    const mez_error error = mez_symbols_read(file.bytes, file.size, path, symbols);
    mez_file_finish(&file);
    return error;
}

mez_error mez_symbols_write(const mez_symbols *symbols, mez_bytes *bytes)
{
    for (size_t i = 0; i < symbols->count; i++) {
        const char *name = symbols->names[i];
        if (name[0] == '\0' || !mez_is_line(name))
            return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
                "a symbol file can't hold \"%s\": a name has letters and no line break", name);
        mez_bytes_add_text(bytes, name);
        mez_bytes_add_text(bytes, "\n");
    }
    return bytes->failed ? mez_error_no_memory("a list of symbols") : mez_ok();
}
