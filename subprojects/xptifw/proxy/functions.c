// SPDX-License-Identifier: MIT
//
// The functions themselves. Each is a jump through a table, so that a traced program pays nothing for the way here: the table says
// whether a dispatcher is still to be loaded, is there, or is not.

#include "table.h"

#include <stdatomic.h>

static mez_xpti_result missing(void)
{
    return mez_xpti_on() ? MEZ_XPTI_NOT_IMPLEMENTED : MEZ_XPTI_FAIL;
}

static const mez_dispatcher first;
static _Atomic(const mez_dispatcher *) current = &first;

void mez_dispatcher_use(const mez_dispatcher *dispatcher)
{
    atomic_store_explicit(&current, dispatcher, memory_order_release);
}

static inline const mez_dispatcher *get_current(void)
{
    return atomic_load_explicit(&current, memory_order_acquire);
}

// Whichever thread loads, the table is another one when this returns.
static const mez_dispatcher *load_current(void)
{
    mez_xpti_load(NULL, NULL);
    return get_current();
}

#pragma GCC diagnostic ignored "-Wunused-parameter" // of what stands in

#define FUNCTION(need, type, name, parameters, arguments, otherwise) \
    type name parameters                                             \
    {                                                                \
        return get_current()->name arguments;                        \
    }                                                                \
    static type first_##name parameters                              \
    {                                                                \
        return load_current()->name arguments;                       \
    }                                                                \
    static type no_##name parameters                                 \
    {                                                                \
        return otherwise;                                            \
    }
#define PROCEDURE(need, name, parameters, arguments) \
    void name parameters                             \
    {                                                \
        get_current()->name arguments;               \
    }                                                \
    static void first_##name parameters              \
    {                                                \
        load_current()->name arguments;              \
    }                                                \
    static void no_##name parameters                 \
    {                                                \
    }
#include "functions.def"
#undef FUNCTION
#undef PROCEDURE

static const mez_dispatcher first = {
#define FUNCTION(need, type, name, parameters, arguments, otherwise) .name = first_##name,
#define PROCEDURE(need, name, parameters, arguments) .name = first_##name,
#include "functions.def"
#undef FUNCTION
#undef PROCEDURE
};

const mez_dispatcher mez_no_dispatcher = {
#define FUNCTION(need, type, name, parameters, arguments, otherwise) .name = no_##name,
#define PROCEDURE(need, name, parameters, arguments) .name = no_##name,
#include "functions.def"
#undef FUNCTION
#undef PROCEDURE
};
