// SPDX-License-Identifier: MIT
//
// Images and samplers in a program: what it says of them, and the calls of built-in functions that take them.

#ifndef ZC_ENGINE_IMAGES_H
#define ZC_ENGINE_IMAGES_H

#include "build.h"

// The declaration that llvm-spirv makes a sampler in the program of, from its bits (image.h).
#define ZC_SAMPLER_INITIALIZER "__translate_sampler_initializer"

// image_arguments.c: is this parameter of a kernel an image or a sampler? Then kind, dimensions and access are set.
bool zc_image_argument(LLVMValueRef kernel, unsigned index, struct zc_argument *argument);
// Does the function have to do with images or samplers?
bool zc_uses_images(LLVMValueRef function);

// images.c: is it the name of a function of images? Those are defined apart from others.
bool zc_is_image_builtin(const char *name);
// Replaces the calls of such a function. False: it is not available.
bool zc_image_define(
    struct zc_build *build, LLVMValueRef function, const char *name, const char *mangled);
// Why that is so; NULL: nobody has written it. What no image has is refused before (refused_words.c).
const char *zc_image_refusal(LLVMValueRef function, const char *name);
// Samplers in the program become their bits.
void zc_samplers_define(struct zc_build *build);

#endif
