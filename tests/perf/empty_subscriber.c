// SPDX-License-Identifier: MIT
//
// A tool that listens to what the recorder of `mez trace` listens to, and does nothing: what is left is the cost of notifying.

#include <mezzanine/trace.h>
#include <mezzanine/xpti.h>
#include <string.h>

static void hear(uint16_t type, mez_xpti_event *parent, mez_xpti_event *event, uint64_t instance,
    const void *data)
{
    (void)type, (void)parent, (void)event, (void)instance, (void)data;
}

void xptiTraceInit(unsigned major, unsigned minor, const char *version, const char *stream)
{
    (void)major, (void)minor, (void)version;
    // Whoever subscribes to it gets all metadata, which cost as much again.
    if (strcmp(stream, MEZ_TRACE_STREAM_TASKS_DEBUG) == 0)
        return;
    const mez_xpti_stream number = xptiRegisterStream(stream);
    for (uint16_t type = MEZ_XPTI_GRAPH_CREATE; type <= MEZ_XPTI_DIAGNOSTICS; type++)
        xptiRegisterCallback(number, type, hear);
}

void xptiTraceFinish(const char *stream)
{
    (void)stream;
}
