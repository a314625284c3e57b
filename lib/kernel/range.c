// SPDX-License-Identifier: MIT

#include "kernel/range.h"

#include "check/check.h"
#include "device/device.h"

static mez_error check_global(const mez_range *range)
{
    if (range->dimensions < 1 || range->dimensions > 3)
        return mez_error_make(MEZ_ERRC_ND_RANGE, "a range of %u dimensions: use 1, 2 or 3",
            (unsigned)range->dimensions);
    for (uint32_t i = 0; i < range->dimensions; i++)
        if (range->global[i] == 0)
            return mez_error_make(
                MEZ_ERRC_ND_RANGE, "dimension %u of the range has no work-items", i);
    return mez_ok();
}

static bool has_local(const mez_range *range)
{
    for (uint32_t i = 0; i < range->dimensions; i++)
        if (range->local[i] != 0)
            return true;
    return false;
}

// Sizes beyond `dimensions` count as 1.
static size_t size_in(const size_t sizes[3], const mez_range *range, uint32_t dimension)
{
    return dimension < range->dimensions ? sizes[dimension] : 1;
}

static mez_error take_local(const mez_range *range, uint32_t group_size[3])
{
    for (uint32_t i = 0; i < 3; i++) {
        const size_t local = size_in(range->local, range, i);
        if (local == 0)
            return mez_error_make(
                MEZ_ERRC_ND_RANGE, "dimension %u of the work-group size is 0, others are not", i);
        if (local > UINT32_MAX)
            return mez_error_make(
                MEZ_ERRC_ND_RANGE, "dimension %u of the work-group size is %zu", i, local);
        group_size[i] = (uint32_t)local;
    }
    return mez_ok();
}

uint32_t mez_largest_divisor(size_t size, uint32_t limit)
{
    if (limit > size)
        limit = (uint32_t)size;
    while (limit > 1 && size % limit != 0)
        limit--;
    return limit > 0 ? limit : 1;
}

// Drivers take 32 bits. For a larger range any large power of two does: what they suggest is only an upper bound for us.
static uint32_t clamp(size_t size)
{
    return size <= UINT32_MAX ? (uint32_t)size : (uint32_t)1 << 31;
}

static mez_error choose_local(
    const mez_range *range, ze_kernel_handle_t kernel, uint32_t group_size[3])
{
    size_t global[3];
    for (uint32_t i = 0; i < 3; i++)
        global[i] = size_in(range->global, range, i);
    uint32_t suggested[3];
    MEZ_TRY(ZE(zeKernelSuggestGroupSize, kernel, clamp(global[0]), clamp(global[1]),
        clamp(global[2]), &suggested[0], &suggested[1], &suggested[2]));
    for (uint32_t i = 0; i < 3; i++)
        group_size[i] = mez_largest_divisor(global[i], suggested[i]);
    return mez_ok();
}

// A property set may also say how many dimensions the range has to have.
static mez_error check_stated(const mez_kernel_use *use, const mez_range *range)
{
    const mez_part *part = use->code->part;
    if (part->stated.work_group_size_count == 0)
        return mez_ok();
    mez_requirements requirements = {.image = part->image->name, .kernel = use->kernel->name};
    mez_error error = mez_requirements_add_stated(&requirements, &part->stated);
    if (!mez_failed(error))
        error = mez_check_range(
            &requirements, range->dimensions, has_local(range) ? range->local : NULL);
    mez_requirements_finish(&requirements);
    return error;
}

static mez_error check_required(const mez_kernel_use *use, const uint32_t group_size[3])
{
    const uint32_t *required = use->code->group_size;
    if (!use->code->requires_group)
        return mez_ok();
    for (uint32_t i = 0; i < 3; i++)
        if (group_size[i] != required[i])
            return mez_error_make(MEZ_ERRC_ND_RANGE,
                "the work-group size %u x %u x %u: kernel \"%s\" requires %u x %u x %u",
                group_size[0], group_size[1], group_size[2], mez_kernel_name(use->kernel),
                required[0], required[1], required[2]);
    return mez_ok();
}

static mez_error check_device_limits(const mez_device_info *device, const uint32_t group_size[3])
{
    const uint64_t total = (uint64_t)group_size[0] * group_size[1];
    const bool overflows = group_size[2] > 0 && total > UINT64_MAX / group_size[2];
    if (overflows || total * group_size[2] > device->max_group_size)
        return mez_error_make(MEZ_ERRC_ND_RANGE,
            "a work-group of %u x %u x %u work-items: device \"%s\" runs at most %u", group_size[0],
            group_size[1], group_size[2], device->name, device->max_group_size);
    for (uint32_t i = 0; i < 3; i++)
        if (group_size[i] > device->max_group_sizes[i])
            return mez_error_make(MEZ_ERRC_ND_RANGE,
                "dimension %u of the work-group has %u work-items: device \"%s\" runs at most %u",
                i, group_size[i], device->name, device->max_group_sizes[i]);
    return mez_ok();
}

static mez_error count_groups(const mez_range *range, const mez_device_info *device,
    const uint32_t group_size[3], uint32_t count[3])
{
    for (uint32_t i = 0; i < 3; i++) {
        const size_t global = size_in(range->global, range, i);
        if (global % group_size[i] != 0)
            return mez_error_make(MEZ_ERRC_ND_RANGE,
                "dimension %u: the work-group size %u does not divide the range %zu", i,
                group_size[i], global);
        const size_t groups = global / group_size[i];
        if (groups > device->max_group_counts[i])
            return mez_error_make(MEZ_ERRC_ND_RANGE,
                "dimension %u: %zu work-groups of %u: device \"%s\" runs at most %u", i, groups,
                group_size[i], device->name, device->max_group_counts[i]);
        count[i] = (uint32_t)groups;
    }
    return mez_ok();
}

static mez_error plan(const mez_range *range, const mez_device_info *device, mez_kernel_use *use)
{
    mez_launch_plan *plan = &use->plan;
    MEZ_TRY(check_global(range));
    MEZ_TRY(check_stated(use, range));
    if (has_local(range))
        MEZ_TRY(take_local(range, plan->group_size));
    else if (use->code->requires_group)
        memcpy(plan->group_size, use->code->group_size, sizeof plan->group_size);
    else
        MEZ_TRY(choose_local(range, use->ze, plan->group_size));
    MEZ_TRY(check_required(use, plan->group_size));
    MEZ_TRY(check_device_limits(device, plan->group_size));
    uint32_t count[3];
    MEZ_TRY(count_groups(range, device, plan->group_size, count));
    plan->group_count = (ze_group_count_t){count[0], count[1], count[2]};
    return mez_ok();
}

mez_error mez_range_plan(const mez_range *range, const mez_device *device, mez_kernel_use *use)
{
    if (mez_same_range(range, &use->plan.range))
        return mez_ok();
    use->plan.range.dimensions = 0; // a failed plan is none
    MEZ_TRY(plan(range, &device->info, use));
    use->plan.range = *range;
    return mez_ok();
}
