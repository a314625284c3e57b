// SPDX-License-Identifier: MIT
//
// The functions themselves: each calls the dispatcher's, where there is one.

#include "table.h"

static mez_xpti_result missing(void)
{
    return mez_xpti_on() ? MEZ_XPTI_NOT_IMPLEMENTED : MEZ_XPTI_FAIL;
}

#define FUNCTION(need, type, name, parameters, arguments, otherwise) \
    type name parameters                                             \
    {                                                                \
        const mez_dispatcher *dispatcher = mez_dispatcher_get();     \
        if (!dispatcher->name)                                       \
            return otherwise;                                        \
        return dispatcher->name arguments;                           \
    }

#define PROCEDURE(need, name, parameters, arguments)             \
    void name parameters                                         \
    {                                                            \
        const mez_dispatcher *dispatcher = mez_dispatcher_get(); \
        if (dispatcher->name)                                    \
            dispatcher->name arguments;                          \
    }

#include "functions.def"
