// SPDX-License-Identifier: MIT

#include "base/json.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/text.h"

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

// Bytes of the well-formed UTF-8 sequence at `text`; 0: there is none.
static int sequence_length(const unsigned char *text)
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
        const int length = sequence_length(text);
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
