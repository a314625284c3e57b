// SPDX-License-Identifier: MIT

#include "container/device_requirements.h"

#include <string.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "container/bits.h"
#include "container/lines.h"
#include "container/numbers.h"
#include "container/requirement_names.h"

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
    const mez_error error = mez_properties_add_numbers(
        merged, set, more->name, numbers, mez_sort_numbers(numbers, count));
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
    for (size_t i = 0; i < set->count; i++)
        MEZ_TRY(merge_property(merged, set->name, &set->properties[i]));
    return mez_ok();
}

mez_error mez_properties_merge(
    const mez_properties *const *list, size_t count, mez_properties *merged)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < list[i]->count; j++)
            MEZ_TRY(merge_set(merged, &list[i]->sets[j]));
    return mez_ok();
}
