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
    if (place->step_count < 2)
        return;
    mez_text_add(text, ", reached by ");
    for (uint32_t i = 0; i < place->step_count; i++)
        mez_text_add(text, "%s%s", i ? " -> " : "", place->steps[i].function->name);
}

typedef struct unmet {
    const struct mez_spirv_kernel_needs *needs;
    const mez_image *image;
    const mez_device_info *device;
    mez_error error; // success until the first
} unmet;

static void start(unmet *unmet)
{
    if (!mez_failed(unmet->error))
        unmet->error = mez_error_make(MEZ_ERRC_KERNEL_NOT_SUPPORTED,
            "kernel \"%s\" of \"%s\" needs what device \"%s\" does not have",
            unmet->needs->kernel->name, unmet->image->name, unmet->device->name);
}

static void add(
    unmet *unmet, const struct mez_spirv_place *where, const char *what, const char *has)
{
    start(unmet);
    mez_text place = {0};
    describe_place(&place, where);
    unmet->error = mez_error_add(
        unmet->error, "needs", "%s, for %s; the device has %s", what, mez_text_get(&place), has);
    mez_text_finish(&place);
}

// An execution mode, which stands outside any function.
static void add_mode(unmet *unmet, uint32_t word, const char *what, const char *has)
{
    const struct mez_spirv_module *module = unmet->image->spirv;
    const struct mez_spirv_place where = {
        .function = &module->functions[unmet->needs->kernel->function],
        .word = word,
        .opcode = mez_spirv_instruction_at(module, word).opcode,
    };
    add(unmet, &where, what, has);
}

static void check_aspect(unmet *unmet, mez_aspect aspect, bool available, const char *feature)
{
    if (available || !mez_aspects_has(&unmet->needs->required, aspect))
        return;
    struct mez_spirv_place place;
    const enum mez_spirv_status status = mez_spirv_survey_find_use(
        unmet->image->survey, unmet->needs->kernel->function, aspect, &place);
    if (status == MEZ_SPIRV_OK)
        add(unmet, &place, feature, "none");
    else if (!mez_failed(unmet->error))
        unmet->error = mez_error_no_memory("the reason why a kernel can't run");
    mez_spirv_place_finish(&place);
}

static void check_work_group_size(unmet *unmet)
{
    const struct mez_spirv_modes *modes = unmet->needs->modes;
    if (!modes->has_local_size)
        return;
    const mez_device_info *device = unmet->device;
    const uint32_t *size = modes->local_size;
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
    add_mode(unmet, modes->local_size_word, mez_text_get(&what), mez_text_get(&has));
    mez_text_finish(&what);
    mez_text_finish(&has);
}

static void check_sub_group_size(unmet *unmet)
{
    const struct mez_spirv_modes *modes = unmet->needs->modes;
    if (!modes->sub_group_size)
        return;
    const mez_device_info *device = unmet->device;
    mez_text what = {0}, has = {0};
    bool available = false;
    for (uint32_t i = 0; i < device->sub_group_size_count; i++) {
        available |= device->sub_group_sizes[i] == modes->sub_group_size;
        mez_text_add(&has, "%s%u", i ? ", " : "", device->sub_group_sizes[i]);
    }
    mez_text_add(&what, "sub-groups of %u", modes->sub_group_size);
    if (!available)
        add_mode(unmet, modes->sub_group_size_word, mez_text_get(&what), mez_text_get(&has));
    mez_text_finish(&what);
    mez_text_finish(&has);
}

mez_error mez_requirements_check(const mez_image *image, const struct mez_spirv_kernel_needs *needs,
    const mez_device_info *device)
{
    unmet unmet = {.needs = needs, .image = image, .device = device};
    check_aspect(&unmet, MEZ_ASPECT_fp64, device->fp64, "double precision (fp64)");
    check_aspect(&unmet, MEZ_ASPECT_fp16, device->fp16, "half precision (fp16)");
    check_aspect(&unmet, MEZ_ASPECT_atomic64, device->int64_atomics, "64-bit atomics (atomic64)");
    check_sub_group_size(&unmet);
    check_work_group_size(&unmet);
    return unmet.error;
}
