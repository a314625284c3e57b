// SPDX-License-Identifier: MIT

#include "container/lines.h"

#include <string.h>

#include "base/alloc.h"

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
