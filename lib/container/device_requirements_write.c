// SPDX-License-Identifier: MIT
//
// Device requirements as a toolchain makes them: written for one image, merged for several.

#include "container/device_requirements.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/text.h"

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// Sorts the numbers and leaves each once; returns how many are left.
static size_t sort_numbers(uint32_t *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, compare);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || numbers[kept - 1] != numbers[i])
            numbers[kept++] = numbers[i];
    return kept;
}

// --- Writing

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
            sort_numbers(numbers, count));
    mez_free_memory(numbers);
    return error;
}

// --- Sizes

static mez_error too_many(const char *what)
{
    return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
        "the property sets of the tools hold one required %s, but there are several", what);
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

// --- Merging

// How two values of one property become one.
typedef enum merging {
    MERGE_EQUAL,   // they must be the same
    MERGE_NUMBERS, // arrays of u32, united
    MERGE_ITEMS,   // texts of items with ';' between them, united
} merging;

static merging merging_of(const char *set, const char *name)
{
    if (strcmp(set, MEZ_SET_DEVICE_REQUIREMENTS) != 0)
        return MERGE_EQUAL;
    if (strcmp(name, MEZ_NAME_ASPECTS) == 0 || strcmp(name, MEZ_NAME_ASPECT) == 0)
        return MERGE_NUMBERS;
    if (strcmp(name, MEZ_NAME_JOINT_MATRIX) == 0 || strcmp(name, MEZ_NAME_JOINT_MATRIX_MAD) == 0)
        return MERGE_ITEMS;
    return MERGE_EQUAL;
}

static mez_error incompatible(const char *set, const mez_property *property, const char *why)
{
    const mez_error error =
        mez_error_make(MEZ_ERRC_LINK_PROGRAM, "Unable to merge incompatible images.");
    return mez_error_add(error, "property", "\"%s\" in \"%s\" %s", property->name, set, why);
}

// --- Numbers

static bool is_numbers(const mez_property *property)
{
    return property->type == MEZ_PROPERTY_BYTES && property->bits % 32 == 0;
}

static void copy_numbers(uint32_t *numbers, const mez_property *property)
{
    for (size_t i = 0; i < property->size / 4; i++)
        numbers[i] = mez_read_u32(property->bytes + 4 * i);
}

static mez_error unite_numbers(
    mez_properties *merged, const char *set, const mez_property *old, const mez_property *more)
{
    if (!is_numbers(old) || !is_numbers(more))
        return mez_error_make(MEZ_ERRC_INVALID_IMAGE,
            "property \"%s\" in \"%s\" should be an array of 32-bit numbers", more->name, set);
    const size_t old_count = old->size / 4, count = old_count + more->size / 4;
    uint32_t *numbers = mez_alloc_array(count ? count : 1, sizeof *numbers);
    if (!numbers)
        return mez_error_no_memory("the aspects of several images");
    copy_numbers(numbers, old);
    copy_numbers(numbers + old_count, more);
    const mez_error error =
        mez_properties_add_numbers(merged, set, more->name, numbers, sort_numbers(numbers, count));
    mez_free_memory(numbers);
    return error;
}

// --- Items

static mez_slice text_of(const mez_property *property)
{
    return (mez_slice){.start = (const char *)property->bytes, .length = property->size};
}

static bool has_item(mez_slice items, mez_slice wanted)
{
    while (items.length > 0) {
        const mez_slice item = mez_slice_split(items, ';', &items);
        if (item.length == wanted.length && memcmp(item.start, wanted.start, item.length) == 0)
            return true;
    }
    return false;
}

static mez_error unite_items(
    mez_properties *merged, const char *set, const mez_property *old, const mez_property *more)
{
    if (old->type != more->type || old->type == MEZ_PROPERTY_UINT32)
        return incompatible(set, more, "is text in one and something else in another");
    mez_bytes text = {0};
    mez_bytes_add(&text, old->bytes, old->size);
    for (mez_slice rest = text_of(more); rest.length > 0;) {
        const mez_slice item = mez_slice_split(rest, ';', &rest);
        if (has_item(text_of(old), item))
            continue;
        if (text.size > 0)
            mez_bytes_add_text(&text, ";");
        mez_bytes_add(&text, item.start, item.length);
    }
    const mez_property united = {
        .name = more->name,
        .type = old->type,
        .bytes = text.data,
        .size = text.size,
        .bits = old->type == MEZ_PROPERTY_BYTES ? (uint64_t)text.size * 8 : 0,
    };
    const mez_error error = text.failed ? mez_error_no_memory("the properties of several images")
                                        : mez_properties_add_copy(merged, set, &united);
    mez_bytes_finish(&text);
    return error;
}

// --- All of them

static mez_error merge_property(
    mez_properties *merged, const char *set, const mez_property *property)
{
    const mez_property *old = mez_properties_find(merged, set, property->name);
    if (!old || mez_property_equal(old, property))
        return mez_properties_add_copy(merged, set, property);
    switch (merging_of(set, property->name)) {
    case MERGE_NUMBERS:
        return unite_numbers(merged, set, old, property);
    case MERGE_ITEMS:
        return unite_items(merged, set, old, property);
    default:
        return incompatible(set, property, "differs between them");
    }
}

static mez_error merge_set(mez_properties *merged, const mez_property_set *set)
{
    MEZ_TRY(mez_properties_add_set(merged, set->name));
    for (size_t i = 0; i < set->properties.count; i++)
        MEZ_TRY(merge_property(merged, set->name, &set->properties.items[i]));
    return mez_ok();
}

mez_error mez_properties_merge(
    const mez_properties *const *list, size_t count, mez_properties *merged)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < list[i]->count; j++)
            MEZ_TRY(merge_set(merged, &list[i]->items[j]));
    return mez_ok();
}
