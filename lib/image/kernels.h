// SPDX-License-Identifier: MIT
//
// The kernels of an image: those of all its parts, each name once.

#ifndef MEZ_IMAGE_KERNELS_H
#define MEZ_IMAGE_KERNELS_H

#include "image/image.h"

// Asks the containers; where one has no list, the code; and of native code without a list, the driver. A part that can't be used
// has none, unless it is the only one: then the error says why. Errors of mez_part_read.
mez_error mez_image_kernels_find(mez_image *image);
void mez_image_kernels_finish(mez_image *image);

// The image's own string of that name; NULL: it has no such kernel.
const char *mez_image_find_kernel(const mez_image *image, const char *name);

bool mez_part_has_kernel(const mez_part *part, const char *name);

#endif
