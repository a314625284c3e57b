// SPDX-License-Identifier: MIT
//
// A kernel: an entry point of an image, ready to be submitted with arguments.
//
// Kernels are immutable. Arguments travel with each submission, so one kernel may be submitted from
// any thread to any queue of its context.
//
// Thread-safety: safe.

#ifndef MEZZANINE_KERNEL_H
#define MEZZANINE_KERNEL_H

#include <mezzanine/base.h>
#include <mezzanine/image.h>

MEZ_BEGIN

typedef struct mez_kernel mez_kernel;

// MEZ_ERRC_KERNEL: the image has no kernel of that name; the story lists those it has.
// MEZ_ERRC_INVALID_PARAMETER: a NULL argument. MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_kernel_create_at(
    const mez_location *where, mez_image *image, const char *name, mez_kernel **kernel);

// Loads a file, SPIR-V, a container or OpenCL C ("heat.cl", see image.h), and takes one kernel from
// it. Errors: those of mez_image_load and mez_kernel_create.
MEZ_API MEZ_CHECKED mez_error mez_kernel_load_at(const mez_location *where, mez_context *context,
    const char *path, const char *name, mez_kernel **kernel);

// Checks what the kernel needs and compiles it for a device of its context, where that has not been
// done. Submitting does this by itself; call it to choose when the time is spent, or to learn
// early.
//
// MEZ_ERRC_KERNEL_NOT_SUPPORTED: the device lacks something; the story lists every unmet
//     requirement, the function and instruction that asks for it, and what the device has. The
//     driver's compiler has not been asked.
// MEZ_ERRC_COMPILE_PROGRAM, MEZ_ERRC_LINK_PROGRAM: the driver's compiler refused; the story holds
//     its build log. Or, without asking it: the kernel uses symbols that nothing defines (all are
//     named), or images that are linked state what does not fit together ("Unable to merge
//     incompatible images.").
// MEZ_ERRC_KERNEL: the driver built the module but has no such kernel in it, or a container lists
//     one that its code does not have.
// MEZ_ERRC_INVALID_IMAGE: code that was not read before is damaged.
// MEZ_ERRC_INVALID_PARAMETER: NULL, or a device of another context. MEZ_ERRC_OUT_OF_HOST_MEMORY.
//     MEZ_ERRC_DEVICE_LOST. What else the driver says.
MEZ_API MEZ_CHECKED mez_error mez_kernel_build_at(
    const mez_location *where, mez_kernel *kernel, mez_device *device);

// Would mez_kernel_build refuse the kernel for what the device lacks? Answers at once, builds
// nothing and asks no compiler, which may still find something else. `device` NULL: the context's
// first. True: it has all that is known to be needed. False: *reason (NULL: not wanted) is the
// error that building would give, one of MEZ_ERRC_KERNEL_NOT_SUPPORTED, MEZ_ERRC_INVALID_PARAMETER,
// MEZ_ERRC_OUT_OF_HOST_MEMORY; else it is success.
MEZ_API bool mez_kernel_is_supported(
    const mez_kernel *kernel, mez_device *device, mez_error *reason);

#ifndef __cplusplus
#define mez_kernel_create(image, name, kernel) mez_kernel_create_at(MEZ_HERE, image, name, kernel)
#define mez_kernel_load(context, path, name, kernel) \
    mez_kernel_load_at(MEZ_HERE, context, path, name, kernel)
#define mez_kernel_build(kernel, device) mez_kernel_build_at(MEZ_HERE, kernel, device)
#endif

typedef enum mez_arg_kind {
    MEZ_ARG_VALUE = 0,   // bytes: numbers, vectors, structs
    MEZ_ARG_POINTER = 1, // to memory that the device can reach
    MEZ_ARG_LOCAL = 2,   // work-group memory of a given size
} mez_arg_kind;

// One argument. The macros below make them.
typedef struct mez_arg {
    mez_arg_kind kind;
    size_t size;      // value: its bytes; local: bytes per work-group; pointer: ignored
    const void *data; // value: where the bytes are; pointer: the pointer itself; local: ignored
} mez_arg;

// The arguments of one submission, in the kernel's order. Read during the call only.
typedef struct mez_args {
    size_t count;
    const mez_arg *items;
} mez_args;

#ifndef __cplusplus
// MEZ_ARGS(MEZ_VAL(2.0f), MEZ_PTR(x), MEZ_LOCAL(256)). A kernel without arguments takes NULL.
//
// MEZ_VAL takes any expression that has a value: MEZ_VAL(n), MEZ_VAL(n + 1),
// MEZ_VAL(make_matrix()).
// The kernel gets its bytes, so that its type must have the size that the kernel expects: 2.0 is a
// double, and n + 1 is an int where n is a short. An array stands for all its elements.
//
// The first three macros are parts of it. Behind a comma an array becomes a pointer, and every
// other type stays what it is; what is not chosen must compile all the same, and is 0 for that.
// clang-format off
#define MEZ_IS_ARRAY(e) \
    (!__builtin_types_compatible_p(__typeof__(e), __typeof__(((void)0, (e)))))
#define MEZ_IF_ARRAY(e, then, otherwise) __builtin_choose_expr(MEZ_IS_ARRAY(e), then, otherwise)
#define MEZ_COPY_OF(e) ((const __typeof__(MEZ_IF_ARRAY(e, 0, e))[1]){MEZ_IF_ARRAY(e, 0, e)})
#define MEZ_VAL(expression)                                                      \
    {MEZ_ARG_VALUE, sizeof(expression),                                          \
        __extension__(MEZ_IF_ARRAY(expression,                                   \
            (const void *)MEZ_IF_ARRAY(expression, (expression), 0), MEZ_COPY_OF(expression)))}
#define MEZ_PTR(pointer) {MEZ_ARG_POINTER, sizeof(void *), (pointer)}
#define MEZ_LOCAL(bytes) {MEZ_ARG_LOCAL, (bytes), NULL}
// clang-format on
#define MEZ_ARGS(...)   \
    (&(const mez_args){ \
        sizeof((const mez_arg[]){__VA_ARGS__}) / sizeof(mez_arg), (const mez_arg[]){__VA_ARGS__}})
#endif

// What the kernel expects, as its code says, which is read for that if it has not been. 0 for a
// NULL kernel, and for a native one that no device has built yet.
MEZ_API uint32_t mez_kernel_argument_count(const mez_kernel *kernel);
MEZ_API const char *mez_kernel_name(const mez_kernel *kernel);
// Does its code, or code that it is linked with, reach an assert? Of native code its properties
// tell.
MEZ_API bool mez_kernel_uses_assert(const mez_kernel *kernel);

// Gives up your reference and sets *kernel to NULL. Submissions in flight keep what they need.
MEZ_API void mez_kernel_destroy(mez_kernel **kernel);

MEZ_END

#endif
