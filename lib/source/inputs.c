// SPDX-License-Identifier: MIT

#include "source/inputs.h"

#include <string.h>

// Each is its kind, its path and a NUL.
void mez_source_inputs_add(mez_bytes *list, mez_source_input_kind kind, const char *path)
{
    const char letter = (char)kind;
    mez_bytes_add(list, &letter, 1);
    mez_bytes_add(list, path, strlen(path) + 1);
}

bool mez_source_inputs_next(const void *list, size_t size, size_t *offset, mez_source_input *input)
{
    const char *bytes = list;
    if (*offset >= size)
        return false;
    input->kind = (mez_source_input_kind)bytes[*offset];
    input->path = bytes + *offset + 1;
    *offset += 1 + strlen(input->path) + 1;
    return true;
}

bool mez_source_inputs_are_whole(const void *list, size_t size)
{
    const char *next = list, *end = next + size;
    while (next < end) {
        const bool known = *next == MEZ_SOURCE_READ || *next == MEZ_SOURCE_ABSENT;
        const char *nul = known ? memchr(next, '\0', (size_t)(end - next)) : NULL;
        if (!nul || nul == next + 1)
            return false;
        next = nul + 1;
    }
    return true;
}
