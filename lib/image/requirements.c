// SPDX-License-Identifier: MIT

#include "image/requirements.h"

#include "base/text.h"

// Where a need comes from: `OpFMul in function "scale" (scale.cl:7), reached by run -> scale`.
static void describe_place(mez_text *text, const struct mez_spirv_place *place)
{
    char room[MEZ_SPIRV_OPCODE_ROOM];
    mez_text_add(text, "%s", mez_spirv_opcode_name(place->opcode, room));
    if (place->function)
        mez_text_add(text, " in function \"%s\"", place->function->name);
    if (place->line.file)
        mez_text_add(text, " (%s:%u)", place->line.file, place->line.line);
    if (place->chain_length < 2)
        return;
    mez_text_add(text, ", reached by ");
    for (uint32_t i = 0; i < place->chain_length; i++)
        mez_text_add(text, "%s%s", i ? " -> " : "", place->chain[i]);
}

typedef struct unmet {
    const char *kernel;
    const mez_image *image;
    const mez_device_info *device;
    mez_error error; // success until the first
} unmet;

static void start(unmet *unmet)
{
    if (!mez_failed(unmet->error))
        unmet->error = mez_error_make(MEZ_ERRC_KERNEL_NOT_SUPPORTED,
            "kernel \"%s\" of \"%s\" needs what device \"%s\" does not have", unmet->kernel,
            unmet->image->name, unmet->device->name);
}

static void add(unmet *unmet, const struct mez_spirv_need *need, const char *what, const char *has)
{
    start(unmet);
    mez_text place = {0};
    describe_place(&place, &need->where);
    unmet->error = mez_error_add(
        unmet->error, "needs", "%s, for %s; the device has %s", what, mez_text_get(&place), has);
    mez_text_finish(&place);
}

static void check_feature(
    unmet *unmet, const struct mez_spirv_need *need, bool available, const char *feature)
{
    if (need->needed && !available)
        add(unmet, need, feature, "none");
}

static void check_work_group_size(unmet *unmet, const struct mez_spirv_need *need)
{
    if (!need->needed)
        return;
    const mez_device_info *device = unmet->device;
    const uint32_t *size = need->values;
    const uint64_t plane = (uint64_t)size[0] * size[1];
    const bool fits =
        plane <= device->max_group_size && plane * size[2] <= device->max_group_size &&
        size[0] <= device->max_group_sizes[0] && size[1] <= device->max_group_sizes[1] &&
        size[2] <= device->max_group_sizes[2];
    if (fits)
        return;
    mez_text what = {0}, has = {0};
    mez_text_add(&what, "work-groups of %u x %u x %u", size[0], size[1], size[2]);
    mez_text_add(&has, "at most %u work-items, %u x %u x %u", device->max_group_size,
        device->max_group_sizes[0], device->max_group_sizes[1], device->max_group_sizes[2]);
    add(unmet, need, mez_text_get(&what), mez_text_get(&has));
    mez_text_finish(&what);
    mez_text_finish(&has);
}

static void check_sub_group_size(unmet *unmet, const struct mez_spirv_need *need)
{
    if (!need->needed)
        return;
    const mez_device_info *device = unmet->device;
    mez_text what = {0}, has = {0};
    bool available = false;
    for (uint32_t i = 0; i < device->sub_group_size_count; i++) {
        available |= device->sub_group_sizes[i] == need->values[0];
        mez_text_add(&has, "%s%u", i ? ", " : "", device->sub_group_sizes[i]);
    }
    mez_text_add(&what, "sub-groups of %u", need->values[0]);
    if (!available)
        add(unmet, need, mez_text_get(&what), mez_text_get(&has));
    mez_text_finish(&what);
    mez_text_finish(&has);
}

mez_error mez_requirements_check(
    const mez_image *image, const struct mez_spirv_needs *needs, const mez_device_info *device)
{
    unmet unmet = {.kernel = needs->kernel->name, .image = image, .device = device};
    const struct mez_spirv_need *need = needs->needs;
    check_feature(&unmet, &need[MEZ_NEED_FP64], device->fp64, "double precision (fp64)");
    check_feature(&unmet, &need[MEZ_NEED_FP16], device->fp16, "half precision (fp16)");
    check_feature(
        &unmet, &need[MEZ_NEED_INT64_ATOMICS], device->int64_atomics, "64-bit atomics (atomic64)");
    check_sub_group_size(&unmet, &need[MEZ_NEED_SUB_GROUP_SIZE]);
    check_work_group_size(&unmet, &need[MEZ_NEED_WORK_GROUP_SIZE]);
    return unmet.error;
}
