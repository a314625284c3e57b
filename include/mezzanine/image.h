// SPDX-License-Identifier: MIT
//
// A device image is device code from a toolchain, in any of these containers: SPIR-V, native
// binaries, file tables, SYCLBIN, OffloadBinary, or what DPC++ compiles into programs
// (docs/images.md). An image can also be made from OpenCL C, which a compiler of this machine first
// turns into SPIR-V.
//
// An image may contain the same kernel in several forms. Each device gets the best one: native code
// that was compiled for it, or else SPIR-V. Code is checked before a driver's compiler sees it. If
// the container lists its kernels, the code is read and checked when a kernel is first built for a
// device, after the requirements in the container have been judged; otherwise when the image is
// created. The driver compiles the code when a kernel is first used on a device, or when
// mez_kernel_build is called. It compiles a SPIR-V module as a whole; if the device can't run all
// of it, it compiles one kernel at a time. The results are kept on disk (docs/cache.md).
//
// Thread-safety: safe; images are immutable.

#ifndef MEZZANINE_IMAGE_H
#define MEZZANINE_IMAGE_H

#include <mezzanine/base.h>
#include <mezzanine/context.h>

MEZ_BEGIN

typedef struct mez_image mez_image;

// A value for a specialization constant, which is a constant of SPIR-V that gets its value when the
// code is compiled (OpSpecConstant with the decoration SpecId).
typedef struct mez_spec_constant {
    uint32_t id;       // its SpecId
    size_t size;       // bytes of its type: 1, 2, 4 or 8; a bool has 1
    const void *value; // copied
} mez_spec_constant;

// The image is made from one of `code`, `path` and `source`; the other two must be NULL.
typedef struct mez_image_params {
    const void *code; // any container, or SPIR-V in either byte order; copied
    size_t size;      // bytes
    // Options of the driver's compiler, such as "-ze-opt-level=2"; copied; NULL: none.
    const char *build_flags;
    // Shown in messages; copied; NULL: the path, or "image". It is also the name of the file that
    // `source` stands for, in messages of the compiler, in asserts and in __FILE__. Then NULL and
    // "" mean "source.cl", and "folder/" means "folder/source.cl".
    const char *debug_name;
    // Values of specialization constants, for all kernels of the image. Constants that are not
    // listed keep their default values.
    const mez_spec_constant *constants;
    uint32_t constant_count;
    // Images that export functions and variables which the code of this image imports; referenced.
    // They are compiled into each module that uses them, so that each module has its own copy of
    // their variables.
    mez_image *const *libraries;
    uint32_t library_count;
    // A file with a container, or with OpenCL C if its name ends in ".cl"; read before the call
    // returns.
    const char *path;
    // The text of a program in OpenCL C, with a final NUL; read before the call returns.
    const char *source;
    // Options of clang for OpenCL C, separated by blanks; write those that contain blanks in '...'
    // or "...": "-DWIDTH=64 -Ikernels -cl-fast-relaxed-math -g". NULL: none. Ignored for
    // containers.
    const char *compile_options;
    // Bytes that all compressed code of the image may take when it is unpacked, as a small file can
    // unpack to anything; 0: what MEZ_UNPACK_LIMIT says, else 256 MiB.
    uint64_t unpack_limit;
    uint64_t reserved[7]; // must be zero: mezzanine/base.h
} mez_image_params;

// Creates an image. *image is yours, to be given to mez_image_destroy; NULL after an error. The
// calls that follow do the same.
//
// MEZ_ERRC_INVALID_PARAMETER: a NULL argument; a specialization constant that the code does not
//     have (the story lists those that it has), that has another size, or that is given twice; a
//     library that is NULL or belongs to another context; none or more than one of code, path and
//     source; or a wrong option in `compile_options`.
// MEZ_ERRC_COMPILE_PROGRAM: the compiler refused the source; the story has its messages.
// MEZ_ERRC_FILE: a file can't be read, and the story has the system's reason; or this machine has
//     no compiler for OpenCL C, and the story says what to install.
// MEZ_ERRC_INVALID_IMAGE: the format is not known, or the contents are damaged; the story says what
//     is wrong and where, or what the bytes look like.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_image_create_at(const mez_location *where, mez_context *context,
    const mez_image_params *params, mez_image **image);

// Creates an image from a file, as with params->path alone. Errors: those of mez_image_create.
MEZ_API MEZ_CHECKED mez_error mez_image_load_at(
    const mez_location *where, mez_context *context, const char *path, mez_image **image);

// As mez_image_create, for an image that the program has registered as for a SYCL runtime
// (<mezzanine/register.h>). params->code is DPC++'s descriptor, with params->size 0, or an LLVM
// OffloadBinary of that size. The code is not copied, and must live as long as the image and its
// kernels. MEZ_ERRC_INVALID_PARAMETER, MEZ_ERRC_INVALID_IMAGE and MEZ_ERRC_OUT_OF_HOST_MEMORY as
// there.
MEZ_API MEZ_CHECKED mez_error mez_image_create_registered_at(const mez_location *where,
    mez_context *context, const mez_image_params *params, mez_image **image);
#ifndef __cplusplus
#define mez_image_create_registered(...) mez_image_create_registered_at(MEZ_HERE, __VA_ARGS__)
#define mez_image_create(...) mez_image_create_at(MEZ_HERE, __VA_ARGS__)
#define mez_image_load(context, path, image) mez_image_load_at(MEZ_HERE, context, path, image)
#endif

// The kernels of all parts of the image, in the image's order. The name is NULL if there is no such
// kernel; it lives as long as the image.
MEZ_API uint32_t mez_image_get_kernel_count(const mez_image *image);
MEZ_API const char *mez_image_get_kernel_name(const mez_image *image, uint32_t index);

// Gives up your reference to the image and sets *image to NULL. Kernels of the image keep what they
// need.
MEZ_API void mez_image_destroy_at(const mez_location *where, mez_image **image);
#ifndef __cplusplus
#define mez_image_destroy(image) mez_image_destroy_at(MEZ_HERE, image)
#endif

MEZ_END

#endif
