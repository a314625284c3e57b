// SPDX-License-Identifier: MIT

#include "json.h"

#include <inttypes.h>

#include "base/utf8.h"

static void print_character(FILE *stream, const unsigned char *text, int length)
{
    if (length == 0)
        fputs("\\ufffd", stream);
    else if (*text == '"' || *text == '\\')
        fprintf(stream, "\\%c", *text);
    else if (*text == '\n')
        fputs("\\n", stream);
    else if (*text < 0x20)
        fprintf(stream, "\\u%04x", *text);
    else
        fwrite(text, 1, (size_t)length, stream);
}

static void print_string(FILE *stream, const char *string)
{
    const unsigned char *text = (const unsigned char *)string;
    putc('"', stream);
    while (*text) {
        const int length = mez_utf8_length(text);
        print_character(stream, text, length);
        text += length ? length : 1;
    }
    putc('"', stream);
}

static void begin(struct json *json, const char *key)
{
    if (json->follows)
        putc(',', json->stream);
    if (json->depth)
        fprintf(json->stream, "\n%*s", json->depth * 2, "");
    if (key) {
        print_string(json->stream, key);
        fputs(": ", json->stream);
    }
    json->follows = true;
}

void json_open(struct json *json, const char *key, char bracket)
{
    begin(json, key);
    putc(bracket, json->stream);
    json->depth++;
    json->follows = false;
}

void json_close(struct json *json, char bracket)
{
    json->depth--;
    if (json->follows)
        fprintf(json->stream, "\n%*s", json->depth * 2, "");
    putc(bracket, json->stream);
    if (json->depth == 0)
        putc('\n', json->stream);
    json->follows = true;
}

void json_string(struct json *json, const char *key, const char *text)
{
    begin(json, key);
    print_string(json->stream, text);
}

void json_number(struct json *json, const char *key, uint64_t number)
{
    begin(json, key);
    fprintf(json->stream, "%" PRIu64, number);
}

void json_bool(struct json *json, const char *key, bool value)
{
    begin(json, key);
    fputs(value ? "true" : "false", json->stream);
}
