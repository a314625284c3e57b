// SPDX-License-Identifier: MIT
//
// Text for people: UTF-8, what of it is shown as it is, and printf's formats with strings escaped.

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

// --- UTF-8

int mez_utf8_length(const unsigned char *text)
{
    static const struct {
        unsigned char first, last, least, most; // range of the first byte, and of the second
        int length;
    } forms[] = {
        {0x00, 0x7f, 0x00, 0xff, 1},
        {0xc2, 0xdf, 0x80, 0xbf, 2},
        {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3},
        {0xed, 0xed, 0x80, 0x9f, 3},
        {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4},
        {0xf1, 0xf3, 0x80, 0xbf, 4},
        {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (text[0] < forms[i].first || text[0] > forms[i].last)
            continue;
        if (forms[i].length > 1 && (text[1] < forms[i].least || text[1] > forms[i].most))
            return 0;
        for (int j = 2; j < forms[i].length; j++)
            if (text[j] < 0x80 || text[j] > 0xbf)
                return 0;
        return forms[i].length;
    }
    return 0;
}

// --- Text for people
//
// What a name from outside could do to a terminal or a log: begin lines, drive the terminal, or turn the order of what is read.

// Code points that are not shown as they are: controls, marks of direction, line ends of Unicode, tags and other invisible ones.
static bool is_shown(uint32_t point)
{
    static const struct {
        uint32_t first, last;
    } hidden[] = {{0x00, 0x1f}, {0x7f, 0x9f}, {0x61c, 0x61c}, {0x200e, 0x200f}, {0x2028, 0x202e},
        {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe0fff}};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (point >= hidden[i].first && point <= hidden[i].last)
            return false;
    return true;
}

static uint32_t point_of(const unsigned char *text, int length)
{
    uint32_t point = length == 1 ? text[0] : text[0] & (0xffu >> (length + 1));
    for (int i = 1; i < length; i++)
        point = point << 6 | (text[i] & 0x3fu);
    return point;
}

int mez_shown_length(const unsigned char *text, uint32_t *point)
{
    const int length = mez_utf8_length(text);
    *point = length > 0 ? point_of(text, length) : *text;
    return length > 0 && is_shown(*point) ? length : 0;
}

static void put_point(mez_output out, uint32_t point, int length)
{
    char room[16];
    int shown;
    if (point == '\n' || point == '\t' || point == '\r')
        shown = snprintf(room, sizeof room, "\\%c",
            point == '\n'   ? 'n'
            : point == '\t' ? 't'
                            : 'r');
    else if (length <= 1)
        shown = snprintf(room, sizeof room, "\\x%02x", point);
    else
        shown = snprintf(room, sizeof room, point > 0xffff ? "\\U%08x" : "\\u%04x", point);
    out.put(out.to, room, (size_t)shown);
}

// Not all of a text needs a NUL behind it: a copy of the next character has one.
static size_t put_character(mez_output out, const char *at, size_t left, bool has_lines)
{
    unsigned char next[5] = {0};
    uint32_t point;
    memcpy(next, at, left < 4 ? left : 4);
    const int shown = mez_shown_length(next, &point);
    const bool stays = has_lines && (*at == '\n' || *at == '\t');
    if (shown > 0 || stays) {
        const size_t length = shown > 0 ? (size_t)shown : 1;
        out.put(out.to, at, length);
        return length;
    }
    const int length = mez_utf8_length(next);
    const bool ends_line = has_lines && *at == '\r' && next[1] == '\n';
    if (!ends_line)
        put_point(out, point, length);
    return length > 0 ? (size_t)length : 1;
}

static void put_escaped(mez_output out, const char *string, size_t length, bool has_lines)
{
    for (size_t at = 0; at < length;) {
        size_t plain = at;
        while (plain < length && string[plain] >= 0x20 && string[plain] < 0x7f)
            plain++;
        if (plain > at)
            out.put(out.to, string + at, plain - at);
        at = plain;
        if (at < length)
            at += put_character(out, string + at, length - at, has_lines);
    }
}

static void count_bytes(void *to, const char *bytes, size_t count)
{
    (void)bytes;
    *(size_t *)to += count;
}

// --- Formats
//
// printf's, whose strings are escaped on the way. What C has besides ("%n", "%Lf", wide strings) is used nowhere.

typedef struct directive {
    char flags[8];
    bool has_width; // also where it is 0
    int width;
    int precision; // below 0: none
    char length[3];
    char conversion;
} directive;

// A va_list that functions can take further.
typedef struct arguments {
    va_list list;
} arguments;

static const char *read_number(const char *format, arguments *arguments, int *number)
{
    if (*format == '*') {
        *number = va_arg(arguments->list, int);
        return format + 1;
    }
    for (; *format >= '0' && *format <= '9'; format++)
        *number = *number * 10 + (*format - '0');
    return format;
}

static const char *read_set(const char *format, const char *set, char *room, size_t size)
{
    size_t count = strspn(format, set);
    const size_t kept = count < size ? count : size - 1;
    memcpy(room, format, kept);
    return format + count;
}

// `format` is behind the percent sign.
static const char *read_directive(const char *format, arguments *arguments, directive *read)
{
    *read = (directive){.precision = -1};
    format = read_set(format, "-+ #0", read->flags, sizeof read->flags);
    const char *width = format;
    format = read_number(format, arguments, &read->width);
    read->has_width = format > width;
    if (*format == '.') {
        read->precision = 0;
        format = read_number(format + 1, arguments, &read->precision);
    }
    format = read_set(format, "hljzt", read->length, sizeof read->length);
    read->conversion = *format;
    return *format ? format + 1 : format;
}

static void put_blanks(mez_output out, int count)
{
    for (; count > 0; count--)
        out.put(out.to, " ", 1);
}

// A minus without a width, which does nothing in C, says that the string has lines.
static void put_string(mez_output out, const directive *read, const char *string)
{
    const bool to_left = strchr(read->flags, '-') != NULL || read->width < 0;
    const bool has_lines = to_left && !read->has_width;
    string = string ? string : "(null)";
    const size_t length =
        read->precision < 0 ? strlen(string) : strnlen(string, (size_t)read->precision);
    size_t shown = 0;
    if (read->width != 0)
        put_escaped((mez_output){count_bytes, &shown}, string, length, has_lines);
    const int width = read->width < 0 ? -read->width : read->width;
    const int blanks = shown < (size_t)width ? width - (int)shown : 0;
    put_blanks(out, to_left ? 0 : blanks);
    put_escaped(out, string, length, has_lines);
    put_blanks(out, to_left ? blanks : 0);
}

static bool has_64_bits(const char *length)
{
    return *length && *length != 'h';
}

static intmax_t take_signed(arguments *arguments, const char *length)
{
    if (has_64_bits(length))
        return va_arg(arguments->list, int64_t);
    const int value = va_arg(arguments->list, int);
    return *length != 'h' ? value : length[1] ? (signed char)value : (short)value;
}

static uintmax_t take_unsigned(arguments *arguments, const char *length)
{
    if (has_64_bits(length))
        return va_arg(arguments->list, uint64_t);
    const unsigned value = va_arg(arguments->list, unsigned);
    return *length != 'h' ? value : length[1] ? (unsigned char)value : (unsigned short)value;
}

// As C does it, by a format of this one directive.
static void put_number(mez_output out, const directive *read, arguments *arguments)
{
    char format[24], room[512]; // the longest double has 309 digits
    const bool is_integer = strchr("diuxXo", read->conversion) != NULL;
    snprintf(
        format, sizeof format, "%%%s*.*%s%c", read->flags, is_integer ? "j" : "", read->conversion);
    const int width = read->width, precision = read->precision;
    int length;
    if (read->conversion == 'd' || read->conversion == 'i')
        length = snprintf(
            room, sizeof room, format, width, precision, take_signed(arguments, read->length));
    else if (is_integer)
        length = snprintf(
            room, sizeof room, format, width, precision, take_unsigned(arguments, read->length));
    else
        length =
            snprintf(room, sizeof room, format, width, precision, va_arg(arguments->list, double));
    if (length > 0)
        out.put(out.to, room, (size_t)length < sizeof room ? (size_t)length : sizeof room - 1);
}

static void put_directive(mez_output out, const directive *read, arguments *arguments)
{
    char room[24];
    switch (read->conversion) {
    case 's':
        put_string(out, read, va_arg(arguments->list, const char *));
        break;
    case 'p':
        snprintf(room, sizeof room, "%p", va_arg(arguments->list, void *));
        out.put(out.to, room, strlen(room));
        break;
    case 'c':
        room[0] = (char)va_arg(arguments->list, int);
        put_escaped(out, room, 1, false);
        break;
    case '%':
        out.put(out.to, "%", 1);
        break;
    default:
        put_number(out, read, arguments);
    }
}

void mez_output_print(mez_output out, const char *format, va_list list)
{
    arguments arguments;
    va_copy(arguments.list, list);
    for (const char *percent; (percent = strchr(format, '%'));) {
        directive read;
        out.put(out.to, format, (size_t)(percent - format));
        format = read_directive(percent + 1, &arguments, &read);
        put_directive(out, &read, &arguments);
    }
    out.put(out.to, format, strlen(format));
    va_end(arguments.list);
}

size_t mez_output_length(const char *format, va_list list)
{
    size_t length = 0;
    mez_output_print((mez_output){count_bytes, &length}, format, list);
    return length;
}
