// SPDX-License-Identifier: MIT

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

static bool reserve(mez_text *text, size_t more)
{
    const size_t needed = text->length + more + 1;
    if (needed <= text->capacity)
        return true;
    const size_t capacity = needed < 64 ? 64 : needed * 2;
    char *string = mez_realloc_array(text->string, capacity, 1);
    if (!string)
        return false;
    text->string = string;
    text->capacity = capacity;
    return true;
}

void mez_text_add_list(mez_text *text, const char *format, va_list arguments)
{
    va_list measured;
    va_copy(measured, arguments);
    const int length = vsnprintf(NULL, 0, format, measured);
    va_end(measured);
    if (length <= 0 || !reserve(text, (size_t)length))
        return;
    vsnprintf(text->string + text->length, (size_t)length + 1, format, arguments);
    text->length += (size_t)length;
}

void mez_text_add(mez_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    mez_text_add_list(text, format, arguments);
    va_end(arguments);
}

const char *mez_text_get(const mez_text *text)
{
    return text->string ? text->string : "";
}

void mez_text_finish(mez_text *text)
{
    mez_free_memory(text->string);
    *text = (mez_text){0};
}

char *mez_print_string(const char *format, ...)
{
    va_list arguments, measured;
    va_start(arguments, format);
    va_copy(measured, arguments);
    const int length = vsnprintf(NULL, 0, format, measured);
    va_end(measured);
    char *string = length < 0 ? NULL : mez_alloc_array((size_t)length + 1, 1);
    if (string)
        vsnprintf(string, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return string;
}

// --- In memory of the user's

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

// --- UTF-8

int mez_utf8_length(const unsigned char *text)
{
    static const struct {
        unsigned char first, last, least, most; // range of the first byte, and of the second
        int length;
    } forms[] = {
        {0x00, 0x7f, 0x00, 0xff, 1},
        {0xc2, 0xdf, 0x80, 0xbf, 2},
        {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3},
        {0xed, 0xed, 0x80, 0x9f, 3},
        {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4},
        {0xf1, 0xf3, 0x80, 0xbf, 4},
        {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (text[0] < forms[i].first || text[0] > forms[i].last)
            continue;
        if (forms[i].length > 1 && (text[1] < forms[i].least || text[1] > forms[i].most))
            return 0;
        for (int j = 2; j < forms[i].length; j++)
            if (text[j] < 0x80 || text[j] > 0xbf)
                return 0;
        return forms[i].length;
    }
    return 0;
}
