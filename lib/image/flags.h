// SPDX-License-Identifier: MIT
//
// The flags that a part is compiled with: its container's, the image's, and what property sets turn into flags.

#ifndef MEZ_IMAGE_FLAGS_H
#define MEZ_IMAGE_FLAGS_H

#include "image/part.h"

// One string between `before` and `after`; the caller's, to be given to mez_free_memory. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_flags_make(const mez_part *part, const char *before, const char *after, char **flags);

#endif
