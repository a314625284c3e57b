// SPDX-License-Identifier: MIT
//
// The dispatcher's functions, as pointers.

#ifndef MEZ_PROXY_TABLE_H
#define MEZ_PROXY_TABLE_H

// Before <mezzanine/xpti.h>: the functions that this library defines are for those alone that it is linked into.
#define MEZ_XPTI_API __attribute__((visibility("hidden")))

#include <mezzanine/xpti_proxy.h>

// NULL each: the dispatcher lacks it, or there is none.
typedef struct mez_dispatcher {
#define FUNCTION(need, type, name, parameters, arguments, otherwise) __typeof__(name) *name;
#define PROCEDURE(need, name, parameters, arguments) __typeof__(name) *name;
#include "functions.def"
#undef FUNCTION
#undef PROCEDURE
} mez_dispatcher;

// Loads the dispatcher at the first call.
MEZ_XPTI_HIDDEN const mez_dispatcher *mez_dispatcher_get(void);

#endif
