// SPDX-License-Identifier: MIT
//
// For this folder: how a place that the program did not tell is called, the same in payloads and in metadata.

#ifndef MEZ_TRACE_PLACE_H
#define MEZ_TRACE_PLACE_H

#include <mezzanine/base.h>

static inline const char *mez_trace_file(const mez_location *where)
{
    return where && where->file ? where->file : "unknown_file";
}

static inline const char *mez_trace_function(const mez_location *where)
{
    return where && where->function ? where->function : "unknown_func";
}

#endif
