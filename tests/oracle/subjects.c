// SPDX-License-Identifier: MIT

#include "subjects.h"

#include <stdio.h>

static const struct {
    unsigned subject;
    const char *name;
} names[] = {
    {ABOUT_DOUBLE, "fp64"},
    {ABOUT_HALF, "fp16"},
    {ABOUT_ATOMIC64, "64-bit atomics"},
    {ABOUT_SUB_GROUP, "sub-group size"},
    {ABOUT_ATOMIC16, "16-bit atomics"},
    {ABOUT_INVALID, "invalid SPIR-V"},
    {ABOUT_GROUP_SIZE, "work-group size"},
    {ABOUT_IMAGE, "images"},
    {ABOUT_DECLARED, "a declaration"},
    {ABOUT_MATRIX, "joint matrices"},
    {ABOUT_ESIMD, "vector compute"},
    {ABOUT_ARGUMENTS, "size of the arguments"},
    {ABOUT_ENQUEUE, "kernels that submit kernels"},
    {ABOUT_CRASH, "a crash"},
    {ABOUT_LOCAL_MEMORY, "local memory"},
    {ABOUT_REGISTERS, "registers for the arguments"},
    {ABOUT_ASSERT, "what a failed assert calls"},
    {ABOUT_OTHER, "something else"},
};

const char *describe_subjects(unsigned subjects, char *text, size_t size)
{
    size_t length = 0;
    snprintf(text, size, "nothing");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (subjects & names[i].subject && length < size)
            length += (size_t)snprintf(
                text + length, size - length, "%s%s", length ? ", " : "", names[i].name);
    }
    return text;
}
