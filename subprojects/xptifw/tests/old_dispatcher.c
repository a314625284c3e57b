// SPDX-License-Identifier: MIT
//
// A dispatcher of long ago: it has only what the proxy requires, and says FAIL, false and NULL to everything.

#include <mezzanine/xpti.h>

#define DEFINE_REQUIRED(type, name, parameters, otherwise) \
    type name parameters                                   \
    {                                                      \
        return otherwise;                                  \
    }
#define DEFINE_OPTIONAL(type, name, parameters, otherwise)
#define PROCEDURE_REQUIRED(name, parameters) \
    void name parameters                     \
    {                                        \
    }
#define PROCEDURE_OPTIONAL(name, parameters)

#define FUNCTION(need, type, name, parameters, arguments, otherwise) \
    DEFINE_##need(type, name, parameters, otherwise)
#define PROCEDURE(need, name, parameters, arguments) PROCEDURE_##need(name, parameters)

#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "functions.def"
