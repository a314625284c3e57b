// SPDX-License-Identifier: MIT
//
// The functions that are called, as pointers: at first those that load a dispatcher, then the dispatcher's.

#ifndef MEZ_PROXY_TABLE_H
#define MEZ_PROXY_TABLE_H

// Before <mezzanine/xpti.h>: the functions that this library defines are for those alone that it is linked into.
#define MEZ_XPTI_API __attribute__((visibility("hidden")))

#include <mezzanine/xpti_proxy.h>

typedef struct mez_dispatcher {
#define FUNCTION(need, type, name, parameters, arguments, otherwise) __typeof__(name) *name;
#define PROCEDURE(need, name, parameters, arguments) __typeof__(name) *name;
#include "functions.def"
#undef FUNCTION
#undef PROCEDURE
} mez_dispatcher;

// What stands in for a dispatcher that is not there: returns at once.
MEZ_XPTI_HIDDEN extern const mez_dispatcher mez_no_dispatcher;

// What all calls go to from now on. It must stay as it is.
MEZ_XPTI_HIDDEN void mez_dispatcher_use(const mez_dispatcher *dispatcher);

#endif
