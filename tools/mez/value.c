// SPDX-License-Identifier: MIT

#include "value.h"

#include <string.h>

static unsigned count_commas(const char *text)
{
    unsigned count = 0;
    for (; *text; text++)
        count += *text == ',';
    return count;
}

bool value_parse(
    const struct value_type *type, const char *text, unsigned char *bytes, struct problem *problem)
{
    const unsigned given = count_commas(text) + 1;
    if (given != type->components)
        return problem_set(
            problem, "the argument has %u numbers, but its type has %u", given, type->components);
    memset(bytes, 0, value_type_size(type)); // the fourth of three components
    for (unsigned i = 0; i < type->components; i++) {
        const size_t length = strcspn(text, ",");
        if (!number_parse(type->number, text, length, bytes + i * type->number->size, problem))
            return false;
        text += length + 1; // behind the last one nothing is read any more
    }
    return true;
}

void value_print(FILE *stream, const struct value_type *type, const void *bytes)
{
    const unsigned char *component = bytes;
    if (type->components == 1) {
        number_print(stream, type->number, component);
        return;
    }
    for (unsigned i = 0; i < type->components; i++, component += type->number->size) {
        fputs(i == 0 ? "(" : ", ", stream);
        number_print(stream, type->number, component);
    }
    fputc(')', stream);
}
