// SPDX-License-Identifier: MIT
//
// Fuzz target of a kernel's options: whatever the words, they are refused with words, or none of them chooses an input or an output.
// Linked with replay.c instead of libFuzzer it replays the files it is given.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compile/command.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static void check(const mez_words *words)
{
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->items[i];
        require(word[0] == '-' && word[1] != '\0' && strncmp(word, "-o", 2) != 0);
        if (mez_compile_option_takes_next(word))
            require(++i < words->count);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    mez_words words = {0};
    mez_compile_options options;
    char *text = calloc(size + 1, 1);
    require(text != NULL);
    if (size > 0)
        memcpy(text, bytes, size);
    if (!mez_failed(mez_words_split(&words, text))) {
        const mez_error error = mez_compile_options_read(&words, &options);
        require(!mez_failed(error) || mez_error_is(error, MEZ_ERRC_INVALID_PARAMETER));
        if (!mez_failed(error))
            check(&words);
        require(mez_failed(error) || options.level || options.optimise);
    }
    mez_words_finish(&words);
    free(text);
    return 0;
}
