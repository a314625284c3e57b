// SPDX-License-Identifier: MIT
//
// Fuzz target of what makes pointers of images in LLVM's assembler: the input is the text. It never grows, and has nothing to replace
// afterwards.

#include "image_types.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void check(const char *text)
{
    char *replaced = zc_image_types_as_pointers(text);
    if (replaced == NULL)
        return;
    require(strlen(replaced) <= strlen(text));
    char *again = zc_image_types_as_pointers(replaced);
    require(again != NULL && strcmp(again, replaced) == 0);
    free(again);
    free(replaced);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = malloc(size + 1);
    if (text == NULL)
        return 0;
    if (size > 0)
        memcpy(text, bytes, size);
    text[size] = '\0';
    check(text);
    free(text);
    return 0;
}
