// SPDX-License-Identifier: MIT
//
// Descriptors of device images as a linker would lay them into a program, one for each version, made by hand here.

#ifndef MEZ_TESTS_CONTAINER_DESCRIPTORS_H
#define MEZ_TESTS_CONTAINER_DESCRIPTORS_H

#include "container/descriptor.h"

// Two images of version 1: SPIR-V with old entries and properties, and native code without anything.
extern const mez_dpcpp_descriptor descriptor_1;

// One image of version 2, packed by zstd, with new entries.
extern mez_dpcpp_descriptor descriptor_2;

// Two images of version 3: kernels in a property set, and LLVM bitcode.
extern const mez_dpcpp_descriptor descriptor_3;

// Fills in what descriptor_2's image is: packed bytes can't be written as constants.
void set_packed_image(const void *bytes, size_t size);

#endif
