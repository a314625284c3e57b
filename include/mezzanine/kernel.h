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

// Takes a kernel of an image, which you may destroy afterwards. *kernel is yours, to be given to
// mez_kernel_destroy; NULL after an error.
//
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
MEZ_API bool mez_kernel_is_supported_at(
    const mez_location *where, const mez_kernel *kernel, mez_device *device, mez_error *reason);

#ifndef __cplusplus
#define mez_kernel_create(image, name, kernel) mez_kernel_create_at(MEZ_HERE, image, name, kernel)
#define mez_kernel_load(context, path, name, kernel) \
    mez_kernel_load_at(MEZ_HERE, context, path, name, kernel)
#define mez_kernel_build(kernel, device) mez_kernel_build_at(MEZ_HERE, kernel, device)
#endif

// How many work-items run, in up to three dimensions: size[0] is what get_global_size(0) returns. A
// range is never rounded up. Where `local` is all zero the work-group's size is chosen: in each
// dimension the largest divisor of the range up to what the driver suggests.
typedef struct mez_range {
    uint32_t dimensions; // 1 to 3
    size_t global[3];    // work-items
    size_t local[3];     // work-items of a work-group; must divide global; all zero: chosen
} mez_range;

#ifndef __cplusplus
#define MEZ_COUNT_OF_SIZES(...) (sizeof((size_t[]){__VA_ARGS__}) / sizeof(size_t))
// MEZ_RANGE(n), MEZ_RANGE(x, y), MEZ_RANGE(x, y, z): x is get_global_id(0).
#define MEZ_RANGE(...)   \
    (&(const mez_range){ \
        .dimensions = (uint32_t)MEZ_COUNT_OF_SIZES(__VA_ARGS__), .global = {__VA_ARGS__}})
// MEZ_ND_RANGE(MEZ_SIZE(x, y), MEZ_SIZE(lx, ly)) with the work-group's size.
#define MEZ_SIZE(...) \
    {                 \
        __VA_ARGS__   \
    }
#define MEZ_ND_RANGE(global_size, local_size)                                                     \
    (&(const mez_range){.dimensions = (uint32_t)(sizeof((size_t[])global_size) / sizeof(size_t)), \
        .global = global_size,                                                                    \
        .local = local_size})
#endif

typedef enum mez_arg_kind {
    MEZ_ARG_VALUE = 0,   // bytes: numbers, vectors, structs
    MEZ_ARG_POINTER = 1, // to memory that the device can reach
    MEZ_ARG_LOCAL = 2,   // work-group memory of a given size
    // No launch can pass it. Only mez_kernel_argument.passed_as has it; a launch refuses it.
    MEZ_ARG_NONE = 3,
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
// MEZ_ARG(MEZ_VAL(a)), MEZ_ARG(MEZ_PTR(x)), MEZ_ARG(MEZ_LOCAL(256)): one argument.
#define MEZ_ARG(...) (&(const mez_arg)__VA_ARGS__)
#endif

// What the kernel expects, as its code says, which is read for that if it has not been. 0 for a
// NULL kernel, and for a native one that no device has built yet.
MEZ_API uint32_t mez_kernel_get_argument_count(const mez_kernel *kernel);
// Lives as long as the kernel. NULL for a NULL kernel.
MEZ_API const char *mez_kernel_get_name(const mez_kernel *kernel);
// Does its code, or code that it is linked with, reach an assert? For native code its properties
// say so.
MEZ_API bool mez_kernel_uses_assert(const mez_kernel *kernel);

// What an argument is in the kernel's code.
typedef enum mez_declared_kind {
    MEZ_DECLARED_UNKNOWN = 0, // the code is native, and does not say
    MEZ_DECLARED_VALUE = 1,   // a number or a vector
    MEZ_DECLARED_STRUCT = 2,  // a struct by value
    MEZ_DECLARED_GLOBAL_POINTER = 3,
    MEZ_DECLARED_CONSTANT_POINTER = 4,
    MEZ_DECLARED_LOCAL_POINTER = 5, // memory of the work-group, of which a launch gives the size
    // No launch can pass one of these: a kernel that has such an argument can't be launched.
    MEZ_DECLARED_IMAGE = 6,
    MEZ_DECLARED_SAMPLER = 7,
    MEZ_DECLARED_OTHER = 8, // such as a pipe
} mez_declared_kind;

// An argument, as the kernel's code declares it. Read-only; lives as long as the kernel.
typedef struct mez_kernel_argument {
    mez_declared_kind kind;
    // What a launch gives for it; MEZ_ARG_NONE: it can give nothing. Not set for an unknown kind.
    mez_arg_kind passed_as;
    const char *name; // as in the source; NULL: the code does not have it
    // In words of OpenCL C: "float4", "global int *". SPIR-V has one type for int and uint, which
    // is "int" here. "": the code does not say.
    const char *type;
    size_t size;         // bytes of the value or of the pointer; 0: not known
    size_t alignment;    // bytes; 0: not known
    size_t pointee_size; // of a pointer: bytes of what it points to; 0: not known
} mez_kernel_argument;

// An argument by its number, from 0. Compilers keep names only with debug information or where they
// are asked to (clang: -fno-discard-value-names). NULL: the kernel has no such argument, is native
// and not yet built for any device, or there is no memory, which is logged.
MEZ_API const mez_kernel_argument *mez_kernel_get_argument(
    const mez_kernel *kernel, uint32_t index);

// A kernel as its driver built it for one device. Read-only; lives as long as the kernel.
typedef struct mez_kernel_info {
    mez_device *device;
    bool native; // from code that was compiled beforehand, without the driver's compiler
    uint32_t argument_count;
    uint32_t required_group_size[3]; // work-items in each dimension; zeros: any size
    uint32_t max_group_size;         // work-items of a work-group
    // Work-groups of a multiple of so many work-items run best; 0: the driver does not say.
    uint32_t preferred_group_multiple;
    uint32_t required_sub_group_size;  // 0: any
    uint32_t required_sub_group_count; // in a work-group; 0: any
    uint32_t max_sub_group_size;       // 0: the driver does not say
    uint32_t max_sub_group_count;      // in a work-group; 0: the driver does not say
    uint32_t local_memory;             // bytes of a work-group, without those of arguments
    uint32_t private_memory;           // bytes that the compiler reserved for each thread
    uint32_t spill_memory; // bytes for registers that found no room; 0: none, or not said
} mez_kernel_info;

// Asks the driver about a kernel, which is built for the device first where that has not been done.
// `device` NULL: the context's first. On failure *info is NULL.
//
// MEZ_ERRC_INVALID_PARAMETER: `kernel` or `info` is NULL, or a device of another context.
// Others: those of mez_kernel_build.
MEZ_API MEZ_CHECKED mez_error mez_kernel_get_info_at(const mez_location *where, mez_kernel *kernel,
    mez_device *device, const mez_kernel_info **info);
#ifndef __cplusplus
#define mez_kernel_get_info(kernel, device, info) \
    mez_kernel_get_info_at(MEZ_HERE, kernel, device, info)
#endif

// Where a program-scope variable of the kernel's code lies on a device, for copies, fills and
// arguments of kernels there; *size (NULL: not wanted) is its bytes. The kernel is built for the
// device first where that has not been done. `device` NULL: the context's first. The pointer is
// valid as long as the kernel, is not to be freed, and no host code may read or write through it.
//
// Each device has variables of its own, as has each module of the image, whose kernels share them;
// a sub-device is a device of its own here. A `constant` variable has an address, too, but its
// value may have been put into the kernels' code, so that writing to it may change nothing. Only
// exported variables have names for drivers: those of OpenCL C that are not `static`.
//
// MEZ_ERRC_INVALID_PARAMETER: the code has no exported variable of that name (the story lists those
//     it has, and names the one that may be meant), or it is `static`; `kernel`, `name` or
//     `pointer` is NULL, or a device of another context.
// MEZ_ERRC_FEATURE_NOT_SUPPORTED: the code has the variable, and the driver does not give its
//     address: its compiler has removed it, or the kernels were built apart from each other and
//     this one does not use it, or it is a library's and no kernel uses it. Or the code is native,
//     and the driver knows no such variable in it; it may have been compiled without
//     "-ze-take-global-address".
// Others: those of mez_kernel_build. On failure *pointer is NULL and *size 0.
MEZ_API MEZ_CHECKED mez_error mez_kernel_get_variable_at(const mez_location *where,
    mez_kernel *kernel, mez_device *device, const char *name, void **pointer, size_t *size);
#ifndef __cplusplus
#define mez_kernel_get_variable(kernel, device, name, pointer, size) \
    mez_kernel_get_variable_at(MEZ_HERE, kernel, device, name, pointer, size)
#endif

// Gives up your reference and sets *kernel to NULL. Submissions in flight keep what they need.
MEZ_API void mez_kernel_destroy_at(const mez_location *where, mez_kernel **kernel);

#ifndef __cplusplus
#define mez_kernel_destroy(kernel) mez_kernel_destroy_at(MEZ_HERE, kernel)
#define mez_kernel_is_supported(kernel, device, reason) \
    mez_kernel_is_supported_at(MEZ_HERE, kernel, device, reason)
#endif

MEZ_END

#endif
