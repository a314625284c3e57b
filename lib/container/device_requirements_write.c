// SPDX-License-Identifier: MIT

#include "container/device_requirements.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "container/numbers.h"
#include "container/requirement_names.h"

typedef struct requirements_writer {
    const mez_device_requirements *wanted;
    const mez_requirements_writing *writing;
    mez_properties *properties;
} requirements_writer;

static mez_error write_numbers(
    const requirements_writer *writer, const char *name, const uint32_t *values, size_t count)
{
    return mez_properties_add_numbers(
        writer->properties, MEZ_SET_DEVICE_REQUIREMENTS, name, values, count);
}

static mez_error write_text(const requirements_writer *writer, const char *name, const char *text)
{
    return text ? mez_properties_add_text(
                      writer->properties, MEZ_SET_DEVICE_REQUIREMENTS, name, text)
                : mez_ok();
}

// --- Aspects

static mez_error collect_numbers(const requirements_writer *writer, uint32_t *numbers)
{
    for (size_t i = 0; i < writer->wanted->aspect_count; i++) {
        const mez_required_aspect *aspect = &writer->wanted->aspects[i];
        numbers[i] = aspect->number;
        if (aspect->aspect != MEZ_ASPECT_NONE &&
            !mez_aspect_get_number(aspect->aspect, writer->writing->numbering, &numbers[i]))
            return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
                "aspect \"%s\" has no number in the numbering that was asked for",
                mez_aspect_name(aspect->aspect));
    }
    return mez_ok();
}

// Real tools always write the list, the document's only where it has something.
static mez_error write_aspects(const requirements_writer *writer)
{
    const bool doc = writer->writing->doc_names;
    const size_t count = writer->wanted->aspect_count;
    if (doc && count == 0)
        return mez_ok();
    uint32_t *numbers = mez_alloc_array(count ? count : 1, sizeof *numbers);
    if (!numbers)
        return mez_error_no_memory("an image's aspects");
    mez_error error = collect_numbers(writer, numbers);
    if (!mez_failed(error))
        error = write_numbers(writer, doc ? MEZ_NAME_ASPECT : MEZ_NAME_ASPECTS, numbers,
            mez_sort_numbers(numbers, count));
    mez_free_memory(numbers);
    return error;
}

// --- Sizes

static mez_error too_many(const char *what)
{
    return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
        "the tools' property sets hold one required %s, and there are several", what);
}

static mez_error write_sub_group_sizes(const requirements_writer *writer)
{
    const mez_device_requirements *wanted = writer->wanted;
    if (wanted->sub_group_size_count == 0)
        return mez_ok();
    if (writer->writing->doc_names)
        return write_numbers(
            writer, MEZ_NAME_SUB_GROUP_SIZE, wanted->sub_group_sizes, wanted->sub_group_size_count);
    if (wanted->sub_group_size_count > 1)
        return too_many("sub-group size");
    return mez_properties_add_number(writer->properties, MEZ_SET_DEVICE_REQUIREMENTS,
        MEZ_NAME_SUB_GROUP_SIZE, wanted->sub_group_sizes[0]);
}

// The document's entries: a count and as many dimensions, the slowest first.
static mez_error write_counted_sizes(const requirements_writer *writer)
{
    mez_bytes entries = {0};
    for (size_t i = 0; i < writer->wanted->work_group_size_count; i++) {
        const mez_required_size *size = &writer->wanted->work_group_sizes[i];
        mez_bytes_add_u32(&entries, size->dimensions);
        for (uint32_t j = size->dimensions; j > 0; j--)
            mez_bytes_add_u32(&entries, (uint32_t)size->size[j - 1]);
    }
    const mez_error error =
        entries.failed ? mez_error_no_memory("an image's work-group sizes")
                       : mez_properties_add_bytes(writer->properties, MEZ_SET_DEVICE_REQUIREMENTS,
                             MEZ_NAME_WORK_GROUP_SIZE, entries.data, entries.size);
    mez_bytes_finish(&entries);
    return error;
}

static mez_error write_work_group_sizes(const requirements_writer *writer)
{
    const mez_device_requirements *wanted = writer->wanted;
    if (wanted->work_group_size_count == 0)
        return mez_ok();
    if (writer->writing->doc_names)
        return write_counted_sizes(writer);
    if (wanted->work_group_size_count > 1)
        return too_many("work-group size");
    return mez_properties_add_numbers64(writer->properties, MEZ_SET_DEVICE_REQUIREMENTS,
        MEZ_NAME_WORK_GROUP_SIZE_64, wanted->work_group_sizes[0].size, 3);
}

static mez_error write_dimensions(const requirements_writer *writer)
{
    const mez_device_requirements *wanted = writer->wanted;
    uint32_t dimensions = wanted->work_group_dimensions;
    if (dimensions == 0 && wanted->work_group_size_count == 1)
        dimensions = wanted->work_group_sizes[0].dimensions;
    if (writer->writing->doc_names || dimensions == 0)
        return mez_ok();
    return mez_properties_add_number(
        writer->properties, MEZ_SET_DEVICE_REQUIREMENTS, MEZ_NAME_WORK_GROUP_NUM_DIM, dimensions);
}

static mez_error write_set(const requirements_writer *writer)
{
    const mez_device_requirements *wanted = writer->wanted;
    MEZ_TRY(mez_properties_add_set(writer->properties, MEZ_SET_DEVICE_REQUIREMENTS));
    MEZ_TRY(write_aspects(writer));
    if (wanted->has_fixed_targets)
        MEZ_TRY(write_numbers(
            writer, MEZ_NAME_FIXED_TARGET, wanted->fixed_targets, wanted->fixed_target_count));
    MEZ_TRY(write_text(writer, MEZ_NAME_JOINT_MATRIX, wanted->joint_matrix));
    MEZ_TRY(write_text(writer, MEZ_NAME_JOINT_MATRIX_MAD, wanted->joint_matrix_mad));
    MEZ_TRY(write_sub_group_sizes(writer));
    MEZ_TRY(write_work_group_sizes(writer));
    MEZ_TRY(write_dimensions(writer));
    return write_text(writer, MEZ_NAME_COMPILE_TARGET, wanted->compile_target);
}

// The new set is made beside the old one, whose texts the requirements may still point to.
mez_error mez_device_requirements_write(const mez_device_requirements *requirements,
    const mez_requirements_writing *writing, mez_properties *properties)
{
    mez_properties made = {0};
    const requirements_writer writer = {
        .wanted = requirements,
        .writing = writing ? writing : &(const mez_requirements_writing){0},
        .properties = &made,
    };
    mez_error error = write_set(&writer);
    if (!mez_failed(error)) {
        mez_properties_remove_set(properties, MEZ_SET_DEVICE_REQUIREMENTS);
        error = mez_properties_add_all(properties, &made, NULL);
    }
    mez_properties_finish(&made);
    return error;
}
