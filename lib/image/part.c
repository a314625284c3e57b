// SPDX-License-Identifier: MIT

#include "image/part.h"

#include "base/alloc.h"
#include "image/asserts.h"
#include "image/image.h"
#include "spirv/module.h"
#include "spirv/rewrite.h"
#include "spirv/signature.h"

mez_error mez_spirv_to_error(
    enum mez_spirv_status status, const struct mez_spirv_problem *problem, const char *what)
{
    if (status == MEZ_SPIRV_OK)
        return mez_ok();
    if (status == MEZ_SPIRV_NO_MEMORY)
        return mez_error_no_memory(what);
    return mez_error_make(MEZ_ERRC_INVALID_IMAGE, "%s", problem->text);
}

mez_error mez_part_init(mez_image *image, mez_binary *binary, mez_part *part)
{
    *part = (mez_part){.image = image, .binary = binary};
    atomic_init(&part->format, binary->format);
    const mez_requirements_reading reading = {.source = binary->source};
    return mez_device_requirements_read(&binary->properties, &reading, &part->stated);
}

static void code_finish(mez_part_code *code)
{
    mez_spirv_survey_destroy(&code->survey);
    mez_spirv_module_destroy(&code->spirv);
}

void mez_part_finish(mez_part *part)
{
    mez_free_memory(part->kernels);
    code_finish(&part->code);
    mez_device_requirements_finish(&part->stated);
}

// --- Code

static mez_error apply_constants(mez_part *part, struct mez_spirv_module **spirv)
{
    bool *found = part->image->constants_found;
    return found ? mez_constants_apply(&part->image->constants, spirv, found) : mez_ok();
}

static mez_error read_spirv(mez_part *part, mez_part_code *code)
{
    const mez_binary *binary = part->binary;
    struct mez_spirv_problem problem;
    MEZ_TRY(mez_spirv_to_error(
        mez_spirv_module_create(binary->code, binary->code_size, &problem, &code->spirv), &problem,
        "an image"));
    MEZ_TRY(apply_constants(part, &code->spirv));
    mez_spirv_write_group_sizes(code->spirv);
    return mez_spirv_to_error(
        mez_spirv_survey_create(code->spirv, MEZ_SURVEY_VALUES, &problem, &code->survey), &problem,
        "an image");
}

// 22.43 reports 1.2 and compiles 1.4, so a newer version is not refused.
static void report_version(const mez_part *part, const struct mez_spirv_module *spirv)
{
    const mez_device_info *device = &part->image->platform->devices[0].info;
    if ((1u << 16 | spirv->minor_version) > device->spirv_version)
        mez_log(IMAGE, INFO,
            "\"%s\" is SPIR-V 1.%u, but device \"%s\" reports support of 1.%u only",
            part->image->name, spirv->minor_version, device->name, device->spirv_version & 0xffff);
}

// A toolchain has linked a device library, with a variable that we do not know or with none.
static void report_silent_asserts(const mez_part *part, const struct mez_spirv_module *spirv)
{
    mez_image_asserts asserts = {0};
    mez_image_asserts_add(&asserts, spirv);
    if (asserts.defines && !asserts.own_record)
        mez_log(IMAGE, INFO,
            "\"%s\" defines its own " MEZ_ASSERT_FAIL " and no " MEZ_ASSERT_VARIABLE
            " or " MEZ_ASSERT_VARIABLE_LATER ": its failed asserts can't be read",
            part->image->name);
}

static mez_error read_locked(mez_part *part)
{
    MEZ_TRY(mez_binary_unpack(part->image->bundle, part->binary));
    atomic_store_explicit(&part->format, part->binary->format, memory_order_relaxed);
    if (mez_part_is_native(part))
        return mez_ok();
    mez_part_code code = {0};
    const mez_error error = read_spirv(part, &code);
    if (mez_failed(error)) {
        code_finish(&code);
        return mez_error_add(error, "binary", "%s", part->binary->source);
    }
    report_version(part, code.spirv);
    report_silent_asserts(part, code.spirv);
    part->code = code;
    return error;
}

mez_error mez_part_read(mez_part *part, const mez_part_code **code)
{
    *code = NULL;
    mez_error error = mez_ok();
    pthread_mutex_lock(&part->image->lock);
    if (!part->is_read)
        error = read_locked(part);
    part->is_read |= !mez_failed(error);
    pthread_mutex_unlock(&part->image->lock);
    if (!mez_failed(error) && part->code.spirv)
        *code = &part->code;
    return error;
}
