// SPDX-License-Identifier: MIT
//
// A kernel's argument as the user writes it:
//
//     f32:2.0  float4:1,2,3,4       values
//     buf:TYPE:COUNT[=START]        a buffer
//     out:TYPE:COUNT[=START]        a buffer that is printed after the run
//     local:BYTES  local:TYPE:COUNT memory of the work-group
//     null                          a null pointer

#ifndef ARGUMENT_H
#define ARGUMENT_H

#include "buffer.h"

enum argument_kind { ARGUMENT_VALUE, ARGUMENT_BUFFER, ARGUMENT_LOCAL, ARGUMENT_NULL };

struct argument {
    enum argument_kind kind;
    struct value value;        // of ARGUMENT_VALUE
    struct buffer_spec buffer; // of ARGUMENT_BUFFER
    bool printed;              // written as out:
    size_t local_size;         // of ARGUMENT_LOCAL: bytes
};

// The argument may point into the text.
bool argument_parse(const char *text, struct argument *argument, struct problem *problem);

#endif
