// SPDX-License-Identifier: MIT

#include "type_names.h"

#include <mezzanine/xpti_types.h>
#include <stddef.h>

static const struct type {
    uint16_t type; // the begin's
    bool is_pair;
    const char *name;
} types[] = {
    {MEZ_XPTI_NODE_CREATE, false, "node"},
    {MEZ_XPTI_EDGE_CREATE, false, "edge"},
    {MEZ_XPTI_REGION_BEGIN, true, "region"},
    {MEZ_XPTI_TASK_BEGIN, true, "task"},
    {MEZ_XPTI_BARRIER_BEGIN, true, "barrier"},
    {MEZ_XPTI_LOCK_BEGIN, true, "lock"},
    {MEZ_XPTI_SIGNAL, false, "signal"},
    {MEZ_XPTI_TRANSFER_BEGIN, true, "transfer"},
    {MEZ_XPTI_THREAD_BEGIN, true, "thread"},
    {MEZ_XPTI_WAIT_BEGIN, true, "wait"},
    {MEZ_XPTI_FUNCTION_BEGIN, true, "call"},
    {MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, true, "call"},
    {MEZ_XPTI_MEM_ALLOC_BEGIN, true, "allocate"},
    {MEZ_XPTI_MEM_RELEASE_BEGIN, true, "free"},
    {MEZ_XPTI_QUEUE_CREATE, false, "queue created"},
    {MEZ_XPTI_QUEUE_DESTROY, false, "queue destroyed"},
    {MEZ_XPTI_DIAGNOSTICS, false, "message"},
};

static const struct type *find(uint16_t type)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].type == type || (types[i].is_pair && types[i].type == (type & ~1)))
            return &types[i];
    return NULL;
}

const char *trace_type_name(uint16_t type)
{
    const struct type *found = find(type);
    return found ? found->name : "user-defined";
}

bool trace_type_is_pair(uint16_t type)
{
    const struct type *found = find(type);
    return found && found->is_pair;
}
