// SPDX-License-Identifier: MIT
//
// Writing JSON: commas, indentation and the escapes of strings.
//
//     struct json json = {.stream = stdout};
//     json_open(&json, NULL, '{');
//     json_string(&json, "kernel", name);
//     json_close(&json, '}');
//
// A key is NULL in arrays. Bytes that are no UTF-8 become U+FFFD, for JSON has nothing else.

#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
    FILE *stream;
    int depth;
    bool follows; // something stands before in the same object or array
};

void json_open(struct json *json, const char *key, char bracket);
void json_close(struct json *json, char bracket);
void json_string(struct json *json, const char *key, const char *text);
void json_number(struct json *json, const char *key, uint64_t number);
void json_bool(struct json *json, const char *key, bool value);

#endif
