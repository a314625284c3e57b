// SPDX-License-Identifier: MIT

#include "json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "strings.h"

void trace_json_key(yajl_gen json, const char *key)
{
    yajl_gen_string(json, (const unsigned char *)key, strlen(key));
}

// What is no UTF-8 becomes U+FFFD, as JSON has nothing else.
static void put_bytes(yajl_gen json, const unsigned char *text, size_t size)
{
    unsigned char clean[3 * TRACE_MOST_STRING + 4];
    size_t length = 0;
    for (size_t at = 0; at < size && length + 4 <= sizeof clean;) {
        const int sequence = mez_utf8_length(text + at);
        if (sequence)
            memcpy(clean + length, text + at, (size_t)sequence);
        else
            memcpy(clean + length, "\xef\xbf\xbd", 3);
        length += sequence ? (size_t)sequence : 3;
        at += sequence ? (size_t)sequence : 1;
    }
    yajl_gen_string(json, clean, length);
}

void trace_json_string(yajl_gen json, const char *key, const char *text)
{
    trace_json_key(json, key);
    put_bytes(json, (const unsigned char *)text, strlen(text));
}

void trace_json_number(yajl_gen json, const char *key, uint64_t number)
{
    char text[24];
    const int length = snprintf(text, sizeof text, "%" PRIu64, number);
    trace_json_key(json, key);
    yajl_gen_number(json, text, (size_t)length);
}

void trace_json_time(yajl_gen json, const char *key, uint64_t nanoseconds)
{
    char text[32];
    const int length = snprintf(
        text, sizeof text, "%" PRIu64 ".%03u", nanoseconds / 1000, (unsigned)(nanoseconds % 1000));
    trace_json_key(json, key);
    yajl_gen_number(json, text, (size_t)length);
}

void trace_json_flag(yajl_gen json, const char *key, bool flag)
{
    if (!flag)
        return;
    trace_json_key(json, key);
    yajl_gen_bool(json, true);
}
