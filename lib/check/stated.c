// SPDX-License-Identifier: MIT
//
// Requirements that the property set of an image states.

#include <string.h>

#include "check/check.h"

static mez_error add_fixed_targets(
    mez_requirements *requirements, const mez_device_requirements *stated)
{
    if (!stated->has_fixed_targets)
        return mez_ok();
    return mez_requirements_add(requirements,
        &(mez_requirement){
            .kind = MEZ_REQUIRES_FIXED_TARGET,
            .fixed_target = {stated->fixed_targets, (uint32_t)stated->fixed_target_count},
        });
}

// Numbers of internal aspects are negative. They group kernels while images are made, and ask nothing of a device.
static bool is_internal(const mez_required_aspect *aspect)
{
    return aspect->aspect == MEZ_ASPECT_NONE && aspect->number > INT32_MAX;
}

static mez_error add_aspects(mez_requirements *requirements, const mez_device_requirements *stated)
{
    for (size_t i = 0; i < stated->aspect_count; i++) {
        const mez_required_aspect *aspect = &stated->aspects[i];
        const bool named = aspect->aspect != MEZ_ASPECT_NONE;
        if (is_internal(aspect))
            continue;
        MEZ_TRY(mez_requirements_add(requirements,
            &(mez_requirement){
                .kind = MEZ_REQUIRES_ASPECT,
                .aspect = {.name = aspect->aspect, .number = named ? 0 : aspect->number},
            }));
    }
    return mez_ok();
}

static mez_error add_sub_group_sizes(
    mez_requirements *requirements, const mez_device_requirements *stated)
{
    for (size_t i = 0; i < stated->sub_group_size_count && !stated->esimd; i++)
        MEZ_TRY(mez_requirements_add(requirements, &(mez_requirement){
                                                       .kind = MEZ_REQUIRES_SUB_GROUP_SIZE,
                                                       .sub_group_size = stated->sub_group_sizes[i],
                                                   }));
    return mez_ok();
}

static mez_error add_group_sizes(
    mez_requirements *requirements, const mez_device_requirements *stated)
{
    for (size_t i = 0; i < stated->work_group_size_count; i++) {
        mez_requirement requirement = {
            .kind = MEZ_REQUIRES_GROUP_SIZE,
            .group.dimensions = stated->work_group_dimensions,
        };
        memcpy(requirement.group.sizes, stated->work_group_sizes[i].size,
            sizeof requirement.group.sizes);
        MEZ_TRY(mez_requirements_add(requirements, &requirement));
    }
    return mez_ok();
}

// One requirement for each of the parts between semicolons.
static mez_error add_matrices(
    mez_requirements *requirements, mez_requirement_kind kind, const char *list)
{
    while (list && *list) {
        const size_t length = strcspn(list, ";");
        const mez_requirement requirement = {.kind = kind, .matrix = {list, length}};
        if (length > 0)
            MEZ_TRY(mez_requirements_add(requirements, &requirement));
        list += length + (list[length] == ';');
    }
    return mez_ok();
}

mez_error mez_requirements_add_stated(
    mez_requirements *requirements, const mez_device_requirements *stated)
{
    MEZ_TRY(add_fixed_targets(requirements, stated));
    MEZ_TRY(add_aspects(requirements, stated));
    MEZ_TRY(add_sub_group_sizes(requirements, stated));
    MEZ_TRY(add_group_sizes(requirements, stated));
    MEZ_TRY(add_matrices(requirements, MEZ_REQUIRES_MATRIX, stated->joint_matrix));
    return add_matrices(requirements, MEZ_REQUIRES_MATRIX_MAD, stated->joint_matrix_mad);
}
