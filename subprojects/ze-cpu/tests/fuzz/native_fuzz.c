// SPDX-License-Identifier: MIT
//
// Fuzz target of the native binaries' reader: the input is what follows the header, which is made to
// fit it. Whatever is read is written back to the same bytes.

#include "native.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

// A header, from an empty binary, and the input.
static uint8_t *seal(const uint8_t *bytes, size_t size)
{
    size_t empty_size;
    const struct zc_native empty = {.engine = "", .processor = "", .device = ""};
    uint8_t *binary = malloc(ZC_NATIVE_HEADER_SIZE + size);
    void *model = zc_native_write(&empty, &empty_size);
    require(binary != NULL && model != NULL);
    memcpy(binary, model, ZC_NATIVE_HEADER_SIZE);
    free(model);
    if (size > 0)
        memcpy(binary + ZC_NATIVE_HEADER_SIZE, bytes, size);
    zc_native_seal(binary, ZC_NATIVE_HEADER_SIZE + size);
    return binary;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct zc_native native;
    uint8_t *binary = seal(bytes, size);
    if (zc_native_read(binary, ZC_NATIVE_HEADER_SIZE + size, &native) == NULL) {
        size_t written;
        void *again = zc_native_write(&native, &written);
        require(again != NULL && written == ZC_NATIVE_HEADER_SIZE + size);
        require(memcmp(binary, again, written) == 0);
        free(again);
        zc_native_finish(&native);
    }
    free(binary);
    return 0;
}
