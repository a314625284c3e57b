// SPDX-License-Identifier: MIT
//
// The list of subscribers: every byte but the commas is in just one item, in order.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "list.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void must(int condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = calloc(1, size + 1);
    must(text != NULL);
    memcpy(text, bytes, size);
    const char *list = text, *expected = text;
    size_t item_size;
    for (const char *item; (item = xf_list_next(&list, &item_size));) {
        expected += strspn(expected, ",");
        must(item == expected && item_size > 0);
        must(!memchr(item, ',', item_size) && !memchr(item, '\0', item_size));
        expected += item_size;
        must(*expected == ',' || *expected == '\0');
    }
    must(expected[strspn(expected, ",")] == '\0' && *list == '\0');
    free(text);
    return 0;
}
