// SPDX-License-Identifier: MIT
//
// The four requests to callgrind that measuring needs. Outside of valgrind they do nothing.

#ifndef MEZ_PERF_CALLGRIND_H
#define MEZ_PERF_CALLGRIND_H

#include <stdbool.h>

#ifdef HAVE_CALLGRIND_H
#include <valgrind/callgrind.h>

static inline bool callgrind_is_running(void)
{
    return RUNNING_ON_VALGRIND != 0;
}

static inline void callgrind_forget(void)
{
    CALLGRIND_ZERO_STATS;
}

static inline void callgrind_toggle(void)
{
    CALLGRIND_TOGGLE_COLLECT;
}

// Writes what was collected to a file of its own, which carries the name.
static inline void callgrind_dump(const char *name)
{
    CALLGRIND_DUMP_STATS_AT(name);
}
#else
static inline bool callgrind_is_running(void)
{
    return false;
}

static inline void callgrind_forget(void)
{
}

static inline void callgrind_toggle(void)
{
}

static inline void callgrind_dump(const char *name)
{
    (void)name;
}
#endif

#endif
