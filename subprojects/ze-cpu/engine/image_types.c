// SPDX-License-Identifier: MIT
//
// target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) becomes ptr addrspace(1).
//
// A value of such a type can't be made a pointer, nor can a function get other parameters, and LLVM's C interface copies no functions. In
// assembler it is a word for another. No text of the program's can look like one: quotes are escaped in texts.

#include "image_types.h"

#include <stdlib.h>
#include <string.h>

struct image_type_name {
    const char *begin, *pointer;
};

static const struct image_type_name *find_name(const char *at)
{
    static const struct image_type_name names[] = {
        {"target(\"spirv.Image\"", "ptr addrspace(1)"},
        {"target(\"spirv.SampledImage\"", "ptr addrspace(1)"},
        {"target(\"spirv.Sampler\"", "ptr addrspace(2)"},
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strncmp(at, names[i].begin, strlen(names[i].begin)) == 0)
            return &names[i];
    }
    return NULL;
}

// Each name is longer than the pointer.
char *zc_image_types_as_pointers(const char *assembler)
{
    char *copy = malloc(strlen(assembler) + 1), *to = copy;
    for (const char *from = assembler; copy != NULL && *from != '\0';) {
        const struct image_type_name *name = *from == 't' ? find_name(from) : NULL;
        if (name == NULL) {
            *to++ = *from++;
            continue;
        }
        const char *end = strchr(from, ')');
        if (end == NULL) {
            free(copy);
            return NULL;
        }
        to = stpcpy(to, name->pointer);
        from = end + 1;
    }
    if (copy != NULL)
        *to = '\0';
    return copy;
}
