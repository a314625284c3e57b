// SPDX-License-Identifier: MIT
//
// Texts that grow or are bounded, lines, and misspelt names.

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

// --- That grow

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

// There is room.
static void put_in_text(void *to, const char *bytes, size_t count)
{
    mez_text *text = to;
    memcpy(text->string + text->length, bytes, count);
    text->length += count;
}

// All of it or nothing.
void mez_text_add_list(mez_text *text, const char *format, va_list arguments)
{
    const size_t length = mez_output_length(format, arguments);
    if (length == 0 || !reserve(text, length))
        return;
    mez_output_print((mez_output){put_in_text, text}, format, arguments);
    text->string[text->length] = '\0';
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

char *mez_print_string_list(const char *format, va_list arguments)
{
    va_list measured;
    va_copy(measured, arguments);
    const int length = vsnprintf(NULL, 0, format, measured);
    va_end(measured);
    char *string = length < 0 ? NULL : mez_alloc_array((size_t)length + 1, 1);
    if (string)
        vsnprintf(string, (size_t)length + 1, format, arguments);
    return string;
}

char *mez_print_string(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *string = mez_print_string_list(format, arguments);
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

static void put_in_bounded(void *to, const char *bytes, size_t count)
{
    mez_bounded_add(to, bytes, count);
}

void mez_bounded_print(mez_bounded *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    mez_output_print((mez_output){put_in_bounded, text}, format, arguments);
    va_end(arguments);
}

// --- To a stream

// In one piece where there is memory, so that lines of threads are not mixed.
int mez_print(FILE *stream, const char *format, ...)
{
    mez_text text = {0};
    va_list arguments;
    va_start(arguments, format);
    mez_text_add_list(&text, format, arguments);
    va_end(arguments);
    const size_t written = fwrite(mez_text_get(&text), 1, text.length, stream);
    mez_text_finish(&text);
    return (int)written;
}

// --- Lines

static mez_slice next_line(mez_lines *lines)
{
    const char *end = memchr(lines->rest, '\n', lines->left);
    mez_slice line = {.start = lines->rest, .length = lines->left};
    size_t taken = lines->left;
    if (end) {
        line.length = (size_t)(end - lines->rest);
        taken = line.length + 1;
        if (line.length > 0 && end[-1] == '\r')
            line.length--;
    }
    lines->rest += taken;
    lines->left -= taken;
    lines->number++;
    return line;
}

bool mez_lines_next(mez_lines *lines, mez_slice *line)
{
    while (lines->left > 0) {
        *line = next_line(lines);
        if (line->length > 0)
            return true;
    }
    return false;
}

bool mez_is_line(const char *text)
{
    const size_t length = strlen(text);
    return !strchr(text, '\n') && (length == 0 || text[length - 1] != '\r');
}

mez_slice mez_slice_split(mez_slice slice, char at, mez_slice *rest)
{
    const char *place = slice.length ? memchr(slice.start, at, slice.length) : NULL;
    if (!place) {
        *rest = (mez_slice){.start = slice.start + slice.length, .length = 0};
        return slice;
    }
    const size_t before = (size_t)(place - slice.start);
    *rest = (mez_slice){.start = place + 1, .length = slice.length - before - 1};
    return (mez_slice){.start = slice.start, .length = before};
}

char *mez_slice_copy(mez_slice slice)
{
    char *copy = mez_alloc_array(slice.length + 1, 1);
    if (copy && slice.length)
        memcpy(copy, slice.start, slice.length);
    return copy;
}

// --- Spelling

#define LONGEST_NAME 64

mez_spelling mez_spelling_of(const char *wanted, size_t length)
{
    return (mez_spelling){.wanted = wanted, .length = length, .distance = MEZ_MOST_MISSPELT + 1};
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// Letters to insert, remove or change until one is the other (Levenshtein).
static uint32_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    uint32_t row[LONGEST_NAME + 1];
    for (uint32_t j = 0; j <= b_length; j++)
        row[j] = j;
    for (uint32_t i = 1; i <= a_length; i++) {
        uint32_t diagonal = row[0];
        row[0] = i;
        for (uint32_t j = 1; j <= b_length; j++) {
            const uint32_t changed = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = least(changed, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[b_length];
}

void mez_spelling_offer(mez_spelling *spelling, const char *name)
{
    const size_t length = strlen(name);
    if (spelling->length > LONGEST_NAME || length > LONGEST_NAME)
        return;
    const uint32_t far = distance(spelling->wanted, spelling->length, name, length);
    if (far >= spelling->distance)
        return;
    spelling->distance = far;
    spelling->nearest = name;
}
