// SPDX-License-Identifier: MIT
//
// A kernel: an entry point of an image, ready to be submitted with arguments.
//
// Kernels are immutable. Each submission has its own arguments, so one kernel may be submitted from
// any thread to any queue of its context.
//
// Thread-safety: safe.

#ifndef MEZZANINE_KERNEL_H
#define MEZZANINE_KERNEL_H

#include <mezzanine/base.h>
#include <mezzanine/image.h>

MEZ_BEGIN

typedef struct mez_kernel mez_kernel;

// Creates a kernel of an image; you may destroy the image afterwards. *kernel is yours, to be given
// to mez_kernel_destroy; NULL after an error.
//
// MEZ_ERRC_KERNEL: the image has no kernel of that name; the story lists the kernels that it has.
// MEZ_ERRC_INVALID_PARAMETER: a NULL argument. MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_kernel_create_at(
    const mez_location *where, mez_image *image, const char *name, mez_kernel **kernel);

// Loads a file, which is SPIR-V, a container or OpenCL C ("heat.cl", see image.h), and creates one
// of its kernels. Errors: those of mez_image_load and mez_kernel_create.
MEZ_API MEZ_CHECKED mez_error mez_kernel_load_at(const mez_location *where, mez_context *context,
    const char *path, const char *name, mez_kernel **kernel);

// Checks what the kernel requires and compiles it for a device of its context, unless that has been
// done. The first submission to a device does the same; call this function to choose when the time
// is spent, or to get errors early.
//
// MEZ_ERRC_KERNEL_NOT_SUPPORTED: the device lacks something that the kernel requires; the story
//     lists each such requirement with the function and instruction that has it, and what the
//     device has. The driver's compiler has not been called.
// MEZ_ERRC_COMPILE_PROGRAM, MEZ_ERRC_LINK_PROGRAM: the driver's compiler refused the code; the
//     story has its build log. Or the compiler was not called, because the kernel uses symbols that
//     nothing defines (the story names all of them), or because images that are linked contradict
//     each other ("Unable to merge incompatible images.").
// MEZ_ERRC_KERNEL: the driver built the module but has no such kernel in it, or a container lists
//     one that its code does not have.
// MEZ_ERRC_INVALID_IMAGE: code that is read only now is damaged.
// MEZ_ERRC_INVALID_PARAMETER: NULL, or a device of another context. MEZ_ERRC_OUT_OF_HOST_MEMORY.
//     MEZ_ERRC_DEVICE_LOST. What else the driver says.
MEZ_API MEZ_CHECKED mez_error mez_kernel_build_at(
    const mez_location *where, mez_kernel *kernel, mez_device *device);

// Does the device have everything that the kernel is known to require? Nothing is compiled, so
// mez_kernel_build may still fail for other reasons. `device` NULL: the context's first. If the
// result is false, *reason (NULL: not wanted) is the error that mez_kernel_build would return:
// MEZ_ERRC_KERNEL_NOT_SUPPORTED, MEZ_ERRC_INVALID_PARAMETER or MEZ_ERRC_OUT_OF_HOST_MEMORY. If it
// is true, *reason is success.
MEZ_API bool mez_kernel_is_supported_at(
    const mez_location *where, const mez_kernel *kernel, mez_device *device, mez_error *reason);

#ifndef __cplusplus
#define mez_kernel_create(image, name, kernel) mez_kernel_create_at(MEZ_HERE, image, name, kernel)
#define mez_kernel_load(context, path, name, kernel) \
    mez_kernel_load_at(MEZ_HERE, context, path, name, kernel)
#define mez_kernel_build(kernel, device) mez_kernel_build_at(MEZ_HERE, kernel, device)
#endif

// How many work-items run, in up to three dimensions: size[0] is what get_global_size(0) returns. A
// range is never rounded up. If `local` is all zero, the library chooses the size of work-groups:
// in each dimension the largest divisor of the range that is not above what the driver suggests.
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
// MEZ_ND_RANGE(MEZ_SIZE(x, y), MEZ_SIZE(lx, ly)) also sets the size of work-groups.
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
    MEZ_ARG_POINTER = 1, // a pointer to memory that the device can reach
    MEZ_ARG_LOCAL = 2,   // work-group memory of a given size
    // An argument that no launch can pass. Only mez_kernel_argument.passed_as has this kind;
    // launches refuse it.
    MEZ_ARG_NONE = 3,
} mez_arg_kind;

// One argument, as the macros below write it.
typedef struct mez_arg {
    mez_arg_kind kind;
    size_t size;      // value: its bytes; local: bytes per work-group; pointer: ignored
    const void *data; // value: where the bytes are; pointer: the pointer itself; local: ignored
} mez_arg;

// The arguments of one submission, in the order of the kernel's. They are read during the call
// only.
typedef struct mez_args {
    size_t count;
    const mez_arg *items;
} mez_args;

#ifndef __cplusplus
// MEZ_ARGS(MEZ_VAL(2.0f), MEZ_PTR(x), MEZ_LOCAL(256)). A kernel without arguments takes NULL.
//
// MEZ_VAL takes any expression that has a value, such as MEZ_VAL(n), MEZ_VAL(n + 1) or
// MEZ_VAL(make_matrix()). The kernel gets the bytes of the value, so its type must have the size
// that the kernel expects: 2.0 is a double, and n + 1 is an int even if n is a short. An array is
// passed with all its elements.
//
// The next three macros implement MEZ_VAL. As the second operand of a comma an array becomes a
// pointer, and every other expression keeps its type. __builtin_choose_expr needs both branches to
// compile, so the branch that is not chosen contains 0 in place of the expression.
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

// The number of arguments that the kernel's code declares. The call reads the code if that has not
// been done. 0 for a NULL kernel, and for native code that has not been built for any device.
MEZ_API uint32_t mez_kernel_get_argument_count(const mez_kernel *kernel);
// Lives as long as the kernel. NULL for a NULL kernel.
MEZ_API const char *mez_kernel_get_name(const mez_kernel *kernel);
// Can its code, or code that it is linked with, reach an assert? For native code, the properties of
// its image decide.
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

// What the numbers of an argument are.
typedef enum mez_declared_number {
    MEZ_DECLARED_NO_NUMBER = 0, // something else, or not known
    MEZ_DECLARED_INTEGER = 1,   // SPIR-V has one type for signed and unsigned integers
    MEZ_DECLARED_FLOAT = 2,
} mez_declared_number;

// An argument as the kernel's code declares it. Read-only; lives as long as the kernel. Later
// versions may add members at its end.
typedef struct mez_kernel_argument {
    mez_declared_kind kind;
    // How a launch passes it; MEZ_ARG_NONE: no launch can. Not set if `kind` is unknown.
    mez_arg_kind passed_as;
    const char *name; // as in the source; NULL: not in the code
    // As OpenCL C writes it: "float4", "global int *". SPIR-V has one type for int and uint, which
    // is written "int". "": not known.
    const char *type;
    size_t size;         // bytes of the value or of the pointer; 0: not known
    size_t alignment;    // bytes; 0: not known
    size_t pointee_size; // of a pointer: bytes of its target; 0: not known
    // Which number, or vector of numbers, a value is, or a pointer points to: "float4", 32 bits, 4
    // components. A program that gets its values as text can compare its own types with it.
    // Compilers with opaque pointers guess what pointers point to, or write bytes.
    mez_declared_number number;
    uint32_t number_bits;    // of each number; 0: no number
    uint32_t components;     // 1: not a vector; 0: no number
    const char *number_type; // as OpenCL C writes it; "": no number, or OpenCL C has none like it
} mez_kernel_argument;

// An argument by its number, from 0. Compilers keep names only with debug information or with an
// option (clang: -fno-discard-value-names). NULL if the kernel has no such argument, if it is
// native code that has not been built for any device, or if there is no memory, which is logged.
MEZ_API const mez_kernel_argument *mez_kernel_get_argument(
    const mez_kernel *kernel, uint32_t index);

// A kernel as its driver built it for one device. Read-only; lives as long as the kernel.
typedef struct mez_kernel_info {
    mez_device *device;
    bool native; // from native code, so that the driver's compiler was not needed
    uint32_t argument_count;
    uint32_t required_group_size[3]; // work-items in each dimension; zeros: any size
    uint32_t max_group_size;         // work-items of a work-group
    // Work-groups run best if their size is a multiple of this number; 0: not known.
    uint32_t preferred_group_multiple;
    uint32_t required_sub_group_size;  // 0: any
    uint32_t required_sub_group_count; // in a work-group; 0: any
    uint32_t max_sub_group_size;       // 0: the driver does not say
    uint32_t max_sub_group_count;      // in a work-group; 0: the driver does not say
    uint32_t local_memory;             // bytes of a work-group, without local arguments
    uint32_t private_memory;           // bytes that the compiler reserved for each thread
    uint32_t spill_memory;             // bytes for spilled registers; 0: none, or not known
} mez_kernel_info;

// Describes a kernel as the driver has built it. The kernel is built for the device first, unless
// that has been done. `device` NULL: the context's first. On failure *info is NULL.
//
// MEZ_ERRC_INVALID_PARAMETER: `kernel` or `info` is NULL, or a device of another context.
// Others: those of mez_kernel_build.
MEZ_API MEZ_CHECKED mez_error mez_kernel_get_info_at(const mez_location *where, mez_kernel *kernel,
    mez_device *device, const mez_kernel_info **info);
#ifndef __cplusplus
#define mez_kernel_get_info(kernel, device, info) \
    mez_kernel_get_info_at(MEZ_HERE, kernel, device, info)
#endif

// Finds the address of a program-scope variable of the kernel's code on a device, for copies, fills
// and arguments of kernels on that device; *size (NULL: not wanted) is its size in bytes. The
// kernel is built for the device first, unless that has been done. `device` NULL: the context's
// first. The pointer is valid as long as the kernel. Don't free it, and don't read or write through
// it on the host.
//
// Each module of an image has its own variables on each device and on each sub-device; the kernels
// of a module share them. A `constant` variable has an address as well, but compilers may put its
// value into the code of kernels, so that writing to it may have no effect. Only exported variables
// have names, which in OpenCL C are those that are not `static`.
//
// MEZ_ERRC_INVALID_PARAMETER: the code has no exported variable of that name (the story lists those
//     that it has, and the most similar one), or the variable is `static`; `kernel`, `name` or
//     `pointer` is NULL; the device belongs to another context.
// MEZ_ERRC_FEATURE_NOT_SUPPORTED: the code has the variable, but the driver does not return its
//     address: the compiler has removed it, the kernels were built separately and this one does not
//     use it, or it belongs to a library and no kernel uses it. For native code: the driver finds
//     no such variable, perhaps because the code was compiled without "-ze-take-global-address".
// Others: those of mez_kernel_build. On failure *pointer is NULL and *size 0.
MEZ_API MEZ_CHECKED mez_error mez_kernel_get_variable_at(const mez_location *where,
    mez_kernel *kernel, mez_device *device, const char *name, void **pointer, size_t *size);
#ifndef __cplusplus
#define mez_kernel_get_variable(kernel, device, name, pointer, size) \
    mez_kernel_get_variable_at(MEZ_HERE, kernel, device, name, pointer, size)
#endif

// Gives up your reference to the kernel and sets *kernel to NULL. Submitted tasks keep what they
// need.
MEZ_API void mez_kernel_destroy_at(const mez_location *where, mez_kernel **kernel);

#ifndef __cplusplus
#define mez_kernel_destroy(kernel) mez_kernel_destroy_at(MEZ_HERE, kernel)
#define mez_kernel_is_supported(kernel, device, reason) \
    mez_kernel_is_supported_at(MEZ_HERE, kernel, device, reason)
#endif

MEZ_END

#endif
