// SPDX-License-Identifier: MIT
//
// What a kernel of the scripted engine is.
#ifndef ZE_CPU_TESTS_SCRIPTED_KERNEL_H
#define ZE_CPU_TESTS_SCRIPTED_KERNEL_H

#include <engine.h>

struct scripted_kernel {
    struct zc_kernel info;
    bool (*run)(const struct zc_group *group, const void *blob);
};

#define ARGUMENTS(list, bytes) \
    .arguments = list, .argument_count = sizeof list / sizeof *list, .blob_size = bytes
#define POINTER_AT(where)                                      \
    {                                                          \
        .kind = ZC_ARGUMENT_GLOBAL, .size = 8, .offset = where \
    }

// Those with images and samplers; ends with one that has no name.
extern const struct scripted_kernel scripted_image_kernels[];

#endif
