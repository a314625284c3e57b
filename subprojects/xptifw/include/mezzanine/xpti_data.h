// SPDX-License-Identifier: MIT
//
// What trace points of XPTI hand over as user data, and what some metadata of kernels holds. Each is gone after the callback, with
// all that it points to.

#ifndef MEZZANINE_XPTI_DATA_H
#define MEZZANINE_XPTI_DATA_H

#include <mezzanine/xpti_types.h>

// FUNCTION_WITH_ARGS_BEGIN and _END. How the arguments and the result are laid out is the stream's business.
typedef struct mez_xpti_function {
    uint32_t id;
    const char *name;
    void *arguments;
    void *result; // NULL at the beginning
    void *user_data;
} mez_xpti_function;

MEZ_XPTI_SIZE(mez_xpti_function, 40);
MEZ_XPTI_AT(mez_xpti_function, id, 0);
MEZ_XPTI_AT(mez_xpti_function, name, 8);
MEZ_XPTI_AT(mez_xpti_function, arguments, 16);
MEZ_XPTI_AT(mez_xpti_function, result, 24);
MEZ_XPTI_AT(mez_xpti_function, user_data, 32);

// MEM_ALLOC_* and MEM_RELEASE_*. The pointer is known from MEM_ALLOC_END on.
typedef struct mez_xpti_mem_alloc {
    uintptr_t memory_object; // 0: none
    uintptr_t pointer;
    size_t size;       // in bytes
    size_t guard_size; // in bytes, of zones around the allocation
    void *reserved;
} mez_xpti_mem_alloc;

MEZ_XPTI_SIZE(mez_xpti_mem_alloc, 40);
MEZ_XPTI_AT(mez_xpti_mem_alloc, memory_object, 0);
MEZ_XPTI_AT(mez_xpti_mem_alloc, pointer, 8);
MEZ_XPTI_AT(mez_xpti_mem_alloc, size, 16);
MEZ_XPTI_AT(mez_xpti_mem_alloc, guard_size, 24);
MEZ_XPTI_AT(mez_xpti_mem_alloc, reserved, 32);

// Metadata "enqueue_kernel_data" of a kernel's node, in work-items.
typedef struct mez_xpti_kernel_launch {
    size_t global_size[3];
    size_t local_size[3];
    size_t offset[3];
    size_t argument_count;
} mez_xpti_kernel_launch;

MEZ_XPTI_SIZE(mez_xpti_kernel_launch, 80);
MEZ_XPTI_AT(mez_xpti_kernel_launch, global_size, 0);
MEZ_XPTI_AT(mez_xpti_kernel_launch, local_size, 24);
MEZ_XPTI_AT(mez_xpti_kernel_launch, offset, 48);
MEZ_XPTI_AT(mez_xpti_kernel_launch, argument_count, 72);

// Metadata "arg0", "arg1", ... of a kernel's node.
typedef struct mez_xpti_kernel_argument {
    int type;
    void *pointer;
    int size; // in bytes
    int index;
} mez_xpti_kernel_argument;

MEZ_XPTI_SIZE(mez_xpti_kernel_argument, 24);
MEZ_XPTI_AT(mez_xpti_kernel_argument, type, 0);
MEZ_XPTI_AT(mez_xpti_kernel_argument, pointer, 8);
MEZ_XPTI_AT(mez_xpti_kernel_argument, size, 16);
MEZ_XPTI_AT(mez_xpti_kernel_argument, index, 20);

// OFFLOAD_MEMORY_OBJECT_CONSTRUCT on the stream of buffers.
typedef struct mez_xpti_buffer {
    uintptr_t user_object;
    uintptr_t host_object; // 0: none
    const char *element_type;
    uint32_t element_size; // in bytes
    uint32_t dimensions;
    size_t range[3];
} mez_xpti_buffer;

MEZ_XPTI_SIZE(mez_xpti_buffer, 56);
MEZ_XPTI_AT(mez_xpti_buffer, user_object, 0);
MEZ_XPTI_AT(mez_xpti_buffer, host_object, 8);
MEZ_XPTI_AT(mez_xpti_buffer, element_type, 16);
MEZ_XPTI_AT(mez_xpti_buffer, element_size, 24);
MEZ_XPTI_AT(mez_xpti_buffer, dimensions, 28);
MEZ_XPTI_AT(mez_xpti_buffer, range, 32);

// To C++ this is std::optional<uint32_t>.
typedef struct mez_xpti_optional {
    uint32_t value;
    uint8_t has_value;
    uint8_t padding[3];
} mez_xpti_optional;

MEZ_XPTI_SIZE(mez_xpti_optional, 8);
MEZ_XPTI_AT(mez_xpti_optional, value, 0);
MEZ_XPTI_AT(mez_xpti_optional, has_value, 4);

// OFFLOAD_MEMORY_OBJECT_CONSTRUCT on the stream of images.
typedef struct mez_xpti_image {
    uintptr_t user_object;
    uintptr_t host_object; // 0: none
    uint32_t dimensions;
    size_t range[3];
    uint32_t format;
    mez_xpti_optional addressing;
    mez_xpti_optional coordinate_normalization;
    mez_xpti_optional filtering;
} mez_xpti_image;

MEZ_XPTI_SIZE(mez_xpti_image, 80);
MEZ_XPTI_AT(mez_xpti_image, user_object, 0);
MEZ_XPTI_AT(mez_xpti_image, host_object, 8);
MEZ_XPTI_AT(mez_xpti_image, dimensions, 16);
MEZ_XPTI_AT(mez_xpti_image, range, 24);
MEZ_XPTI_AT(mez_xpti_image, format, 48);
MEZ_XPTI_AT(mez_xpti_image, addressing, 52);
MEZ_XPTI_AT(mez_xpti_image, coordinate_normalization, 60);
MEZ_XPTI_AT(mez_xpti_image, filtering, 68);

// OFFLOAD_ACCESSOR on the stream of buffers.
typedef struct mez_xpti_accessor {
    uintptr_t buffer;
    uintptr_t accessor;
    uint32_t target;
    uint32_t mode;
} mez_xpti_accessor;

MEZ_XPTI_SIZE(mez_xpti_accessor, 24);
MEZ_XPTI_AT(mez_xpti_accessor, buffer, 0);
MEZ_XPTI_AT(mez_xpti_accessor, accessor, 8);
MEZ_XPTI_AT(mez_xpti_accessor, target, 16);
MEZ_XPTI_AT(mez_xpti_accessor, mode, 20);

// OFFLOAD_ACCESSOR on the stream of images.
typedef struct mez_xpti_image_accessor {
    uintptr_t image;
    uintptr_t accessor;
    mez_xpti_optional target;
    mez_xpti_optional mode;
    const char *element_type;
    uint32_t element_size; // in bytes
} mez_xpti_image_accessor;

MEZ_XPTI_SIZE(mez_xpti_image_accessor, 48);
MEZ_XPTI_AT(mez_xpti_image_accessor, image, 0);
MEZ_XPTI_AT(mez_xpti_image_accessor, accessor, 8);
MEZ_XPTI_AT(mez_xpti_image_accessor, target, 16);
MEZ_XPTI_AT(mez_xpti_image_accessor, mode, 24);
MEZ_XPTI_AT(mez_xpti_image_accessor, element_type, 32);
MEZ_XPTI_AT(mez_xpti_image_accessor, element_size, 40);

// OFFLOAD_MEMORY_OBJECT_ASSOCIATE and _RELEASE.
typedef struct mez_xpti_association {
    uintptr_t user_object;
    uintptr_t memory_object;
} mez_xpti_association;

MEZ_XPTI_SIZE(mez_xpti_association, 16);
MEZ_XPTI_AT(mez_xpti_association, user_object, 0);
MEZ_XPTI_AT(mez_xpti_association, memory_object, 8);

#endif
