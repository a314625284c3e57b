// SPDX-License-Identifier: MIT
//
// Keys and values of JSON objects, as timelines have them.

#ifndef TRACE_JSON_H
#define TRACE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <yajl/yajl_gen.h>

// The key alone; its value comes next. The others write both.
void trace_json_key(yajl_gen json, const char *key);

// Any bytes: what is no UTF-8 becomes U+FFFD.
void trace_json_string(yajl_gen json, const char *key, const char *text);

void trace_json_number(yajl_gen json, const char *key, uint64_t number);

// As microseconds with three decimals.
void trace_json_time(yajl_gen json, const char *key, uint64_t nanoseconds);

// Only where it is set.
void trace_json_flag(yajl_gen json, const char *key, bool flag);

#endif
