// SPDX-License-Identifier: MIT
//
// Which dispatcher and tools are loaded: what mezzanine/trace.h says of it, and one question more.

#ifndef MEZ_TRACE_SETUP_H
#define MEZ_TRACE_SETUP_H

#include <mezzanine/trace.h>

// Does MEZ_TRACE ask for it, so that XPTI's variables have to be set?
bool mez_trace_setup_is_ours(const mez_trace_setup *setup);

#endif
