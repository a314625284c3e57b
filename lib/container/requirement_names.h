// SPDX-License-Identifier: MIT
//
// The names of the properties in "SYCL/device requirements".

#ifndef MEZ_CONTAINER_REQUIREMENT_NAMES_H
#define MEZ_CONTAINER_REQUIREMENT_NAMES_H

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
