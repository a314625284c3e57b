// SPDX-License-Identifier: MIT
//
// Kernel handles: a kernel of a module with arguments and group size to launch it with.
#ifndef ZE_CPU_KERNEL_H
#define ZE_CPU_KERNEL_H

#include "module.h"

struct zc_argument_state {
    bool is_set;
    uint32_t local_size; // of a local argument: bytes of work-group memory
};

struct _ze_kernel_handle_t {
    ze_module_handle_t module;
    const struct zc_kernel *info;
    uint32_t group_size[3];
    uint32_t global_offset[3];
    ze_kernel_indirect_access_flags_t indirect_access;
    char attributes[96]; // that its source declares
    bool has_local_arguments;
    bool has_image_arguments;
    uint32_t missing_arguments;          // not set yet
    struct zc_argument_state *arguments; // info->argument_count
    // info->blob_size bytes; local arguments are filled in at launch, images are held (image_argument.h)
    char *blob;
};

#endif
