// SPDX-License-Identifier: MIT

#include "trace/scope.h"

#include <mezzanine/xpti.h>

static _Thread_local uint64_t ours; // the id that we have set; 0: none

static void set(uint64_t id)
{
    ours = id;
    xptiSetUniversalId(id);
}

uint64_t mez_trace_scope_enter(uint64_t id)
{
    const uint64_t outer = xptiGetUniversalId();
    if (outer == ours)
        set(id);
    return outer;
}

void mez_trace_scope_leave(uint64_t outer)
{
    if (xptiGetUniversalId() == ours)
        set(outer);
}
