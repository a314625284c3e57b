// SPDX-License-Identifier: MIT
//
// Images and samplers as arguments of kernels. Whoever has a blob with images in it, a kernel's handle or a launch, has a reference to
// each.
#ifndef ZE_CPU_IMAGE_ARGUMENT_H
#define ZE_CPU_IMAGE_ARGUMENT_H

#include "image_handle.h"

#include <engine.h>

static inline bool zc_is_image_or_sampler(const struct zc_argument *argument)
{
    return argument->kind == ZC_ARGUMENT_IMAGE || argument->kind == ZC_ARGUMENT_SAMPLER;
}

// Puts what `value` points to, a handle, into the blob, in the place of what was there.
ze_result_t zc_image_argument_set(
    const struct zc_argument *argument, const void *value, char *blob);
// Takes it out again.
void zc_image_argument_clear(const struct zc_argument *argument, char *blob);

// The image of that argument, which is one; NULL: it is not set.
ze_image_handle_t zc_image_argument_get(const struct zc_argument *argument, const char *blob);
// Calls `what` for each image in the blob.
void zc_image_arguments_each(
    const struct zc_kernel *kernel, const char *blob, void (*what)(ze_image_handle_t image));
bool zc_image_arguments_are_destroyed(const struct zc_kernel *kernel, const char *blob);

#endif
