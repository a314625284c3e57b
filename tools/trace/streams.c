// SPDX-License-Identifier: MIT

#include "streams.h"

#include <mezzanine/trace.h>
#include <stddef.h>
#include <string.h>

// Where somebody listens to the stream for debugging, commands are reported there instead, with all that they have; who traces wants
// less, and often.
static const struct {
    const char *name;
    enum trace_stream stream;
} known[] = {
    {MEZ_TRACE_STREAM_TASKS, TRACE_STREAM_TASKS},
    {MEZ_TRACE_STREAM_TASKS_DEBUG, TRACE_STREAM_COUNT},
    {MEZ_TRACE_STREAM_MEMORY, TRACE_STREAM_MEMORY},
    {"sycl.experimental.buffer", TRACE_STREAM_COUNT},
    {"sycl.experimental.image", TRACE_STREAM_COUNT},
    {MEZ_TRACE_STREAM_DEVICE, TRACE_STREAM_EXECUTIONS},
    {MEZ_TRACE_STREAM_CALLS, TRACE_STREAM_CALLS},
    {MEZ_TRACE_STREAM_ZE, TRACE_STREAM_DRIVER},
    {"xpti.framework", TRACE_STREAM_COUNT},
};

enum trace_stream trace_stream_of(const char *name)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0)
            return known[i].stream;
    return TRACE_STREAM_OTHER;
}
