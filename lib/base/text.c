// SPDX-License-Identifier: MIT

#include "base/text.h"

#include <stdbool.h>
#include <stdio.h>

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
