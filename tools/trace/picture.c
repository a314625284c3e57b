// SPDX-License-Identifier: MIT

#include "picture.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/text.h"

// Up to the next comma that stands in no bracket: arguments are expressions.
static size_t name_length(const char *names)
{
    int depth = 0;
    size_t length = 0;
    for (; names[length] && (depth > 0 || names[length] != ','); length++) {
        depth += strchr("([{", names[length]) != NULL;
        depth -= strchr(")]}", names[length]) != NULL;
    }
    return length;
}

// What is large may be an address, which nobody reads in decimal.
static int print_argument(char *text, size_t size, const char *name, size_t length, uint64_t value)
{
    return snprintf(text, size, value > 999999 ? "%.*s = 0x%" PRIx64 : "%.*s = %" PRIu64,
        (int)length, name, value);
}

void trace_print_arguments(const struct trace_event *event, char *text, size_t size)
{
    const char *names = event->argument_names;
    size_t used = 0;
    *text = '\0';
    for (size_t i = 0; i < event->argument_count && used + 3 < size; i++) {
        const size_t length = name_length(names);
        if (i > 0)
            used += (size_t)snprintf(text + used, size - used, ", ");
        used +=
            (size_t)print_argument(text + used, size - used, names, length, event->arguments[i]);
        names += length;
        names += strspn(names, ", ");
    }
}

// A stream remembers that a write has failed, not why.
mez_error trace_picture_flush(FILE *file, const char *name)
{
    const bool had_failed = ferror(file);
    if (fflush(file) == 0 && !had_failed)
        return mez_ok();
    return mez_error_make(MEZ_ERRC_FILE, "%s can't be written: %s", name,
        had_failed ? "an earlier write has failed" : strerror(errno));
}

size_t trace_losses(const struct trace_ending *ending, struct trace_loss losses[TRACE_MOST_LOSSES])
{
    const struct trace_loss all[TRACE_MOST_LOSSES] = {
        {ending->lost,
            "events were lost, as their thread's ring was full: MEZ_TRACE_BUFFER makes rings "
            "larger"},
        {ending->lost_threads,
            "events were lost, as more threads than rings were traced at a time"},
        {ending->lost_strings, "names were lost, as there were too many different ones"},
        {ending->damaged, "times the program has overwritten the trace's memory"},
        {ending->going_on,
            "processes were still running when the trace ended: what they did afterwards is not "
            "there"},
    };
    size_t count = 0;
    for (size_t i = 0; i < TRACE_MOST_LOSSES; i++)
        if (all[i].count)
            losses[count++] = all[i];
    return count;
}

void trace_print_losses(FILE *file, const struct trace_ending *ending)
{
    struct trace_loss losses[TRACE_MOST_LOSSES];
    const size_t count = trace_losses(ending, losses);
    for (size_t i = 0; i < count; i++)
        mez_print(file, "%" PRIu64 " %s\n", losses[i].count, losses[i].what);
}
