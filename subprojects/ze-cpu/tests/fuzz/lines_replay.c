// SPDX-License-Identifier: MIT
//
// In libFuzzer's place: gives the target this program's own kind of file, an object with a line table, some of its beginnings, and
// the object with bits changed. What it says of the object as it is must be right: OBJECT [FILE LINE of the start of main].

#include "line_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static bool is_right(struct zc_span object, const char *file, const char *number)
{
    struct zc_object_symbol symbol;
    struct zc_source_line line;
    return zc_object_find_symbol(object, "main", &symbol) &&
           zc_line_table_find(object, symbol.section, symbol.offset, &line) &&
           strstr(line.file, file) != NULL && line.line == (uint32_t)atoi(number);
}

// Each bit would take minutes.
#define STEP 7

int main(int count, char **arguments)
{
    static uint8_t bytes[1 << 18];
    FILE *file = count == 4 ? fopen(arguments[1], "rb") : NULL;
    if (file == NULL)
        return 1;
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    if (!is_right((struct zc_span){bytes, size}, arguments[2], arguments[3])) {
        fprintf(stderr, "main of %s is not at %s:%s\n", arguments[1], arguments[2], arguments[3]);
        return 1;
    }
    for (size_t length = 0; length < size; length += STEP)
        LLVMFuzzerTestOneInput(bytes, length);
    for (size_t bit = 0; bit < 8 * size; bit += STEP) {
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        LLVMFuzzerTestOneInput(bytes, size);
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    return 0;
}
