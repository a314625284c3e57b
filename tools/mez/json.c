// SPDX-License-Identifier: MIT

#include "json.h"

#include <inttypes.h>

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
        const int length = sequence_length(text);
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
