// SPDX-License-Identifier: MIT
//
// A subscriber that is linked with no dispatcher, and writes down its notifications.

#include <mezzanine/xpti.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// For the test: what has happened, a word and a name each.
__attribute__((visibility("default"))) char subscriber_log[4096];

__attribute__((format(printf, 1, 2))) static void write_down(const char *format, ...)
{
    const size_t used = strlen(subscriber_log);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(subscriber_log + used, sizeof subscriber_log - used, format, arguments);
    va_end(arguments);
}

static void on_event(uint16_t type, mez_xpti_event *parent, mez_xpti_event *event,
    uint64_t instance, const void *user_data)
{
    (void)parent, (void)user_data;
    write_down("%u:%s:%llu ", type, event->payload->name, (unsigned long long)instance);
}

void xptiTraceInit(unsigned major, unsigned minor, const char *version, const char *stream)
{
    write_down("init:%s:%u.%u:%s ", stream, major, minor, version);
    if (strcmp(stream, "solver") == 0)
        xptiRegisterCallback(xptiRegisterStream(stream), MEZ_XPTI_TASK_BEGIN, on_event);
}

void xptiTraceFinish(const char *stream)
{
    write_down("finish:%s ", stream);
}

#ifdef WANTED_LEVEL
bool xptiQuerySubscriberStreamDetailLevel(const char *stream, uint8_t *level)
{
    *level = WANTED_LEVEL;
    return strcmp(stream, "solver") == 0;
}
#endif
