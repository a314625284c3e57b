// SPDX-License-Identifier: MIT

#include "wrap.h"

#include <stdbool.h>
#include <string.h>

void print_wrapped(FILE *stream, int indent, int width, const char *text)
{
    int column = fprintf(stream, "%*s", indent, "");
    bool begins = true; // nothing stands in the line
    for (size_t length; *text; text += length + strspn(text + length, " ")) {
        length = strcspn(text, " ");
        if (!begins && column + 1 + (int)length > width) {
            column = fprintf(stream, "\n%*s", indent + 2, "") - 1;
            begins = true;
        }
        column += fprintf(stream, "%s%.*s", begins ? "" : " ", (int)length, text);
        begins = false;
    }
    putc('\n', stream);
}
