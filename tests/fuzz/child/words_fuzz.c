// SPDX-License-Identifier: MIT
//
// Fuzz target of a program's options: whatever the text, an error with words or a list that ends in NULL and is not longer than
// the text. Linked with replay.c instead of libFuzzer it replays the files it is given.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "child/words.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    mez_words words = {0};
    char *text = calloc(size + 1, 1);
    require(text != NULL);
    if (size > 0)
        memcpy(text, bytes, size);
    const mez_error error = mez_words_split(&words, text);
    size_t length = 0;
    for (size_t i = 0; i < words.count; i++)
        length += strlen(words.items[i]);
    require(length <= strlen(text));
    require(words.count == 0 || words.items[words.count] == NULL);
    require(!mez_failed(error) || mez_error_is(error, MEZ_ERRC_INVALID_PARAMETER));
    mez_words_finish(&words);
    free(text);
    return 0;
}
