// SPDX-License-Identifier: MIT
//
// Writing JSON: commas, indentation and the escapes of strings.
//
//     mez_json json = {.stream = stdout};
//     mez_json_open(&json, NULL, '{');
//     mez_json_string(&json, "kernel", name);
//     mez_json_close(&json, '}');
//
// A key is NULL in arrays. Bytes that are not UTF-8 become U+FFFD, for JSON has nothing else.
//
// Thread-safety: nobody else may use the value or its stream meanwhile; a stream's lock is not taken, as that costs more than the rest.

#ifndef MEZ_BASE_JSON_H
#define MEZ_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"

typedef struct mez_json {
    FILE *stream;     // where it goes; NULL: to the text
    mez_bounded text; //
    bool one_line;    // no line ends and no indentation
    int depth;
    bool follows; // something stands before in the same object or array
} mez_json;

void mez_json_open(mez_json *json, const char *key, char bracket);
void mez_json_close(mez_json *json, char bracket);
void mez_json_string(mez_json *json, const char *key, const char *text);
void mez_json_number(mez_json *json, const char *key, uint64_t number);
void mez_json_integer(mez_json *json, const char *key, int64_t number);
// As many thousandths of one: 12345 is written 12.345.
void mez_json_thousandths(mez_json *json, const char *key, uint64_t thousandths);
void mez_json_bool(mez_json *json, const char *key, bool value);

#endif
