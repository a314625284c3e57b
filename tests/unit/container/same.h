// SPDX-License-Identifier: MIT
//
// Comparing property sets.

#ifndef MEZ_TESTS_UNIT_CONTAINER_SAME_H
#define MEZ_TESTS_UNIT_CONTAINER_SAME_H

#include <string.h>

#include "container/properties.h"

static inline bool same_set(const mez_property_set *a, const mez_property_set *b)
{
    if (a->properties.count != b->properties.count || strcmp(a->name, b->name) != 0)
        return false;
    for (size_t i = 0; i < a->properties.count; i++)
        if (strcmp(a->properties.items[i].name, b->properties.items[i].name) != 0 ||
            !mez_property_equal(&a->properties.items[i], &b->properties.items[i]))
            return false;
    return true;
}

// The same sets with the same properties in the same order?
static inline bool same_properties(const mez_properties *a, const mez_properties *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!same_set(&a->items[i], &b->items[i]))
            return false;
    return true;
}

#endif
