// SPDX-License-Identifier: MIT
//
// What the property sets of an image ask of a device, in every spelling and encoding that the published document and the real
// tools have had. This is the one place that knows them.
//
//   name                                       encodings read
//   aspects, aspect                            array of u32
//   fixed_target                               array of u32; may be empty, which fits no device
//   reqd_sub_group_size                        a u32, or an array of them
//   reqd_work_group_size                       array of one to three u32; counted entries <n, dim 0 .. n-1> under doc_forms, or where there
//                                              is no "aspects", which real tools always write, and the numbers are such entries
//   reqd_work_group_size_uint64_t              array of one to three u64; goes before the one above
//   work_group_num_dim                         a u32, or an array of one
//   joint_matrix, joint_matrix_mad             text
//   compile_target                             text
//   SYCL/misc properties: isEsimdImage         a u32
//
// Other names are ignored. A property of the wrong type or size is an error: what asks for the unreadable can't be checked.
//
// Thread-safety: safe for what is only read.

#ifndef MEZ_CONTAINER_DEVICE_REQUIREMENTS_H
#define MEZ_CONTAINER_DEVICE_REQUIREMENTS_H

#include <stddef.h>
#include <stdint.h>

#include "aspect/aspect.h"
#include "container/properties.h"

// Zero: files of the real tools.
typedef struct mez_requirements_reading {
    mez_aspect_numbering numbering; // of aspects
    // Work-group sizes are in the published document's form, dimensions in the attribute's order, whatever else the set has.
    bool doc_forms;
    const char *source; // for messages; NULL: none
} mez_requirements_reading;

typedef struct mez_required_aspect {
    uint32_t number;   // as stored
    mez_aspect aspect; // MEZ_ASPECT_NONE: no name in that numbering
} mez_required_aspect;

typedef struct mez_required_size {
    uint32_t dimensions; // 1 to 3
    uint64_t size[3];    // the fastest dimension first, as get_global_id(0); 1 past `dimensions`
} mez_required_size;

// Zeroed memory asks for nothing. What the pointers lead to belongs to the struct, except for texts.
typedef struct mez_device_requirements {
    bool stated; // there is a set "SYCL/device requirements"

    // In stored order: the first one that is missing is the first reason.
    mez_required_aspect *aspects;
    size_t aspect_count;
    mez_aspects aspect_set; // those with a name

    bool has_fixed_targets; // stated, be it as an empty list
    uint32_t *fixed_targets;
    size_t fixed_target_count;

    uint32_t *sub_group_sizes;
    size_t sub_group_size_count;

    // Real tools write one at most, the document allows several.
    mez_required_size *work_group_sizes;
    size_t work_group_size_count;
    // Of the nd_range: work_group_num_dim, else what the size has; 0: any.
    uint32_t work_group_dimensions;

    const char *joint_matrix;     // belongs to the properties; NULL: none
    const char *joint_matrix_mad; // likewise
    const char *compile_target;   // likewise: the name of the target that the code was compiled for
    bool esimd;                   // the sub-group size, 1, asks nothing of the device
} mez_device_requirements;

// Reads the sets. `requirements` is overwritten, and to be given to mez_device_requirements_finish after success; its texts are
// the properties' own.
//
// MEZ_ERRC_INVALID_IMAGE: a property's type or size fits none of the encodings; it is named. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_device_requirements_read(const mez_properties *properties,
    const mez_requirements_reading *reading, mez_device_requirements *requirements);

void mez_device_requirements_finish(mez_device_requirements *requirements);

// --- Writing them

// Zero: as the real tools write them today.
typedef struct mez_requirements_writing {
    mez_aspect_numbering numbering;
    // The published document's: "aspect", sub-group and work-group sizes as its byte arrays.
    bool doc_names;
} mez_requirements_writing;

// Replaces the set "SYCL/device requirements" by what `requirements` say: its properties sorted by name and compile_target last, as
// the real tools do. The real forms hold one sub-group size and one work-group size.
//
// The numbers of aspects are taken from their names where they have one. MEZ_ERRC_INVALID_PARAMETER: an aspect has no number in that
// numbering, or there are more sizes than the form holds. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_device_requirements_write(const mez_device_requirements *requirements,
    const mez_requirements_writing *writing, mez_properties *properties);

// --- Merging, for images that are linked with each other

// Adds to `merged`, which is empty, all properties of the `count` registries: aspects and joint-matrix combinations are united, all
// others must be equal where several have them. Sets that are about one image alone ("SYCL/kernel param opt" and so on) follow the
// same rule, name by name.
//
// MEZ_ERRC_LINK_PROGRAM, "Unable to merge incompatible images.", with the set, the property and what is different.
// MEZ_ERRC_INVALID_IMAGE: an array of aspects that is none. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_properties_merge(
    const mez_properties *const *list, size_t count, mez_properties *merged);

// --- Asserts

typedef enum mez_stated_asserts {
    MEZ_ASSERTS_NOT_STATED, // no set speaks of asserts: look into the code
    MEZ_ASSERTS_NONE,       // the tool looked and the kernel can't reach an assert
    MEZ_ASSERTS_USED,
} mez_stated_asserts;

// Can the kernel reach an assert, as far as the sets say? "SYCL/assert used" names such kernels; the older "isAssertEnabled" speaks
// of all kernels by being there. Tools leave an empty set out, so that no set says nothing.
mez_stated_asserts mez_properties_assert_use(const mez_properties *properties, const char *kernel);

// The device libraries that the image wants, a bit each (1: asserts); 0: none, or not said.
uint32_t mez_properties_devicelib_mask(const mez_properties *properties);

// --- Names of properties in "SYCL/device requirements"

#define MEZ_NAME_ASPECTS "aspects"
#define MEZ_NAME_ASPECT "aspect" // the published document's
#define MEZ_NAME_FIXED_TARGET "fixed_target"
#define MEZ_NAME_SUB_GROUP_SIZE "reqd_sub_group_size"
#define MEZ_NAME_WORK_GROUP_SIZE "reqd_work_group_size"
#define MEZ_NAME_WORK_GROUP_SIZE_64 "reqd_work_group_size_uint64_t"
#define MEZ_NAME_WORK_GROUP_NUM_DIM "work_group_num_dim"
#define MEZ_NAME_JOINT_MATRIX "joint_matrix"
#define MEZ_NAME_JOINT_MATRIX_MAD "joint_matrix_mad"
#define MEZ_NAME_COMPILE_TARGET "compile_target"

// In "SYCL/misc properties".
#define MEZ_NAME_ESIMD_IMAGE "isEsimdImage"

#endif
