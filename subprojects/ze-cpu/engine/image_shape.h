// SPDX-License-Identifier: MIT
//
// What the built-in functions have to know of an image and don't see from the image itself: which of the coordinates count,
// which are known when the kernel is compiled. An image1d_buffer_t is one of a single dimension, a depth image one of two.

#ifndef ZC_ENGINE_IMAGE_SHAPE_H
#define ZC_ENGINE_IMAGE_SHAPE_H

#define ZC_SHAPE_1D 0
#define ZC_SHAPE_1D_ARRAY 1
#define ZC_SHAPE_2D 2
#define ZC_SHAPE_2D_ARRAY 3
#define ZC_SHAPE_3D 4

// SPIR-V counts the values of these two from 0, OpenCL C from here.
#define ZC_FIRST_CHANNEL_ORDER 0x10b0
#define ZC_FIRST_CHANNEL_DATA_TYPE 0x10d0

#endif
