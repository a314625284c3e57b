// SPDX-License-Identifier: MIT

#include "base/json.h"

#include <inttypes.h>
#include <stdarg.h>

#include "base/text.h"

static void put(mez_json *json, const char *bytes, size_t count)
{
    if (json->stream)
        fwrite_unlocked(bytes, 1, count, json->stream);
    else
        mez_bounded_add(&json->text, bytes, count);
}

// Short ones: numbers and the like.
MEZ_PRINTF(2, 3) static void print(mez_json *json, const char *format, ...)
{
    char room[32];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(room, sizeof room, format, arguments);
    va_end(arguments);
    put(json, room, (size_t)length);
}

static void end_line(mez_json *json)
{
    if (json->one_line)
        return;
    put(json, "\n", 1);
    for (int i = 0; i < json->depth; i++)
        put(json, "  ", 2);
}

// What is not shown stays what it is for who reads the JSON by a program.
static void put_escaped(mez_json *json, uint32_t point)
{
    if (point == '"' || point == '\\')
        print(json, "\\%c", (char)point);
    else if (point == '\n')
        print(json, "\\n");
    else if (point > 0xffff)
        print(json, "\\u%04x\\u%04x", 0xd7c0 + (point >> 10), 0xdc00 + (point & 0x3ff));
    else
        print(json, "\\u%04x", point);
}

// Bytes at the beginning that stand in JSON as they are.
static size_t plain_length(const unsigned char *text)
{
    const unsigned char *end = text;
    while (*end >= 0x20 && *end != '"' && *end != '\\') {
        uint32_t point;
        const int length = *end < 0x7f ? 1 : mez_shown_length(end, &point);
        if (length == 0)
            break;
        end += length;
    }
    return (size_t)(end - text);
}

static void put_string(mez_json *json, const char *string)
{
    const unsigned char *text = (const unsigned char *)string;
    put(json, "\"", 1);
    for (;;) {
        const size_t plain = plain_length(text);
        put(json, (const char *)text, plain);
        text += plain;
        if (!*text)
            break;
        uint32_t point;
        mez_shown_length(text, &point);
        const int length = mez_utf8_length(text);
        put_escaped(json, length > 0 ? point : 0xfffd);
        text += length > 0 ? length : 1;
    }
    put(json, "\"", 1);
}

static void begin(mez_json *json, const char *key)
{
    if (json->follows)
        put(json, ",", 1);
    if (json->depth)
        end_line(json);
    if (!key)
        return;
    put_string(json, key);
    put(json, ": ", json->one_line ? 1 : 2);
}

// A value has been written.
static void end(mez_json *json)
{
    json->follows = true;
}

void mez_json_open(mez_json *json, const char *key, char bracket)
{
    begin(json, key);
    put(json, &bracket, 1);
    json->depth++;
    json->follows = false;
}

void mez_json_close(mez_json *json, char bracket)
{
    json->depth--;
    if (json->follows)
        end_line(json);
    put(json, &bracket, 1);
    if (json->depth == 0)
        end_line(json);
    end(json);
}

void mez_json_string(mez_json *json, const char *key, const char *text)
{
    begin(json, key);
    put_string(json, text);
    end(json);
}

void mez_json_number(mez_json *json, const char *key, uint64_t number)
{
    begin(json, key);
    print(json, "%" PRIu64, number);
    end(json);
}

void mez_json_integer(mez_json *json, const char *key, int64_t number)
{
    begin(json, key);
    print(json, "%" PRId64, number);
    end(json);
}

void mez_json_thousandths(mez_json *json, const char *key, uint64_t thousandths)
{
    begin(json, key);
    print(json, "%" PRIu64 ".%03u", thousandths / 1000, (unsigned)(thousandths % 1000));
    end(json);
}

void mez_json_bool(mez_json *json, const char *key, bool value)
{
    begin(json, key);
    print(json, "%s", value ? "true" : "false");
    end(json);
}
