// SPDX-License-Identifier: MIT

#include "base/bounded.h"

#include <string.h>

mez_bounded mez_bounded_begin(char *buffer, size_t size)
{
    if (buffer && size > 0)
        buffer[0] = '\0';
    return (mez_bounded){.buffer = buffer, .size = buffer ? size : 0};
}

void mez_bounded_add(mez_bounded *text, const char *bytes, size_t count)
{
    if (text->length + 1 < text->size) {
        const size_t room = text->size - text->length - 1;
        const size_t copied = count < room ? count : room;
        memcpy(text->buffer + text->length, bytes, copied);
        text->buffer[text->length + copied] = '\0';
    }
    text->length += count;
}

void mez_bounded_add_string(mez_bounded *text, const char *string)
{
    mez_bounded_add(text, string, strlen(string));
}
