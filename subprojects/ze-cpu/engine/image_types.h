// SPDX-License-Identifier: MIT
//
// The types of a target that llvm-spirv makes of images and samplers since version 17.

#ifndef ZC_ENGINE_IMAGE_TYPES_H
#define ZC_ENGINE_IMAGE_TYPES_H

// A copy of LLVM's assembler in which these types are pointers; free() it. NULL: there is no memory, or a type that does not end.
char *zc_image_types_as_pointers(const char *assembler);

#endif
