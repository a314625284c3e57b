// SPDX-License-Identifier: MIT

#include "base/json.h"

#include <inttypes.h>
#include <stdarg.h>

#include "base/text.h"
#include "base/utf8.h"

static void put(mez_json *json, const char *bytes, size_t count)
{
    if (json->stream)
        fwrite(bytes, 1, count, json->stream);
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

static void put_character(mez_json *json, const unsigned char *text, int length)
{
    if (length == 0)
        print(json, "\\ufffd");
    else if (*text == '"' || *text == '\\')
        print(json, "\\%c", *text);
    else if (*text == '\n')
        print(json, "\\n");
    else if (*text < 0x20)
        print(json, "\\u%04x", *text);
    else
        put(json, (const char *)text, (size_t)length);
}

static void put_string(mez_json *json, const char *string)
{
    const unsigned char *text = (const unsigned char *)string;
    put(json, "\"", 1);
    while (*text) {
        const int length = mez_utf8_length(text);
        put_character(json, text, length);
        text += length ? length : 1;
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

void mez_json_bool(mez_json *json, const char *key, bool value)
{
    begin(json, key);
    print(json, "%s", value ? "true" : "false");
    end(json);
}
