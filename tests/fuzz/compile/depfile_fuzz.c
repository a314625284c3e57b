// SPDX-License-Identifier: MIT
//
// Fuzz target of the compiler's list of files: whatever the text, an error with words or names that are not longer than it, and that
// are the same, in some order, when they are written and read again. Linked with replay.c instead of libFuzzer it replays the files it is
// given.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compile/depfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

// No list has a name twice, so two that are as long and have the same names are the same.
static bool has(const mez_words *files, const char *name)
{
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->items[i], name) == 0)
            return true;
    return false;
}

static void write_again(const mez_words *files)
{
    mez_bytes text = {0};
    mez_words again = {0};
    const mez_error error = mez_depfile_write("target", NULL, files, &text);
    require(!mez_failed(error) || mez_error_is(error, MEZ_ERRC_INVALID_PARAMETER));
    if (!mez_failed(error)) {
        require(!mez_failed(mez_depfile_read((const char *)text.data, text.size, &again)));
        require(again.count == files->count);
        for (size_t i = 0; i < again.count; i++) // those with a = are written last
            require(has(files, again.items[i]));
    }
    mez_words_finish(&again);
    mez_bytes_finish(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    mez_words files = {0};
    char *text = malloc(size + 1); // its last byte is not the list's
    require(text != NULL);
    if (size > 0)
        memcpy(text, bytes, size);
    const mez_error error = mez_depfile_read(text, size, &files);
    size_t length = 0;
    for (size_t i = 0; i < files.count; i++)
        length += strlen(files.items[i]);
    require(length <= size);
    require(!mez_failed(error) || mez_error_is(error, MEZ_ERRC_FILE));
    if (!mez_failed(error))
        write_again(&files);
    mez_words_finish(&files);
    free(text);
    return 0;
}
