// SPDX-License-Identifier: MIT
//
// Images and views of them.
#ifndef ZE_CPU_IMAGE_HANDLE_H
#define ZE_CPU_IMAGE_HANDLE_H

#include "memory.h"

#include <image.h>
#include <level_zero/ze_api.h>
#include <stdatomic.h>
#include <stdbool.h>

struct zc_texels;
struct zc_runner;

// Kernels get the address of the first member, which is that of the handle. Whoever may still use an image when the program has
// destroyed it has a reference: kernels that have it as an argument, and commands.
struct _ze_image_handle_t {
    struct zc_image seen; // by kernels; never changes
    ze_image_format_t format;
    ze_image_type_t type;
    bool kernels_write; // the program said so
    struct zc_texels *texels;
    struct zc_memory_map *map; // knows `seen`, and texels that are ours
    atomic_uint references;
    atomic_bool destroyed;
    atomic_uint
        commands; // that have been submitted and have not ended; counted where that is strict
};

// The image, with a reference more; NULL: the address is not that of an image, or of one that was destroyed.
ze_image_handle_t zc_image_hold(const void *handle);
// The handle's owner has a reference already.
void zc_image_ref(ze_image_handle_t image);
void zc_image_unref(ze_image_handle_t image);

bool zc_image_is_destroyed(const struct _ze_image_handle_t *image);
// For launches of that kernel that are not run because an image was destroyed; NULL: for copies.
void zc_image_note_destroyed(struct zc_runner *runner, const char *kernel);
// A command that uses the image is handed over to a queue, and has ended.
void zc_image_use_begin(ze_image_handle_t image);
void zc_image_use_end(ze_image_handle_t image);

#endif
