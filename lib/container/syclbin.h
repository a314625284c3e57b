// SPDX-License-Identifier: MIT
//
// SYCLBIN: abstract modules, each with its property sets and with the same kernels in one or several forms: IR (SPIR-V) for any
// device, native code for one. Two versions:
//
//   1   headers, then a table of metadata and a table of code; by itself, or as the one image of an OffloadBinary (what compilers
//       wrote until 2026)
//   2   an OffloadBinary whose entries have roles: global_metadata, am_metadata, ir, native; "am_index" says to which abstract
//       module they belong
//
// Metadata are property sets in their text form. Each binary of the model has those of its abstract module, and then those of its
// own ("SYCLBIN/ir module metadata" or "SYCLBIN/native device code image metadata"); the bundle has the global ones.

#ifndef MEZ_CONTAINER_SYCLBIN_H
#define MEZ_CONTAINER_SYCLBIN_H

#include "base/bytes.h"
#include "container/offload.h"

// Does it begin as version 1 does by itself?
bool mez_syclbin_recognise(const void *bytes, size_t size);

// Is it version 2?
bool mez_syclbin_has_roles(const mez_offload *offload);

// Into the bundle, of which it makes a SYCLBIN.
// MEZ_ERRC_INVALID_IMAGE with offset and field, or with the role; MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_bundle_read_syclbin(mez_bundle *bundle, const mez_container_bytes *span);
mez_error mez_bundle_read_roles(
    mez_bundle *bundle, const mez_container_bytes *span, const mez_offload *offload);

typedef enum mez_syclbin_form {
    MEZ_SYCLBIN_1 = 0, // version 1 in an OffloadBinary, which every reader knows
    MEZ_SYCLBIN_1_BARE,
    MEZ_SYCLBIN_2,
} mez_syclbin_form;

// The state of kernels in it, in the property "state" of the global metadata.
typedef enum mez_syclbin_state {
    MEZ_SYCLBIN_INPUT = 0,
    MEZ_SYCLBIN_OBJECT = 1,
    MEZ_SYCLBIN_EXECUTABLE = 2,
} mez_syclbin_state;

// Adds the bundle to `bytes`. Binaries behind each other with the same module number become one abstract module, with the property
// sets of the first. What the format wants and the bundle has not is filled in: the state (input), types, targets, and the kernels'
// names.
//
// MEZ_ERRC_INVALID_PARAMETER: a binary is packed, or neither SPIR-V nor native. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_bundle_write_syclbin(
    const mez_bundle *bundle, mez_syclbin_form form, mez_bytes *bytes);

// --- Layout
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
