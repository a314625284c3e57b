// SPDX-License-Identifier: MIT
//
// Small blocks, of one unit each, cut from chunks. A process may have only so many mappings (65,530 by default), and each block that is
// freed between others would make two of one; a chunk stays one whatever is free in it.
//
// Thread-safety: safe.
#ifndef ZE_CPU_UNITS_H
#define ZE_CPU_UNITS_H

#include <stddef.h>

#define ZC_UNIT ((size_t)64 << 10) // bytes, and the alignment

struct zc_chunk;

// A unit of zeros, and whose it is. NULL: memory is short.
char *zc_unit_take(struct zc_chunk **chunk);
// Its pages go back to the system.
void zc_unit_give(struct zc_chunk *chunk, char *unit);

// Pages of zeros. The alignment is a power of two, at least a page. NULL: memory is short.
char *zc_pages_map(size_t size, size_t alignment);
// Where a hole would be one mapping too many, the addresses stay taken, and only the pages go.
void zc_pages_unmap(char *pages, size_t size);

#endif
