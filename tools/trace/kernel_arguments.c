// SPDX-License-Identifier: MIT

#include "kernel_arguments.h"

#include <string.h>

#include "base/text.h"

// The published type of a pointer to memory.
enum { IS_POINTER = 3 };

bool trace_kernel_arguments_take(
    struct trace_kernel_arguments *arguments, const struct trace_read_value *value)
{
    mez_xpti_kernel_argument argument;
    if (value->type != TRACE_VALUE_BYTES || value->size != sizeof argument ||
        strncmp(value->key, "arg", strlen("arg")) != 0)
        return false;
    memcpy(&argument, value->bytes, sizeof argument);
    if (argument.index < 0 || argument.index >= TRACE_MOST_ARGUMENTS)
        return false;
    arguments->arguments[argument.index] = argument;
    arguments->has |= UINT64_C(1) << argument.index;
    return true;
}

char *trace_kernel_arguments_print(const struct trace_kernel_arguments *arguments)
{
    mez_text text = {0};
    for (int i = 0; i < TRACE_MOST_ARGUMENTS; i++) {
        const mez_xpti_kernel_argument *argument = &arguments->arguments[i];
        if (!(arguments->has >> i & 1))
            continue;
        mez_text_add(&text, "%s", text.length ? ", " : "");
        if (argument->type == IS_POINTER)
            mez_text_add(&text, "%p", argument->pointer);
        else
            mez_text_add(&text, "%d bytes", argument->size);
    }
    return text.string;
}
