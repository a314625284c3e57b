// SPDX-License-Identifier: MIT

#include "picture.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

bool trace_ending_lost(const struct trace_ending *ending)
{
    return ending->lost || ending->lost_strings || ending->lost_threads || ending->damaged;
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

static void print_count(FILE *file, uint64_t count, const char *what)
{
    if (count)
        fprintf(file, "%" PRIu64 " %s\n", count, what);
}

void trace_print_losses(FILE *file, const struct trace_ending *ending)
{
    print_count(file, ending->lost,
        "events were lost, as their thread's ring was full: MEZ_TRACE_BUFFER makes rings larger");
    print_count(file, ending->lost_threads,
        "events were lost, as more threads than rings were traced at a time");
    print_count(
        file, ending->lost_strings, "names were lost, as there were too many different ones");
    print_count(file, ending->damaged, "times the program has overwritten the trace's memory");
}
