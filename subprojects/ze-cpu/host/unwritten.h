// SPDX-License-Identifier: MIT
//
// What of its memory nobody has written (ZE_CPU_CHECK=uninitialized): device memory, until a kernel, a copy or a fill has written
// there. All other memory counts as written, as the host may have done that. Without that check these functions do nothing.
#ifndef ZE_CPU_UNWRITTEN_H
#define ZE_CPU_UNWRITTEN_H

#include "memory.h"

// Of the process; NULL: there is no memory for it, or kernels are not checked for that.
struct zc_shadow *zc_process_shadow(void);

void zc_note_allocated(const struct zc_allocation *allocation);
// Also where somebody else may write from now on.
void zc_note_freed(const struct zc_allocation *allocation);
void zc_note_written(const void *memory, size_t size);
void zc_note_copied(const void *to, const void *from, size_t size);

#endif
