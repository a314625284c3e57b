// SPDX-License-Identifier: MIT

#include "container/device_requirements.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bytes.h"

typedef struct requirements_reader {
    const mez_property_set *set;
    const mez_requirements_reading *reading;
    mez_device_requirements *found;
} requirements_reader;

static mez_error misfit(
    const requirements_reader *reader, const mez_property *property, const char *wanted)
{
    mez_error error = mez_error_make(MEZ_ERRC_INVALID_IMAGE,
        "property \"%s\" in \"%s\" has type %" PRIu32 " and %zu bytes, but should be %s",
        property->name, reader->set->name, property->type, property->size, wanted);
    if (reader->reading->source)
        error = mez_error_add(error, "image", "%s", reader->reading->source);
    return error;
}

static const mez_property *find(const requirements_reader *reader, const char *name)
{
    return mez_property_set_find(reader->set, name);
}

static bool is_array(const mez_property *property, size_t item)
{
    return property->type == MEZ_PROPERTY_BYTES && property->bits % 8 == 0 &&
           property->size % item == 0;
}

static uint32_t item_at(const mez_property *property, size_t i)
{
    return mez_read_u32(property->bytes + 4 * i);
}

// --- Lists of numbers

static mez_error copy_numbers(const mez_property *property, uint32_t **numbers, size_t *count)
{
    *count = property->size / 4;
    *numbers = mez_alloc_array(*count ? *count : 1, sizeof **numbers);
    if (!*numbers)
        return mez_error_no_memory("an image's requirements");
    for (size_t i = 0; i < *count; i++)
        (*numbers)[i] = item_at(property, i);
    return mez_ok();
}

static mez_error read_aspects(const requirements_reader *reader)
{
    const mez_property *property = find(reader, MEZ_NAME_ASPECTS);
    if (!property)
        property = find(reader, MEZ_NAME_ASPECT);
    if (!property)
        return mez_ok();
    if (!is_array(property, 4))
        return misfit(reader, property, "an array of 32-bit numbers");

    mez_device_requirements *found = reader->found;
    const size_t count = property->size / 4;
    found->aspects = mez_alloc_array(count ? count : 1, sizeof *found->aspects);
    if (!found->aspects)
        return mez_error_no_memory("an image's aspects");
    found->aspect_count = count;
    for (size_t i = 0; i < count; i++) {
        const uint32_t number = item_at(property, i);
        const mez_aspect aspect = mez_aspect_from_number(reader->reading->numbering, number);
        found->aspects[i] = (mez_required_aspect){.number = number, .aspect = aspect};
        if (aspect != MEZ_ASPECT_NONE)
            mez_aspects_add(&found->aspect_set, aspect);
    }
    return mez_ok();
}

static mez_error read_fixed_targets(const requirements_reader *reader)
{
    const mez_property *property = find(reader, MEZ_NAME_FIXED_TARGET);
    if (!property)
        return mez_ok();
    if (!is_array(property, 4))
        return misfit(reader, property, "an array of 32-bit numbers");
    reader->found->has_fixed_targets = true;
    return copy_numbers(
        property, &reader->found->fixed_targets, &reader->found->fixed_target_count);
}

static mez_error read_sub_group_sizes(const requirements_reader *reader)
{
    mez_device_requirements *found = reader->found;
    const mez_property *property = find(reader, MEZ_NAME_SUB_GROUP_SIZE);
    if (!property)
        return mez_ok();
    if (property->type != MEZ_PROPERTY_UINT32) {
        if (!is_array(property, 4))
            return misfit(reader, property, "a 32-bit number, or an array of them");
        return copy_numbers(property, &found->sub_group_sizes, &found->sub_group_size_count);
    }
    found->sub_group_sizes = mez_alloc_array(1, sizeof *found->sub_group_sizes);
    if (!found->sub_group_sizes)
        return mez_error_no_memory("an image's requirements");
    found->sub_group_sizes[0] = property->number;
    found->sub_group_size_count = 1;
    return mez_ok();
}

// --- Work-group sizes

static mez_error reserve_sizes(mez_device_requirements *found, size_t count)
{
    found->work_group_sizes = mez_alloc_array(count ? count : 1, sizeof *found->work_group_sizes);
    return found->work_group_sizes ? mez_ok() : mez_error_no_memory("an image's requirements");
}

// Dimensions that files leave out are of size 1.
static mez_required_size *new_size(mez_device_requirements *found, uint32_t dimensions)
{
    mez_required_size *size = &found->work_group_sizes[found->work_group_size_count++];
    *size = (mez_required_size){.dimensions = dimensions, .size = {1, 1, 1}};
    return size;
}

static mez_error read_plain_size(
    const requirements_reader *reader, const mez_property *property, size_t item)
{
    if (!is_array(property, item) || property->size == 0 || property->size > 3 * item)
        return misfit(reader, property,
            item == 8 ? "an array of one to three 64-bit numbers"
                      : "an array of one to three 32-bit numbers");
    MEZ_TRY(reserve_sizes(reader->found, 1));
    mez_required_size *size = new_size(reader->found, (uint32_t)(property->size / item));
    for (uint32_t i = 0; i < size->dimensions; i++)
        size->size[i] = item == 8 ? mez_read_u64(property->bytes + 8 * i) : item_at(property, i);
    return mez_ok();
}

// Whether the numbers are the document's entries: a count and as many dimensions.
static bool is_counted(const mez_property *property)
{
    if (!is_array(property, 4))
        return false;
    const size_t items = property->size / 4;
    size_t at = 0;
    while (at < items) {
        const uint32_t dimensions = item_at(property, at);
        if (dimensions < 1 || dimensions > 3 || dimensions >= items - at)
            return false;
        at += 1 + dimensions;
    }
    return true;
}

// Nothing says which form it is, but real tools always write the list "aspects", and the document has none of that name.
static bool is_documents(const requirements_reader *reader, const mez_property *property)
{
    return reader->reading->doc_forms ||
           (!find(reader, MEZ_NAME_ASPECTS) && property->size > 0 && is_counted(property));
}

// The document's entries, the slowest dimension first.
static mez_error read_counted_sizes(const requirements_reader *reader, const mez_property *property)
{
    static const char wanted[] = "an array of sizes, each a count of dimensions (1 to 3) and these";
    if (!is_counted(property))
        return misfit(reader, property, wanted);
    const size_t items = property->size / 4;
    MEZ_TRY(reserve_sizes(reader->found, items / 2));
    for (size_t at = 0; at < items;) {
        const uint32_t dimensions = item_at(property, at);
        mez_required_size *size = new_size(reader->found, dimensions);
        for (uint32_t i = 0; i < dimensions; i++)
            size->size[dimensions - 1 - i] = item_at(property, at + 1 + i);
        at += 1 + dimensions;
    }
    return mez_ok();
}

static mez_error read_work_group_sizes(const requirements_reader *reader)
{
    const mez_property *wide = find(reader, MEZ_NAME_WORK_GROUP_SIZE_64);
    if (wide)
        return read_plain_size(reader, wide, 8);
    const mez_property *narrow = find(reader, MEZ_NAME_WORK_GROUP_SIZE);
    if (!narrow)
        return mez_ok();
    return is_documents(reader, narrow) ? read_counted_sizes(reader, narrow)
                                        : read_plain_size(reader, narrow, 4);
}

// Tools that state the number of dimensions fill the size up to three with ones.
static void cut_sizes(mez_device_requirements *found, uint32_t dimensions)
{
    for (size_t i = 0; i < found->work_group_size_count; i++)
        if (found->work_group_sizes[i].dimensions > dimensions)
            found->work_group_sizes[i].dimensions = dimensions;
}

static mez_error read_dimensions(const requirements_reader *reader)
{
    mez_device_requirements *found = reader->found;
    const mez_property *property = find(reader, MEZ_NAME_WORK_GROUP_NUM_DIM);
    if (!property) {
        if (found->work_group_size_count == 1)
            found->work_group_dimensions = found->work_group_sizes[0].dimensions;
        return mez_ok();
    }
    uint32_t dimensions = property->number;
    if (is_array(property, 4) && property->size == 4)
        dimensions = item_at(property, 0);
    if (dimensions < 1 || dimensions > 3)
        return misfit(reader, property, "a 32-bit number from 1 to 3, or an array of one");
    found->work_group_dimensions = dimensions;
    cut_sizes(found, dimensions);
    return mez_ok();
}

// --- Texts

static mez_error read_text(const requirements_reader *reader, const char *name, const char **text)
{
    const mez_property *property = find(reader, name);
    if (!property)
        return mez_ok();
    if (property->type == MEZ_PROPERTY_UINT32)
        return misfit(reader, property, "text");
    *text = (const char *)property->bytes;
    return mez_ok();
}

static mez_error read_set(const requirements_reader *reader)
{
    MEZ_TRY(read_aspects(reader));
    MEZ_TRY(read_fixed_targets(reader));
    MEZ_TRY(read_sub_group_sizes(reader));
    MEZ_TRY(read_work_group_sizes(reader));
    MEZ_TRY(read_dimensions(reader));
    MEZ_TRY(read_text(reader, MEZ_NAME_JOINT_MATRIX, &reader->found->joint_matrix));
    MEZ_TRY(read_text(reader, MEZ_NAME_JOINT_MATRIX_MAD, &reader->found->joint_matrix_mad));
    return read_text(reader, MEZ_NAME_COMPILE_TARGET, &reader->found->compile_target);
}

mez_error mez_device_requirements_read(const mez_properties *properties,
    const mez_requirements_reading *reading, mez_device_requirements *requirements)
{
    *requirements = (mez_device_requirements){
        .esimd = mez_properties_get_number(properties, MEZ_SET_MISC, MEZ_NAME_ESIMD_IMAGE, 0) != 0,
    };
    const requirements_reader reader = {
        .set = mez_properties_find_set(properties, MEZ_SET_DEVICE_REQUIREMENTS),
        .reading = reading ? reading : &(const mez_requirements_reading){0},
        .found = requirements,
    };
    if (!reader.set)
        return mez_ok();
    requirements->stated = true;
    const mez_error error = read_set(&reader);
    if (mez_failed(error))
        mez_device_requirements_finish(requirements);
    return error;
}

void mez_device_requirements_finish(mez_device_requirements *requirements)
{
    mez_free_memory(requirements->aspects);
    mez_free_memory(requirements->fixed_targets);
    mez_free_memory(requirements->sub_group_sizes);
    mez_free_memory(requirements->work_group_sizes);
    *requirements = (mez_device_requirements){0};
}

// --- Asserts

mez_stated_asserts mez_properties_assert_use(const mez_properties *properties, const char *kernel)
{
    if (mez_properties_find_set(properties, MEZ_SET_ASSERT_ENABLED))
        return MEZ_ASSERTS_USED;
    const mez_property_set *used = mez_properties_find_set(properties, MEZ_SET_ASSERT_USED);
    if (!used)
        return MEZ_ASSERTS_NOT_STATED;
    return mez_property_set_find(used, kernel) ? MEZ_ASSERTS_USED : MEZ_ASSERTS_NONE;
}

uint32_t mez_properties_devicelib_mask(const mez_properties *properties)
{
    return mez_properties_get_number(properties, MEZ_SET_DEVICELIB_MASK, "DeviceLibReqMask", 0);
}
