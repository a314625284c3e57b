// SPDX-License-Identifier: MIT
//
// The build log: text that grows line by line and ends up with the application.

#ifndef ZC_ENGINE_LOG_H
#define ZC_ENGINE_LOG_H

#include <stddef.h>

struct zc_log {
    char *text; // NULL while empty
    size_t length;
    size_t capacity;
};

// Appends one line; the newline is added. Out of memory loses the line, never the build.
__attribute__((format(printf, 2, 3))) void zc_log_add(struct zc_log *log, const char *format, ...);

// Appends text as it is, with a newline where it has none at its end.
void zc_log_add_text(struct zc_log *log, const char *text, size_t length);

// Hands the text over to the caller, who frees it; the log is empty afterwards. NULL: out of
// memory.
char *zc_log_take(struct zc_log *log);

#endif
