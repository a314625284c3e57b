// SPDX-License-Identifier: MIT
//
// Sources in the place of SPIR-V: files in OpenCL C whose name ends in ".cl", which are compiled on the way.

#ifndef SOURCE_INPUT_H
#define SOURCE_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include <mezzanine/image.h>

#include "compiler_options.h"

bool source_input_is(const char *path);

// SPIR-V of the file, with the lines of the source in it; yours to free(). The compiler's warnings go to stderr. Errors: those of
// mez_compilation_create. SIGINT and the like stop the compiler, and end the program when nothing of it is left.
mez_error source_input_read(
    const char *path, const struct compiler_options *options, void **code, size_t *size);

// An image of any kind of file, for a program's own use. SIGINT and the like stop a compiler first. compiler_options_fit has said
// that the options are for this file.
mez_error source_input_load(mez_context *context, const mez_image_params *params,
    const struct compiler_options *options, mez_image **image);

#endif
