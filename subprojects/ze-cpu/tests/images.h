// SPDX-License-Identifier: MIT
//
// Images for tests. Each function fails the test when its call fails.
#ifndef ZE_CPU_TESTS_IMAGES_H
#define ZE_CPU_TESTS_IMAGES_H

#include <level_zero/ze_api.h>
#include <stddef.h>
#include <stdint.h>

// RGBA of one byte each, for kernels to read and write.
ze_image_desc_t image_desc(ze_image_type_t type, uint32_t width, uint32_t height, uint32_t depth);
// Of a two-dimensional image of numbers of 32 bits.
ze_image_desc_t numbers_desc(uint32_t width, uint32_t height);
ze_image_handle_t create_image(const ze_image_desc_t *desc);
// What zeImageCreate returns for that description; destroys the image.
ze_result_t try_image(const ze_image_desc_t *desc);
// Texels of the whole image, through a synchronous list.
void write_image(ze_image_handle_t image, const void *texels);
void read_image(ze_image_handle_t image, void *texels);
// Of a kernel: an image, or a sampler.
ze_result_t set_handle(ze_kernel_handle_t kernel, uint32_t index, void *handle);
// In four threads at once; each is given a bool to say whether all was well. Skips the test where the loader wraps handles.
void run_in_threads(void *(*body)(void *ok));
// Bytes that differ from their neighbours.
void fill_with_bytes(void *bytes, size_t size);

#endif
