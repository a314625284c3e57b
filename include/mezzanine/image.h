// SPDX-License-Identifier: MIT
//
// A device image: the code that your toolchain produced, in the container that it came in: SPIR-V,
// native binaries, file tables, SYCLBIN, OffloadBinary, what DPC++ compiles into programs.
// docs/images.md lists them. Or OpenCL C, which the compiler of this machine makes SPIR-V of first.
//
// An image may hold a kernel several times. Each device gets the best: native code that was
// compiled for it, else SPIR-V. Bytes are checked before any driver's compiler sees them. Where a
// container lists the kernels, that is when one is first built for a device, after what the
// container says of the device has been judged; else it is when the image is created. The driver
// compiles when a kernel is first used on a device (or by mez_kernel_build): the whole of a SPIR-V
// module, or where not all of it can run there, one kernel at a time. What was compiled once is
// kept on disk (docs/cache.md).
//
// Thread-safety: safe; images are immutable.

#ifndef MEZZANINE_IMAGE_H
#define MEZZANINE_IMAGE_H

#include <mezzanine/base.h>
#include <mezzanine/context.h>

MEZ_BEGIN

typedef struct mez_image mez_image;

// A value for a specialization constant: one that the code leaves to whoever compiles it (SPIR-V:
// OpSpecConstant with the decoration SpecId).
typedef struct mez_spec_constant {
    uint32_t id;       // its SpecId
    size_t size;       // bytes of its type: 1, 2, 4 or 8; a bool has 1
    const void *value; // copied
} mez_spec_constant;

// One of `code`, `path` and `source` is what the image is made of; the others are NULL.
typedef struct mez_image_params {
    const void *code; // a container, whatever it is; SPIR-V in either byte order; copied
    size_t size;      // bytes
    // For the driver's compiler, such as "-ze-opt-level=2"; copied; NULL: none.
    const char *build_flags;
    // Shown in messages; copied; NULL: the path, or "image". What the compiler, asserts and
    // __FILE__ call the text of `source`; NULL or "": "source.cl"; "folder/" is the source.cl in
    // there.
    const char *debug_name;
    // Values of specialization constants, for all kernels of the image; others keep those of the
    // code.
    const mez_spec_constant *constants;
    uint32_t constant_count;
    // Images whose exported functions and variables this one's code may import; referenced. They
    // are compiled into each module that uses them, which then has their variables to itself.
    mez_image *const *libraries;
    uint32_t library_count;
    // A file of a container, or of OpenCL C, whose name ends in ".cl"; read before the call
    // returns.
    const char *path;
    // The text of a program in OpenCL C, which ends with a NUL; read before the call returns.
    const char *source;
    // Options of clang for OpenCL C, separated by blanks; write those that contain blanks in '...'
    // or "...": "-DWIDTH=64 -Ikernels -cl-fast-relaxed-math -g". NULL: none. Ignored for
    // containers.
    const char *compile_options;
    uint64_t reserved[8]; // must be zero: mezzanine/base.h
} mez_image_params;

// *image is yours, to be given to mez_image_destroy; NULL after an error. This is so with the calls
// that follow, too.
//
// MEZ_ERRC_INVALID_PARAMETER: a NULL argument; a specialization constant that the code does not
//     have (the story lists those it has), has in another size, or that is given twice. Where
//     libraries are given: a NULL, or an image of another context. A source besides code, or a
//     wrong option for its compiler.
// MEZ_ERRC_COMPILE_PROGRAM: the source is wrong; the story has the compiler's messages.
// MEZ_ERRC_FILE: a file can't be read, or OpenCL C can't be compiled because this machine has no
//     compiler; the story has the system's reason, or what to install.
// MEZ_ERRC_INVALID_IMAGE: nothing that is known, or damaged; the story says what is wrong and
//     where, or what it looks like.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_image_create_at(const mez_location *where, mez_context *context,
    const mez_image_params *params, mez_image **image);

// The same from a file, with nothing given but params->path. Errors: those of mez_image_create.
MEZ_API MEZ_CHECKED mez_error mez_image_load_at(
    const mez_location *where, mez_context *context, const char *path, mez_image **image);

// As mez_image_create, for an image that the program registered for a SYCL runtime
// (<mezzanine/register.h> says how): params->code is DPC++'s descriptor, with a size of 0, or an
// LLVM OffloadBinary of that size. Nothing is copied: it has to live as long as the image and its
// kernels. MEZ_ERRC_INVALID_PARAMETER, MEZ_ERRC_INVALID_IMAGE and MEZ_ERRC_OUT_OF_HOST_MEMORY as
// there.
MEZ_API MEZ_CHECKED mez_error mez_image_create_registered_at(const mez_location *where,
    mez_context *context, const mez_image_params *params, mez_image **image);
#ifndef __cplusplus
#define mez_image_create_registered(...) mez_image_create_registered_at(MEZ_HERE, __VA_ARGS__)
#define mez_image_create(...) mez_image_create_at(MEZ_HERE, __VA_ARGS__)
#define mez_image_load(context, path, image) mez_image_load_at(MEZ_HERE, context, path, image)
#endif

// Kernels of the image, those of all its parts, in its own order. NULL where there is no such
// kernel; the string lives as long as the image.
MEZ_API uint32_t mez_image_get_kernel_count(const mez_image *image);
MEZ_API const char *mez_image_get_kernel_name(const mez_image *image, uint32_t index);

// Gives up your reference and sets *image to NULL. Kernels made from the image keep what they need.
MEZ_API void mez_image_destroy_at(const mez_location *where, mez_image **image);
#ifndef __cplusplus
#define mez_image_destroy(image) mez_image_destroy_at(MEZ_HERE, image)
#endif

MEZ_END

#endif
