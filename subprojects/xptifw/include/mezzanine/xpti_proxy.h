// SPDX-License-Identifier: MIT
//
// libmezzanine-xpti.a: the functions of <mezzanine/xpti.h> for programs and libraries that want to be traced. It is linked into each
// of them, and its functions are hidden there: they stand in the way of no tool and no other proxy. The first call of any function
// loads the dispatcher that XPTI_FRAMEWORK_DISPATCHER names; without the variable nothing is loaded, and every function returns at
// once: FAIL, 0, NULL or false, and the NO_* of its type.
//
// Functions that a dispatcher of 2022 lacks may be missing from the loaded one; they then return NOT_IMPLEMENTED and the like.
// Where xptiReleaseEvent is missing events can't be released.
//
// Thread-safety: safe.

#ifndef MEZZANINE_XPTI_PROXY_H
#define MEZZANINE_XPTI_PROXY_H

#include <mezzanine/xpti.h>

#define MEZ_XPTI_HIDDEN __attribute__((visibility("hidden")))

#ifdef __cplusplus
extern "C" {
#endif

// Gets what went wrong, a line without its end: the dispatcher can't be opened, lacks functions, or there is a second one in the
// process, so that some events reach nobody.
typedef void (*mez_xpti_report)(const char *message);

// Loads the dispatcher, once in the life of the process. `path` NULL: as XPTI_FRAMEWORK_DISPATCHER says; `report` NULL: to stderr.
// The first call decides, and any xpti function counts as one: later arguments are not looked at. Returns whether one is loaded.
MEZ_XPTI_HIDDEN bool mez_xpti_load(const char *path, mez_xpti_report report);

MEZ_XPTI_HIDDEN extern unsigned char mez_xpti_loaded;

// Whether a dispatcher is loaded, in one load: ask before you do anything for a trace point. True does not say that somebody
// listens, which tools may change at any time: ask xptiCheckTraceEnabled then.
static inline bool mez_xpti_on(void)
{
    return __builtin_expect(__atomic_load_n(&mez_xpti_loaded, __ATOMIC_RELAXED), 0);
}

#ifdef __cplusplus
}
#endif

#endif
