// SPDX-License-Identifier: MIT

#include "container/properties.h"

#include <string.h>

#include "base/alloc.h"
#include "base/bytes.h"

static void finish_property(mez_property *property)
{
    mez_free_memory(property->name);
    mez_free_memory(property->bytes);
}

static void finish_set(mez_property_set *set)
{
    for (size_t i = 0; i < set->properties.count; i++)
        finish_property(&set->properties.items[i]);
    mez_named_finish(&set->properties);
    mez_free_memory(set->name);
}

void mez_properties_finish(mez_properties *properties)
{
    for (size_t i = 0; i < properties->count; i++)
        finish_set(&properties->items[i]);
    mez_named_finish(properties);
}

// --- Looking up

mez_property_set *mez_properties_find_set(const mez_properties *properties, const char *name)
{
    const size_t place = mez_named_find(properties, name, strlen(name));
    return place == MEZ_NAME_NOT_FOUND ? NULL : &properties->items[place];
}

mez_property *mez_property_set_find(const mez_property_set *set, const char *name)
{
    const size_t place = mez_named_find(&set->properties, name, strlen(name));
    return place == MEZ_NAME_NOT_FOUND ? NULL : &set->properties.items[place];
}

const mez_property *mez_properties_find(
    const mez_properties *properties, const char *set, const char *name)
{
    const mez_property_set *found = mez_properties_find_set(properties, set);
    return found ? mez_property_set_find(found, name) : NULL;
}

uint32_t mez_properties_get_number(
    const mez_properties *properties, const char *set, const char *name, uint32_t otherwise)
{
    const mez_property *property = mez_properties_find(properties, set, name);
    return property && property->type == MEZ_PROPERTY_UINT32 ? property->number : otherwise;
}

// --- Adding

static mez_property_set *new_set(mez_properties *properties, const char *name)
{
    char *copy = mez_copy_string(name);
    if (copy && mez_named_push(properties, (mez_property_set){.name = copy}))
        return &properties->items[properties->count - 1];
    mez_free_memory(copy);
    return NULL;
}

static mez_property_set *find_or_add_set(mez_properties *properties, const char *name)
{
    mez_property_set *set = mez_properties_find_set(properties, name);
    return set ? set : new_set(properties, name);
}

mez_error mez_properties_add_set(mez_properties *properties, const char *set)
{
    return find_or_add_set(properties, set) ? mez_ok() : mez_error_no_memory("a property set");
}

// At the end of the set, with the name and nothing else.
static mez_property *new_property(mez_property_set *set, const char *name)
{
    char *copy = mez_copy_string(name);
    if (copy && mez_named_push(&set->properties, (mez_property){.name = copy}))
        return &set->properties.items[set->properties.count - 1];
    mez_free_memory(copy);
    return NULL;
}

// Copies of the bytes of `value`, with the NUL that follows them; NULL: no memory.
static uint8_t *copy_bytes(const mez_property *value)
{
    if (value->size == SIZE_MAX)
        return NULL;
    uint8_t *bytes = mez_alloc_array(value->size + 1, 1);
    if (bytes && value->size)
        memcpy(bytes, value->bytes, value->size);
    return bytes;
}

// Gives the property that value, except for its name; its bytes are copied.
static mez_error set_property(
    mez_properties *properties, const char *set, const char *name, const mez_property *value)
{
    mez_property_set *its_set = find_or_add_set(properties, set);
    if (!its_set)
        return mez_error_no_memory("a property set");
    uint8_t *bytes = NULL;
    if (value->type != MEZ_PROPERTY_UINT32 && !(bytes = copy_bytes(value)))
        return mez_error_no_memory("a property's value");
    mez_property *property = mez_property_set_find(its_set, name);
    if (!property && !(property = new_property(its_set, name))) {
        mez_free_memory(bytes);
        return mez_error_no_memory("a property");
    }
    mez_free_memory(property->bytes);
    *property = (mez_property){
        .name = property->name,
        .type = value->type,
        .number = value->number,
        .bytes = bytes,
        .size = value->size,
        .bits = value->bits,
    };
    return mez_ok();
}

mez_error mez_properties_add_number(
    mez_properties *properties, const char *set, const char *name, uint32_t value)
{
    const mez_property property = {.type = MEZ_PROPERTY_UINT32, .number = value};
    return set_property(properties, set, name, &property);
}

mez_error mez_properties_add_bits(
    mez_properties *properties, const char *set, const char *name, const void *bytes, uint64_t bits)
{
    const mez_property property = {
        .type = MEZ_PROPERTY_BYTES,
        .bytes = (uint8_t *)bytes,
        .size = bits / 8 + (bits % 8 != 0),
        .bits = bits,
    };
    return set_property(properties, set, name, &property);
}

mez_error mez_properties_add_bytes(
    mez_properties *properties, const char *set, const char *name, const void *bytes, size_t size)
{
    return mez_properties_add_bits(properties, set, name, bytes, (uint64_t)size * 8);
}

mez_error mez_properties_add_text(
    mez_properties *properties, const char *set, const char *name, const char *text)
{
    return mez_properties_add_bytes(properties, set, name, text, strlen(text));
}

// What a writer has filled becomes the value.
static mez_error add_filled(
    mez_properties *properties, const char *set, const char *name, mez_bytes *bytes)
{
    const mez_error error =
        bytes->failed ? mez_error_no_memory("a property's numbers")
                      : mez_properties_add_bytes(properties, set, name, bytes->data, bytes->size);
    mez_bytes_finish(bytes);
    return error;
}

mez_error mez_properties_add_numbers(mez_properties *properties, const char *set, const char *name,
    const uint32_t *values, size_t count)
{
    mez_bytes bytes = {0};
    for (size_t i = 0; i < count; i++)
        mez_bytes_add_u32(&bytes, values[i]);
    return add_filled(properties, set, name, &bytes);
}

mez_error mez_properties_add_numbers64(mez_properties *properties, const char *set,
    const char *name, const uint64_t *values, size_t count)
{
    mez_bytes bytes = {0};
    for (size_t i = 0; i < count; i++)
        mez_bytes_add_u64(&bytes, values[i]);
    return add_filled(properties, set, name, &bytes);
}

mez_error mez_properties_add_other(mez_properties *properties, const char *set, const char *name,
    uint32_t type, const void *bytes, size_t size)
{
    const mez_property property = {.type = type, .bytes = (uint8_t *)bytes, .size = size};
    return set_property(properties, set, name, &property);
}

mez_error mez_properties_add_copy(
    mez_properties *properties, const char *set, const mez_property *property)
{
    return set_property(properties, set, property->name, property);
}

static mez_error add_set_copy(mez_properties *properties, const mez_property_set *set)
{
    MEZ_TRY(mez_properties_add_set(properties, set->name));
    for (size_t i = 0; i < set->properties.count; i++)
        MEZ_TRY(mez_properties_add_copy(properties, set->name, &set->properties.items[i]));
    return mez_ok();
}

mez_error mez_properties_add_all(
    mez_properties *properties, const mez_properties *from, const char *prefix)
{
    const size_t length = prefix ? strlen(prefix) : 0;
    for (size_t i = 0; i < from->count; i++)
        if (length == 0 || strncmp(from->items[i].name, prefix, length) == 0)
            MEZ_TRY(add_set_copy(properties, &from->items[i]));
    return mez_ok();
}

// --- Taking out

bool mez_properties_remove_set(mez_properties *properties, const char *set)
{
    mez_property_set *its_set = mez_properties_find_set(properties, set);
    if (!its_set)
        return false;
    finish_set(its_set);
    const size_t place = (size_t)(its_set - properties->items);
    mez_named_remove(properties, place);
    return true;
}

// --- Comparing

bool mez_property_equal(const mez_property *a, const mez_property *b)
{
    return a->type == b->type && a->number == b->number && a->bits == b->bits &&
           a->size == b->size && (a->size == 0 || memcmp(a->bytes, b->bytes, a->size) == 0);
}
