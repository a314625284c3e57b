// SPDX-License-Identifier: MIT
//
// The layout of SYCLBIN's first version, and the names in its metadata.
//
//   header            u32 magic, u32 version, u32 abstract modules, u32 IR modules, u32 native images, u32 padding, u64 size of the
//                     metadata table, u64 size of the code table, u64 offset and size of the global metadata
//   abstract module   u64 offset and size of its metadata, u32 count of IR modules, u32 the first, u32 count of native images,
//                     u32 the first
//   IR module,        u64 offset and size of its metadata, u64 offset and size of its code
//   native image
//
// Headers of each kind stand behind each other, then the metadata table, filled up to 8 bytes, and the code table.

#ifndef MEZ_CONTAINER_SYCLBIN_LAYOUT_H
#define MEZ_CONTAINER_SYCLBIN_LAYOUT_H

#define MEZ_SYCLBIN_MAGIC 0x53594249u
#define MEZ_SYCLBIN_HEADER_SIZE 56
#define MEZ_SYCLBIN_MODULE_SIZE 32
#define MEZ_SYCLBIN_IMAGE_SIZE 32
#define MEZ_SYCLBIN_ALIGNMENT 8

// Types of IR.
#define MEZ_SYCLBIN_IR_SPIRV 0

// Properties.
#define MEZ_SYCLBIN_STATE "state"
#define MEZ_SYCLBIN_TYPE "type"
#define MEZ_SYCLBIN_TARGET "target"
#define MEZ_SYCLBIN_ARCH "arch"

// Keys and roles of version 2.
#define MEZ_SYCLBIN_KEY_VERSION "sycl_format_version"
#define MEZ_SYCLBIN_KEY_ROLE "role"
#define MEZ_SYCLBIN_KEY_MODULE "am_index"
#define MEZ_SYCLBIN_KEY_IR_TYPE "ir_type"
#define MEZ_SYCLBIN_ROLE_GLOBAL "global_metadata"
#define MEZ_SYCLBIN_ROLE_MODULE "am_metadata"
#define MEZ_SYCLBIN_ROLE_IR "ir"
#define MEZ_SYCLBIN_ROLE_NATIVE "native"

#endif
