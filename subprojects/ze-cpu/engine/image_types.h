// SPDX-License-Identifier: MIT
//
// The types that LLVM has for images and samplers since version 16.

#ifndef ZC_ENGINE_IMAGE_TYPES_H
#define ZC_ENGINE_IMAGE_TYPES_H

// A copy of LLVM's assembler in which these types are pointers; free() it. NULL: there is no memory, or a type that does not end.
char *zc_image_types_as_pointers(const char *assembler);

#endif
