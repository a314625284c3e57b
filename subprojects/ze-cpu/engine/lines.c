// SPDX-License-Identifier: MIT
//
// The code of a kernel is one section of an object file, which lies in memory as it does in the file: the kernel's entry, whose
// address is known, says where.

#include "lines.h"
#include "build.h"
#include "line_table.h"

#include <stdio.h>
#include <stdlib.h>

static bool find_entry(const struct zc_kernel_code *kernel, struct zc_object_symbol *entry)
{
    char *name = NULL;
    if (asprintf(&name, ZC_KERNEL_PREFIX "%s", kernel->public.name) < 0)
        return false;
    const bool found = zc_object_find_symbol(kernel->object, name, entry);
    free(name);
    return found;
}

void zc_lines_find(const struct zc_kernel_code *kernel, const uintptr_t *code, size_t count,
    struct zc_place *place)
{
    struct zc_object_symbol entry;
    struct zc_source_line line;
    if (!find_entry(kernel, &entry))
        return;
    const uintptr_t start = (uintptr_t)kernel->entry - (uintptr_t)entry.offset;
    for (size_t i = 0; i < count; i++) {
        const uintptr_t address = i > 0 ? code[i] - 1 : code[i]; // a call ends where it returns to
        if (address < start || address - start >= entry.section_size)
            continue;
        if (zc_line_table_find(kernel->object, entry.section, address - start, &line)) {
            snprintf(place->file, sizeof place->file, "%s", line.file);
            place->line = line.line;
        }
        return;
    }
}
