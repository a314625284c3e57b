// SPDX-License-Identifier: MIT
//
// Blocks of pages that hold one allocation each.
//
// Intel's driver hands out memory in pages of 64 KiB that begin as zeros, and programs have come to rely on both: they read what they
// never wrote, and access a little more than they asked for. So a block is a multiple of 64 KiB, and zeroed. With ZE_CPU_GUARD the memory
// is filled with a pattern instead, its block ends with it, pages that nobody may access lie around it, and freed memory is closed.
#ifndef ZE_CPU_BLOCK_H
#define ZE_CPU_BLOCK_H

#include "memory.h"

// Sets base, before and block_size of an allocation of `size` bytes. `owns_pages`: no page of it holds anything else, and it begins with
// one. False: memory is short.
bool zc_block_map(struct zc_allocation *allocation, size_t alignment, bool owns_pages);
void zc_block_unmap(const struct zc_allocation *allocation);

// What an allocation's pages beyond itself hold is as it was made. False: it is not; *offset is that of the first byte that somebody has
// changed, from the base, and negative in front of it.
bool zc_block_is_intact(const struct zc_allocation *allocation, ptrdiff_t *offset);
// Nobody may access the allocation, which is freed, from now on; its contents are gone.
void zc_block_close(const struct zc_allocation *allocation);

#endif
