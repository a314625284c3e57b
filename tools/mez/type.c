// SPDX-License-Identifier: MIT

#include "type.h"

#include <stdio.h>
#include <string.h>

static const struct number_type types[] = {
    {"char", "i8", NUMBER_SIGNED, 1},
    {"uchar", "u8", NUMBER_UNSIGNED, 1},
    {"short", "i16", NUMBER_SIGNED, 2},
    {"ushort", "u16", NUMBER_UNSIGNED, 2},
    {"int", "i32", NUMBER_SIGNED, 4},
    {"uint", "u32", NUMBER_UNSIGNED, 4},
    {"long", "i64", NUMBER_SIGNED, 8},
    {"ulong", "u64", NUMBER_UNSIGNED, 8},
    {"half", "f16", NUMBER_FLOAT, 2},
    {"float", "f32", NUMBER_FLOAT, 4},
    {"double", "f64", NUMBER_FLOAT, 8},
};

static bool components_parse(const char *text, size_t length, unsigned *components)
{
    static const struct {
        const char *text;
        unsigned components;
    } known[] = {{"", 1}, {"2", 2}, {"3", 3}, {"4", 4}, {"8", 8}, {"16", 16}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].text) == length && memcmp(known[i].text, text, length) == 0) {
            *components = known[i].components;
            return true;
        }
    return false;
}

static bool begins_with(const char *text, size_t length, const char *start)
{
    return length >= strlen(start) && memcmp(text, start, strlen(start)) == 0;
}

static bool matches_name(const char *text, size_t length, const char *name, unsigned *components)
{
    if (!begins_with(text, length, name))
        return false;
    return components_parse(text + strlen(name), length - strlen(name), components);
}

// A short name ends in a digit, so an x stands before the count.
static bool matches_short_name(
    const char *text, size_t length, const char *name, unsigned *components)
{
    if (!begins_with(text, length, name))
        return false;
    text += strlen(name);
    length -= strlen(name);
    const size_t separator = length > 1 && *text == 'x';
    return components_parse(text + separator, length - separator, components) &&
           (separator || *components == 1);
}

bool value_type_parse(
    const char *text, size_t length, struct value_type *type, struct problem *problem)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        type->number = &types[i];
        if (matches_name(text, length, types[i].name, &type->components) ||
            matches_short_name(text, length, types[i].short_name, &type->components))
            return true;
    }
    return problem_set(problem,
        "\"%.*s\" is not a type: use f16 f32 f64 i8 u8 i16 u16 i32 u32 i64 u64, a vector of them "
        "such "
        "as f32x4, or OpenCL C's names such as float4",
        (int)(length < 40 ? length : 40), text);
}

size_t value_type_size(const struct value_type *type)
{
    return type->number->size * (type->components == 3 ? 4 : type->components);
}

void value_type_name(const struct value_type *type, char *name)
{
    if (type->components == 1)
        snprintf(name, VALUE_TYPE_NAME, "%s", type->number->name);
    else
        snprintf(name, VALUE_TYPE_NAME, "%s%u", type->number->name, type->components);
}
