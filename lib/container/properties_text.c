// SPDX-License-Identifier: MIT

#include "container/properties.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/file.h"
#include "base/text.h"

// --- Base64
//
// The base64 of property files, which no other reader understands: the usual letters, but six bits at a time from the lowest on, and
// nothing at the end to fill up a group.

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// The bytes are one long number whose lowest bits come first, and the letters are its digits.
static void encode_base64(mez_bytes *text, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    uint32_t bits = 0;
    unsigned count = 0;
    for (size_t i = 0; i < size; i++) {
        bits |= (uint32_t)bytes[i] << count;
        for (count += 8; count >= 6; count -= 6, bits >>= 6)
            mez_bytes_add(text, &letters[bits & 63], 1);
    }
    if (count > 0)
        mez_bytes_add(text, &letters[bits], 1);
}

// -1: no letter.
static int value_of(char letter)
{
    if (letter >= 'A' && letter <= 'Z')
        return letter - 'A';
    if (letter >= 'a' && letter <= 'z')
        return letter - 'a' + 26;
    if (letter >= '0' && letter <= '9')
        return letter - '0' + 52;
    return letter == '+' ? 62 : letter == '/' ? 63 : -1;
}

// Adds what the letters stand for. False: another character, or a number of letters that no bytes have. Bits that fill up the last
// letter are not looked at. Out of memory shows in `data`.
static bool decode_base64(mez_bytes *data, const char *text, size_t length)
{
    if (length % 4 == 1)
        return false;
    uint32_t bits = 0;
    unsigned count = 0;
    for (size_t i = 0; i < length; i++) {
        const int value = value_of(text[i]);
        if (value < 0)
            return false;
        bits |= (uint32_t)value << count;
        count += 6;
        if (count < 8)
            continue;
        mez_bytes_add(data, &(uint8_t){(uint8_t)bits}, 1);
        count -= 8;
        bits >>= 8;
    }
    return true;
}

// --- Property sets

#define HEADER_SIZE 8 // of an array: how many bits follow

// --- Reading

typedef struct prop_reader {
    mez_properties *properties;
    const char *source;
    mez_lines lines;
    char *set; // of the properties to come; NULL: no set yet
} prop_reader;

static mez_error damaged(const prop_reader *reader, const char *what, mez_slice text)
{
    return mez_error_make(MEZ_ERRC_INVALID_IMAGE, "%s:%zu: %s: %.*s", reader->source,
        reader->lines.number, what, mez_slice_shown(text), text.start);
}

static mez_error read_set_name(prop_reader *reader, mez_slice line)
{
    const char *close = memrchr(line.start, ']', line.length);
    if (!close)
        return damaged(reader, "invalid line, a '[' without a ']'", line);
    const mez_slice name = {
        .start = line.start + 1,
        .length = (size_t)(close - line.start) - 1,
    };
    mez_free_memory(reader->set);
    reader->set = mez_slice_copy(name);
    return reader->set ? mez_properties_add_set(reader->properties, reader->set)
                       : mez_error_no_memory("a property set's name");
}

// False: no decimal number, or one that does not fit.
static bool read_number(mez_slice text, uint32_t *number)
{
    uint64_t value = 0;
    for (size_t i = 0; i < text.length; i++) {
        const char digit = text.start[i];
        if (digit < '0' || digit > '9')
            return false;
        value = value * 10 + (uint64_t)(digit - '0');
        if (value > UINT32_MAX)
            return false;
    }
    *number = (uint32_t)value;
    return text.length > 0;
}

static mez_error add_number(prop_reader *reader, const char *name, mez_slice text)
{
    uint32_t number;
    if (!read_number(text, &number))
        return damaged(reader, "invalid property value, not a number of 32 bits", text);
    return mez_properties_add_number(reader->properties, reader->set, name, number);
}

static mez_error add_array(
    prop_reader *reader, const char *name, mez_slice text, const mez_bytes *array)
{
    if (array->failed)
        return mez_error_no_memory("a property's array");
    if (array->size < HEADER_SIZE)
        return damaged(reader, "invalid property value, an array without its size", text);
    const uint64_t bits = mez_read_u64(array->data);
    const uint64_t follow = array->size - HEADER_SIZE;
    if (bits / 8 + (bits % 8 != 0) != follow)
        return mez_error_make(MEZ_ERRC_INVALID_IMAGE,
            "%s:%zu: invalid property value, an array that announces %" PRIu64
            " bits, but has %" PRIu64 " bytes: %.*s",
            reader->source, reader->lines.number, bits, follow, mez_slice_shown(text), text.start);
    return mez_properties_add_bits(
        reader->properties, reader->set, name, array->data + HEADER_SIZE, bits);
}

static mez_error add_bytes(prop_reader *reader, const char *name, mez_slice text)
{
    mez_bytes array = {0};
    const mez_error error =
        decode_base64(&array, text.start, text.length)
            ? add_array(reader, name, text, &array)
            : damaged(reader, "invalid property value, not the base64 of property files", text);
    mez_bytes_finish(&array);
    return error;
}

static mez_error add_property(
    prop_reader *reader, const char *name, mez_slice type_text, mez_slice value)
{
    uint32_t type;
    if (!read_number(type_text, &type) || type == 0)
        return damaged(reader, "invalid property type", type_text);
    switch (type) {
    case MEZ_PROPERTY_UINT32:
        return add_number(reader, name, value);
    case MEZ_PROPERTY_BYTES:
        return add_bytes(reader, name, value);
    case MEZ_PROPERTY_STRING:
        return mez_properties_add_bytes(
            reader->properties, reader->set, name, value.start, value.length);
    default:
        return mez_properties_add_other(
            reader->properties, reader->set, name, type, value.start, value.length);
    }
}

static mez_error read_property(prop_reader *reader, mez_slice line)
{
    if (!reader->set)
        return damaged(reader, "property category missing, no [set] stands before", line);
    mez_slice typed_value, value;
    const mez_slice name = mez_slice_split(line, '=', &typed_value);
    if (name.length == 0 || typed_value.length == 0)
        return damaged(reader, "invalid property line", line);
    const mez_slice type = mez_slice_split(typed_value, '|', &value);
    if (type.length == 0 || value.length == 0)
        return damaged(reader, "invalid property value", typed_value);

    char *copy = mez_slice_copy(name);
    if (!copy)
        return mez_error_no_memory("a property's name");
    const mez_error error = add_property(reader, copy, type, value);
    mez_free_memory(copy);
    return error;
}

static mez_error read_line(prop_reader *reader, mez_slice line)
{
    if (memchr(line.start, '\0', line.length))
        return damaged(reader, "invalid line, with a NUL in it", line);
    return line.start[0] == '[' ? read_set_name(reader, line) : read_property(reader, line);
}

static mez_error read_lines(prop_reader *reader)
{
    mez_slice line;
    while (mez_lines_next(&reader->lines, &line))
        MEZ_TRY(read_line(reader, line));
    if (!reader->set)
        return mez_error_make(MEZ_ERRC_INVALID_IMAGE,
            "%s: invalid property set registry: there is no [set] in it", reader->source);
    return mez_ok();
}

mez_error mez_prop_read(
    const char *text, size_t size, const char *source, mez_properties *properties)
{
    prop_reader reader = {
        .properties = properties,
        .source = source,
        .lines = {.rest = text, .left = size},
    };
    const mez_error error = read_lines(&reader);
    mez_free_memory(reader.set);
    return error;
}

mez_error mez_prop_load(const char *path, mez_properties *properties)
{
    mez_file file;
    MEZ_TRY(mez_file_read(path, &file));
    const mez_error error = mez_prop_read(file.bytes, file.size, path, properties);
    mez_file_finish(&file);
    return error;
}

// --- Writing

static mez_error unwritable(const char *what, const char *name, const char *why)
{
    return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
        "the text form of property sets can't hold the %s \"%s\": %s", what, name, why);
}

static void write_array(mez_bytes *text, const mez_property *property, uint64_t bits)
{
    mez_bytes array = {0};
    mez_bytes_add_u64(&array, bits);
    mez_bytes_add(&array, property->bytes, property->size);
    encode_base64(text, array.data, array.size);
    text->failed |= array.failed;
    mez_bytes_finish(&array);
}

static void write_number(mez_bytes *text, uint32_t number)
{
    char digits[16];
    snprintf(digits, sizeof digits, "%" PRIu32, number);
    mez_bytes_add_text(text, digits);
}

static bool has_line_break(const void *text, size_t length)
{
    return length && (memchr(text, '\n', length) || memchr(text, '\0', length) ||
                         ((const char *)text)[length - 1] == '\r');
}

static mez_error write_other(mez_bytes *text, const mez_property *property)
{
    if (property->size == 0 || has_line_break(property->bytes, property->size))
        return unwritable(
            "property", property->name, "its type is unknown, and its value is not a line of text");
    mez_bytes_add(text, property->bytes, property->size);
    return mez_ok();
}

static mez_error write_value(mez_bytes *text, const mez_property *property)
{
    const bool string = property->type == MEZ_PROPERTY_STRING;
    write_number(text, string ? MEZ_PROPERTY_BYTES : property->type);
    mez_bytes_add_text(text, "|");
    switch (property->type) {
    case MEZ_PROPERTY_UINT32:
        write_number(text, property->number);
        return mez_ok();
    case MEZ_PROPERTY_BYTES:
        write_array(text, property, property->bits);
        return mez_ok();
    case MEZ_PROPERTY_STRING:
        write_array(text, property, (uint64_t)property->size * 8);
        return mez_ok();
    default:
        return write_other(text, property);
    }
}

static mez_error write_property(mez_bytes *text, const mez_property *property)
{
    const char *name = property->name;
    if (name[0] == '\0' || name[0] == '[' || strpbrk(name, "=\n"))
        return unwritable(
            "property", name, "a name begins without '[' and has no '=' or line break");
    mez_bytes_add_text(text, name);
    mez_bytes_add_text(text, "=");
    MEZ_TRY(write_value(text, property));
    mez_bytes_add_text(text, "\n");
    return mez_ok();
}

static mez_error write_set(mez_bytes *text, const mez_property_set *set)
{
    if (strchr(set->name, '\n'))
        return unwritable("set", set->name, "its name has a line break");
    mez_bytes_add_text(text, "[");
    mez_bytes_add_text(text, set->name);
    mez_bytes_add_text(text, "]\n");
    for (size_t i = 0; i < set->properties.count; i++)
        MEZ_TRY(write_property(text, &set->properties.items[i]));
    return mez_ok();
}

mez_error mez_prop_write(const mez_properties *properties, mez_bytes *bytes)
{
    for (size_t i = 0; i < properties->count; i++)
        MEZ_TRY(write_set(bytes, &properties->items[i]));
    return bytes->failed ? mez_error_no_memory("the text of property sets") : mez_ok();
}
