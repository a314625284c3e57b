// SPDX-License-Identifier: MIT

#include "image/flags.h"

#include <string.h>

#include "base/alloc.h"
#include "image/image.h"

// Kernels written for the vector compiler.
#define VECTOR_COMPUTE "-vc-codegen"

// Kernels that asked for the larger of two register files, in either spelling.
#define LARGE_REGISTERS "-ze-opt-large-register-file"
enum { LARGE_REGISTER_MODE = 2, LARGE_REGISTER_COUNT = 256 };

static bool wants_large_registers(const mez_properties *properties)
{
    return mez_properties_get_number(properties, MEZ_SET_MISC, "sycl-register-alloc-mode", 0) ==
               LARGE_REGISTER_MODE ||
           mez_properties_get_number(properties, MEZ_SET_MISC, "sycl-grf-size", 0) ==
               LARGE_REGISTER_COUNT;
}

typedef struct pieces {
    const char *items[6];
    size_t count;
} pieces;

static void add(pieces *pieces, const char *piece)
{
    if (piece[0] != '\0')
        pieces->items[pieces->count++] = piece;
}

static pieces gather(const mez_part *part)
{
    const mez_properties *properties = &part->binary->properties;
    pieces pieces = {0};
    add(&pieces, part->binary->compile_options);
    add(&pieces, part->image->build_flags);
    if (part->stated.esimd)
        add(&pieces, VECTOR_COMPUTE);
    if (wants_large_registers(properties))
        add(&pieces, LARGE_REGISTERS);
    return pieces;
}

// Not a mez_text, which would drop flags where memory is short.
mez_error mez_flags_make(const mez_part *part, const char *before, const char *after, char **flags)
{
    const pieces pieces = gather(part);
    size_t size = strlen(before) + strlen(after) + 1;
    for (size_t i = 0; i < pieces.count; i++)
        size += strlen(pieces.items[i]) + 1;
    *flags = mez_alloc_array(size, 1);
    if (!*flags)
        return mez_error_no_memory("build flags");
    char *end = stpcpy(*flags, before);
    for (size_t i = 0; i < pieces.count; i++) {
        if (i > 0)
            *end++ = ' ';
        end = stpcpy(end, pieces.items[i]);
    }
    strcpy(end, after);
    return mez_ok();
}
