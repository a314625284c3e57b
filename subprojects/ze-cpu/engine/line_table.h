// SPDX-License-Identifier: MIT
//
// Which line of source an instruction is of, by the DWARF of an object file. Reads what LLVM writes for ELF with 64 bits: line
// tables of versions 2 to 4, in sections that are not compressed. Knows nothing of LLVM.
//
// Thread-safety: works on its arguments.

#ifndef ZC_ENGINE_LINE_TABLE_H
#define ZC_ENGINE_LINE_TABLE_H

#include "bytes.h"

#include <stdbool.h>

// A function of the object file, and the section that it is in.
struct zc_object_symbol {
    uint32_t section;
    uint64_t offset;       // of the symbol in it
    uint64_t section_size; // bytes
};

// A file's name in the table, and a line; both from the object.
struct zc_source_line {
    const char *file; // ends with a zero
    uint32_t line;
};

// False: there is no such symbol, or the object is damaged.
bool zc_object_find_symbol(
    struct zc_span object, const char *name, struct zc_object_symbol *symbol);

// The line of the instruction at `offset` of the section. False: not known.
bool zc_line_table_find(
    struct zc_span object, uint32_t section, uint64_t offset, struct zc_source_line *line);

#endif
