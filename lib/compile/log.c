// SPDX-License-Identifier: MIT

#include "compile/log.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

#define MOST_BYTES (1u << 20)

// What LLVM prints where it crashes, behind the reason.
static void cut_stack(char *text)
{
    char *stack = strstr(text, "PLEASE submit a bug report");
    if (stack && (stack == text || stack[-1] == '\n'))
        *stack = '\0';
}

// Whole lines where there are more bytes than are shown.
static void add(FILE *stream, char *room, mez_text *text)
{
    const size_t length = fread(room, 1, MOST_BYTES, stream);
    for (size_t i = 0; i < length; i++)
        if (!room[i])
            room[i] = ' ';
    room[length] = '\0';
    const bool more = length == MOST_BYTES && getc(stream) != EOF;
    cut_stack(room);
    char *line = more ? strrchr(room, '\n') : NULL;
    if (line)
        line[1] = '\0';
    mez_text_add(text, "%s%s", room, more ? "... and more\n" : "");
}

void mez_log_file(const char *path, mez_text *text)
{
    char *room = mez_alloc_array(MOST_BYTES + 1, 1);
    FILE *stream = room ? fopen(path, "rbe") : NULL;
    if (stream) {
        add(stream, room, text);
        fclose(stream);
    }
    mez_free_memory(room);
}
