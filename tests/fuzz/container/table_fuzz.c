// SPDX-License-Identifier: MIT
//
// Fuzz target of file tables and symbol files: what can be written again reads the same.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "container/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static void expect_same(const mez_table *a, const mez_table *b)
{
    require(a->titled == b->titled && a->titles.count == b->titles.count && a->rows == b->rows);
    for (size_t i = 0; i < a->titles.count; i++)
        require(strcmp(a->titles.items[i], b->titles.items[i]) == 0);
    for (size_t i = 0; i < a->cells.count; i++)
        require(strcmp(a->cells.items[i], b->cells.items[i]) == 0);
}

static void read_table(const char *text, size_t size)
{
    mez_table table = {0}, again = {0};
    mez_bytes written = {0};
    if (mez_failed(mez_table_read(text, size, "fuzz", &table)))
        return;
    if (!mez_failed(mez_table_write(&table, &written))) {
        require(
            !mez_failed(mez_table_read((const char *)written.data, written.size, "again", &again)));
        expect_same(&table, &again);
    }
    mez_bytes_finish(&written);
    mez_table_finish(&again);
    mez_table_finish(&table);
}

static void read_symbols(const char *text, size_t size)
{
    mez_symbols symbols = {0}, again = {0};
    mez_bytes written = {0};
    if (!mez_failed(mez_symbols_read(text, size, "fuzz", &symbols)) &&
        !mez_failed(mez_symbols_write(&symbols, &written))) {
        require(!mez_failed(
            mez_symbols_read((const char *)written.data, written.size, "again", &again)));
        require(symbols.count == again.count);
    }
    mez_bytes_finish(&written);
    mez_symbols_finish(&again);
    mez_symbols_finish(&symbols);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    read_table((const char *)bytes, size);
    read_symbols((const char *)bytes, size);
    return 0;
}
