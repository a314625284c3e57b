// SPDX-License-Identifier: MIT
//
// Fuzz target of the reader of line tables: the input is an object file.

#include "line_table.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void read_text(const char *text)
{
    if (text == NULL || strlen(text) > (size_t)1 << 30)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct zc_object_symbol symbol = {.section = 2};
    struct zc_source_line line;
    uint8_t *copy =
        malloc(size > 0 ? size : 1); // no byte more: sanitizers see what is read behind it
    if (copy == NULL)
        return 0;
    memcpy(copy, bytes, size);
    const struct zc_span object = {copy, size};
    zc_object_find_symbol(object, "main", &symbol);
    for (uint64_t offset = 0; offset < 64; offset += 4)
        if (zc_line_table_find(object, symbol.section, symbol.offset + offset, &line))
            read_text(line.file);
    free(copy);
    return 0;
}
