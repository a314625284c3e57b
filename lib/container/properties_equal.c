// SPDX-License-Identifier: MIT

#include "container/properties.h"

#include <string.h>

bool mez_property_equal(const mez_property *a, const mez_property *b)
{
    return a->type == b->type && a->number == b->number && a->bits == b->bits &&
           a->size == b->size && (a->size == 0 || memcmp(a->bytes, b->bytes, a->size) == 0);
}

static bool same_set(const mez_property_set *a, const mez_property_set *b)
{
    if (a->count != b->count || strcmp(a->name, b->name) != 0)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->properties[i].name, b->properties[i].name) != 0 ||
            !mez_property_equal(&a->properties[i], &b->properties[i]))
            return false;
    return true;
}

bool mez_properties_equal(const mez_properties *a, const mez_properties *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!same_set(&a->sets[i], &b->sets[i]))
            return false;
    return true;
}
